// Contact of bodies with each other and with themselves:
//   energy        of the pairs of surface parts that are nearer than a radius (narrow_phase/pair_list.h,
//                 pair_energy.h)
//   friction      of the pairs that touched when the stage began (friction/body_friction.h)
//   region        no step lets a surface pass through another (feasible_region/feasible_region.h)
//   separation    bodies that began in each other are led apart (islands/initial_overlaps.h)
// Only pairs of bodies that are near each other are awake. A proof after the stage shows that the others have
// stayed apart (islands/separation_proof.h); where it fails the stage is solved again with these pairs awake. Pairs
// are listed when a stage begins, and again where vertices reach the edge of the region. Lists do not change Phi: a
// list holds every pair that can come nearer than the radius while vertices stay in the balls around which it was
// made.
#pragma once
#include <limits>
#include <vector>

#include "contact/feasible_region/feasible_region.h"
#include "contact/friction/body_friction.h"
#include "contact/islands/initial_overlaps.h"
#include "contact/islands/separation_proof.h"
#include "contact/listed_term.h"
#include "contact/narrow_phase/pair_list.h"

namespace resilin {

class BodyContact final : public ListedTerm {
 public:
  /// `model` (which has contact) and `pool` must outlive it.
  BodyContact(const Model& model, ThreadPool& pool);

  // ---- the stage
  std::span<const Term> terms() const override { return terms_; }
  void begin(const Stage& stage, const Memory& memory) override;
  void end(const double* x, Memory& memory) override;
  /// False: at x, where the stage would end, some pair of bodies that was asleep may have touched on the way. It is
  /// awake now, and the stage must be solved again.
  bool all_contacts_listed(const Stage& stage, const double* x, const Memory& memory);
  bool ensure_listed(const double* x) override;
  void add_pairs(const double* x, std::vector<PairStiffness>& out) const override;
  /// Vertices of bodies that may meet in this stage, two by two: their components are solved together from the
  /// start.
  std::span<const std::array<int, 2>> candidate_body_pairs() const { return candidates_; }

  // ---- steps
  /// Whether steps are limited at all.
  bool limits_steps() const { return safe_ && !near_.pairs.empty(); }
  /// Moves x, a start of the stage, to where bodies come from `from` (a rigid motion of each island from where the
  /// step began) without touching. True: the way was walked in several rounds, and steps may begin at x only;
  /// false: at `from` as well.
  bool advance_start(const double* from, double* x);
  /// Shortens the steps of vertices from `from`, a feasible point, to `to` until `to` is feasible. fraction[c] is
  /// lowered to the least fraction that a vertex of component c has left. `uniform`: all vertices of a component
  /// keep the same fraction.
  FeasibleRegion::Clipped limit_step(const double* from, double* to, std::span<const int> component,
                                     std::span<double> fraction, bool uniform);
  /// Lists pairs anew around x where the last step was limited by the region's balls. True: elements are others.
  bool renew_lists(const double* x, const FeasibleRegion::Clipped& last);

  // ---- read-outs
  /// The smallest gap between bodies when the last stage ended [m]; infinite: none were near each other.
  double smallest_gap() const { return gap_; }
  /// Bodies of the model that pass through each other, or through themselves.
  std::vector<BodyPair> overlapping() const;

 private:
  bool wanted(int a, int b) const;
  bool clusters_wanted(int a, int b) const;
  void find_near(const double* x, double margin, SeparationProof::Near& out);
  void leave_out_overlapping(SeparationProof::Near& out) const;
  void recall_awake(const Memory& memory);
  void choose_ball(double farthest);
  void begin_awake(const Stage& stage, const Memory& memory);
  void begin_friction(const Stage& stage, const Memory& memory);
  void find_radius(const Memory& memory);
  void find_candidates();
  void search(const std::vector<double>& x);
  bool list_at(const double* x);
  void find(const double* x);
  void measure_gap(const double* x);
  bool pins_moved(const double* x) const;

  const Model& model_;
  ThreadPool& pool_;
  bool between_, self_, safe_;
  ContactSurface surface_;
  std::uint64_t stamp_;
  PairList list_;
  SeparationProof proof_;
  InitialOverlaps overlaps_;
  BodyFriction friction_;
  SeparationProof::Near near_, next_, nearest_;  // pairs that are awake in this stage, and in the next one
  double ball_ = 0, gap_ = std::numeric_limits<double>::infinity();
  std::vector<double> before_, target_, listed_;  // where the stage began, flies to; where pairs were listed
  std::vector<std::array<int, 2>> candidates_;
  std::vector<char> free_;
  std::vector<int> watched_, bound_;  // vertices of bodies that are awake, and the free ones of them
  FeasibleRegion region_;
  std::vector<char> stopped_;
  std::array<Term, 3> terms_;  // energy, friction, separation
};

}  // namespace resilin
