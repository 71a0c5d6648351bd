// Colours of bodies: a number per vertex of a simulation, and the range of the colour map.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "io/element_fields.h"
#include "resilin/simulation.h"

namespace resilin::viewer {

/// Values of a simulation's vertices by the name of what they show. Made anew when the model changes.
class VertexColours {
 public:
  explicit VertexColours(const Model& model);
  /// Empty: there is nothing to show.
  std::vector<double> evaluate(const Simulation& simulation, const std::string& by);

 private:
  std::vector<double> at_vertices(const Model& model, std::span<const double> per_element) const;
  std::vector<double> regions(const Model& model) const;

  ElementFields fields_;
  std::vector<int> elements_;  // corners of the elements that have fields, tets first
  std::size_t tets_ = 0;
};

/// "speed [m/s]"
std::string colour_label(const std::string& by);

/// Ends of a colour map, where most values are; while bodies move they follow slowly and do not flicker.
class ColourRange {
 public:
  void follow(const std::string& by, std::span<const float> values, bool moving);
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  std::string by_;
  double low_ = 0, high_ = 1;
};

}  // namespace resilin::viewer
