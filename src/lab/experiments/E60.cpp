// E60: what the stiffness k of PBD means (Ledwon 2024, Section 3.4.3). One constraint of rest length zero to a
// fixed point: every iteration leaves the share 1 - k, so n of them leave (1 - k)^n; with k' = 1 - (1 - k)^(1/n) in
// each they leave 1 - k.
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

double left(const lab::Values& params, int iterations) {
  Model model = lab::oscillator_model(1);
  const auto q = model.rest;
  lab::OneStage stage = lab::stage_from_rest(std::move(model), q, 0.01, 1);
  std::vector<double> y;
  stage.solve(*lab::make_solver("pbd", params), {.iterations = iterations, .tolerance = 0}, y);
  return y[3];
}

void run(const Settings& s, Findings& findings) {
  const double k = s.number("k");
  const int n = s.integer("iterations");
  for (const int i : {1, 2, n})
    findings.near("k in every iteration: what is left after " + std::to_string(i), std::pow(1 - k, i),
                  left({{"stiffness", k}, {"stiffness_per_iteration", true}}, i), 1e-12);
  for (const int i : {1, 2, n})
    findings.near("k' in every iteration: what is left after " + std::to_string(i), 1 - k,
                  left({{"stiffness", k}}, i), 1e-12);
}

}  // namespace

ExperimentPlugin experiment_E60() {
  return {.title = "Stiffness of PBD on one constraint",
          .source = "ledwon2024",
          .shows = "Section 3.4.3",
          .doc = "A constraint of rest length zero to a fixed point, n iterations with k or with k'.",
          .params = {number("k", "", 0.5, between(0, 1), "stiffness of PBD"),
                     integer("iterations", 10, between(1, 100000), "n")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
