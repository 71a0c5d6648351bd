// E63: XPBD is exact where theory says so: one linear spring to a fixed point after one iteration, x = (m y + k h^2
// l)/(m + k h^2), and a straight chain of springs, whose gradients do not turn, in the limit.
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void anchored(const Settings& s, Findings& findings) {
  const double k = s.number("stiffness"), h = s.number("step"), m = s.number("mass"), length = 0.7;
  const Model model = lab::one_spring({1, 0, 0}, {m, m}, k, length, true);
  lab::OneStage stage = lab::stage_from_rest(model, model.rest, h, 1);
  std::vector<double> y;
  stage.solve(*lab::make_solver("xpbd"), {.iterations = 1, .tolerance = 0}, y);
  findings.near("anchored spring: x after one iteration", (m + k * h * h * length) / (m + k * h * h), y[3], 1e-14);
}

// Backward Euler of a straight chain by Thomas' algorithm: (m/h^2 + K) x = m/h^2 y + k l (+1 at the end).
std::vector<double> exact_chain(int links, double k, double length, double m, double h) {
  std::vector<double> diagonal(links), right(links), x(links + 1, 0.0);
  for (int i = 0; i < links; ++i) {
    const bool last = i + 1 == links;
    diagonal[i] = m / (h * h) + (last ? k : 2 * k);
    right[i] = m / (h * h) * (i + 1) + (last ? k * length : 0);
    if (i == 0) continue;
    right[i] += k / diagonal[i - 1] * right[i - 1];
    diagonal[i] -= k * k / diagonal[i - 1];
  }
  for (int i = links - 1; i >= 0; --i) x[i + 1] = (right[i] + (i + 1 < links ? k * x[i + 2] : 0)) / diagonal[i];
  return x;
}

void chain(const Settings& s, Findings& findings) {
  const double k = s.number("stiffness"), h = s.number("step"), m = s.number("mass"), length = 0.9;
  const int links = s.integer("links");
  const Model model = lab::spring_model(lab::spring_chain(links, {1, 0, 0}, m, k, length));
  const std::vector<double> exact = exact_chain(links, k, length, m, h);
  for (const char* order : {"colour", "serial"}) {
    lab::OneStage stage = lab::stage_from_rest(model, model.rest, h, 1);
    std::vector<double> y;
    stage.solve(*lab::make_solver("xpbd", {{"order", order}}),
                {.iterations = s.integer("iterations"), .tolerance = 0}, y);
    lab::Worst worst;
    for (int i = 0; i <= links; ++i) worst.see(std::abs(y[3 * i] - exact[i]));
    findings.at_most(std::string("chain, order ") + order + ": largest distance from backward Euler [m]", 1e-10,
                     worst);
  }
}

void run(const Settings& s, Findings& findings) { anchored(s, findings), chain(s, findings); }

}  // namespace

ExperimentPlugin experiment_E63() {
  return {.title = "XPBD is exact on springs in a line",
          .source = "ledwon2024",
          .shows = "Eqs. 3.53 and 3.54",
          .doc = "One spring to a fixed point after one iteration; a chain of them in the limit.",
          .params = {number("stiffness", "N/m", 3e4, positive(), "stiffness of the springs"),
                     number("mass", "kg", 2, positive(), "mass of the vertices"),
                     number("step", "s", 0.01, positive(), "time step"),
                     integer("links", 12, between(2, 1000), "springs of the chain"),
                     integer("iterations", 3000, between(10, 10000000), "iterations on the chain")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
