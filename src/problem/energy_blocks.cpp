#include "problem/energy_blocks.h"

#include <algorithm>
#include <cmath>

#include "contact/restitution.h"
#include "core/stamp.h"

namespace resilin {

constexpr double margin = 0.01;  // of the model's size: vertices this near to an obstacle are listed

EnergyBlocks::EnergyBlocks(const Model& model, Space& space)
    : model_(model),
      space_(space),
      drags_(space),
      pins_(space),
      guards_(space, model),
      global_(space, model),
      inequalities_(space) {}

template <class Visit>
void EnergyBlocks::each(Visit&& visit) {
  visit(drags_), visit(pins_);
  for (auto& contact : contacts_) visit(*contact);
  for (auto& obstacle : obstacles_) visit(*obstacle);
  visit(guards_), visit(global_);
}

void EnergyBlocks::update(const Revision& revision, bool by_target) {
  drag_terms_.clear();
  if (!by_target) drag_terms_ = model_.listed;
  drags_.set_terms(drag_terms_);
  Stamp stamp;
  add_contact(model_, stamp);
  stamp.add(revision.energy);
  if (contact_of_ != stamp.value()) contact_of_ = stamp.value(), make_contacts();
  find_obstacles();
}

void EnergyBlocks::make_contacts() {
  lists_before_ = lists() + 1;
  contacts_.clear(), contact_ = nullptr;
  const auto add = [&](std::unique_ptr<ListedTerm> term, bool of_obstacles) {
    contacts_.push_back(std::make_unique<ContactElements>(space_, std::move(term), of_obstacles));
  };
  if (!model_.friction.empty()) add(make_obstacle_friction(model_), true);
  if (!model_.restitution.empty()) add(make_obstacle_restitution(model_), true);
  if (!model_.contact) return;
  auto contact = std::make_unique<BodyContact>(model_, space_.pool());
  contact_ = contact.get();
  add(std::move(contact), false);
}

// Energies of single vertices that stand in no constant matrix (Liu et al. 4.3).
void EnergyBlocks::find_obstacles() {
  obstacles_.clear(), obstacle_terms_.clear(), point_vertices_.clear();
  if (space_.rows_are_vertices()) inequalities_.take(model_);
  is_obstacle_.assign(model_.terms.size(), 0);
  const auto add_vertices = [&](const Term& term) {
    for (int i = 0; i < term.elements.size(); ++i) point_vertices_.push_back(term.elements.vertices(i)[0]);
  };
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) {
    const Term& term = model_.terms[t];
    if (term.elements.size() == 0 || term.elastic.empty() || !term.elastic[0]->is_obstacle()) continue;
    is_obstacle_[t] = 1;
    // In a subspace they are swept with the sample, and no row of unknowns touches by itself.
    if (term.elastic[0]->response() != Response::energy || !space_.rows_are_vertices()) continue;
    obstacle_terms_.push_back(t);
    obstacles_.push_back(std::make_unique<ObstacleElements>(space_, model_, t, margin * space_.model_size()));
    add_vertices(term);
  }
  for (const Term& term : model_.listed)
    if (space_.rows_are_vertices()) add_vertices(term);
  std::sort(point_vertices_.begin(), point_vertices_.end());
  point_vertices_.erase(std::unique(point_vertices_.begin(), point_vertices_.end()), point_vertices_.end());
}

void EnergyBlocks::set_time(double time) {
  inequalities_.set_time(time);
  each([&](EnergyBlock& block) { block.set_time(time); });
}

void EnergyBlocks::begin(const Stage& stage, const Memory& memory) {
  each([&](EnergyBlock& block) { block.begin(stage, memory); });
  rebuild_islands();
}

void EnergyBlocks::end(const double* y, Memory& memory) {
  each([&](EnergyBlock& block) { block.end(y, memory); });
}

bool EnergyBlocks::rebuild_islands() {
  bool joined = false;
  if (contact_ != nullptr)
    for (const auto& [a, b] : contact_->candidate_body_pairs()) joined = space_.join(a, b) || joined;
  for (const auto& contact : contacts_)
    contact->each_element([&](std::span<const int> ids) {
      for (const int v : ids.subspan(1)) joined = space_.join(ids[0], v) || joined;
    });
  if (joined) space_.measure_islands();
  return joined;
}

void EnergyBlocks::ensure_listed(const double* y) {
  for (auto& obstacle : obstacles_) obstacle->ensure_listed(y);
  for (auto& contact : contacts_) contact->ensure_listed(y);
}

void EnergyBlocks::evaluate(const double* y, Assembly* forces, bool obstacles, std::span<double> energies) {
  ensure_listed(y);
  each([&](EnergyBlock& block) {
    if (obstacles || !block.of_obstacles()) block.evaluate(y, forces, energies);
  });
}

void EnergyBlocks::add_points(const double* y, bool obstacles, std::vector<PointStiffness>& points) {
  points.clear();
  if (obstacles && point_vertices_.empty()) return;
  ensure_listed(y);
  for (auto& obstacle : obstacles_)
    if (obstacles) obstacle->add_points(y, points);
  if (!obstacles) pins_.add_points(y, points);
  drags_.add_points(y, points);
  for (auto& contact : contacts_) contact->add_points(y, points);
  guards_.add_points(y, points);
  if (space_.components().count() > 1)
    std::stable_sort(points.begin(), points.end(), [&](const PointStiffness& a, const PointStiffness& b) {
      return space_.component()[a.vertex] < space_.component()[b.vertex];
    });
}

void EnergyBlocks::add_pairs(const double* y, std::vector<PairStiffness>& pairs) {
  pairs.clear();
  for (auto& contact : contacts_) contact->add_pairs(y, pairs);
  std::erase_if(pairs, [&](const PairStiffness& pair) {
    const auto& component = space_.component();
    return !space_.components().active(component[pair.vertices[0]]) &&
           !space_.components().active(component[pair.vertices[3]]);
  });
}

void EnergyBlocks::add_hessian(const double* y, bool filter, AddBlock add) {
  ensure_listed(y);
  each([&](EnergyBlock& block) { block.add_hessian(y, filter, add); });
}

void EnergyBlocks::each_element(FunctionRef<void(std::span<const int>)> visit) const {
  for (const auto& contact : contacts_) contact->each_element(visit);
}

std::uint64_t EnergyBlocks::lists() const {
  std::uint64_t sum = lists_before_;
  for (const auto& contact : contacts_) sum += contact->lists();
  return sum;
}

// Energies of obstacles are squares of the depth d: psi = k d^2/2 and |psi'| = k d.
std::vector<double> EnergyBlocks::obstacle_depths(const double* y) {
  std::vector<double> deepest(space_.components().count(), 0.0);
  std::vector<PointStiffness> points;
  if (!obstacles_.empty()) ensure_listed(y);
  for (auto& obstacle : obstacles_) obstacle->add_points(y, points);
  for (const PointStiffness& point : points)
    if (const double force = std::hypot(point.gradient[0], point.gradient[1], point.gradient[2]); force > 0) {
      double& depth = deepest[space_.component()[point.vertex]];
      depth = std::max(depth, 2 * point.energy / force);
    }
  return deepest;
}

}  // namespace resilin
