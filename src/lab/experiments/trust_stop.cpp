// What `converged` promises: an acceleration error per size that is about the one asked for, the same at every time
// step and every scale, and never said of a body that hangs where it should not.
#include "lab/toolkit.h"
#include "lab/trust_scenes.h"
#include "lab/trust_study.h"

namespace resilin {
namespace {

using lab::TrustRun;

constexpr const char* honest_scenes[] = {"twisting_bar",      "cantilever",    "default",
                                         "jiggling_creature", "hanging_cloth", "anisotropic_cube",
                                         "spline_sphere_a",   "shaken_bar",    "released_beam"};
constexpr const char* honest_meshes[] = {"armadillo_1k.vtu", "bunny_2k_slivers.mesh"};

double tolerance(const Settings& s) { return s.has("tolerance") ? s.number("tolerance") : lab::default_tolerance; }

// ---- true error over asked error --------------------------------------------------------------------------------

std::vector<std::pair<std::string, Scene>> scenes_of(const Settings& s, Findings& findings) {
  std::vector<std::pair<std::string, Scene>> out;
  const auto wanted = [&](const std::string& name) { return name.find(s.text("scenes")) != std::string::npos; };
  for (const std::string name : honest_scenes)
    // The true error is that of a stage of backward Euler, whatever the scene has.
    if (wanted(name)) out.emplace_back(name, load_scene(name, {{"integrator", "backward_euler"}}));
  for (const std::string file : honest_meshes) {
    if (!wanted(file)) continue;
    if (lab::has_mesh(file)) out.emplace_back(file, lab::mesh_scene_of({.file = file}));
    else findings.report(file + ": left out", 0, "not in the folder of RESILIN_MESHES");
  }
  return out;
}

// By measured step. Steps in which there was nothing to do, as in free flight, are no test.
struct Ratios {
  std::vector<double> all, converged,
      saddles;  // true error over asked; of steps that say converged, that end at saddles
  void add(const Ratios& more) {
    all.insert(all.end(), more.all.begin(), more.all.end());
    converged.insert(converged.end(), more.converged.begin(), more.converged.end());
    saddles.insert(saddles.end(), more.saddles.begin(), more.saddles.end());
  }
};

double largest(const std::vector<double>& values) { return values.empty() ? 0 : lab::Worst::of(values); }

Ratios true_over_asked(const Settings& s, const Scene& scene) {
  const auto simulation = build_simulation(lab::with_solver(scene, lab::default_solver(s)), 1);
  lab::StageSolver newton = lab::stage_solver(lab::reference_solver());
  Ratios out;
  const int every = s.integer("every");
  for (int step = 1; step <= s.integer("frames") * every; ++step) {
    const State before = simulation->state();
    const StepReport report = simulation->step();
    if (report.status == Status::not_finite) {
      out.all.push_back(std::numeric_limits<double>::infinity());
      break;
    }
    if (step % every != 0 || report.solve.iterations == 0) continue;
    const double h = simulation->options().step;
    const double ratio =
        lab::true_error(simulation->system(), before, h, simulation->positions(), newton) / tolerance(s);
    const bool saddle = lab::at_saddle(simulation->system(), before, h, simulation->positions());
    out.all.push_back(ratio);
    if (saddle) out.saddles.push_back(ratio);
    if (report.status == Status::converged) out.converged.push_back(ratio);
  }
  return out;
}

// All steps are judged, also those that admit that they did not converge: a solver that never says so must not
// pass.
void honesty(const Settings& s, Findings& findings) {
  Ratios sum;
  const auto scenes = scenes_of(s, findings);
  using Named = std::pair<std::string, Scene>;
  lab::for_each_setting(
      findings, scenes, [](const Named& n) { return n.first; },
      [&](const Named& named) {
        const auto& [name, scene] = named;
        const Ratios one = true_over_asked(s, scene);
        findings.report(
            name + ": true error over asked, median", lab::median_of(one.all),
            fmt::format("largest {:.2g} of {} steps; {} say converged, largest of those {:.2g}; {} at a saddle",
                        largest(one.all), one.all.size(), one.converged.size(), largest(one.converged),
                        one.saddles.size()));
        sum.add(one);
      });
  findings.at_most("true error over asked, median of all", 2.5, lab::median_of(sum.all),
                   fmt::format("{} steps", sum.all.size()));
  findings.at_most("true error over asked, largest of all", 6, lab::Worst::of(sum.all));
  findings.report("true error over asked, largest of steps that say converged", largest(sum.converged),
                  fmt::format("{} of {} steps say so", sum.converged.size(), sum.all.size()));
  // Forces balance there, and the body is about to snap one way or another.
  findings.report("true error over asked, largest of steps that end where the exact Hessian is indefinite",
                  largest(sum.saddles), fmt::format("{} steps, which count above too", sum.saddles.size()));
}

// ---- the same at every step and scale --------------------------------------------------------------------------

void time_steps(const Settings& s, Findings& findings) {
  for (const std::string name : {"default", "cantilever"}) {
    std::vector<double> errors;
    for (const double rate : s.numbers("rates")) {
      const Scene scene = load_scene(name, {{"step", fmt::format("{}", 1 / rate)}});
      const int frames = static_cast<int>(std::lround(s.number("seconds") * rate));
      const auto ours =
          lab::trust_run(lab::with_solver(scene, lab::default_solver(s)), {.frames = frames, .energies = false});
      const auto reference = lab::converged_run(scene, {.frames = frames, .energies = false});
      errors.push_back(lab::trajectory_error(ours, reference));
      findings.report(fmt::format("{}, 1/{:g} s: error / size", name, rate), errors.back(),
                      fmt::format("{} evaluations in {} steps", ours.evaluations, frames));
    }
    findings.at_most(name + ": largest error over smallest, all time steps", 3,
                     lab::Worst::of(errors) / lab::Least::of(errors));
  }
}

// Lengths and gravity times f with Young's modulus times f^2: the same motion in the same time, f times as large.
void similarity(const Settings& s, Findings& findings) {
  const double f = s.number("factor"), young = s.number("young");
  const lab::TrustOptions options{.frames = s.integer("similar_frames"), .energies = false};
  const auto run = [&](double factor) {
    return lab::trust_run(
        lab::with_solver(
            lab::tilted_beam({.length = factor, .young = factor * factor * young, .gravity = factor * 9.81}),
            lab::default_solver(s)),
        options);
  };
  const TrustRun full = run(1);
  TrustRun small = run(f);
  for (auto& q : small.positions)
    for (double& x : q) x /= f;
  findings.relative(fmt::format("iterations of the beam times {:g}", f), full.iterations, small.iterations, 0.05);
  findings.at_most(fmt::format("positions / size of the beam times {:g}", f), 1e-3,
                   lab::trajectory_error(full, small));
}

// ---- stiff beams ------------------------------------------------------------------------------------------------

// How far the free end has sunk in the last frame [m].
double deflection(const Model& model, const TrustRun& run) {
  const double end = lab::extent(model.rest, 0)[1];
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < model.rest.size(); i += 3)
    if (model.rest[i] > end - 1e-6 * model.size()) sum += model.rest[i + 1] - run.positions.back()[i + 1], ++count;
  return sum / count;
}

// At rest: the last ten steps.
bool says_converged(const TrustRun& run) {
  return run.finite && std::all_of(run.statuses.end() - std::min<std::ptrdiff_t>(10, std::ssize(run.statuses)),
                                   run.statuses.end(), [](Status status) { return status == Status::converged; });
}

void stiff_beam(const Settings& s, const std::string& name, const Scene& scene, const std::string& solver,
                Findings& findings) {
  const lab::TrustOptions options{.frames = s.integer("stiff_frames"), .energies = false};
  const auto ours = lab::trust_run(lab::with_solver(scene, solver), options);
  const auto reference = lab::converged_run(scene, options);
  State ignored;
  const Model model = build_model(scene, ignored);
  if (!ours.finite || !reference.finite) return findings.holds(name + ": stays finite", false);
  const double right = deflection(model, reference), ratio = deflection(model, ours) / right;
  const bool says = says_converged(ours);
  findings.holds(name + ": right, or does not say converged", std::abs(ratio - 1) <= 0.02 || !says,
                 fmt::format("deflection {:.4g} of Newton's {:.4g} m{}; {} of {} steps did not converge", ratio,
                             right, says_converged(reference) ? "" : " (which did not converge)",
                             ours.unconverged(), ours.statuses.size()));
}

void stiff_beams(const Settings& s, Findings& findings) {
  for (const double young : s.numbers("stiff"))
    stiff_beam(s, fmt::format("cantilever, {:g} Pa", young),
               load_scene("cantilever", {{"bodies[0].material.young", fmt::format("{}", young)}}),
               lab::default_solver({{"iterations", 1000}}), findings);
  stiff_beam(s, "slender beam, 2e9 Pa, Newton",
             load_scene("cantilever", {{"bodies[0].material.young", "2e9"},
                                       {"bodies[0].shape.size", "[1, 0.02, 0.02]"},
                                       {"bodies[0].shape.cells", "[40, 2, 2]"}}),
             R"({"type": "newton", "iterations": 200})", findings);
  const double k = s.number("moduli");
  const ExperimentReport fibres =
      run_experiment("E21", Value(Value::Object{{"mu", 10 * k}, {"lambda", 100 * k}, {"kappa", 50 * k}}));
  std::string missed;
  for (const Row& row : fibres.rows)
    if (!row.pass)
      missed += fmt::format("{}{}: {:.4g}, not {:.4g}", missed.empty() ? "" : "; ", row.quantity, row.measured,
                            row.expected);
  findings.holds(fmt::format("E21 with all moduli x{:g} holds", k), fibres.verdict == ExperimentVerdict::passed,
                 missed);
}

void run(const Settings& s, Findings& findings) {
  const std::string parts = s.text("parts");
  const auto wanted = [&](const char* part) { return parts.find(part) != std::string::npos; };
  if (wanted("honest")) honesty(s, findings);
  if (wanted("steps")) time_steps(s, findings);
  if (wanted("similar")) similarity(s, findings);
  if (wanted("stiff")) stiff_beams(s, findings);
}

}  // namespace

