// The list of energy blocks of a model, in the order in which they are summed: drags, pins of a subspace, friction
// and restitution of obstacles, contact of bodies, obstacles, guards against tunnelling, global energies. And the
// obstacles that are inequalities.
#pragma once
#include <memory>
#include <vector>

#include "contact/body_contact.h"
#include "problem/blocks/global_energies.h"
#include "problem/blocks/listed_elements.h"
#include "problem/blocks/tunnel_guards.h"
#include "problem/inequalities.h"
#include "problem/revision.h"

namespace resilin {

class EnergyBlocks {
 public:
  EnergyBlocks(const Model& model, Space& space);
  /// Components that an element couples, or whose bodies may meet, become one island; true when some did not belong
  /// together before.
  bool rebuild_islands();

  // ---- at a point
  void ensure_listed(const double* y);
  /// Adds energies by component and, unless null, forces. `obstacles`: also those that local steps of solvers take
  /// as elements.
  void evaluate(const double* y, Assembly* forces, bool obstacles, std::span<double> energies);
  /// Stiffness of single vertices, ordered by component: obstacles, drags, friction, guards. Without obstacles,
  /// which are elements of the partition to a Hessian: with pins of a subspace.
  void add_points(const double* y, bool obstacles, std::vector<PointStiffness>& points);
  void add_pairs(const double* y, std::vector<PairStiffness>& pairs);
  void add_rank_one(const double* y, std::vector<RankOneStiffness>& rows) { global_.add_rank_one(y, rows); }
  void add_hessian(const double* y, bool filter, AddBlock add);
  /// Adds the exact second derivative of the global energies at y times p.
  void multiply_global(const double* y, const double* p, Assembly& forces) { global_.multiply(y, p, forces); }
  void each_element(FunctionRef<void(std::span<const int>)> visit) const;

  /// The deepest vertex of each component in an obstacle at y [m].
  std::vector<double> obstacle_depths(const double* y);

  // ---- what there is
  /// A term of points that stands in no constant matrix.
  bool is_obstacle(int term) const { return is_obstacle_[term] != 0; }
  const std::vector<char>& obstacles() const { return is_obstacle_; }
  /// Vertices that can touch an obstacle or are held by a drag, ascending.
  const std::vector<int>& point_vertices() const { return point_vertices_; }
  const std::vector<std::unique_ptr<ContactElements>>& contacts() const { return contacts_; }
  /// Null: bodies pass through each other.
  BodyContact* contact() const { return contact_; }
  ContactElements* contact_elements() const { return contact_ != nullptr ? contacts_.back().get() : nullptr; }
  ListedElements& drags() { return drags_; }
  const std::vector<Term>& drag_terms() const { return model_.listed; }
  std::span<const std::shared_ptr<const GlobalEnergy>> global_energies() const { return model_.global_energies; }
  bool friction_of_obstacles() const { return !model_.friction.empty(); }
  bool friction_of_bodies() const { return model_.contact && model_.contact->has_friction(); }
  const TunnelGuards& guards() const { return guards_; }
  const Inequalities& inequalities() const { return inequalities_; }
  /// Counts how often elements of contact were listed.
  std::uint64_t lists() const;

 private:
  friend class DynamicSystem;  // the owner, which begins and ends stages
  /// The model has changed. `by_target`: drags act by the target of a stage and have no energy.
  void update(const Revision& revision, bool by_target);
  /// Pins of a subspace, as springs; they must stay.
  void set_pins(std::span<const Term> pins) { pins_.set_terms(pins); }
  void set_time(double time);
  void begin(const Stage& stage, const Memory& memory);
  void end(const double* y, Memory& memory);
  void begin_guards(const Stage& stage) { guards_.begin_stage(stage, obstacle_terms_); }
  bool end_guards(const Stage& stage, double* y) { return guards_.end_stage(stage, obstacle_terms_, y); }

  void find_obstacles();
  void make_contacts();
  template <class Visit>
  void each(Visit&& visit);

  const Model& model_;
  Space& space_;
  std::vector<Term> drag_terms_;
  ListedElements drags_, pins_;
  std::vector<std::unique_ptr<ContactElements>> contacts_;  // friction, restitution, bodies: those that there are
  BodyContact* contact_ = nullptr;
  std::vector<std::unique_ptr<ObstacleElements>> obstacles_;
  TunnelGuards guards_;
  GlobalEnergies global_;
  Inequalities inequalities_;
  std::vector<int> obstacle_terms_, point_vertices_;
  std::vector<char> is_obstacle_;   // by term of the model
  std::uint64_t contact_of_ = 0;    // stamp of the contact that contacts_ were made of
  std::uint64_t lists_before_ = 0;  // of contacts that were replaced
};

}  // namespace resilin
