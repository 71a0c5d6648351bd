// What stands in no constant matrix: obstacles, handles and contact, by lists of elements of their own, and couplings.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/stamp.h"
#include "objective/element_sample.h"
#include "objective/objective.h"
#include "resilin/global_energy.h"

namespace resilin {
namespace {

constexpr double margin = 0.01;  // of the model's size: vertices this near to an obstacle are listed

}  // namespace

// Energies of single vertices that stand in no constant matrix: contact (Liu et al. 4.3).
void Objective::find_obstacles() {
  obstacles_.clear(), obstacle_terms_.clear(), contact_vertices_.clear();
  if (subspace_ == nullptr) inequalities_.take(model_, free_index_);
  is_obstacle_.assign(model_.terms.size(), 0);
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) {
    const Term& term = model_.terms[t];
    if (term.elements.corners() != 1 || term.elements.size() == 0 || term_damped_[t] != 0 || has_quadratic(term, 0))
      continue;
    is_obstacle_[t] = 1;
    // In a subspace they are swept with the sample, and no row of unknowns touches by itself.
    if (term.elastic[0]->response() != Response::energy || subspace_ != nullptr) continue;
    obstacle_terms_.push_back(t);
    obstacles_.push_back({t, ObstacleCulling(margin * model_size_), ListedPacks(term, {})});
    for (int i = 0; i < term.elements.size(); ++i) contact_vertices_.push_back(term.elements.vertices(i)[0]);
  }
  for (const Term& term : model_.listed)
    for (int i = 0; i < term.elements.size() && subspace_ == nullptr; ++i)
      contact_vertices_.push_back(term.elements.vertices(i)[0]);
  std::sort(contact_vertices_.begin(), contact_vertices_.end());
  contact_vertices_.erase(std::unique(contact_vertices_.begin(), contact_vertices_.end()), contact_vertices_.end());
}

void Objective::pack_listed(std::uint64_t energy) {
  handles_.clear();
  const bool by_target = subspace_ != nullptr && subspace_->moves_target();
  for (std::size_t i = 0; i < model_.listed.size() && !by_target; ++i) handles_.emplace_back(model_.listed[i]);
  Stamp stamp;
  for (const auto& contact : model_.contact) stamp.add(contact->name()), contact->stamp(stamp);
  stamp.add(energy);
  if (contact_of_ == stamp.value()) return;
  contact_of_ = stamp.value();
  contact_.clear(), ++contact_version_;
  for (const auto& contact : model_.contact) {
    auto listed = contact->make(model_, pool_);
    contact_.push_back({std::move(listed), {}});
    pack(contact_.back());
  }
}

template <class Each>
void Objective::each_packs(Each&& each) {
  for (ListedPacks& packs : handles_) each(packs);
  for (ListedPacks& packs : pin_packs_) each(packs);
  for (Obstacle& obstacle : obstacles_) each(obstacle.packs);
  for (Contact& contact : contact_)
    for (ListedPacks& packs : contact.packs) each(packs);
}

void Objective::pack(Contact& contact) {
  const auto terms = contact.listed->terms();
  const bool none = std::all_of(terms.begin(), terms.end(), [](const Term&t) { return t.elements.size() == 0; }),
             had_none = std::all_of(contact.packs.begin(), contact.packs.end(),
                                    [](const auto&p) { return p.size() == 0; });
  if (none && had_none && contact.packs.size() == terms.size()) return;
  ++contact_lists_;
  contact.packs.clear();
  for (const Term& term : contact.listed->terms()) contact.packs.emplace_back(term).set_time(time_);
}

void Objective::pack_times() {
  inequalities_.set_time(time_);
  each_packs([&](ListedPacks& packs) { packs.set_time(time_); });
}

// Before an evaluation at y: lists hold whatever counts there.
void Objective::cover(const double* y) {
  for (Obstacle& obstacle : obstacles_) {
    const Term& term = model_.terms[obstacle.term];
    if (!obstacle.nearby.cover(term, time_, y, pool_)) continue;
    obstacle.packs = ListedPacks(term, obstacle.nearby.listed());
    obstacle.packs.set_time(time_);
  }
  for (Contact& contact : contact_) {
    if (!contact.listed->cover(y)) continue;
    pack(contact);
  }
}

void Objective::recall(const Stage& stage, const Memory& memory) {
  for (Contact& contact : contact_) {
    contact.listed->begin(stage, memory);
    pack(contact);
  }
  join_touching();
}

