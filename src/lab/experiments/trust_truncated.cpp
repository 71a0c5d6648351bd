// A stage that is cut short must be inaccurate and nothing worse: no energy out of nothing, never a higher
// objective than not moving, and with the paper's ten iterations no larger error than the paper's method leaves.
#include "lab/toolkit.h"
#include "lab/trust_scenes.h"
#include "lab/trust_study.h"

namespace resilin {
namespace {

constexpr int paper_iterations = 10;

struct Case {
  std::string name;
  Scene scene;
};

std::vector<Case> cases(const Settings& s, Findings& findings) {
  std::vector<Case> out;
  const auto wanted = [&](const std::string& name) { return name.find(s.text("scenes")) != std::string::npos; };
  if (wanted("jelly_cube")) out.push_back({"jelly_cube", lab::jelly_cube()});
  for (const std::string name : {"default", "hanging_cloth", "cantilever", "twisting_bar"})
    if (wanted(name)) out.push_back({name, load_scene(name)});
  for (const std::string file : {"armadillo_1k.vtu", "bunny_2k_slivers.mesh", "elephant_7k_gmsh41.msh"}) {
    const std::string name = file.substr(0, file.find('.'));
    if (!wanted(name)) continue;
    if (lab::has_mesh(file)) out.push_back({name, lab::mesh_scene_of({.file = file})});
    else findings.report(name + ": left out", 0, "not in the folder of RESILIN_MESHES");
  }
  return out;
}

// A body that buckles has no error to speak of: two converged runs tell.
void judge_error(const Case& c, const lab::TrustRun& ours, const lab::TrustRun& reference, double paper,
                 Findings& findings) {
  const double error = lab::trajectory_error(ours, reference);
  const std::string what = c.name + ", 10 iterations: error over the paper's";
  const std::string note = fmt::format("{:.2g} % and {:.2g} % of the size", 100 * error, 100 * paper);
  const double spread = error <= 1.05 * paper ? 0 : lab::reference_spread(c.scene, reference);
  if (spread > 0.01)
    findings.report(what, error / paper,
                    note + fmt::format("; buckles: two references differ by {:.2g} %", 100 * spread));
  else findings.at_most(what, 1.05, error / paper, note);
}

void judge(const Settings& s, const Case& c, Findings& findings) {
  const lab::TrustOptions options{.frames = static_cast<int>(std::lround(s.number("seconds") / c.scene.step))};
  const auto paper = lab::trust_run(lab::with_solver(c.scene, lab::paper_solver()), options);
  if (paper.vertices() > lab::newton_limit) findings.differs_because(c.name + ": " + lab::large_reference_text());
  const auto reference = lab::converged_run(c.scene, options);
  const double paper_error = lab::trajectory_error(paper, reference);
  const bool moved = lab::moves_pins(c.scene);
  for (const double count : s.numbers("iterations")) {
    const int iterations = static_cast<int>(count);
    const auto ours =
        lab::trust_run(lab::with_solver(c.scene, lab::default_solver({{"iterations", iterations}})), options);
    const std::string name = fmt::format("{}, {} iterations: ", c.name, iterations);
    const double made = ours.made / reference.elastic;
    const std::string note =
        fmt::format("{:.2g} J; elastic {:.3g} J ({:.3g})", ours.made, ours.elastic, reference.elastic);
    const std::string what = name + "energy made / largest elastic energy of the reference";
    if (moved) findings.report(what, made, note + "; the work of moving pins is known to first order only");
    else findings.at_most(what, 1e-3, made, note);
    findings.near(name + "steps worse than not moving", 0, ours.worse, 0);
    if (iterations == paper_iterations) judge_error(c, ours, reference, paper_error, findings);
    findings.table_row(lab::cells("{} | {} | {:.2g} | {:.3g} ({:.3g}) | {} | {:.2g} ({:.2g}) | {:.2f}", c.name,
                                  iterations, ours.made, ours.elastic, reference.elastic, ours.worse,
                                  100 * lab::trajectory_error(ours, reference), 100 * paper_error,
                                  ours.cpu / paper.cpu));
  }
}

void run(const Settings& s, Findings& findings) {
  const auto all = cases(s, findings);
  lab::begin_table(findings, "Cut short",
                   "scene | iterations | energy made [J] | largest elastic energy (converged) [J] | steps worse | "
                   "error (paper's) [%] | CPU x");
  lab::for_each_setting(
      findings, all, [](const Case& c) { return c.name; }, [&](const Case& c) { judge(s, c, findings); });
}

}  // namespace

ExperimentPlugin experiment_trust_truncated() {
  return {.title = "Default solver: stages that are cut short",
          .source = "trust",
          .doc =
              "1 to 20 iterations per step: energy made, steps that end worse than not moving, and the error of "
              "ten iterations against that of ten of the paper's method.",
          .params = {text("scenes", "", "only those with this in their names"),
                     numbers("iterations", "", {1, 2, 3, 5, 10, 20}, at_least(1), "per stage"),
                     number("seconds", "s", 1, positive(), "length of the runs")},
          .quick = Quick{.set = {{"scenes", "jelly_cube"}}},
          .run = run};
}

}  // namespace resilin
