#include "two_level_case.h"

#include <algorithm>

namespace resilin::bench {

std::vector<CaseResult> run_two_level(const std::string& name, const std::string& scene, int frames,
                                      const BenchmarkContext& context) {
  SceneCase paper;
  paper.scene = scene, paper.material = "neo_hookean";
  SceneCase ours = paper;
  ours.iterations = 5;
  // Twisted pins make a first step by A alone overshoot, which costs a trial of the line search.
  ours.settings = R"(, "coarse_modes": 4, "coarse_after": 0)";
  const Scene our_scene = load(ours, context);
  const auto simulation = build_simulation(our_scene, context.threads),
             other = build_simulation(load(paper, context), context.threads);
  const Stopwatch first;
  run_frames(*simulation, 1);
  const double first_ms = first.ms();
  run_frames(*simulation, warm_up - 1);
  run_frames(*other, warm_up);

  const int count = context.frames > 0 ? context.frames : context.quick ? 3 : frames;
  Samples mine, theirs;
  double coarse = 0;
  // Frames: short enough to meet the same load, long enough to have the caches to itself as in real use.
  constexpr int turn = 10;
  for (int done = 0; done < count; done += turn) {
    const int frames_now = std::min(turn, count - done);
    const FrameTimes times = run_frames(*simulation, frames_now);
    mine.add(times.ms);
    coarse += times.coarse * frames_now / count;
    theirs.add(run_frames(*other, frames_now).ms);
  }
  CaseResult result{.name = name, .threads = context.threads};
  mine.report(result);
  const Floor floor = frame_floor(*simulation, our_scene, ours);  // without the coarse level
  result.floor_ms = floor.ms;
  result.ratio_to_floor = *result.median_ms / floor.ms;
  result.extra = {{"frames", count},
                  {"iterations", ours.iterations},
                  {"coarse_ms", coarse},
                  {"first_frame_ms", first_ms},
                  {"paper_ms", theirs.median()},
                  {"time_over_paper", mine.median() / theirs.median()},
                  {"min_over_paper", mine.min() / theirs.min()}};
  return {result};
}

}  // namespace resilin::bench
