// Random edits of every kind while scenes run, with every solver that takes them: nothing becomes NaN, the log
// gives the same bits again on another number of threads, and after each edit the step is that of a simulation made
// anew from the edited scene and the same state.
#include "lab/toolkit.h"
#include "resilin/errors.h"
#include "resilin/scene.h"
#include "setup/sampling.h"

namespace resilin {
namespace {

struct Choice {
  std::string scene;
  std::vector<Override> overrides;
};

// Ten of the gallery; large ones with fewer cells.
std::vector<Choice> choices() {
  return {{"anisotropic_cube", {}}, {"cantilever", {}},
          {"clay_drop", {}},        {"pendulum", {}},
          {"random_start", {}},     {"released_beam", {}},
          {"shaken_bar", {}},       {"spinning_beam", {}},
          {"spline_sphere_a", {}},  {"hanging_cloth", {{"bodies[0].cloth.cells", "[16, 16]"}}}};
}

// ---- edits

class Chooser {
 public:
  Chooser(std::uint64_t seed, Simulation& simulation) : random_(seed), simulation_(simulation) {}

  Edit next() {
    switch (pick(10)) {
      case 0:
      case 1: return parameter();
      case 2:
        return Drag{"hand", {vertex(), vertex(1)}, near(vertex()), 50 * std::pow(10, 3 * random_.uniform(0, 1))};
      case 3: return Drag{"hand", {}, near(vertex()), 1e3};  // refused where there is none
      case 4: return Release{"hand"};
      case 5: return PinVertices{{vertex(), vertex(1)}};
      case 6: return UnpinVertices{{vertex()}};
      case 7: return Kick{"", {random_.normal(), random_.normal(), random_.normal()}};
      case 8: return pick(2) == 0 ? Edit(Reset{}) : Edit(nudged());
      default: return pick(2) == 0 ? Edit(Flatten{"", pick(3)}) : Edit(Randomise{"", pick(100)});
    }
  }

 private:
  int pick(int n) { return std::min(n - 1, static_cast<int>(random_.uniform(0, n))); }
  // Of another half of the vertices each: never the same one twice.
  int vertex(int half = 0) {
    const int n = simulation_.model().vertex_count();
    return half * (n / 2) + pick(n / 2);
  }
  std::array<double, 3> near(int v) {
    std::array<double, 3> out;
    for (int k = 0; k < 3; ++k)
      out[k] = simulation_.positions()[3 * static_cast<std::size_t>(v) + k] +
               0.2 * simulation_.model().size() * random_.normal();
    return out;
  }
  SetState nudged() {
    SetState out{simulation_.positions(), simulation_.velocities()};
    for (double& x : out.positions) x += 1e-3 * simulation_.model().size() * random_.normal();
    return out;
  }
  // Some that every scene has, some that only some have: those are refused.
  SetParameter parameter() {
    const double factor = std::pow(3, random_.uniform(-1, 1));
    switch (pick(9)) {
      case 0: return {"bodies[0].material.young", 1e5 * factor};
      case 1: return {"bodies[0].cloth.stretch", 100 * factor};
      case 2: return {"bodies[0].density", 1000 * factor};
      case 3: return {"gravity", 9.81 * factor};
      case 4: return {"step", factor / 60};
      case 5: return {"solver.iterations", 1 + pick(8)};
      case 6:
        return {"integrator",
                std::vector<std::string>{"backward_euler", "tr_bdf2", "bdf2", "implicit_midpoint"}[pick(4)]};
      case 7: return {"obstacles", Value::List{Value::Object{{"type", "plane"}, {"height", -factor}}}};
      default: return {"bodies[0].damping", Value::Object{{"type", "drag"}, {"coefficient", 0.01 * factor}}};
    }
  }

