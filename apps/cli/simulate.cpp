#include "simulate.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "command.h"
#include "document.h"
#include "model/counts.h"
#include "picture.h"
#include "problem/dynamic_system.h"
#include "resilin/errors.h"
#include "resilin/version.h"
#include "scene/format.h"
#include "scene/start_check.h"
#include "start_from.h"

namespace resilin::cli {
namespace {

constexpr double explosion_size = 1e3;  // times a body's rest extent

std::atomic<bool> interrupted{false}, nothing_done{true};

// Before the first frame is done there is nothing to keep: whatever cannot be stopped by then is left within a
// second.
void give_up(int) {
  if (!nothing_done) return;
  constexpr char text[] = "\nresilin: interrupted before the first frame was done\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(failed);
}

// The first Ctrl-C finishes the frame; the handler is then gone, so that a second one ends the process at once.
void listen_for_interrupts() {
  struct sigaction late {};
  late.sa_handler = give_up;
  late.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &late, nullptr);
  struct sigaction action {};
  action.sa_handler = [](int) {
    interrupted = true;
    if (nothing_done) ::alarm(1);
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string plugin_name(const Scene& scene, const std::string& kind) {
  const Value* chosen = scene.source.find(kind);
  return read_plugin(kind, chosen == nullptr ? Value() : *chosen).type;
}

// Components have the names of their bodies; one body may have several.
std::vector<ComponentName> component_names(const Simulation& simulation) {
  const DynamicSystem& system = simulation.system();
  std::vector<ComponentName> names(static_cast<std::size_t>(system.space().components().count()));
  for (std::size_t c = 0; c < names.size(); ++c) names[c].size = system.space().component_size(static_cast<int>(c));
  for (const Body& body : simulation.model().bodies)
    for (int i = 0; i < body.vertex_count; ++i)
      names[static_cast<std::size_t>(system.space().component()[body.first_vertex + i])].body = body.name;
  return names;
}

}  // namespace

// Shows what is done between frames, and stops it when Ctrl-C was pressed.
Watch Run::watch() {
  return {[this](const std::string& what) { activity_.begin(what); }, [this] { return interrupted && may_stop_; }};
}

void Run::build() {
  std::vector<std::string> notes;
  try {
    const Watch watching = watch();
    simulation_ = build_simulation(scene_, plan_.threads, &notes);
    watch_check();
  } catch (const Cancelled&) {
    throw WorkFailed(fmt::format("interrupted while {}; nothing was written", activity_.what()));
  }
  activity_.end();
  for (const std::string& note : notes) {
    fmt::print(stderr, "resilin: note: {}\n", note);
    plan_.warnings.push_back(note);
  }
}

Run::Run(RunPlan plan)
    : plan_(std::move(plan)),
      terminal_(plan_.json ? stderr : stdout),
      activity_(terminal_, plan_.json && !terminal_.live()),
      scene_(plan_.scene) {
  if (plan_.no_output && !plan_.output.folder.empty()) throw InputError("--no-output", "excludes --out");
  if (plan_.no_output && plan_.checkpoint_every > 0) throw InputError("--no-output", "excludes --checkpoint-every");
  if (plan_.no_output && plan_.preview) throw InputError("--no-output", "excludes --preview");
  if (!plan_.no_output && !plan_.from) RunOutput::check(scene_, plan_.output);
  const auto start = std::chrono::steady_clock::now();
  listen_for_interrupts();
  build();
  if (plan_.from) {
    start_from(*simulation_, *plan_.from);
  } else {
    for (const std::string& warning :
         start_warnings(scene_, simulation_->model(), simulation_->positions(), simulation_->state().time)) {
      fmt::print(stderr, "resilin: warning: {}\n", warning);
      plan_.warnings.push_back(warning);
    }
  }
  setup_seconds_ = seconds_since(start);
  summary_ = RunSummary(component_names(*simulation_));
  solver_ = plugin_name(scene_, "solver");
  integrator_ = plugin_name(scene_, "integrator");
  if (plan_.from) {
    first_ = plan_.from->frame;
    first_time_ = plan_.from->state.time;
    output_ = std::make_unique<RunOutput>(scene_, plan_.folder, first_, *simulation_);
    if (!output_->warning().empty()) warn(output_->warning());
  } else if (!plan_.no_output) {
    output_ = std::make_unique<RunOutput>(scene_, plan_.output, *simulation_);
  }
  ledger_ = std::make_unique<Ledger>(*simulation_);
}

void Run::warn(const std::string& warning) {
  fmt::print(stderr, "resilin: warning: {}\n", warning);
  plan_.warnings.push_back(warning);
}

// Before the first frame: a full disk would be noticed much later.
void Run::warn_of_size() {
  if (!output_) return;
  constexpr double giga = 1e9;
  const double bytes = output_->expected_bytes(*simulation_, first_);
  if (bytes < giga) return;
  std::error_code error;
  const auto room = static_cast<double>(std::filesystem::space(output_->folder(), error).available);
  warn(fmt::format(
      "the output will take about {:.1f} GB{}; --set output.every={} writes fewer frames, "
      "--set 'output.formats=[\"glb\"]' the surfaces only",
      bytes / giga, !error && room < bytes ? fmt::format(", but the disk has room for {:.1f} GB", room / giga) : "",
      scene_.output_every * static_cast<int>(std::min(1000.0, std::ceil(bytes / giga)) + 1)));
}

void Run::print_header() const {
  const Model& model = simulation_->model();
  std::FILE* out = terminal_.stream();
  fmt::print(out, "{}{}\n", terminal_.paint(Style::bold, scene_.name),
             scene_.description.empty() ? "" : " - " + scene_.description);
  fmt::print(out, "  {} vertices, {}; {}, {}; {} thread{}\n", model.vertex_count(), in_words(count_elements(model)),
             solver_, integrator_, simulation_->threads(), simulation_->threads() == 1 ? "" : "s");
  fmt::print(out, "  {}\n", contact_in_words(model));
  fmt::print(out, "  {} frames of {:.4g} s in {} step{} each; output: {}\n", scene_.frames, scene_.step,
             scene_.substeps, scene_.substeps == 1 ? "" : "s", output_ ? output_->folder() : "none");
  if (plan_.from) fmt::print(out, "  resumed after frame {} ({:.4g} s)\n", first_, first_time_);
  std::fflush(out);
}

void Run::note_rejected_step(int number, bool between_frames) {
  status_ = "not_finite";
  failure_ = fmt::format("frame {} (after {:.4g} s): a step gave numbers that are not finite and was rejected",
                         number, simulation_->state().time);
  if (output_ && between_frames) {
    failure_ += "; the last good state is " + output_->write_last_good(*simulation_, number);
  } else if (output_) {
    output_->write_frame(*simulation_, number - 1, true);
    failure_ += fmt::format("; frame {} is the last good one", number - 1);
  }
  if (between_frames) simulation_->set_state(frame_start_);
  checkpoint(number - 1);
  failure_ += "; " + not_finite_advice(solver_, scene_.substeps, simulation_->options().stop.iterations);
}

// Whether there were any.
bool Run::post_edits() {
  const std::int64_t step = simulation_->state().step;
  bool any = false;
  for (; next_edit_ < plan_.edits.size() && plan_.edits[next_edit_].step <= step; ++next_edit_)
    if (plan_.edits[next_edit_].step == step) simulation_->post(plan_.edits[next_edit_].edit), any = true;
  return any;
}

// False when a step was rejected; the state is then that of the last good step.
bool Run::simulate_frame(int number, FrameRecord& record) {
  record.frame = number;
  record.step = scene_.step;
  const std::int64_t first_step = simulation_->state().step;
  if (scene_.substeps > 1) frame_start_ = simulation_->state();
  for (int i = 0; i < scene_.substeps; ++i) {
    may_stop_ = !post_edits() && i == 0;
    {
      const Watch watching = watch();
      record.add(simulation_->step());
    }
    activity_.end();
    if (record.status == Status::cancelled) return false;
    if (record.status != Status::not_finite) continue;
    note_rejected_step(number, simulation_->state().step != first_step);
    return false;
  }
  return true;
}

void Run::loop(Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  // Of a run that is resumed at its end, the last frame may be missing.
  if (output_ && (!plan_.from || first_ == scene_.frames))
    output_->write_frame(*simulation_, first_, first_ == scene_.frames);
  if (plan_.checkpoint_every > 0 && !plan_.from) checkpoint(0);
  for (int number = first_ + 1; number <= scene_.frames && status_ == "done"; ++number) {
    FrameRecord record;
    const bool good = simulate_frame(number, record);
    nothing_done = false;
    if (record.status == Status::cancelled) {
      note_interruption(number - 1);
      break;
    }
    if (output_) output_->log(log_line(record, *simulation_, *ledger_));
    if (!good) break;
    summary_.add(record);
    for (const EditRecord& edit : record.edits)
      if (!edit.refused.empty())
        plan_.warnings.push_back(fmt::format("step {}: an edit was refused: {}", edit.step, edit.refused));
    note_energy(record.steps);
    note_contact(number);
    check_explosion(number);
    const bool last = number == scene_.frames;
    if (interrupted && !last && status_ == "done") status_ = "interrupted";
    if (output_) output_->write_frame(*simulation_, number, last || status_ != "done");
    const bool due = plan_.checkpoint_every > 0 && (number % plan_.checkpoint_every == 0 || last);
    if ((due && status_ == "done") || status_ == "interrupted") checkpoint(number);
    progress.show({number, simulation_->state().time, summary_.seconds(), seconds_since(start), record.iterations,
                   record.residual});
  }
  nothing_done = false;
  loop_seconds_ = seconds_since(start);
}

// The frame after `number` was begun and is dropped: the state is that of `number`.
void Run::note_interruption(int number) {
  status_ = "interrupted";
  if (output_) output_->write_frame(*simulation_, number, true);
  checkpoint(number);
}

void Run::note_energy(int steps) {
  double made = 0, lost = 0;
  const auto& entries = ledger_->entries();
  for (std::size_t i = entries.size() - static_cast<std::size_t>(steps); i < entries.size(); ++i)
    (entries[i].numerical_loss < 0 ? made : lost) += std::abs(entries[i].numerical_loss);
  summary_.add_energy(made, lost, entries.back().kinetic + entries.back().elastic);
}

// Who passes through something, because pins moved or an edit put it there, is told once.
void Run::note_contact(int number) {
  DynamicSystem& system = simulation_->system();
  summary_.add_contact(number, system.smallest_gap(), system.obstacle_depths(simulation_->positions().data()));
  const auto& bodies = simulation_->model().bodies;
  for (const auto& pair : system.overlapping()) {
    if (std::find(overlapping_.begin(), overlapping_.end(), pair) != overlapping_.end()) continue;
    overlapping_.push_back(pair);
    const auto name = [&](int i) {
      return bodies[static_cast<std::size_t>(pair[static_cast<std::size_t>(i)])].name;
    };
    summary_.add_overlap(number, name(0), name(1));
    if (number <= first_ + 1) continue;  // the start was told
    warn(fmt::format("frame {}: {}; they do not touch until they are apart again", number,
                     pair[0] == pair[1]
                         ? fmt::format("body \"{}\" passes through itself", name(0))
                         : fmt::format("bodies \"{}\" and \"{}\" pass through each other", name(0), name(1))));
  }
}

// The frame before is on the disk already: whoever resumes finds everything up to here.
void Run::checkpoint(int number) {
  if (output_)
    checkpoint_ = output_->write_checkpoint(*simulation_, write_edits(plan_.edits), number, plan_.checkpoint_every);
}

void Run::write_preview() {
  if (!plan_.preview || !output_) return;
  const std::string path = output_->folder() + "/preview.png";
  picture_ = png(
      render(simulation_->model(), simulation_->positions(), picture_options(scene_, simulation_->state().time)));
  write_file(path, picture_);
  preview_ = path;
}

void Run::write_report(const Value& summary) {
  if (!output_) return;
  if (picture_.empty()) {  // a small one: a short run must not wait for its picture
    RenderOptions options = picture_options(scene_, simulation_->state().time);
    options.width = 640, options.height = 480, options.samples = 2;
    picture_ = png(render(simulation_->model(), simulation_->positions(), options));
  }
  output_->write_report(scene_, summary, picture_);
}

void Run::check_explosion(int number) {
  if (!exploded()) return;
  status_ = "exploded";
  failure_ = fmt::format(
      "frame {}: the bodies reach {:.0e} times their size away from where they are: the simulation exploded; {}",
      number, explosion_size, not_finite_advice(solver_, scene_.substeps, simulation_->options().stop.iterations));
}

// Finite but meaningless: stretched beyond anything a scene can mean. Bodies may fly far apart, so each is measured
// by itself.
bool Run::exploded() const {
  for (const Body& body : simulation_->model().bodies) {
    const auto extent = [&](const std::vector<double>& x) {
      const Bounds b = bounds(std::span(x).subspan(3 * static_cast<std::size_t>(body.first_vertex),
                                                   3 * static_cast<std::size_t>(body.vertex_count)));
      return std::hypot(b.upper[0] - b.lower[0], b.upper[1] - b.lower[1], b.upper[2] - b.lower[2]);
    };
    if (extent(simulation_->positions()) > explosion_size * extent(simulation_->model().rest)) return true;
  }
  return false;
}

Value Run::document() {
  const Model& model = simulation_->model();
  const Counts counts = count_elements(model);
  const State& state = simulation_->state();
  Value out = Value::Object{{"scene", scene_.name},
                            {"file", scene_.file},
                            {"vertices", model.vertex_count()},
                            {"elements", counts.elements()},
                            {"tets", counts.tets},
                            {"triangles", counts.triangles},
                            {"springs", counts.springs},
                            {"frames", frames_done()},
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
  out.set("verdict", summary_.verdict(solver_, simulation_->options()));
  out.set("energy", energy_value(simulation_->energy()));
  out.set("momentum", vector_value(simulation_->momentum()));
  out.set("angular_momentum", vector_value(simulation_->angular_momentum()));
  out.set("state_hash", fmt::format("{:016x}", hash(state)));
  out.set("output", output_ ? Value(output_->folder()) : Value());
  out.set("resumed_from", plan_.from ? Value(first_) : Value());
  out.set("warnings", list_of(plan_.warnings));
  out.set("checkpoint", checkpoint_.empty() ? Value() : Value(checkpoint_));
  out.set("preview", preview_.empty() ? Value() : Value(preview_));
  out.set("version", version());
  out.set("commit", commit());
  return out;
}

void Run::print_end() const {
  std::FILE* out = terminal_.stream();
  const double simulated = simulation_->state().time - first_time_;
  fmt::print(out, "{} frames in {:.2f} s ({:.2f}x real time, median {:.2f} ms per frame); state {:016x}\n",
             summary_.frames(), summary_.seconds(), summary_.seconds() > 0 ? simulated / summary_.seconds() : 0,
             summary_.median_ms(), hash(simulation_->state()));
  const std::string advice = summary_.verdict(solver_, simulation_->options());
  fmt::print(out, "{}\n", terminal_.paint(summary_.trusted() ? Style::green : Style::yellow, advice));
  if (output_) fmt::print(out, "results are in {}\n", output_->folder());
  if (!preview_.empty()) fmt::print(out, "the last frame as a picture is {}\n", preview_);
  std::fflush(out);
  if (status_ == "interrupted") {
    fmt::print(stderr, "resilin: interrupted after frame {} of {}", frames_done(), scene_.frames);
    if (output_) fmt::print(stderr, "; go on with: resilin resume {}", shell_word(output_->folder()));
    fmt::print(stderr, "\n");
  }
  for (const std::string& warning : plan_.warnings)
    if (warning.find("an edit was refused") != std::string::npos)
      fmt::print(stderr, "resilin: warning: {}\n", warning);
  if (!failure_.empty()) fmt::print(stderr, "resilin: {}\n", failure_);
}

// Files of a whole animation are large and come last. Until they are there, a checkpoint lets `resume` write them.
Value Run::write_results() {
  write_preview();
  const Value result = document();
  if (!output_) return result;
  const bool spare = status_ == "done" && checkpoint_.empty() && !plan_.from && output_->has_animation();
  const std::string until_done =
      spare ? output_->write_checkpoint(*simulation_, write_edits(plan_.edits), frames_done(), 0) : "";
  output_->finish(pretty(result));
  write_report(result);
  if (spare) std::filesystem::remove(until_done);
  output_->tidy();
  return result;
}

std::string Run::how_to_go_on() const {
  if (!output_ || checkpoint_files(output_->folder()).empty()) return "";
  return fmt::format("; when that is mended, go on with: resilin resume {}", shell_word(output_->folder()));
}

int Run::execute() {
  // With --json, standard output belongs to the document; a person at a terminal still sees the bar.
  const bool silent = plan_.json && !terminal_.live();
  if (!plan_.json) print_header();
  warn_of_size();
  Progress progress(terminal_, scene_.frames, silent, first_, first_time_);
  Value result;
  try {
    loop(progress);
    progress.finish();
    result = write_results();
  } catch (const InputError& error) {  // the input was fine: the disk is full, the folder was taken away, ...
    progress.finish();
    throw WorkFailed(error.what() + how_to_go_on());
  }
  if (plan_.json) print_document(result);
  else print_end();
  return status_ == "done" ? done : failed;
}

}  // namespace resilin::cli
