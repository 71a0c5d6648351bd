#include "live.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "convergence.h"
#include "describe.h"
#include "document.h"
#include "error_words.h"
#include "io/run_log.h"
#include "resilin/io.h"
#include "start_from.h"

namespace resilin::viewer {
namespace {

// "10 iterations, error 3 %"
std::string words_of(const SolveReport& solve, Status status, double step) {
  if (status == Status::not_finite) return "the step gave numbers that are not finite and was refused";
  if (solve.iterations == 0) return "no step yet";
  std::string out = fmt::format("{} iteration{}", solve.iterations, solve.iterations == 1 ? "" : "s");
  if (solve.error >= 0) out += ", error " + cli::percent(cli::likely_error(solve.error, step));
  else out += ", error not measured";
  if (solve.status == Status::converged && solve.error >= 0) out += ", converged";
  if (solve.status == Status::time_limit) out += ", cut short by its budget";
  if (solve.status == Status::stalled) out += ", no further progress";
  return out;
}

}  // namespace

Opened open_input(const std::string& input, const std::vector<Override>& overrides) {
  if (std::filesystem::path(input).extension() != ".rck") return {load_scene(input, overrides)};
  Checkpoint from = load_checkpoint(input);
  Scene scene = parse_scene(from.scene, from.scene_file, overrides);
  return {std::move(scene), std::move(from)};
}

Live::Live(Opened opened, int threads, std::vector<std::string>& notes)
    : scene_(std::move(opened.scene)), threads_(threads) {
  notes.insert(notes.end(), scene_.assumed.begin(), scene_.assumed.end());
  View view{scene_.name, build_simulation(scene_, threads, &notes), scene_};
  if (opened.from) cli::start_from(*view.simulation, *opened.from);
  views_.push_back(std::move(view));
  if (opened.from) read_description(views_.front());
  obstacles_ = DrawnObstacles(views_.front().scene);
}

Value::Object Live::describe() const {
  const View& first = views_.front();
  Value::Object out = describe_scene(first.scene, first.simulation->model(), obstacles_, time());
  out.emplace_back("mode", "simulation");
  out.emplace_back("frames", Value());
  Value::List labels;
  for (const View& view : views_) labels.emplace_back(view.label);
  out.emplace_back("views", std::move(labels));
  return out;
}

// ---- edits
// -------------------------------------------------------------------------------------------------------

void Live::post(const EditRequest& request, const Asker& asker) {
  if (request.view && *request.view >= views()) refuse(fmt::format("there is no view {}", *request.view));
  auto ticket = std::make_shared<Ticket>(Ticket{{asker, request.edit, 0, ""}, 0});
  for (int i = 0; i < views(); ++i) {
    if (request.view && *request.view != i) continue;
    ++ticket->missing;
    views_[static_cast<std::size_t>(i)].posted.push_back(ticket);
    views_[static_cast<std::size_t>(i)].simulation->post(request.edit);
  }
}

bool Live::apply() {
  bool described = false;
  for (View& view : views_) described = apply(view) || described;
  return described;
}

bool Live::apply(View& view) {
  bool described = false;
  for (const EditRecord& record : view.simulation->apply_posted()) {
    const bool good = record.refused.empty();
    view.edits += good ? 1 : 0;
    described = described || (good && (std::holds_alternative<SetParameter>(record.edit) ||
                                       std::holds_alternative<PinVertices>(record.edit) ||
                                       std::holds_alternative<UnpinVertices>(record.edit)));
    if (view.posted.empty()) continue;
    const auto ticket = view.posted.front();
    view.posted.pop_front();
    ticket->answer.step = record.step;
    if (ticket->answer.refused.empty()) ticket->answer.refused = record.refused;
    if (--ticket->missing == 0) answers_.push_back(ticket->answer);
  }
  if (described) read_description(view);
  return described;
}

// After a parameter was set: the model is another one, and obstacles may stand elsewhere.
void Live::read_description(View& view) {
  view.colours.reset();
  view.scene = parse_scene(view.simulation->source()->text(), scene_.file);
  if (&view == &views_.front()) obstacles_ = DrawnObstacles(view.scene);
}

// Each variant is what is on show now with some parameters set: one more simulation of the same scene with the same
// edits behind it.
void Live::compare(const std::vector<Variant>& variants) {
  if (variants.empty()) {
    views_.resize(1);
    return;
  }
  const Simulation& now = *views_.front().simulation;
  std::vector<View> next;
  for (const Variant& variant : variants) {
    View view{variant.label, build_simulation(scene_, threads_), views_.front().scene};
    view.simulation->restore(now.edits());
    view.simulation->set_state(now.state());
    view.edits = views_.front().edits;
    for (const auto& [path, value] : variant.set) view.simulation->post(SetParameter{path, value});
    for (const EditRecord& record : view.simulation->apply_posted()) {
      if (!record.refused.empty()) refuse(variant.label + ": " + record.refused);
      ++view.edits;
    }
    read_description(view);
    next.push_back(std::move(view));
  }
  views_ = std::move(next);
}

// ---- frames
// ------------------------------------------------------------------------------------------------------

void Live::advance() {
  for (std::size_t i = 0; i < views_.size(); ++i) advance(views_[i], static_cast<int>(i));
}

void Live::advance(View& view, int number) {
  SolveReport sum;
  view.seconds = 0;
  for (int i = 0; i < view.scene.substeps; ++i) {
    const StepReport report = watching_ && i == 0 ? watched_step(view, number) : view.simulation->step();
    view.seconds += report.seconds;
    view.status = report.status;
    if (report.status == Status::cancelled) return;
    if (report.status == Status::not_finite)
      throw InputError(
          view.label,
          "a step gave numbers that are not finite and was refused; smaller steps, more iterations or another "
          "solver may help");
    sum.iterations += report.solve.iterations;
    if (report.solve.status != Status::converged) sum.status = report.solve.status;
    if (!(report.solve.error <= sum.error)) sum.error = report.solve.error;
  }
  view.solve = sum;
}

StepReport Live::watched_step(View& view, int number) {
  Solver& solver = view.simulation->solver();
  const std::optional<double> least = least_objective(*view.simulation);
  solver.tracing = true;
  StepReport report = view.simulation->step();
  solver.tracing = false;
  if (least) convergence_.push_back({number, errors_by_iteration(report.solve.trace, *least)});
  return report;
}

Shot Live::shoot(int number, const Wanted& wanted) {
  View& view = views_[static_cast<std::size_t>(number)];
  const Simulation& s = *view.simulation;
  Shot out{s.positions(), {}, status(view, wanted), view.edits, s.state().step, s.state().time};
  if (wanted.colour == "none") return out;
  if (!view.colours) view.colours.emplace(s.model());
  out.values = view.colours->evaluate(s, wanted.colour);
  return out;
}

Value Live::status(View& view, const Wanted& wanted) {
  if (wanted.energies) view.energy = view.simulation->energy(), view.momentum = view.simulation->momentum();
  const double step = view.scene.step;
  return Value::Object{
      {"words", words_of(view.solve, view.status, step)},
      {"iterations", view.solve.iterations},
      {"error", view.solve.error >= 0 ? finite_or_null(cli::likely_error(view.solve.error, step)) : Value()},
      {"converged", view.solve.iterations > 0 && view.solve.status == Status::converged},
      {"kinetic", finite_or_null(view.energy.kinetic)},
      {"elastic", finite_or_null(view.energy.elastic)},
      {"external", finite_or_null(view.energy.external)},
      {"momentum", cli::vector_value(view.momentum)},
      {"ms", view.seconds * 1e3},
      {"hash", wanted.hash ? Value(fmt::format("{:016x}", hash(view.simulation->state()))) : Value()}};
}

std::string Live::exported(const std::string& file) {
  const View& view = views_.front();
  if (file == "edits.jsonl") return write_edits(view.simulation->edits());
  if (file == "scene.json") return cli::pretty(parse_json(view.simulation->source()->text(), "scene")) + "\n";
  if (file != "state.npz") refuse("there is no file " + file);
  MeshData data = to_mesh_data(view.simulation->model());
  data.vertices = with_embedded(view.simulation->model(), view.simulation->positions());
  data.vertex_fields = {{"velocities", 3, with_embedded(view.simulation->model(), view.simulation->velocities())}};
  data.time = view.simulation->state().time;
  return write_mesh(file, data);
}

}  // namespace resilin::viewer
