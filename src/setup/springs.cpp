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

Model one_spring(const std::array<double, 3>& at, const std::array<double, 2>& mass, double stiffness,
                 double length, bool pinned) {
  return spring_model({.at = {{0, 0, 0}, at},
                       .mass = {mass[0], mass[1]},
                       .edges = {{0, 1}},
                       .stiffness = {stiffness},
                       .length = {length},
                       .pinned = pinned ? std::vector{0} : std::vector<int>{}});
}

SpringSystem spring_chain(int links, const std::array<double, 3>& link, double mass, double stiffness,
                          double length) {
  SpringSystem out;
  for (int i = 0; i <= links; ++i) {
    out.at.push_back({i * link[0], i * link[1], i * link[2]}), out.mass.push_back(mass);
    if (i > 0) out.edges.push_back({i - 1, i}), out.stiffness.push_back(stiffness), out.length.push_back(length);
  }
  out.pinned = {0};
  return out;
}

}  // namespace resilin::setup
