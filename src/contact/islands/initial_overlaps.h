// Bodies that pass through each other, or touch without a gap, when a run begins or after an edit. Contact between
// them is off. They are led apart along the shortest way out of their convex hulls, among a few directions, which
// is kept. In every stage both bodies get an impulse as a whole, m_i dv on each vertex, so that they part with the
// speed
//
//   (depth + radius)/separation_time
//
// and no faster: nothing is thrown and nothing is deformed. Gravity that would pull them back is compensated. Where
// they part more slowly, because other bodies hold them, the speed is raised within bounds. Once no edge crosses a
// triangle and the gap is 0.9 radii, contact is on for good. A body that passes through itself, or lies flat on
// itself, has no way out: its own forces unfold it.
#pragma once
#include <memory>
#include <vector>

#include "contact/islands/separation_proof.h"
#include "contact/narrow_phase/intersections.h"
#include "resilin/state.h"

namespace resilin {

struct BodyOverlap {
  BodyPair bodies;
  Vec3 out{0, 0, 0};  // in which the second leaves the first
  double depth = 0;   // along it [m]
  int crossings = 0;  // edges that pass through triangles
  double more = 0;    // speed that is asked for besides, because something holds them [m/s]
};

/// Bodies with crossings at x, ascending. None where a position is not finite.
std::vector<BodyOverlap> find_overlaps(const ContactSurface& surface, const double* x);

class InitialOverlaps {
 public:
  /// All must stay. `stamp`: of what is kept.
  InitialOverlaps(const ContactSettings& options, const ContactSurface& surface, const Model& model, double radius,
                  std::uint64_t stamp);

  bool contains(int a, int b) const;
  const std::vector<BodyOverlap>& all() const { return overlaps_; }
  /// A stage begins: overlaps that are kept and still there; when a run begins, all that there are.
  void begin(const double* x, const Memory& memory, ThreadPool& pool);
  /// What leads them apart in this stage.
  Term push(const Stage& stage, const double* x);
  /// A stage has ended at x, and pins have moved through something: bodies that cross now overlap.
  void detect_overlaps(const double* x);
  void end(Memory& memory) const;

 private:
  bool wanted(int a, int b) const { return a == b ? options_.self : options_.between; }
  std::vector<BodyOverlap> at_start(const double* x, ThreadPool& pool);
  void drop_parted(const double* x, ThreadPool& pool);
  double speed(const BodyOverlap& overlap) const;
  std::vector<BodyPair> nearer(const double* x, double distance, ThreadPool& pool);
  bool holds(int body) const { return held_[body] != 0; }

  ContactSettings options_;
  const ContactSurface& surface_;
  const Model& model_;
  double radius_;
  std::uint64_t stamp_;
  std::vector<char> held_;  // bodies with pins
  std::vector<BodyOverlap> overlaps_;
  std::unique_ptr<PairFinder> finder_;
};

}  // namespace resilin