ExperimentPlugin experiment_trust_stop() {
  return {
      .title = "Default solver: \"converged\" against the true error",
      .source = "trust",
      .doc =
          "The error that is left over the one asked for, the same tolerance at other time steps and scales, "
          "and stiff beams that must be right or not say so.",
      .params = Params{text("parts", "honest,steps,similar,stiff", "which of these four"),
                       text("scenes", "", "honest: only those with this in their names"),
                       integer("frames", 15, between(1, 10000), "honest: measured steps of a scene, at most"),
                       integer("every", 3, between(1, 1000), "honest: which step is measured"),
                       numbers("rates", "1/s", {30, 60, 120}, positive(), "steps: of time steps"),
                       number("seconds", "s", 1, positive(), "steps: length of the runs"),
                       number("factor", "", 0.01, positive(),
                              "similar: of lengths and gravity; of Young's modulus squared"),
                       number("young", "Pa", 1e6, positive(), "similar: of the beam of 1 m"),
                       integer("similar_frames", 30, between(1, 10000), "similar: of 1/30 s"),
                       numbers("stiff", "Pa", {1e9, 1e10}, positive(), "stiff: Young's moduli of the cantilever"),
                       integer("stiff_frames", 60, between(1, 10000), "stiff: until the beams hang still"),
                       number("moduli", "", 1000, positive(), "stiff: factor on all moduli of E21")}
                    .add(lab::stated_params()),
      .quick = Quick{.set = {{"parts", "honest,similar"}, {"scenes", "cantilever"}, {"similar_frames", 15}}},
      .run = run};
}

}  // namespace resilin
