// The pairs that a search has found, with what their energy needs: radius, stiffness and weight of each. These are
// chosen here where the scene has none, by the sizes, stiffnesses and weights of bodies.
#pragma once
#include <span>
#include <vector>

#include "contact/broad_phase/contact_surface.h"
#include "contact/narrow_phase/contact_pairs.h"
#include "contact/narrow_phase/pair_energy.h"
#include "resilin/contact.h"

namespace resilin {

class PairList {
 public:
  /// `wanted`, `clusters`: what is looked at (contact_pairs.h). `model` and `surface` must stay.
  PairList(const ContactSettings& options, const Model& model, const ContactSurface& surface,
           PairFinder::Bodies wanted, PairFinder::Clusters clusters = {});

  /// At which surfaces begin to push [m]: as it was chosen, and as it is now, which is less while a run begins.
  double full_radius() const { return full_radius_; }
  double radius() const { return radius_; }
  void set_radius(double radius) { radius_ = radius; }

  /// All that push and are nearer than `reach` at x.
  void find(const double* x, double reach, ThreadPool& pool);
  void clear() { pairs_.clear(), radii_.clear(), sides_.clear(); }
  std::span<const ContactPair> pairs() const { return pairs_; }
  /// Below which pair i pushes.
  double radius(std::size_t i) const { return radii_[i]; }
  /// Of a vertex and a triangle, of two edges.
  VertexTriangle numbers(std::size_t i) const;
  EdgeEdge edges(std::size_t i) const;
  /// Whether it may come nearer than its radius while vertices stay where the search has looked.
  bool can_push(std::size_t i) const { return pairs_[i].distance < radii_[i] + more_; }
  /// The energy of all that can.
  Term term() const;

  /// Parts of one body that are nearer at rest push below this part of that distance.
  static constexpr double at_rest = 0.5;
  /// Below which a pair pushes; 0: its sides are all but one at rest, and never do.
  double own_radius(const ContactPair& pair, double radius) const;
  double stiffness(const ContactPair& pair) const;

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
  double more_ = 0;  // by which the last search looked beyond the radius
  std::vector<ContactPair> pairs_;
  std::vector<double> radii_, sides_;  // of the pairs; side_of where they were found
};

}  // namespace resilin
