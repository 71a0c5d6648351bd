// Scene A (the twisting bar of the gallery, neo-Hookean): five two-level iterations per frame against ten of the
// paper's method, over 120 frames, measured by the distance to the run that Newton has converged. The time is that
// of this machine.
#include "lab/bar_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

using lab::scene_a;

struct Truncated {
  std::unique_ptr<Simulation> simulation;
  double squares = 0;
  std::vector<double> seconds;
  void step(const std::vector<double>* exact) {
    seconds.push_back(simulation->step().seconds);
    for (std::size_t i = 0; exact != nullptr && i < exact->size(); ++i)
      squares += std::pow(simulation->positions()[i] - (*exact)[i], 2);
  }
  double least() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

void run(const Settings& s, Findings& findings) {
  const auto text = [](int iterations, const std::string& more) {
    return R"({"type": "quasi_newton", "method": "paper", "tolerance": 0, "iterations": )" +
           std::to_string(iterations) + more + "}";
  };
  const std::string two_level = fmt::format(R"(, "coarse_modes": {}, "coarse_after": {}, "start": "{}")",
                                            s.integer("coarse_modes"), s.integer("coarse_after"), s.text("start"));
  Truncated exact{
      scene_a(R"({"type": "newton", "hessian": "exact_first", "iterations": 100, "gradient_tolerance": 1e-8})"),
      0,
      {}},
      paper{scene_a(text(10, "")), 0, {}}, ours{scene_a(text(5, two_level)), 0, {}};
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    exact.step(nullptr);
    paper.step(&exact.simulation->positions());
    ours.step(&exact.simulation->positions());
  }
  const Model& model = exact.simulation->model();
  const auto error = [&](const Truncated& t) {
    return std::sqrt(t.squares / (s.integer("frames") * model.vertex_count())) / model.size();
  };
  findings.report("10 iterations of the paper's method: distance to the converged run / size", error(paper));
  findings.at_most("5 two-level iterations: distance / that of 10 of the paper's", 1, error(ours) / error(paper));
  findings.time("5 two-level iterations: least time of a frame / that of 10 of the paper's", "<=", 0.6,
                ours.least() / paper.least(), "in turn");
}

}  // namespace

ExperimentPlugin experiment_two_level_scene_a() {
  return {.title = "Two levels: scene A at half the iterations",
          .source = "two_level",
          .doc = "Five two-level iterations against ten of the paper's method over 120 frames.",
          .params = {integer("frames", 120, between(1, 100000), "frames; each lasts one step of the scene"),
                     integer("coarse_modes", 4, between(1, 16), "modes of the two-level method"),
                     integer("coarse_after", 0, between(0, 1000),
                             "iterations before the coarse Hessian is taken; 1 leaves half the error and costs one "
                             "more trial of the line search"),
                     choice("start", {"target", "harmonic"}, "first point of a stage of the two-level method")},
          .quick = Quick{.set = {{"frames", 5}}},
          .run = run,
          .timed = Value::Object{}};
}

}  // namespace resilin