// Components that an element couples become one island; true when some did not belong together before.
bool Objective::join_touching() {
  bool joined = false;
  const auto join = [&](int a, int b) {
    if (component()[a] != component()[b]) joined = components_.join(component()[a], component()[b]) || joined;
  };
  for (const Contact& contact : contact_) {
    for (const auto& [a, b] : contact.listed->meeting()) join(a, b);
    for (const Term& term : contact.listed->terms())
      for (int i = 0; i < term.elements.size(); ++i)
        for (const int v : term.elements.vertices(i).subspan(1)) join(term.elements.vertices(i)[0], v);
  }
  if (joined) measure_islands();
  return joined;
}

void Objective::remember(const double* y, Memory& memory) {
  for (Contact& contact : contact_) contact.listed->end(y, memory);
}

bool Objective::settled(const Stage& stage, const double* y, const Memory& memory) {
  bool all = true;
  for (Contact& contact : contact_) {
    if (contact.listed->settled(stage, y, memory)) continue;
    pack(contact);
    all = false;
  }
  if (!all) ++contact_version_;
  return all;
}

double Objective::smallest_gap() const {
  double gap = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contact_) gap = std::min(gap, contact.listed->smallest_gap());
  return gap;
}

std::vector<std::array<int, 2>> Objective::overlapping() const {
  std::vector<std::array<int, 2>> out;
  for (const Contact& contact : contact_) contact.listed->overlapping(out);
  return out;
}

// Energies of obstacles are squares of the depth d: psi = k d^2/2 and |psi'| = k d.
std::vector<double> Objective::obstacle_depths(const double* y) {
  std::vector<double> deepest(static_cast<std::size_t>(components_.count()), 0.0);
  std::vector<PointStiffness> points;
  if (!obstacles_.empty()) cover(y);
  for (Obstacle& obstacle : obstacles_) collect_points(model_.terms[obstacle.term], obstacle.packs, y, points);
  for (const PointStiffness& point : points)
    if (const double force = std::hypot(point.gradient[0], point.gradient[1], point.gradient[2]); force > 0) {
      double& depth = deepest[static_cast<std::size_t>(component()[point.vertex])];
      depth = std::max(depth, 2 * point.energy / force);
    }
  return deepest;
}

bool Objective::refresh(const double* y) {
  bool changed = false;
  for (Contact& contact : contact_) {
    const ListedTerm::Change change = contact.listed->refresh(y);
    if (change == ListedTerm::Change::nothing) continue;
    pack(contact);
    changed = changed || change == ListedTerm::Change::function;
  }
  changed = join_touching() || changed;
  if (changed) ++contact_version_;
  return changed;
}

void Objective::touching_pairs(const double* y, std::vector<PairStiffness>& pairs) const {
  pairs.clear();
  for (const Contact& contact : contact_) contact.listed->touching(y, pairs);
  std::erase_if(pairs, [&](const PairStiffness& pair) {
    return !components_.active(component()[pair.vertices[0]]) && !components_.active(component()[pair.vertices[3]]);
  });
}

bool Objective::bounds_steps() const {
  return std::any_of(contact_.begin(), contact_.end(), [](const Contact& c) { return c.listed->bounds_steps(); });
}

bool Objective::reach(const double* from, double* y) {
  bool went_on = false;
  for (Contact& contact : contact_) {
    if (!contact.listed->bounds_steps()) continue;
    went_on = contact.listed->reach(from, y) || went_on;
    pack(contact);
  }
  join_touching();
  return went_on;
}

bool Objective::clip(const double* from, double* to, std::vector<double>& part, bool alike) {
  part.assign(static_cast<std::size_t>(components_.count()), 1.0);
  bool clipped = false;
  for (Contact& contact : contact_) clipped = contact.listed->clip(from, to, component(), part, alike) || clipped;
  for (int c = 0; c < components_.count() && clipped; ++c) {
    double& least = part[components_.island(c)];
    least = std::min(least, part[c]);
  }
  for (int c = 0; c < components_.count() && clipped; ++c) part[c] = part[components_.island(c)];
  return clipped;
}

// To the copies of the sweep, before they are summed. One thread: there are few, and each vertex has one sum.
void Objective::add_packs(const Term& term, ListedPacks& packs, const double* y, bool gradient, Evaluation& out) {
  packs.evaluate(coordinates_, y, gradient ? 1 : 0, pool_);
  packs.energies([&](int element, double energy) {
    if (energy == 0) return;
    const int c = component()[term.elements.vertices(element)[0]];
    if (components_.active(c)) out.components[c].potential += energy;
  });
  if (!gradient) return;
  if (subspace_ != nullptr) {
    packs.gradients([&](int vertex, const double g[3]) {
      if (!components_.active(component()[vertex])) return;
      loose_.push_back(vertex), loose_gradient_.insert(loose_gradient_.end(), {g[0], g[1], g[2], 0.0});
    });
    return;
  }
  packs.gradients([&](int vertex, const double g[3]) {
    if (g[0] == 0 && g[1] == 0 && g[2] == 0) return;
    const auto rows = partition_.copies_of(vertex);
    for (int k = 0; k < 3 && !rows.empty(); ++k) f_copies_[4 * static_cast<std::size_t>(rows[0]) + k] += g[k];
  });
}

