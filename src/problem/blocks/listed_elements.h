// Blocks whose elements are listed: packs of terms, made anew when the terms change.
#pragma once
#include <memory>
#include <vector>

#include "contact/listed_term.h"
#include "contact/obstacles/obstacle_culling.h"
#include "problem/blocks/listed_packs.h"
#include "problem/energy_block.h"
#include "problem/space.h"

namespace resilin {

/// Terms that are there for as long as the model is: drags, pins of a subspace.
class ListedElements : public EnergyBlock {
 public:
  ListedElements(const Space& space) : space_(space) {}
  /// Evaluates these terms from now on; they must stay where they are until the next call.
  void set_terms(std::span<const Term> terms);
  std::span<const Term> terms() const { return terms_; }

  void set_time(double time) override;
  void evaluate(const double* y, Assembly* forces, std::span<double> energies) override;
  void add_points(const double* y, std::vector<PointStiffness>& points) override;
  void add_hessian(const double* y, bool filter, AddBlock add) override;
  void each_element(FunctionRef<void(std::span<const int>)> visit) const override;

 protected:
  const Space& space_;
  std::span<const Term> terms_;
  std::vector<ListedPacks> packs_;
  double time_ = 0;
};

/// One obstacle: a term of points of the model, of which those near it are listed.
class ObstacleElements final : public EnergyBlock {
 public:
  /// `term`: of the model; `margin` [m]: vertices that near are listed.
  ObstacleElements(const Space& space, const Model& model, int term, double margin)
      : space_(space), model_(model), number_(term), culling_(margin), packs_(this->term(), {}) {}
  bool of_obstacles() const override { return true; }
  void set_time(double time) override;
  void ensure_listed(const double* y) override;
  void evaluate(const double* y, Assembly* forces, std::span<double> energies) override;
  void add_points(const double* y, std::vector<PointStiffness>& points) override;

 private:
  const Term& term() const { return model_.terms[number_]; }

  const Space& space_;
  const Model& model_;
  int number_;
  ObstacleCulling culling_;
  ListedPacks packs_;
  double time_ = 0;
};

/// A ListedTerm: contact between bodies, friction or restitution of obstacles.
class ContactElements final : public ListedElements {
 public:
  ContactElements(const Space& space, std::unique_ptr<ListedTerm> term, bool of_obstacles);
  ListedTerm& term() { return *term_; }
  const ListedTerm& term() const { return *term_; }
  /// Its elements have changed.
  void pack();
  /// Counts how often elements were listed.
  std::uint64_t lists() const { return lists_; }

  bool of_obstacles() const override { return of_obstacles_; }
  void begin(const Stage& stage, const Memory& memory) override;
  void end(const double* x, Memory& memory) override { term_->end(x, memory); }
  void ensure_listed(const double* y) override;
  void add_pairs(const double* y, std::vector<PairStiffness>& pairs) override { term_->add_pairs(y, pairs); }

 private:
  std::unique_ptr<ListedTerm> term_;
  bool of_obstacles_;
  std::uint64_t lists_ = 0;
};

}  // namespace resilin
