// Obstacles along the step. Phi counts an obstacle where vertices are, not where they came through: with a thin one it is lowest behind it, and fast bodies
// would pass. So a vertex whose free flight leads through an obstacle has a half space for the stage, across where it goes in, stiff enough to stop
// it in a quarter of the thickness; solvers still minimise one function. What has passed nevertheless when the stage ends, because other vertices
// pushed or a solver stopped early, is put back to where it went in. Vertices that move less than half the thickness are not touched.
#pragma once
#include <vector>

#include "contact/obstacles/half_spaces.h"
#include "contact/obstacles/vertex_sweeps.h"
#include "objective/listed_packs.h"
#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

class TunnelGuards {
 public:
  explicit TunnelGuards(const Model& model);

  /// `terms`: the obstacles, in the model; `free`: number of each vertex, negative when pinned.
  void begin(const Stage& stage, std::span<const int> terms, const std::vector<int>& free);
  /// The stage has ended at y: vertices that have passed go back, and there are no half spaces any more. True: some did.
  bool end(const Stage& stage, std::span<const int> terms, const std::vector<int>& free, double* y);
  bool any() const { return packs_.size() > 0; }
  const Term& term() const { return term_; }
  ListedPacks& packs() { return packs_; }

 private:
  const std::vector<SweepHit>& find(const Stage& stage, const Term& obstacle, const double* to,
                                    const std::vector<int>& free);
  void set(std::vector<int> vertices, std::vector<HalfSpace> spaces);

  const Model& model_;
  Term term_;
  ListedPacks packs_;
  std::vector<double> from_, to_;
  std::vector<SweepHit> hits_;
};

}  // namespace resilin
