#include "problem/blocks/listed_elements.h"

#include <algorithm>

namespace resilin {
namespace {

void evaluate_packs(const Space& space, const Term& term, ListedPacks& packs, const double* y, Assembly* forces,
                    std::span<double> energies) {
  packs.evaluate(space.coordinates(), y, forces != nullptr ? 1 : 0, space.pool());
  packs.energies([&](int element, double energy) {
    if (energy == 0) return;
    const int c = space.component()[term.elements.vertices(element)[0]];
    if (space.components().active(c)) energies[c] += energy;
  });
  if (forces == nullptr) return;
  packs.gradients([&](int vertex, const double g[3]) {
    if (g[0] != 0 || g[1] != 0 || g[2] != 0) forces->add(vertex, g);
  });
}

void collect_points(const Space& space, const Term& term, ListedPacks& packs, const double* y,
                    std::vector<PointStiffness>& points) {
  packs.evaluate(space.coordinates(), y, 2, space.pool());
  packs.points([&](int element, double energy, const double* gradient, const double* hessian) {
    if (!(hessian[0] + hessian[2] + hessian[5] > 0)) return;
    const int vertex = term.elements.vertices(element)[0];
    if (!space.components().active(space.component()[vertex])) return;
    PointStiffness& point = points.emplace_back(PointStiffness{vertex, energy, {}, {}});
    std::copy_n(gradient, 3, point.gradient), std::copy_n(hessian, 6, point.hessian);
  });
}

}  // namespace

void ListedElements::set_terms(std::span<const Term> terms) {
  terms_ = terms;
  packs_.clear();
  for (const Term& term : terms_) packs_.emplace_back(term).set_time(time_);
}

void ListedElements::set_time(double time) {
  time_ = time;
  for (ListedPacks& packs : packs_) packs.set_time(time);
}

void ListedElements::evaluate(const double* y, Assembly* forces, std::span<double> energies) {
  for (std::size_t t = 0; t < packs_.size(); ++t) evaluate_packs(space_, terms_[t], packs_[t], y, forces, energies);
}

void ListedElements::add_points(const double* y, std::vector<PointStiffness>& points) {
  for (std::size_t t = 0; t < packs_.size(); ++t)
    if (terms_[t].elements.corners() == 1) collect_points(space_, terms_[t], packs_[t], y, points);
}

void ListedElements::add_hessian(const double* y, bool filter, AddBlock add) {
  for (std::size_t t = 0; t < packs_.size(); ++t)
    if (terms_[t].elements.corners() > 1)
      packs_[t].hessians(space_.coordinates(), y, filter, space_.pool(), [&](int element, const double* blocks) {
        const auto ids = terms_[t].elements.vertices(element);
        if (!space_.components().active(space_.component()[ids[0]])) return;
        for (std::size_t a = 0; a < ids.size(); ++a)
          for (std::size_t b = 0; b < ids.size(); ++b) add(ids[a], ids[b], blocks + 9 * (a * ids.size() + b));
      });
}

void ListedElements::each_element(FunctionRef<void(std::span<const int>)> visit) const {
  for (const Term& term : terms_)
    for (int i = 0; i < term.elements.size() && term.elements.corners() > 1; ++i) visit(term.elements.vertices(i));
}

void ObstacleElements::set_time(double time) {
  time_ = time;
  packs_.set_time(time);
}

void ObstacleElements::ensure_listed(const double* y) {
  if (!culling_.ensure_listed(term(), time_, y, space_.pool())) return;
  packs_ = ListedPacks(term(), culling_.listed());
  packs_.set_time(time_);
}

void ObstacleElements::evaluate(const double* y, Assembly* forces, std::span<double> energies) {
  evaluate_packs(space_, term(), packs_, y, forces, energies);
}

void ObstacleElements::add_points(const double* y, std::vector<PointStiffness>& points) {
  collect_points(space_, term(), packs_, y, points);
}

ContactElements::ContactElements(const Space& space, std::unique_ptr<ListedTerm> term, bool of_obstacles)
    : ListedElements(space), term_(std::move(term)), of_obstacles_(of_obstacles) {
  pack();
}

// Terms without elements have packs already: nothing is allocated while nothing touches.
void ContactElements::pack() {
  const auto now = term_->terms();
  const bool none = std::all_of(now.begin(), now.end(), [](const Term&t) { return t.elements.size() == 0; }),
             had_none = std::all_of(packs_.begin(), packs_.end(), [](const auto&p) { return p.size() == 0; });
  if (none && had_none && packs_.size() == now.size()) return;
  ++lists_;
  set_terms(now);
}

void ContactElements::begin(const Stage& stage, const Memory& memory) {
  term_->begin(stage, memory);
  pack();
}

void ContactElements::ensure_listed(const double* y) {
  if (term_->ensure_listed(y)) pack();
}

}  // namespace resilin