  lab::Random random_;
  Simulation& simulation_;
};

// ---- one scene with one solver

struct Outcome {
  int applied = 0, refused = 0, rejected = 0;  // rejected: steps that would not have been finite
  bool finite = true, same_replayed = false;
  lab::Worst farthest;  // from the simulation made anew, over the size
};

double distance(const Simulation& a, const Simulation& b) {
  return lab::largest_difference(a.positions(), b.positions()) / a.model().size();
}

std::unique_ptr<Simulation> make(const Choice& stage, const std::string& solver, int threads) {
  auto overrides = stage.overrides;
  overrides.emplace_back("solver", Value(Value::Object{{"type", solver}, {"iterations", 5}}).dump());
  return build_simulation(load_scene(stage.scene, overrides), threads);
}

// Made anew from what the scene is now, with the pins and handles that were edited in.
std::unique_ptr<Simulation> made_anew(const Simulation& simulation, const State& state) {
  auto out = build_simulation(parse_scene(simulation.source()->text(), "edited.json"), 1);
  std::vector<EditRecord> standing = simulation.edits();
  std::erase_if(standing, [](const EditRecord& r) {
    return !r.refused.empty() || std::holds_alternative<SetParameter>(r.edit);
  });
  out->restore(std::move(standing));
  out->set_state(state);
  return out;
}

Outcome play(const Choice& stage, const std::string& solver, const Settings& s) {
  Outcome out;
  const auto simulation = make(stage, solver, 1);
  Chooser chooser(static_cast<std::uint64_t>(s.integer("seed")), *simulation);
  const int steps = s.integer("steps"), edits = s.integer("edits");
  for (int i = 0; i < steps; ++i) {
    const bool edit = (i + 1) * edits / steps > i * edits / steps;
    if (edit) simulation->post(chooser.next());
    const State before = simulation->state();
    const StepReport report = simulation->step();
    if (report.status == Status::not_finite) ++out.rejected;
    out.finite = out.finite && is_finite(simulation->state());
    for (const EditRecord& record : report.edits) ++(record.refused.empty() ? out.applied : out.refused);
    if (report.edits.empty() || !report.edits[0].refused.empty() || report.status == Status::not_finite) continue;
    const auto fresh = made_anew(*simulation, before);
    if (!std::holds_alternative<SetParameter>(report.edits[0].edit)) fresh->post(report.edits[0].edit);
    fresh->step();
    out.farthest.see(distance(*fresh, *simulation));
  }
  const auto again = make(stage, solver, 2);
  // A rejected step has no number: the log is followed by the steps that count, then by what came after the last of
  // them.
  std::size_t next = 0;
  const auto post = [&] {
    for (; next < simulation->edits().size() && simulation->edits()[next].step == again->state().step; ++next)
      again->post(simulation->edits()[next].edit);
  };
  for (int i = 0; i < steps && again->state().step < simulation->state().step; ++i) post(), again->step();
  if (next < simulation->edits().size()) post(), again->step();
  out.same_replayed = hash(again->state()) == hash(simulation->state());
  return out;
}

void run(const Settings& s, Findings& findings) {
  std::vector<std::pair<Choice, std::string>> cases;
  for (const Choice& stage : choices())
    for (const auto& entry : registry<SolverPlugin>())
      if (s.text("scenes").empty() || s.text("scenes").find(stage.scene) != std::string::npos)
        if (s.text("solvers").empty() || s.text("solvers").find(entry.name) != std::string::npos)
          cases.emplace_back(stage, entry.name);
  lab::begin_table(findings, "Edits", "scene | solver | applied | refused | steps rejected | from anew / size");
  lab::Worst farthest;
  int replayed = 0, finite = 0, taken = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [stage, solver] = cases[i];
    findings.progress(static_cast<int>(i) + 1, static_cast<int>(cases.size()), stage.scene + " " + solver);
    try {
      make(stage, solver, 1);
    } catch (const InputError&) {
      continue;  // a solver that does not take this scene
    }
    const Outcome one = play(stage, solver, s);
    ++taken, finite += one.finite ? 1 : 0, replayed += one.same_replayed ? 1 : 0;
    farthest.see(one.farthest);
    if (!one.finite || !one.same_replayed || !(one.farthest <= 1e-12))
      findings.report(fmt::format("{}, {}: distance from anew / size", stage.scene, solver), one.farthest,
                      one.same_replayed ? "" : "replayed: another hash");
    findings.table_row(lab::cells("{} | {} | {} | {} | {} | {:.1e}", stage.scene, solver, one.applied, one.refused,
                                  one.rejected, one.farthest));
  }
  findings.at_least("cases", 1, taken, "scenes times solvers that take them");
  findings.near("cases that stay finite", taken, finite, 0);
  findings.near("logs that give the same state again, on two threads", taken, replayed, 0);
  findings.at_most("largest distance of a step after an edit from one made anew / size", 1e-12, farthest);
}

}  // namespace

ExperimentPlugin experiment_living_edits() {
  return {
      .title = "Living model: random edits",
      .source = "living",
      .doc = "Edits of every kind at random times: finite, replayed to the bit, and like a simulation made anew.",
      .params = {text("scenes", "", "only those with their names in this text"),
                 text("solvers", "", "only those with their names in this text"),
                 integer("edits", 200, between(1, 100000), "per case"),
                 integer("steps", 300, between(1, 100000), "per case"),
                 integer("seed", 1, at_least(0), "seed of the random edits")},
      .quick =
          Quick{.set = {{"scenes", "cantilever"}, {"solvers", "quasi_newton,xpbd"}, {"edits", 10}, {"steps", 15}},
                .slow = true},
      .run = run};
}

}  // namespace resilin
