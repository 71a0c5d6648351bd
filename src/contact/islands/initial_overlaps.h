// Bodies that pass through each other, or touch without a gap, when a run begins or an edit has put them there: no
// contact holds between them, and they are led apart. The way out is the shortest shift of their convex hulls among
// a few directions, and is kept. In every stage both bodies are pushed as a whole, m_i dv on each vertex, so that
// they part along it at
//
//   (depth + radius)/separation_time       and no faster: nothing is thrown, nothing is deformed
//
// and gravity is taken from what would fall back; where they part more slowly, because others lie on them, more is
// asked for, within bounds. Once nothing crosses and 0.9 radii lie between them contact holds, for ever. A body
// that passes through itself, or lies flat on itself, has no way out: its own forces unfold it, and then contact
// with itself holds. Called by contact between bodies.
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
  /// A stage begins: of those that are kept, who is tangled still; when a run begins, who is.
  void begin(const double* x, const Memory& memory, ThreadPool& pool);
  /// What leads them apart in this stage.
  Term push(const Stage& stage, const double* x);
  /// A stage has ended at x, and pins have moved through something: whoever crosses now is tangled.
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
