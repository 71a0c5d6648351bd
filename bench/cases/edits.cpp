// What edits cost: frames in which something was changed over normal frames, scenes A and B. A drag moves its
// handle, a slider changes Young's modulus, a switch goes to another solver and back, a reset goes to the first
// state.
#include "resilin/edit.h"
#include "scene_case.h"

namespace resilin {
namespace {

// A frame with the edit, then a normal one.
struct Times {
  bench::Samples edited;
  double factorisations = 0;  // per edited frame
};

template <class Next>
Times measure(Simulation& simulation, int frames, Next&& next) {
  Times out;
  for (int i = 0; i < frames; ++i) {
    simulation.post(next(i));
    const bench::Stopwatch watch;
    const StepReport report = simulation.step();
    out.edited.add(watch.ms());
    out.factorisations += static_cast<double>(report.solve.factorisations) / frames;
    simulation.step();
  }
  return out;
}

CaseResult costs(const std::string& name, const std::string& scene, const BenchmarkContext& context) {
  bench::SceneCase c;
  c.scene = scene, c.material = "neo_hookean";
  const auto simulation = build_simulation(bench::load(c, context), context.threads);
  bench::run_frames(*simulation, bench::warm_up);
  const int frames = context.frames > 0 ? context.frames : context.quick ? 4 : 20;
  CaseResult result{.name = name, .threads = context.threads};
  const bench::FrameTimes normal = bench::run_frames(*simulation, 2 * frames);
  normal.ms.report(result);
  const int v = simulation->model().vertex_count() / 2;
  const double* x = &simulation->positions()[3 * static_cast<std::size_t>(v)];
  const std::array<double, 3> start = {x[0], x[1], x[2]};
  const auto add = [&](const std::string& what, const Times& times) {
    result.extra.emplace_back(what + "_over_normal", times.edited.median() / normal.ms.median());
    result.extra.emplace_back(what + "_factorisations", times.factorisations);
  };
  add("drag", measure(*simulation, frames, [&](int i) {
        return Edit(Drag{"hand", {v}, {start[0], start[1] + 1e-3 * i, start[2]}, 1e4});
      }));
  simulation->post(Release{"hand"});
  simulation->step();
  add("slider", measure(*simulation, frames, [](int i) {
        return Edit(SetParameter{"bodies[0].material.young", 1e5 * (1 + 0.1 * i)});
      }));
  add("gravity", measure(*simulation, frames, [](int i) { return Edit(SetParameter{"gravity", 9 + 0.1 * i}); }));
  add("switch", measure(*simulation, frames, [](int i) {
        return Edit(SetParameter{"solver.history", i % 2 == 0 ? 4 : 5});
      }));
  add("reset", measure(*simulation, frames, [](int) { return Edit(Reset{}); }));
  result.note = "medians of edited frames over those of normal ones";
  return result;
}

}  // namespace

BenchmarkPlugin benchmark_edits() {
  return {
      "Cost of a drag, a slider, a change of load, another solver and a reset over a normal frame, scenes A and B",
      [](const BenchmarkContext& context) {
        std::vector<CaseResult> out = {costs("edits_a", "twisting_bar", context)};
        if (!context.quick) out.push_back(costs("edits_b", "grid_bar", context));
        return out;
      }};
}

}  // namespace resilin
