// Two-level quasi-Newton against the paper's method, Newton, Chebyshev and ADMM: iterations and milliseconds to relative errors of
// 1e-2, 1e-3 and 1e-4 from the same states. By default every scene with every material at the base point, and every other
// value of size, stiffness and step around it; `full` takes the product of all of them. Newton is left out of large bars.
// 30 frames as in the prototype of the method. An earlier version compared frames 4, 8 and 12 only and had all four materials
// scrambled: most of those solves ran to the limit with either method, at the lowest point that anybody found. Its
// means were 1.50 in iterations and 1.19 in time; its shaken bar began with a jump of one metre, by mistake. Now `random` moves every vertex by up to
// half a cell, which turns elements over too, and the scrambled start is that of the paper, corotated.
// Not from a paper: the marks are those of our own issue. Times are those of this machine, the least of a few solves in turn.
#include <fmt/format.h>

#include <cmath>

#include "lab/experiment.h"
#include "lab/two_level_study.h"

namespace resilin {
namespace {

// Away from the base point: the scenes that are held, and of large bars those in which most is to be learnt.
bool in_star(const std::string& scene, double vertices) {
  if (vertices > 20000) return scene == "drop";
  if (vertices > 5000) return scene == "drop" || scene == "twist";
  return scene == "drop" || scene == "shake" || scene == "twist";
}

// Large bars: fewer frames, and a reference that may take fewer iterations.
lab::NeededOptions options(const Settings& s, int vertices) {
  const int divisor = vertices > 20000 ? 15 : vertices > 5000 ? 6 : vertices > 2000 ? 2 : 1;
  const int every = std::max(1, s.integer("every") / divisor);
  return {.frames = std::max(every, s.integer("frames") / divisor),
          .every = every,
          .repeat = s.integer("repeat"),
          .reference = vertices > 5000 ? 200 : 600};
}

std::vector<lab::BarCase> cases(const Settings& s) {
  const auto sizes = s.numbers("vertices"), youngs = s.numbers("young"), steps = s.numbers("step");
  const lab::BarCase base{.vertices = static_cast<int>(sizes[0]), .young = youngs[0], .step = steps[0]};
  std::vector<lab::BarCase> out;
  for (const std::string& scene : lab::bar_scenes())
    for (const std::string& material : lab::bar_materials())
      for (std::size_t v = 0; v < sizes.size(); ++v)
        for (std::size_t e = 0; e < youngs.size(); ++e)
          for (std::size_t h = 0; h < steps.size(); ++h) {
            const int away = (v > 0 ? 1 : 0) + (e > 0 ? 1 : 0) + (h > 0 ? 1 : 0);
            const bool star = away == 0 || (away == 1 && material == base.material && in_star(scene, sizes[v]));
            if (s.boolean("full") || star)
              out.push_back({scene, material, static_cast<int>(sizes[v]), youngs[e], steps[h]});
          }
  lab::BarCase scrambled = base;
  scrambled.scene = "scrambled", scrambled.material = "corotated";
  out.push_back(scrambled);
  return out;
}

std::vector<lab::Method> methods(const Settings& s, const lab::BarCase& c) {
  const int most = s.integer("iterations");
  std::vector<lab::Method> out = {
      {"paper", "quasi_newton", {}, most},
      {"two-level", "quasi_newton", {{"coarse_modes", s.integer("coarse_modes")}, {"start", "harmonic"}}, most}};
  const bool base = c.material == "neo_hookean" && c.vertices == static_cast<int>(s.numbers("vertices")[0]) &&
                    c.young == s.numbers("young")[0] && c.step == s.numbers("step")[0];
  if (s.text("others") == "none" || (s.text("others") == "base" && !base)) return out;
  out.push_back({"Chebyshev", "chebyshev", {}, most, false});
  out.push_back({"ADMM", "admm", {}, most, false});
  if (c.vertices <= s.integer("newton_up_to")) out.push_back({"Newton", "newton", {}, 20, false});
  return out;
}

// Geometric means of paper over two-level.
struct Gain {
  double iterations = 0, ms = 0;
  int count = 0;
  void add(const lab::Needed& paper, const lab::Needed& ours) {
    constexpr int target = 1;  // 1e-3
    iterations += std::log(std::max(paper.iterations[target], 1.0) / std::max(ours.iterations[target], 1.0));
    ms += std::log(paper.ms[target] / ours.ms[target]);
    ++count;
  }
  double iterations_gain() const { return std::exp(iterations / std::max(1, count)); }
  double time_gain() const { return std::exp(ms / std::max(1, count)); }
};

std::string three(const std::array<double, 3>& values, const std::array<int, 3>& missed, const char* format) {
  std::string out;
  for (int t = 0; t < 3; ++t)
    out += fmt::format("{}{}{}", t > 0 ? " / " : "", missed[t] > 0 ? "> " : "",
                       fmt::format(fmt::runtime(format), values[t]));
  return out;
}

lab::Plot plot(const lab::BarCase& c, const std::vector<lab::Method>& methods,
               const std::vector<lab::Needed>& result) {
  lab::Plot out{c.name(), "milliseconds", "relative error", true, true, {}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    lab::Series& series = out.series.emplace_back(lab::Series{methods[m].name, {}, {}});
    for (std::size_t t = 0; t < lab::error_targets.size(); ++t) {
      if (result[m].missed[t] > 0) continue;
      series.x.push_back(result[m].ms[t]);
      series.y.push_back(lab::error_targets[t]);
    }
  }
  return out;
}

void run(const Settings& s, Findings& findings) {
  std::vector<std::vector<std::string>> rows;
  Gain outside, twist;
  int unstable = 0;
  for (const lab::BarCase& c : cases(s)) {
    const auto list = methods(s, c);
    const auto result = lab::needed(c, list, options(s, c.vertices));
    for (std::size_t m = 0; m < list.size(); ++m)
      rows.push_back({c.name(), list[m].name, three(result[m].iterations, result[m].missed, "{:.1f}"),
                      three(result[m].ms, result[m].missed, "{:.2f}")});
    if (list.size() > 2) findings.plot(plot(c, list, result));
    (c.scene == "twist" ? twist : outside).add(result[0], result[1]);
    unstable += result[0].finite && !result[1].finite ? 1 : 0;
    findings.report(c.name() + ": iterations to 1e-3, paper over two-level",
                    result[0].iterations[1] / std::max(result[1].iterations[1], 1.0),
                    fmt::format("{:.1f} and {:.1f}", result[0].iterations[1], result[1].iterations[1]));
  }
  findings.table("Iterations and milliseconds to 1e-2 / 1e-3 / 1e-4; > where some frame did not get there",
                 {"case", "method", "iterations", "ms"}, std::move(rows));
  findings.at_least("outside twist: iterations to 1e-3, paper over two-level, geometric mean", 1.7,
                    outside.iterations_gain());
  findings.at_least("outside twist: time to 1e-3, paper over two-level, geometric mean", 1.5, outside.time_gain());
  findings.at_most("twist: time to 1e-3, two-level over paper, geometric mean", 1.05, 1 / twist.time_gain());
  findings.report("twist: iterations to 1e-3, paper over two-level, geometric mean", twist.iterations_gain());
  findings.near("cases that stay finite with the paper's method only", 0, unstable, 0);
}

}  // namespace

ExperimentPlugin experiment_two_level_iterations() {
  return {
      .title = "Two levels: iterations and time",
      .source = "two_level",
      .doc = "Iterations and milliseconds to three errors, bars in five scenes and four materials.",
      .params =
          {boolean("full", false, "the product of all values instead of each around the base point"),
           choice(
               "others", {"base", "none", "all"},
               "cases in which Chebyshev, ADMM and Newton run too; base: the neo-Hookean ones at the base point"),
           numbers("vertices", "", {1500, 3500, 10000, 33000}, positive(), "sizes, the base first"),
           numbers("young", "Pa", {1e6, 2e5, 5e6}, positive(), "stiffnesses, the base first"),
           numbers("step", "s", {1.0 / 30, 1.0 / 100}, positive(), "time steps, the base first"),
           integer("coarse_modes", 4, between(1, 16), "of the two-level method"),
           integer("iterations", 100, between(1, 10000), "of every solve at most"),
           integer("newton_up_to", 2000, at_least(0), "vertices"),
           integer("frames", 30, between(1, 1000), "of the converged past; fewer of large bars"),
           integer("every", 6, between(1, 1000), "which of them is compared"),
           integer("repeat", 2, between(1, 100), "timed solves of each method")},
      .run = run};
}

}  // namespace resilin
