// resilin run [SCENE]: simulates a scene, shows progress, leaves a folder with frames, log and summary.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>

#include "command.h"
#include "document.h"
#include "progress.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "resilin/version.h"
#include "run_output.h"
#include "run_summary.h"
#include "scene/format.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

constexpr double explosion_size = 1e3;  // times a body's rest extent

std::atomic<bool> interrupted{false};

// The first Ctrl-C finishes the frame; the handler is then gone, so that a second one ends the process at once.
void listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct RunArguments {
  std::string scene = "default";
  bool overwrite = false, no_output = false;
};

std::string plugin_name(const Scene& scene, const std::string& kind) {
  const Value* chosen = scene.source.find(kind);
  return read_plugin(kind, chosen == nullptr ? Value() : *chosen).type;
}

// Another solver keeps those settings of the scene's solver that it has itself (iterations, tolerance, ...).
Override switch_solver(const Scene& scene, const std::string& solver) {
  const SolverPlugin& wanted = plugin<SolverPlugin>("solver", solver, "--solver");
  Value::Object settings{{"type", solver}};
  const Value* old = scene.source.find("solver");
  if (old != nullptr && old->is_object())
    for (const auto& [key, value] : old->object())
      if (wanted.params.find(key) != nullptr) settings.emplace_back(key, value);
  return {"solver", Value(std::move(settings)).dump()};
}

Scene read_scene(const std::string& file, const Shared& shared) {
  std::vector<Override> overrides;
  if (!shared.solver.empty()) overrides.push_back(switch_solver(load_scene(file), shared.solver));
  for (const Override& item : shared.overrides()) overrides.push_back(item);
  if (shared.iterations >= 0) overrides.emplace_back("solver.iterations", std::to_string(shared.iterations));
  if (shared.frames >= 0) overrides.emplace_back("frames", std::to_string(shared.frames));
  return load_scene(file, overrides);
}

/// A run in progress and how it ended.
class Run {
 public:
  Run(const RunArguments& arguments, const Shared& shared);
  int execute();

 private:
  void print_header() const;
  bool simulate_frame(int number, FrameRecord& record);
  bool exploded() const;
  void loop(Progress& progress);
  Value document();
  void print_end() const;

  bool json_;
  Terminal terminal_;
  Scene scene_;
  std::string solver_, integrator_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<RunOutput> output_;
  RunSummary summary_;
  std::string status_ = "done", failure_;
  double setup_seconds_ = 0, loop_seconds_ = 0;
};

Run::Run(const RunArguments& arguments, const Shared& shared)
    : json_(shared.json), terminal_(shared.json ? stderr : stdout), scene_(read_scene(arguments.scene, shared)) {
  if (arguments.no_output && !shared.out.empty()) throw InputError("--no-output", "excludes --out");
  const OutputRequest request{shared.out, arguments.overwrite};
  if (!arguments.no_output) RunOutput::check(scene_, request);
  const auto start = std::chrono::steady_clock::now();
  simulation_ = build_simulation(scene_, std::max(0, shared.threads));
  setup_seconds_ = seconds_since(start);
  solver_ = plugin_name(scene_, "solver");
  integrator_ = plugin_name(scene_, "integrator");
  if (!arguments.no_output) output_ = std::make_unique<RunOutput>(scene_, request);
}

void Run::print_header() const {
  const Model& model = simulation_->model();
  std::FILE* out = terminal_.stream();
  fmt::print(out, "{}{}\n", terminal_.paint(Style::bold, scene_.name),
             scene_.description.empty() ? "" : " - " + scene_.description);
  fmt::print(out, "  {} vertices, {} elements; {}, {}; {} thread{}\n", model.vertex_count(), model.element_count(),
             solver_, integrator_, simulation_->threads(), simulation_->threads() == 1 ? "" : "s");
  fmt::print(out, "  {} frames of {:.4g} s in {} step{} each; output: {}\n", scene_.frames, scene_.step,
             scene_.substeps, scene_.substeps == 1 ? "" : "s", output_ ? output_->folder() : "none");
  std::fflush(out);
}

// False when a step was rejected; the state is then that of the last good step.
bool Run::simulate_frame(int number, FrameRecord& record) {
  record.frame = number;
  const std::int64_t first_step = simulation_->state().step;
  for (int i = 0; i < scene_.substeps; ++i) {
    record.add(simulation_->step());
    if (record.status != Status::not_finite) continue;
    status_ = "not_finite";
    failure_ = fmt::format("frame {} (after {:.4g} s): a step gave numbers that are not finite and was rejected",
                           number, simulation_->state().time);
    if (output_) {
      const bool between_frames = simulation_->state().step != first_step;
      if (between_frames) failure_ += "; the last good state is " + output_->write_last_good(*simulation_, number);
      else
        output_->write_frame(*simulation_, number - 1, true),
            failure_ += fmt::format("; frame {} is the last good one", number - 1);
    }
    failure_ += "; " + not_finite_advice(solver_, scene_.substeps, simulation_->options().stop.iterations);
    return false;
  }
  return true;
}

