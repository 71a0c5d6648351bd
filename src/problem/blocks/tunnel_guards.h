// Fast vertices and thin obstacles. Phi counts an obstacle where vertices are, not where they came through: behind
// a thin one it is lowest, and fast bodies would tunnel. A vertex whose free flight leads through an obstacle gets
// a half space for the stage, across the point where it enters, stiff enough to stop the vertex in a quarter of the
// thickness; solvers still minimise one function. A vertex that has passed nevertheless when the stage ends, since
// other vertices pushed it or a solver stopped early, is projected back onto the half space. Vertices that move
// less than half of the thickness are not touched.
#pragma once
#include <vector>

#include "contact/obstacles/half_spaces.h"
#include "contact/obstacles/vertex_sweeps.h"
#include "problem/blocks/listed_elements.h"

namespace resilin {

class TunnelGuards final : public EnergyBlock {
 public:
  TunnelGuards(const Space& space, const Model& model);

  /// Half spaces for a stage; `obstacles`: their terms in the model.
  void begin_stage(const Stage& stage, std::span<const int> obstacles);
  /// The stage has ended at y: vertices that have passed are projected back, and there are no half spaces any more.
  /// True: some had passed.
  bool end_stage(const Stage& stage, std::span<const int> obstacles, double* y);
  bool any() const { return term_[0].elements.size() > 0; }
  const Term& term() const { return term_[0]; }
  const HalfSpaces& half_spaces() const { return static_cast<const HalfSpaces&>(*term_[0].elastic[0]); }

  bool of_obstacles() const override { return true; }
  void set_time(double time) override { elements_.set_time(time); }
  void evaluate(const double* y, Assembly* forces, std::span<double> energies) override {
    if (any()) elements_.evaluate(y, forces, energies);
  }
  void add_points(const double* y, std::vector<PointStiffness>& points) override {
    if (any()) elements_.add_points(y, points);
  }

 private:
  const std::vector<SweepHit>& find(const Stage& stage, const Term& obstacle, const double* to);
  void set(std::vector<int> vertices, std::vector<HalfSpace> spaces);

  const Space& space_;
  const Model& model_;
  std::vector<Term> term_;  // one
  ListedElements elements_;
  std::vector<double> from_, to_;
  std::vector<SweepHit> hits_;
};

}  // namespace resilin
