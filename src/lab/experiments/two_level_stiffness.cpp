// Which k should the constant Hessian have? Bars in five scenes; k is scanned over multiples of that of Eq. 11 on
// [0.5, 1.5], and `stiffness` "stretches", which fits it to the stretches that occur, is measured against the scan.
// What counts is evaluations: too soft a k needs few iterations, but the line search cuts in each of them. All from
// the same states of a converged past. Not from a paper: the marks are our own. An earlier finding of ours was that
// the polynomial material wants a softer k; how soft depends on how far it is strained.
#include "lab/bar_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

using lab::BarCase;

struct Past {
  std::vector<State> states;
  std::vector<lab::Least> minima;
  double stiffness = 0;  // [Pa], k of Eq. 11
};

struct Cost {
  std::array<double, 3> iterations{};  // to lab::error_targets, means over the states
  double evaluations = 0;              // to 1e-3
};

Past make_past(const Settings& s, const BarCase& c) {
  const auto simulation = start_bar(c, "quasi_newton", lab::converged_bar());
  const auto reference = lab::make_solver("quasi_newton", {{"coarse_modes", 5}, {"linear_solver", "cholesky"}});
  Past past;
  double k[9];
  simulation->system().problem().constant().element_stiffness(0, 0, k);
  past.stiffness = k[0];
  for (int frame = 1; frame <= s.integer("frames"); ++frame) {
    lab::advance(*simulation);
    if (frame % s.integer("every") != 0) continue;
    std::vector<double> y;
    lab::Study study(*simulation);
    past.states.push_back(simulation->state());
    past.minima.push_back(study.solve(*reference, {.iterations = 400, .gradient = 1e-8}, y).objective);
  }
  return past;
}

// Traced solves at all states of the past; lowers its minima where a solve went further.
std::vector<SolveReport> solves(const BarCase& c, Past& past, const lab::Values& params, int iterations) {
  const auto simulation = start_bar(c, "quasi_newton", {});
  const auto solver = lab::make_solver("quasi_newton", params);
  std::vector<SolveReport> out;
  for (std::size_t i = 0; i < past.states.size(); ++i) {
    DynamicSystem& system = simulation->system();
    lab::Study study(system, lab::euler_stage(system, past.states[i], c.step));
    out.push_back(study.trace(*solver, iterations));
    past.minima[i].see(out.back().objective);
  }
  return out;
}

// A target that is not reached counts with all that was done.
Cost cost(const std::vector<SolveReport>& reports, const Past& past) {
  Cost out;
  const auto count = static_cast<double>(reports.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const auto errors = lab::relative_errors(reports[i], past.minima[i]);
    for (std::size_t t = 0; t < lab::error_targets.size(); ++t) {
      const int last =
          std::min(lab::iterations_to(errors, lab::error_targets[t]), static_cast<int>(errors.size()) - 1);
      out.iterations[t] += last / count;
      for (int k = 1; k <= last && t == 1; ++k) out.evaluations += reports[i].trace[k].evaluations / count;
    }
  }
  return out;
}

// The slope of the other materials varies less: small factors would only cost time.
std::vector<double> factors_of(const Settings& s, const std::string& material) {
  std::vector<double> out = s.numbers("factors");
  if (material != "polynomial") std::erase_if(out, [](double factor) { return factor < 0.25; });
  return out;
}

// By factor of k, and last the rule.
std::vector<Cost> scan(const BarCase& c, Past& past, const lab::Values& method, const std::vector<double>& factors,
                       int iterations) {
  std::vector<std::vector<SolveReport>> reports;
  BarCase scaled = c;
  for (const double factor : factors) {
    scaled.fit_stiffness = factor * past.stiffness;
    reports.push_back(solves(scaled, past, method, iterations));
  }
  lab::Values rule = method;
  rule.emplace_back("stiffness", "stretches");
  reports.push_back(solves(c, past, rule, iterations));
  std::vector<Cost> out;
  for (const auto& one : reports) out.push_back(cost(one, past));
  return out;
}

// A run of its own, with the factors that it costs.
SolveReport own_run(const Settings& s, const BarCase& c, const char* stiffness, double& seconds) {
  const auto simulation =
      start_bar(c, "quasi_newton",
                {{"gradient_tolerance", 1e-2}, {"iterations", s.integer("iterations")}, {"stiffness", stiffness}});
  SolveReport sum;
  for (int frame = 0; frame < s.integer("run"); ++frame) {
    const StepReport report = simulation->step();
    seconds += report.seconds;
    sum.iterations += report.solve.iterations;
    sum.evaluations += report.solve.evaluations;
    sum.factorisations += report.solve.factorisations;
  }
  return sum;
}

void compare_runs(const Settings& s, const BarCase& c, Findings& findings) {
  double before = 0, after = 0;
  const SolveReport interval = own_run(s, c, "interval", before), stretches = own_run(s, c, "stretches", after);
  findings.report(
      c.name() + ": evaluations of a run, stretches over interval",
      static_cast<double>(stretches.evaluations) / interval.evaluations,
      fmt::format("iterations {} and {}, factorisations {} and {}, time {:.2f}", stretches.iterations,
                  interval.iterations, stretches.factorisations, interval.factorisations, after / before));
}

std::string three(const Cost& c) {
  return fmt::format("{:.1f} / {:.1f} / {:.1f}", c.iterations[0], c.iterations[1], c.iterations[2]);
}

