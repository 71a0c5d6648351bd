#include "lab/bar_scenes.h"

#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin::lab {
namespace {

constexpr std::array<double, 3> size = {1.6, 0.2, 0.2};  // [m]

int cells_across(int vertices) { return std::max(1, static_cast<int>(std::cbrt(vertices / 8.0))); }

TetMesh bar_mesh(int vertices) {
  const int across = cells_across(vertices);
  const int along = std::max(1, static_cast<int>(std::lround(vertices / std::pow(across + 1, 2))) - 1);
  return box({.size = size, .cells = {along, across, across}});
}

Values material_values(const BarCase& c) {
  Values out = {{"young", c.young}, {"poisson", 0.4}};
  if (c.material == "polynomial") out = {{"mu", 5 * c.young}};
  if (c.material == "spline") out.emplace_back("preset", "B");
  if (c.fit_stiffness > 0) out.emplace_back("fit_stiffness", c.fit_stiffness);
  return out;
}

// Held in the middle and swung up and down, or twisted at a steady 90 degrees per second.
Model bar_model(const BarCase& c) {
  const TetMesh mesh = bar_mesh(c.vertices);
  Model model = solid(mesh, 1000, c.material, material_values(c));
  if (c.scene == "drop") {
    model.gravity = {0, -9.81, 0};
    pin(model, mesh.vertex_groups.at("x_min"));
  } else if (c.scene == "shake") {
    pin(model, vertices_where(model.rest, [](const double* x) { return std::abs(x[0]) < 0.05; }),
        Motion({shake({0, 1, 0}, 0.2, 2.5)}));
  } else if (c.scene == "twist") {
    pin(model, mesh.vertex_groups.at("x_min"));
    pin(model, mesh.vertex_groups.at("x_max"), Motion({turn_steadily({1, 0, 0}, 500 * std::numbers::pi)}));
  }
  return model;
}

}  // namespace

std::string BarCase::name() const {
  return fmt::format("{} {}, {} vertices, {:g} Pa, 1/{:.0f} s", scene, material, vertices, young, 1 / step);
}

const std::vector<std::string>& bar_scenes() {
  static const std::vector<std::string> names = {"drop", "shake", "spin", "twist", "random"};
  return names;
}
const std::vector<std::string>& bar_materials() {
  static const std::vector<std::string> names = {"neo_hookean", "corotated", "spline", "polynomial"};
  return names;
}

Values converged_bar(double tolerance, int iterations) {
  return {{"iterations", iterations}, {"gradient_tolerance", tolerance}, {"coarse_modes", 5}};
}

std::unique_ptr<Simulation> start_bar(const BarCase& c, const std::string& solver, const Values& params) {
  auto simulation = lab::make_simulation(bar_model(c), c.step, solver, params);
  State state = simulation->state();
  if (c.scene == "spin")
    for (std::size_t i = 0; i < state.q.size(); i += 3) {
      state.q[i] *= 1.2;
      state.v[i] = -6 * state.q[i + 1], state.v[i + 1] = 6 * state.q[i];
    }
  Random random(1);
  const double scatter = c.scatter * size[1] / cells_across(c.vertices);
  for (std::size_t i = 0; i < state.q.size(); ++i)
    if (c.scene == "random") state.q[i] += random.uniform(-scatter, scatter);
    else if (c.scene == "scrambled") state.q[i] = random.uniform(-0.5, 0.5) * size[i % 3];
  simulation->set_state(std::move(state));
  return simulation;
}

std::vector<Needed> needed(const BarCase& c, const std::vector<Method>& methods, const NeededOptions& options) {
  return needed(*start_bar(c, "quasi_newton", converged_bar(options.past, options.past_iterations)), methods,
                options);
}

std::unique_ptr<Simulation> scene_a(const std::string& solver) {
  const std::string material = R"({"type": "neo_hookean", "young": 2e6, "poisson": 0.47})";
  return build_simulation(load_scene(
      "twisting_bar",
      {{"solver", solver}, {"bodies[0].material", material}, {"bodies[0].density", "925"}, {"contact", "false"}}));
}

}  // namespace resilin::lab
