// Scenes for the tests of preconditioners: boxes that are pressed on each other or on the ground, with the problem
// of a stage; loads; a few numbers of vectors.
#pragma once
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"

namespace resilin {

inline std::vector<double> random_load(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> out(size);
  for (double& x : out) x = random() / 2147483648.0 - 1;
  return out;
}

/// |a - b| / |b|
inline double relative_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) gap += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
  return std::sqrt(gap / size);
}

/// Two boxes without weight that have flown onto each other along y, and along x at that speed [m/s].
inline std::unique_ptr<Simulation> pressed_boxes(double friction = 0.4, double sideways = 0) {
  Builder builder;
  builder.gravity({0, 0, 0});
  for (const double side : {-1.0, 1.0}) {
    TetMesh mesh = box({.size = {0.2, 0.2, 0.2}, .cells = {3, 3, 3}});
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
      mesh.vertices[i] += 0.03 * side, mesh.vertices[i + 1] += 0.102 * side;
    const int body = builder.add(
        Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
    builder.launch(body, {sideways * side, -0.5 * side, 0});
  }
  builder.contact({.friction = friction});
  auto simulation = builder.simulation({.step = 1.0 / 60, .threads = 1});
  for (int i = 0; i < 3; ++i) simulation->step();
  return simulation;
}

/// One box above a plane, and the problem of a stage of that length.
class BoxOnGround {
 public:
  explicit BoxOnGround(double tau, double friction = 0) {
    Builder builder;
    builder.add(Solid{.mesh = box({.size = {0.2, 0.2, 0.2}, .cells = {3, 3, 3}, .center = {0, 0.1, 0}}),
                      .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
    builder.obstacle({"plane", {{"friction", friction}, {"stiffness", 1e4}}});
    model_ = std::move(builder).model();
    system_ = std::make_unique<DynamicSystem>(model_, pool_);
    Stage stage;
    stage.time = stage.tau = tau;
    stage.origin = stage.target = stage.guess = model_.rest;
    stage.velocity.assign(model_.rest.size(), 0.0);
    system_->begin(stage);
  }
  Problem& problem() { return system_->problem(); }
  /// The rest shape, lifted.
  std::vector<double> lifted(double height) const {
    std::vector<double> x = model_.rest;
    for (std::size_t i = 1; i < x.size(); i += 3) x[i] += height;
    return x;
  }

 private:
  Model model_;
  ThreadPool pool_{1};
  std::unique_ptr<DynamicSystem> system_;
};

}  // namespace resilin