void Objective::add_listed(const double* y, bool gradient, bool obstacles, Evaluation& out) {
  cover(y);
  loose_.clear(), loose_gradient_.clear();
  for (std::size_t i = 0; i < handles_.size(); ++i) add_packs(model_.listed[i], handles_[i], y, gradient, out);
  for (std::size_t i = 0; i < pin_packs_.size(); ++i) add_packs(pin_terms_[i], pin_packs_[i], y, gradient, out);
  for (std::size_t c = 0; c < contact_.size(); ++c)
    for (std::size_t t = 0; t < contact_[c].packs.size(); ++t)  // friction of an obstacle goes with it
      if (obstacles || model_.contact[c]->couples())
        add_packs(contact_[c].listed->terms()[t], contact_[c].packs[t], y, gradient, out);
  for (Obstacle& obstacle : obstacles_)
    if (obstacles) add_packs(model_.terms[obstacle.term], obstacle.packs, y, gradient, out);
  if (obstacles && with_inertia_ && guards_.any()) add_packs(guards_.term(), guards_.packs(), y, gradient, out);
  add_global_energies(y, gradient, out);
}

void Objective::add_global_energies(const double* y, bool gradient, Evaluation& out) {
  for (const auto& coupling : model_.global_energies) {
    const auto ids = coupling->vertices();
    const int component = this->component()[ids[0]];
    if (!components_.active(component)) continue;
    global_gradient_.resize(3 * ids.size());
    const double k = coupling->stiffness(),
                 c = coupling->constraint(y, 3, gradient ? global_gradient_.data() : nullptr);
    out.components[static_cast<std::size_t>(component)].potential += 0.5 * k * c * c;
    for (std::size_t i = 0; gradient && i < ids.size(); ++i) {
      double* to = f_copies_.data() + 4 * static_cast<std::size_t>(partition_.copies_of(ids[i])[0]);
      for (int axis = 0; axis < 3; ++axis) to[axis] += k * c * global_gradient_[3 * i + axis];
    }
  }
}

void Objective::collect_points(const Term& term, ListedPacks& packs, const double* y,
                               std::vector<PointStiffness>& points) {
  packs.evaluate(coordinates_, y, 2, pool_);
  packs.points([&](int element, double energy, const double* gradient, const double* hessian) {
    if (!(hessian[0] + hessian[2] + hessian[5] > 0)) return;
    const int vertex = term.elements.vertices(element)[0];
    if (!components_.active(component()[vertex])) return;
    PointStiffness& point = points.emplace_back(PointStiffness{vertex, energy, {}, {}});
    std::copy_n(gradient, 3, point.gradient), std::copy_n(hessian, 6, point.hessian);
  });
}

void Objective::listed_points(const double* y, std::vector<PointStiffness>& points) {
  points.clear();
  for (std::size_t i = 0; i < handles_.size(); ++i) collect_points(model_.listed[i], handles_[i], y, points);
}

void Objective::collect_contact(const double* y, std::vector<PointStiffness>& points) {
  for (Contact& contact : contact_)
    for (std::size_t t = 0; t < contact.packs.size(); ++t)
      if (const Term& term = contact.listed->terms()[t]; term.elements.corners() == 1)
        collect_points(term, contact.packs[t], y, points);
  if (guards_.any()) collect_points(guards_.term(), guards_.packs(), y, points);
}

void Objective::added_points(const double* y, std::vector<PointStiffness>& points) {
  listed_points(y, points);
  cover(y);
  collect_contact(y, points);
}

void Objective::contacts(const double* y, std::vector<PointStiffness>& points) {
  points.clear();
  if (!has_obstacles()) return;
  cover(y);
  for (Obstacle& obstacle : obstacles_) collect_points(model_.terms[obstacle.term], obstacle.packs, y, points);
  for (std::size_t i = 0; i < handles_.size(); ++i) collect_points(model_.listed[i], handles_[i], y, points);
  collect_contact(y, points);
  if (components_.count() > 1)
    std::stable_sort(points.begin(), points.end(), [&](const PointStiffness& a, const PointStiffness& b) {
      return component()[a.vertex] < component()[b.vertex];
    });
}

}  // namespace resilin
