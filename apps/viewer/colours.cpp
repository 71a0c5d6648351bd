#include "colours.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace resilin::viewer {

VertexColours::VertexColours(const Model& model) : fields_(model) {
  for (const Body& body : model.bodies) elements_.insert(elements_.end(), body.tets.begin(), body.tets.end());
  tets_ = elements_.size() / 4;
  for (const Body& body : model.bodies)
    if (body.tets.empty()) elements_.insert(elements_.end(), body.triangles.begin(), body.triangles.end());
}

// Means over the elements around each vertex.
std::vector<double> VertexColours::at_vertices(const Model& model, std::span<const double> per_element) const {
  std::vector<double> sum(model.rest.size() / 3, 0.0), count(sum.size(), 0.0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < per_element.size(); ++i)
    for (const std::size_t end = at + (i < tets_ ? 4 : 3); at < end; ++at) {
      const auto v = static_cast<std::size_t>(elements_[at]);
      sum[v] += per_element[i], count[v] += 1;
    }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] /= std::max(1.0, count[v]);
  return sum;
}

// A number for each pair of a body and a material: regions have terms of their own.
std::vector<double> VertexColours::regions(const Model& model) const {
  std::vector<double> out(model.rest.size() / 3, 0.0);
  std::map<std::pair<std::size_t, int>, double> numbers;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (const BodyElements& of : model.bodies[b].elements) {
      const Term& term = model.terms[static_cast<std::size_t>(of.term)];
      if (term.elastic.empty()) continue;
      const double number = numbers.try_emplace({b, of.term}, static_cast<double>(numbers.size())).first->second;
      for (int i = 0; i < of.count; ++i)
        for (const int v : term.elements.vertices(of.first + i)) {
          double& value = out[static_cast<std::size_t>(v)];
          value = std::max(value, number);
        }
    }
  return out;
}

std::vector<double> VertexColours::evaluate(const Simulation& simulation, const std::string& by) {
  const Model& model = simulation.model();
  if (by == "none") return {};
  if (by == "region") return regions(model);
  if (by == "speed") {
    const std::vector<double>& v = simulation.velocities();
    std::vector<double> out(v.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    return out;
  }
  const auto& fields = fields_.evaluate(simulation.whole_system(), simulation.positions());
  if (by == "stress") return at_vertices(model, fields[1].values);
  if (by == "energy") return at_vertices(model, fields[2].values);
  std::vector<double> largest(fields[0].values.size() / 3);
  for (std::size_t i = 0; i < largest.size(); ++i)
    largest[i] = *std::max_element(&fields[0].values[3 * i], &fields[0].values[3 * i] + 3);
  return at_vertices(model, largest);
}

std::string colour_label(const std::string& by) {
  if (by == "stretch") return "largest stretch";
  if (by == "stress") return "von Mises stress [Pa]";
  if (by == "energy") return "energy density [J/m^3]";
  if (by == "speed") return "speed [m/s]";
  return by == "region" ? "region" : "";
}

void ColourRange::follow(const std::string& by, std::span<const float> values, bool moving) {
  constexpr double tail = 0.02, pace = 0.1;  // values outside of the map on each side; share of the way per frame
  std::vector<float> sorted;
  for (const float v : values)
    if (std::isfinite(v)) sorted.push_back(v);
  if (sorted.empty()) return;
  const auto quantile = [&](double q) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), at, sorted.end());
    return static_cast<double>(*at);
  };
  const bool whole = by == "region";
  const double low = by == "speed" ? 0 : quantile(whole ? 0 : tail), high = quantile(whole ? 1 : 1 - tail);
  const double part = by == by_ && moving ? pace : 1;
  by_ = by;
  low_ += part * (low - low_), high_ += part * (high - high_);
}

}  // namespace resilin::viewer