void Run::loop(Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  if (output_) output_->write_frame(*simulation_, 0);
  for (int number = 1; number <= scene_.frames && status_ == "done"; ++number) {
    FrameRecord record;
    const bool good = simulate_frame(number, record);
    if (output_) output_->log(log_line(record, *simulation_));
    if (!good) break;
    summary_.add(record);
    if (exploded()) {
      status_ = "exploded";
      failure_ = fmt::format("frame {}: the bodies reach {:.0e} times their size away from where they are: the simulation exploded; {}",
                             number, explosion_size, not_finite_advice(solver_, scene_.substeps, simulation_->options().stop.iterations));
    }
    if (interrupted && number < scene_.frames) status_ = "interrupted";
    if (output_) output_->write_frame(*simulation_, number, number == scene_.frames || status_ != "done");
    progress.show({number, simulation_->state().time, summary_.seconds(), seconds_since(start), record.iterations,
                   record.residual});
  }
  loop_seconds_ = seconds_since(start);
}

// Finite but meaningless: stretched beyond anything a scene can mean. Bodies may fly far apart, so each is measured by itself.
bool Run::exploded() const {
  const State& state = simulation_->state();
  for (const Body& body : simulation_->model().bodies) {
    const auto extent = [&](const std::vector<double>& x) {
      const Bounds b = bounds(std::span(x).subspan(3 * static_cast<std::size_t>(body.first_vertex), 3 * static_cast<std::size_t>(body.vertex_count)));
      return std::hypot(b.upper[0] - b.lower[0], b.upper[1] - b.lower[1], b.upper[2] - b.lower[2]);
    };
    if (extent(state.q) > explosion_size * extent(simulation_->model().rest)) return true;
  }
  return false;
}

Value Run::document() {
  const Model& model = simulation_->model();
  const State& state = simulation_->state();
  Value out = Value::Object{{"scene", scene_.name},
                            {"file", scene_.file},
                            {"vertices", model.vertex_count()},
                            {"elements", model.element_count()},
                            {"frames", summary_.frames()},
                            {"frames_wanted", scene_.frames},
                            {"status", status_},
                            {"finite", status_ != "not_finite" && is_finite(state)},
                            {"message", failure_.empty() ? Value() : Value(failure_)},
                            {"time", state.time},
                            {"step", scene_.step},
                            {"substeps", scene_.substeps}};
  summary_.describe(out);
  out.set("seconds_setup", setup_seconds_);
  out.set("seconds_with_output", loop_seconds_);
  out.set("solver", solver_);
  out.set("integrator", integrator_);
  out.set("threads", simulation_->threads());
  out.set("advice", summary_.advice(solver_, simulation_->options().stop));
  out.set("energy", energy_value(simulation_->energy()));
  out.set("momentum", vector_value(simulation_->momentum()));
  out.set("angular_momentum", vector_value(simulation_->angular_momentum()));
  out.set("state_hash", fmt::format("{:016x}", hash(state)));
  out.set("output", output_ ? Value(output_->folder()) : Value());
  out.set("version", version());
  out.set("commit", commit());
  return out;
}

void Run::print_end() const {
  std::FILE* out = terminal_.stream();
  const double simulated = simulation_->state().time;
  fmt::print(out, "{} frames in {:.2f} s ({:.2f}x real time, {:.2f} ms per frame); state {:016x}\n",
             summary_.frames(), summary_.seconds(), summary_.seconds() > 0 ? simulated / summary_.seconds() : 0,
             summary_.median_ms(), hash(simulation_->state()));
  const std::string advice = summary_.advice(solver_, simulation_->options().stop);
  fmt::print(out, "{}\n", terminal_.paint(summary_.not_converged() == 0 ? Style::green : Style::yellow, advice));
  if (output_) fmt::print(out, "results are in {}\n", output_->folder());
  std::fflush(out);
  if (status_ == "interrupted")
    fmt::print(stderr, "resilin: interrupted after frame {}; it is written\n", summary_.frames());
  if (!failure_.empty()) fmt::print(stderr, "resilin: {}\n", failure_);
}

int Run::execute() {
  // With --json, standard output belongs to the document; a person at a terminal still sees the bar.
  const bool silent = json_ && !terminal_.live();
  if (!json_) print_header();
  listen_for_interrupts();
  Progress progress(terminal_, scene_.frames, silent);
  Value result;
  try {
    loop(progress);
    progress.finish();
    result = document();
    if (output_) output_->finish(pretty(result));
  } catch (const InputError& error) {  // the input was fine: the disk is full, the folder was taken away, ...
    progress.finish();
    throw WorkFailed(error.what());
  }
  if (json_) print_document(result);
  else print_end();
  return status_ == "done" ? done : failed;
}

}  // namespace

Command run_command() {
  const auto arguments = std::make_shared<RunArguments>();
  Command command{"run",
                  "Simulate a scene: progress, run log, frames, summary",
                  {"set", "threads", "solver", "iterations", "frames", "out"},
                  {},
                  nullptr};
  command.arguments = {
      {"scene",
       "a scene's file, or the name of one that comes with Resilin (resilin list scene); none: the default scene",
       &arguments->scene},
      {"--overwrite", "move an existing output folder aside to NAME.old-K instead of refusing it",
       &arguments->overwrite},
      {"--no-output", "write nothing", &arguments->no_output}};
  command.run = [arguments](const Shared& shared) { return Run(*arguments, shared).execute(); };
  return command;
}

}  // namespace resilin::cli
