#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document.h"
#include "error_words.h"
#include "io/run_log.h"
#include "resilin/registry.h"

namespace resilin::cli {
namespace {

constexpr Status all_statuses[] = {Status::converged, Status::iteration_limit, Status::time_limit,
                                   Status::stalled,   Status::not_finite,      Status::cancelled};

// More than that, and the result is not to be relied on: of the size of a body, of the energy stored at most.
constexpr double most_depth = 5e-3, most_energy_made = 1e-2;

bool solver_has(const std::string& solver, const char* parameter) {
  const auto* entry = find_plugin<SolverPlugin>(solver);
  return entry != nullptr && entry->plugin.params.find(parameter) != nullptr;
}

bool newton_helps(const std::string& solver) {
  return solver != "newton" && find_plugin<SolverPlugin>("newton") != nullptr;
}

Value phases_ms(const Phases& phases, double seconds, int frames) {
  const double ms = 1e3 / std::max(1, frames);
  // What no phase claims (integrator, pins, bookkeeping) is in "other": all add up to the frame.
  const double other = std::max(0.0, seconds - (phases.total() - phases.other));
  return Value::Object{
      {"local", phases.local * ms},   {"global", phases.global * ms},   {"line_search", phases.line_search * ms},
      {"coarse", phases.coarse * ms}, {"history", phases.history * ms}, {"contact", phases.contact * ms},
      {"other", other * ms}};
}

// Works and losses of the last `steps` steps.
Value ledger_value(const Ledger& ledger, int steps) {
  double external = 0, pins = 0, loss = 0;
  const auto& entries = ledger.entries();
  for (std::size_t i = entries.size() - static_cast<std::size_t>(steps); i < entries.size(); ++i) {
    external += entries[i].external_work;
    pins += entries[i].pin_work;
    loss += entries[i].numerical_loss;
  }
  return Value::Object{{"external_work", finite_or_null(external)},
                       {"pin_work", finite_or_null(pins)},
                       {"numerical_loss", finite_or_null(loss)}};
}

}  // namespace

void FrameRecord::add(const StepReport& taken) {
  edits.insert(edits.end(), taken.edits.begin(), taken.edits.end());
  const auto severity = [](Status s) { return s == Status::not_finite ? 9 : static_cast<int>(s); };
  if (severity(taken.status) > severity(status)) status = taken.status;
  steps += taken.status == Status::not_finite ? 0 : 1;
  iterations += taken.solve.iterations;
  line_searches += taken.solve.line_searches;
  factorisations += taken.solve.factorisations;
  residual = taken.solve.residual;
  if (!(taken.solve.error <= error)) error = taken.solve.error, worst = taken.solve.worst;
  first_residual = taken.solve.first_residual;
  infeasibility = std::max(infeasibility, taken.solve.infeasibility);
  phases += taken.solve.phases;
  seconds += taken.seconds;
}

Value energy_value(const Energy& energy) {
  return Value::Object{{"kinetic", finite_or_null(energy.kinetic)},
                       {"elastic", finite_or_null(energy.elastic)},
                       {"external", finite_or_null(energy.external)}};
}

Value log_line(const FrameRecord& frame, Simulation& simulation, const Ledger& ledger) {
  Value ms = phases_ms(frame.phases, frame.seconds, 1);
  ms.set("total", frame.seconds * 1e3);
  Value line = Value::Object{{"frame", frame.frame},
                             {"time", simulation.state().time},
                             {"status", name(frame.status)},
                             {"iterations", frame.iterations},
                             {"line_searches", frame.line_searches},
                             {"error", frame.error >= 0 ? Value(frame.error) : Value()},
                             {"residual", finite_or_null(frame.residual)},
                             {"first_residual", finite_or_null(frame.first_residual)},
                             {"ms", std::move(ms)},
                             {"energy", energy_value(simulation.energy())},
                             {"ledger", ledger_value(ledger, frame.steps)},
                             {"momentum", vector_value(simulation.momentum())},
                             {"angular_momentum", vector_value(simulation.angular_momentum())}};
  if (frame.infeasibility > 0) line.set("infeasibility", frame.infeasibility);
  if (frame.edits.empty()) return line;
  Value::List edits;
  for (const EditRecord& record : frame.edits) edits.push_back(write_record(record));
  line.set("edits", std::move(edits));
  return line;
}

void RunSummary::add(const FrameRecord& frame) {
  ++counts_[static_cast<std::size_t>(frame.status)];
  total_.iterations += frame.iterations;
  total_.line_searches += frame.line_searches;
  total_.factorisations += frame.factorisations;
  total_.phases += frame.phases;
  total_.seconds += frame.seconds;
  frame_seconds_.push_back(frame.seconds);
  not_converged_ += frame.status == Status::converged ? 0 : 1;
  infeasibility_ = std::max(infeasibility_, frame.infeasibility);
  errors_.emplace_back(std::max(0.0, frame.error), frame.step);
  if (!(frame.error <= worst_.error)) worst_ = frame;
}

void RunSummary::add_energy(double made, double lost, double stored) {
  made_ += made, lost_ += lost;
  stored_ = std::max(stored_, stored);
}

void RunSummary::add_contact(int frame, double gap, const std::vector<double>& depths) {
  gap_ = std::min(gap_, gap);
  for (std::size_t c = 0; c < depths.size(); ++c) {
    depth_ = std::max(depth_, depths[c]);
    const double relative = depths[c] / names_[c].size;
    if (relative > deepest_.relative) deepest_ = {depths[c], relative, static_cast<int>(c), frame};
  }
}

void RunSummary::add_overlap(int frame, const std::string& body, const std::string& other) {
  overlaps_.push_back(body == other
                          ? fmt::format("{} passes through itself in frame {}, and its contact with itself "
                                        "is off until it does not",
                                        body, frame)
                          : fmt::format("{} and {} pass through each other in frame {}, and the contact "
                                        "between them is off until they do not",
                                        body, other, frame));
}

std::vector<std::string> RunSummary::doubts() const {
  std::vector<std::string> out = overlaps_;
  if (deepest_.relative > most_depth)
    out.push_back(fmt::format("{} is {:.2g} m deep in an obstacle in frame {}, {} of its size",
                              names_[static_cast<std::size_t>(deepest_.component)].body, deepest_.metres,
                              deepest_.frame, percent(deepest_.relative)));
  if (made_ > most_energy_made * stored_)
    out.push_back(fmt::format("{:.3g} J of energy came from nothing, {} of what was stored at most", made_,
                              percent(made_ / stored_)));
  return out;
}

// Nearest rank: a time that really occurred.
double RunSummary::quantile_ms(double q) const {
  if (frame_seconds_.empty()) return 0;
  std::vector<double> sorted = frame_seconds_;
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return 1e3 * sorted[std::max<std::size_t>(rank, 1) - 1];
}

void RunSummary::describe(Value& document) const {
  const int n = std::max(1, frames());
  document.set("seconds", total_.seconds);
  document.set("ms_per_frame",
               Value::Object{{"median", quantile_ms(0.5)}, {"p99", quantile_ms(0.99)}, {"max", quantile_ms(1)}});
  document.set("phases_ms", phases_ms(total_.phases, total_.seconds, frames()));
  document.set("iterations_per_frame", static_cast<double>(total_.iterations) / n);
  document.set("line_searches_per_iteration",
               total_.iterations > 0 ? static_cast<double>(total_.line_searches) / total_.iterations : 0.0);
  document.set("factorisations", total_.factorisations);
  document.set("not_converged_frames", not_converged_);
  document.set("error", worst_.error >= 0 ? finite_or_null(worst_.error) : Value());
  document.set("smallest_gap", std::isfinite(gap_) ? Value(gap_) : Value());
  document.set("deepest_in_obstacle", depth_);
  document.set("infeasibility", infeasibility_);
  document.set("trusted", frames() > 0 && trusted());
  document.set("doubts", list_of(doubts()));
  Value::Object statuses;
  for (const Status status : all_statuses)
    if (count(status) > 0) statuses.emplace_back(name(status), count(status));
  document.set("statuses", std::move(statuses));
}

// Over a second the errors of acceleration a add up to a/2 at worst, and to likely_error() like random steps.
std::string RunSummary::error_sentence() const {
  if (!(worst_.error >= 0)) return "the error was not measured.";
  double time = 0, squares = 0;
  for (const auto& [error, step] : errors_) time += step, squares += error * error * step;
  const double span = std::min(1.0, time), step = time / static_cast<double>(errors_.size());
  const double likely = likely_error(std::sqrt(squares / time), step, span), most = worst_.error * span * span / 2;
  const bool named = worst_.worst >= 0 && worst_.worst < static_cast<int>(names_.size());
  const ComponentName body = named ? names_[static_cast<std::size_t>(worst_.worst)] : ComponentName{"the scene", 1};
  return fmt::format(
      "positions {} about {} of the size of {} after {} ({} if the errors of all frames add up). "
      "Largest acceleration error: {:.2g} m/s^2 ({}, frame {}).",
      not_converged_ == 0 ? "are right to" : "may be off by", percent(likely), body.body,
      span < 1 ? fmt::format("{:.2g} s", span) : "a second", percent(most), worst_.error * body.size, body.body,
      worst_.frame);
}

std::string RunSummary::energy_sentence() const {
  if (!(stored_ > 0)) return "";
  constexpr double slight = 1e-4;  // of what was stored
  if (made_ > slight * stored_)
    return fmt::format(" Energy created: {:.3g} J; numerical damping: {:.3g} J; stored at most: {:.3g} J.", made_,
                       lost_, stored_);
  return fmt::format(" No energy was created; numerical damping took {:.3g} J.", lost_);
}

std::string RunSummary::contact_sentence() const {
  std::string out;
  if (std::isfinite(gap_)) out += fmt::format(" Smallest gap between bodies: {:.2g} m.", gap_);
  if (depth_ > 0) out += fmt::format(" Deepest in an obstacle: {:.2g} m.", depth_);
  if (infeasibility_ > 1e-12) out += fmt::format(" A hard obstacle was violated by {:.2g} m.", infeasibility_);
  return out;
}

std::string RunSummary::verdict(const std::string& solver, const SimulationOptions& options) const {
  if (frames() == 0) return "no frame was simulated";
  std::string out;
  if (const auto found = doubts(); !found.empty())
    out = fmt::format("Not to be relied on: {}. ", fmt::join(found, "; "));
  out += not_converged_ == 0
             ? fmt::format("{} converged in all {} frames: ", solver, frames())
             : fmt::format("{} did not converge in {} of {} frames: ", solver, not_converged_, frames());
  out += error_sentence() + energy_sentence() + contact_sentence();
  if (options.reduction)
    out += " The body is reduced: what its handles and samples leave out is not in these errors.";
  std::vector<std::string> hints;  // each is shown to help by a test (tests/cli/test_run.py)
  const auto* plugin = find_plugin<SolverPlugin>(solver);
  if (count(Status::iteration_limit) > 0 && plugin != nullptr && plugin->plugin.minimises)
    hints.push_back(fmt::format("--iterations {}", 3 * options.stop.iterations));
  if (count(Status::time_limit) > 0) hints.emplace_back("no budget (without --realtime)");
  return hints.empty() ? out : out + " Remedy: try " + join_or(hints);
}

std::string not_finite_advice(const std::string& solver, int substeps, int iterations) {
  std::vector<std::string> hints = {fmt::format("a smaller step (--set substeps={})", 4 * substeps)};
  if (solver_has(solver, "line_search")) hints.emplace_back("--set solver.line_search=true");
  hints.push_back(fmt::format("more iterations (--iterations {})", std::max(10, 3 * iterations)));
  if (newton_helps(solver)) hints.emplace_back("--solver newton");
  return "try " + join_or(hints);
}

}  // namespace resilin::cli
