// The pairs that a search has found, with what their energy needs: radius, stiffness and weight of each. These are chosen here where nobody states
// them, by the sizes, stiffnesses and weights of bodies. Called by contact between bodies and by its friction.
#pragma once
#include <span>
#include <vector>

#include "contact/contact_pairs.h"
#include "contact/contact_surface.h"
#include "contact/pair_energy.h"
#include "resilin/contact.h"

namespace resilin {

class PairList {
 public:
  /// `wanted`, `clusters`: what is looked at (contact_pairs.h). `model` and `surface` must stay.
  PairList(const BodyContact& options, const Model& model, const ContactSurface& surface, PairFinder::Bodies wanted,
           PairFinder::Clusters clusters = {});

  /// At which surfaces begin to push [m]: as it was chosen, and as it is now, which is less while a run begins.
  double full_radius() const { return full_radius_; }
  double radius() const { return radius_; }
  void set_radius(double radius) { radius_ = radius; }
  /// Positions by which edges are weighed, 3 per vertex of the model; they must stay.
  void set_before(const double* before) { before_ = before; }

  /// All that push and are nearer than `reach` at x.
  void find(const double* x, double reach, ThreadPool& pool);
  void clear() { pairs_.clear(), radii_.clear(), sides_.clear(); }
  std::span<const ContactPair> pairs() const { return pairs_; }
  /// Below which pair i pushes.
  double radius(std::size_t i) const { return radii_[i]; }
  VertexTriangle numbers(std::size_t i) const;
  /// The energy of all.
  Term term() const;

  /// Parts of one body that are nearer at rest push below this part of that distance.
  static constexpr double at_rest = 0.5;
  /// Below which a pair pushes; 0: its sides are all but one at rest, and never do.
  double own_radius(const ContactPair& pair, double radius) const;
  double stiffness(const ContactPair& pair) const;
  /// What two edges count, by how they lay before the step: ends are the business of vertices, parallel edges have no closest points.
  double edge_weight(const ContactPair& pair) const;

  struct BodyNumbers {
    double edge, size, stiffness, mass;
    int vertices;  // of the surface
  };

 private:
  const Model& model_;
  const ContactSurface& surface_;
  PairFinder finder_;
  std::vector<BodyNumbers> bodies_;
  double full_radius_, radius_, stiffness_;
  const double* before_ = nullptr;
  std::vector<ContactPair> pairs_;
  std::vector<double> radii_, sides_;  // of the pairs; side_of where they were found
};

}  // namespace resilin
