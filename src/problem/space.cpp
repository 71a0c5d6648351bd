#include "problem/space.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec3.h"

namespace resilin {

Space::Space(const Model& model, ThreadPool& pool, const Subspace* subspace)
    : model_(model),
      pool_(pool),
      subspace_(subspace),
      vertex_coordinates_(model, free_index_),
      coordinates_(subspace != nullptr ? static_cast<const Coordinates&>(*subspace) : vertex_coordinates_),
      components_(ComponentSet::whole(0)),
      vectors_(components_, pool) {}

std::span<const int> Space::row_component() const {
  return subspace_ != nullptr ? subspace_->row_component() : std::span<const int>(vertex_component_);
}

void Space::set_components(const std::vector<int>& of_vertex) {
  vertex_component_ = of_vertex;
  components_ = ComponentSet(row_component());
  kinetic_.assign(components_.count(), 0.0);
}

void Space::number_free_rows() {
  free_index_.assign(rows(), 0);
  for (const Pin& pin : model_.pins)
    for (const int v : pin.vertices)
      if (subspace_ == nullptr) free_index_[v] = -1;
  free_count_ = 0;
  for (int& i : free_index_)
    if (i == 0) i = free_count_++;
}

void Space::measure() {
  model_size_ = model_.size(), total_mass_ = model_.total_mass();
  if (subspace_ != nullptr) {
    rest_.resize(size());
    subspace_->project(model_.rest.data(), rest_.data());
  }
  find_floating();
  measure_components();
  measure_islands();
}

bool has_quadratic(const Term& term, int element) {
  std::vector<double> q(term.elements.rows() * term.elements.rows());
  const auto counts = [&](const Potential& potential) {
    potential.quadratic(element, 1, q.data());
    return std::any_of(q.begin(), q.end(), [](double v) { return v != 0; });
  };
  return std::any_of(term.elastic.begin(), term.elastic.end(), [&](const auto& p) { return counts(*p); }) ||
         std::any_of(term.damping.begin(), term.damping.end(), [&](const auto& p) { return counts(*p); });
}

// Rows of a subspace have no closed form of their mean step.
void Space::find_floating() {
  floating_.clear();
  if (subspace_ != nullptr) return;
  std::vector<std::vector<int>> members(static_cast<std::size_t>(components_.count()));
  std::vector<char> held(members.size(), 0);
  for (int v = 0; v < vertices(); ++v) {
    members[component()[v]].push_back(v);
    if (free_index_[v] < 0) held[component()[v]] = 1;
  }
  for (const Term& term : model_.terms)
    for (int i = 0; i < term.elements.size() && !term.elements.translation_free(); ++i)
      if (has_quadratic(term, i))
        for (const int v : term.elements.vertices(i)) held[component()[v]] = 1;
  for (std::size_t c = 0; c < members.size(); ++c)
    if (held[c] == 0) floating_.push_back(std::move(members[c]));
}

void Space::measure_components() {
  const int count = components_.count();
  component_mass_.assign(count, 0.0), component_size_.assign(count, 0.0), component_vertices_.assign(count, 0);
  std::vector<Bounds> box(count, bounds({}));
  for (int v = 0; v < vertices(); ++v) {
    const int c = component()[v];
    component_mass_[c] += model_.mass[v], ++component_vertices_[c];
    extend(box[c], {vertex_at(model_.rest, v), vertex_at(model_.rest, v)});
  }
  for (int c = 0; c < count; ++c) {
    const Vec3 extent = box[c].upper - box[c].lower;
    component_size_[c] = std::hypot(extent[0], extent[1], extent[2]);
    if (!(component_size_[c] > 0)) component_size_[c] = model_size_ > 0 ? model_size_ : 1;  // a single vertex
  }
}

void Space::measure_islands() {
  islands_.assign(components_.count(), {});
  for (int c = 0; c < components_.count(); ++c) {
    Island& island = islands_[components_.island(c)];
    island.mass += component_mass_[c], island.kinetic += kinetic_[c], island.vertices += component_vertices_[c];
    island.size = components_.leads(c) ? component_size_[c] : std::min(island.size, component_size_[c]);
  }
}

void Space::begin(const Stage& stage) {
  components_.activate_all();
  const std::vector<double>& v = stage.velocity;
  momentum_.resize(v.size());
  if (!v.empty()) coordinates_.inertia(v.data(), momentum_.data());
  components_.sum(pool_, 1, scratch_, kinetic_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    for (std::ptrdiff_t i = begin; i < end && !v.empty(); ++i) sums[0] += 0.5 * momentum_[i] * v[i];
  });
  components_.part();
  measure_islands();
}

bool Space::join(int vertex, int other) {
  return component()[vertex] != component()[other] && components_.join(component()[vertex], component()[other]);
}

}  // namespace resilin
