#include "setup/springs.h"

#include <utility>

namespace resilin::setup {

Model spring_model(const SpringSystem& system) {
  Springs net{.stiffness = system.stiffness, .mass = system.mass, .length = system.length};
  for (const auto& x : system.at) net.mesh.vertices.insert(net.mesh.vertices.end(), x.begin(), x.end());
  for (const auto& edge : system.edges) net.mesh.edges.insert(net.mesh.edges.end(), edge.begin(), edge.end());
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(net);
  if (!system.pinned.empty()) builder.pin({.vertices = system.pinned});
  return std::move(builder).model();
}

Model oscillator_model(double w) {
  return spring_model({.at = {{0, 0, 0}, {1, 0, 0}},
                       .mass = {1, 1},
                       .edges = {{0, 1}},
                       .stiffness = {w * w},
                       .length = {0},
                       .pinned = {0}});
}

Model rod_model(double mass, double stiffness) {
  return spring_model({.at = {{-0.5, 0, 0}, {0.5, 0, 0}},
                       .mass = {mass, mass},
                       .edges = {{0, 1}},
                       .stiffness = {stiffness},
                       .length = {1}});
}

}  // namespace resilin::setup