std::vector<BarCase> cases(const Settings& s, const std::string& material) {
  std::vector<BarCase> out;
  const auto youngs = s.numbers("young"), steps = s.numbers("step");
  for (const std::string& scene : lab::bar_scenes())
    for (std::size_t e = 0; e < youngs.size(); ++e)
      for (std::size_t h = 0; h < steps.size(); ++h)
        if (s.boolean("full") || (e == 0 && h == 0) || (material == "polynomial" && scene == "shake" && e * h == 0))
          out.push_back({scene, material, s.integer("vertices"), youngs[e], steps[h]});
  return out;
}

// Of one method on one material.
struct Tally {
  std::string name;
  Plot plot;
  lab::GeometricMean over_best{}, over_today{}, iterations{};
  void add(const BarCase& c, const std::vector<double>& factors, const std::vector<Cost>& costs) {
    Series& series = plot.series.emplace_back(Series{c.name(), factors, {}});
    const Cost& rule = costs.back();
    double best = costs[0].evaluations;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      best = std::min(best, costs[i].evaluations);
      series.y.push_back(costs[i].iterations[1]);
      if (factors[i] != 1) continue;
      over_today.see(std::max(1.0, rule.evaluations) / std::max(1.0, costs[i].evaluations));
      iterations.see(std::max(1.0, rule.iterations[1]) / std::max(1.0, costs[i].iterations[1]));
    }
    over_best.see(std::max(1.0, rule.evaluations) / std::max(1.0, best));
  }
  void judge(bool against_best, Findings& findings) {
    if (against_best)
      findings.at_most(name + ": evaluations to 1e-3, stretches over the best k of each scene, geometric mean", 1.3,
                       over_best.value(), "our own mark");
    else
      findings.at_most(name + ": evaluations to 1e-3, stretches over interval, geometric mean", 1.05,
                       over_today.value(), "our own mark");
    findings.report(name + ": iterations to 1e-3, stretches over interval", iterations.value(),
                    fmt::format("evaluations {:.2f}", over_today.value()));
    findings.plot(std::move(plot));
  }
};

void study(const Settings& s, const std::string& material, Findings& findings) {
  const bool polynomial = material == "polynomial";
  const std::vector<double> factors = factors_of(s, material);
  const std::vector<lab::Method> methods = {
      {"paper's", "quasi_newton"}, {"two-level", "quasi_newton", {{"coarse_modes", 4}, {"start", "harmonic"}}}};
  std::vector<Tally> tallies;
  for (const lab::Method& method : methods) {
    const std::string name = material + ", " + method.name + " method";
    tallies.push_back({name, lab::loglog(name, "k / k of Eq. 11", "iterations to 1e-3")});
  }
  lab::begin_table(findings, material + ": iterations to 1e-2 / 1e-3 / 1e-4, evaluations to 1e-3",
                   "case | method | k / k of Eq. 11 | iterations | evaluations");
  for (const BarCase& c : cases(s, material)) {
    Past past = make_past(s, c);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const std::vector<Cost> costs = scan(c, past, methods[m].params, factors, s.integer("iterations"));
      tallies[m].add(c, factors, costs);
      for (std::size_t i = 0; i < costs.size(); ++i)
        findings.table_row(lab::cells("{} | {} | {} | {} | {:.1f}", c.name(), methods[m].name,
                                      i < factors.size() ? fmt::format("{:g}", factors[i]) : "stretches",
                                      three(costs[i]), costs[i].evaluations));
    }
    if (polynomial && c.young == s.numbers("young")[0] && c.step == s.numbers("step")[0])
      compare_runs(s, c, findings);
  }
  for (Tally& tally : tallies) tally.judge(polynomial, findings);
}

void run(const Settings& s, Findings& findings) {
  const auto factors = s.numbers("factors");
  if (std::find(factors.begin(), factors.end(), 1.0) == factors.end())
    s.value("factors").fail("1 must be among them: that is the k that the rule is compared with");
  for (const char* material : {"polynomial", "neo_hookean", "corotated", "spline", "st_venant_kirchhoff"})
    if (s.text("material") == "all" || s.text("material") == material) study(s, material, findings);
}

}  // namespace

ExperimentPlugin experiment_two_level_stiffness() {
  return {
      .title = "Two levels: stiffness of the constant Hessian",
      .source = "two_level",
      .doc = "Iterations and evaluations against k, and k fitted to the stretches that occur.",
      .params = {choice("material",
                        {"all", "polynomial", "neo_hookean", "corotated", "spline", "st_venant_kirchhoff"},
                        "material of the bars"),
                 boolean("full", false, "the product of all values instead of the base point and some beside it"),
                 numbers("factors", "", {2, 1, 0.5, 0.25, 0.1, 0.03, 0.01, 0.003}, positive(),
                         "factors on k; 1 is among them"),
                 numbers("young", "Pa", {1e6, 2e5, 5e6}, positive(), "stiffnesses, the base first"),
                 numbers("step", "s", {1.0 / 30, 1.0 / 100}, positive(), "time steps, the base first"),
                 integer("vertices", 400, between(32, 1000000), "about"),
                 integer("iterations", 100, between(1, 10000), "iterations of every solve at most"),
                 integer("frames", 12, between(1, 1000), "frames of the converged past"),
                 integer("every", 6, between(1, 1000), "which of them is compared"),
                 integer("run", 30, between(0, 10000), "frames of a run of its own")},
      .quick = Quick{.set = lab::given(R"({"material": "polynomial", "vertices": 60, "young": [1e6],
                                           "step": [0.03333333333333333], "frames": 6, "run": 3})")},
      .run = run};
}

}  // namespace resilin
