// The error that truncation leaves in a run of its own: so many iterations per frame, frame after frame, against
// the converged run. A two-level iteration is worth more than one of the paper's method, and no run may fail that
// the paper's method survives. After a random start nothing is judged: a truncated stage leaves some angular
// momentum behind with either method, and how far a free body turns with it says little; A holds turns back as
// well, so that the paper's method hardly turns. Of the shape alone, apart from rigid motions, most of the error is
// in elements that are still turned over, for which a coarse level does nothing.
#include "lab/bar_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr std::array<int, 3> counts = {3, 5, 10};  // iterations per frame

// The paper's method with each of the counts, then two levels.
std::vector<lab::Method> methods(const Settings& s) {
  std::vector<lab::Method> out;
  for (const int n : counts) out.push_back({fmt::format("paper, {} iterations", n), "quasi_newton", {}, n});
  const Values two_level = {{"coarse_modes", s.integer("coarse_modes")}, {"start", "harmonic"}};
  for (const int n : counts)
    out.push_back({fmt::format("two-level, {} iterations", n), "quasi_newton", two_level, n});
  return out;
}

// Both methods of a scene in its colour, the paper's dashed.
void add_lines(Plot& plot, const std::string& scene, const std::vector<lab::OwnTrajectory>& runs) {
  const int colour = static_cast<int>(plot.series.size() / 2);
  for (const bool two_level : {false, true}) {
    Series line{scene + (two_level ? ", two-level" : ", paper"), {}, {}, colour, !two_level};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      line.x.push_back(counts[i]);
      line.y.push_back(runs[i + (two_level ? counts.size() : 0)].error);
    }
    plot.series.push_back(std::move(line));
  }
}

lab::Values of(const lab::Method& method) {
  lab::Values out = method.params;
  out.insert(out.end(), {{"iterations", method.iterations}, {"tolerance", 0}});
  return out;
}

struct Trajectories {
  std::vector<lab::OwnTrajectory> runs;  // by method
  // The distance of a second converged run, by another solver: where it is not small, there are several ways to go
  // on from a state, all of them minima, and no run can be called wrong by less than that.
  double ambiguity = 0;
};

Trajectories trajectories(const lab::BarCase& c, const std::vector<lab::Method>& methods, int frames) {
  // Newton: neither of the methods that are compared may set the mark.
  const auto reference =
      start_bar(c, "newton", {{"hessian", "exact_first"}, {"iterations", 100}, {"gradient_tolerance", 1e-8}});
  std::vector<std::unique_ptr<Simulation>> runs;
  for (const lab::Method& method : methods) runs.push_back(start_bar(c, method.solver, of(method)));
  runs.push_back(start_bar(c, "quasi_newton", lab::converged_bar()));
  Trajectories out{lab::own_trajectories(*reference, runs, frames)};
  out.ambiguity = out.runs.back().error;
  out.runs.pop_back();
  return out;
}

// Five two-level iterations against ten of the paper's, where the converged run is unambiguous.
void judge(Findings& findings, const std::string& name, const Trajectories& result, bool judged) {
  const auto& runs = result.runs;
  findings.report(name + ": distance of two converged runs, quasi-Newton's to Newton's / body length",
                  result.ambiguity);
  for (std::size_t i = 0; i < counts.size(); ++i)
    findings.report(fmt::format("{}: error of {} iterations, two-level over paper", name, counts[i]),
                    runs[i + counts.size()].error / runs[i].error,
                    fmt::format("{:.1e}", runs[i + counts.size()].error));
  findings.report(name + ": error of the shape, 5 two-level iterations over 10 of the paper's",
                  runs[4].shape / runs[2].shape);
  const std::string row = name + ": error of 5 two-level iterations over 10 of the paper's";
  const double ratio = runs[4].error / runs[2].error;
  if (!judged) findings.report(row, ratio);
  else if (result.ambiguity > 0.5 * lab::Least::of({runs[4].error, runs[2].error}))
    findings.report(row, ratio, "not judged: converged runs differ by as much");
  else findings.at_most(row, 1, ratio);
}

void run(const Settings& s, Findings& findings) {
  const auto& materials = s.text("material") == "all" ? lab::bar_materials() : std::vector{s.text("material")};
  const auto list = methods(s);
  int unstable = 0, done = 0;
  lab::begin_table(findings, "Root mean square distance to the converged run / body length",
                   "material | scene | method | error | of the shape | finite");
  for (const std::string& material : materials) {
    Plot plot = lab::semilogy("Runs of their own, " + material, "iterations per frame",
                              "distance to the converged run / length");
    for (const std::string& scene : lab::bar_scenes()) {
      const lab::BarCase c{scene, material, s.integer("vertices"), s.number("young")};
      const Trajectories result = trajectories(c, list, s.integer("frames"));
      for (std::size_t m = 0; m < list.size(); ++m)
        findings.table_row(lab::cells("{} | {} | {} | {:.2e} | {:.2e} | {}", material, scene, list[m].name,
                                      result.runs[m].error, result.runs[m].shape,
                                      result.runs[m].finite ? "yes" : "no"));
      for (std::size_t i = 0; i < counts.size(); ++i)
        unstable += result.runs[i].finite && !result.runs[i + counts.size()].finite ? 1 : 0;
      judge(findings, scene + " " + material, result, scene != "random");
      add_lines(plot, scene, result.runs);
      findings.progress(++done, static_cast<int>(materials.size() * lab::bar_scenes().size()),
                        scene + " " + material);
    }
    findings.plot(std::move(plot));
  }
  findings.near("runs that stay finite with the paper's method only", 0, unstable, 0);
}

}  // namespace

ExperimentPlugin experiment_two_level_trajectories() {
  return {.title = "Two levels: truncated runs",
          .source = "two_level",
          .doc = "3, 5 and 10 iterations per frame against the converged run.",
          .params = {integer("frames", 120, between(1, 100000), "frames of 1/30 s"),
                     choice("material", {"all", "neo_hookean", "corotated", "spline", "polynomial"},
                            "material of the bar"),
                     integer("vertices", 1500, between(32, 1000000), "about"),
                     number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     integer("coarse_modes", 4, between(1, 16), "modes of the two-level method")},
          .quick = Quick{.set = {{"vertices", 150}, {"frames", 20}, {"material", "neo_hookean"}}},
          .run = run};
}

}  // namespace resilin
