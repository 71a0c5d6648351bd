#include "lab/trust_study.h"

#include <ctime>

#include "lab/liu_scenes.h"
#include "lab/toolkit.h"
#include "resilin/ledger.h"
#include "simulation/solve_stage.h"
#include "solvers/precondition/point_hessian.h"

namespace resilin::lab {

// ---- settings of the solvers -----------------------------------------------------------------------------------

namespace {

std::string with(const std::string& json, const Values& extra) {
  Value solver = parse_json(json, "solver");
  for (const auto& [name, value] : extra) solver.set(name, value);
  return solver.dump();
}

}  // namespace

std::string paper_solver() { return R"({"type": "quasi_newton", "method": "paper"})"; }

std::string default_solver(const Values& extra) { return with(R"({"type": "quasi_newton"})", extra); }

std::string tight_solver() {
  return default_solver({{"tolerance", 1e-3 * default_tolerance}, {"iterations", 3000}});
}

std::string reference_solver(int vertices) {
  if (vertices > newton_limit) return tight_solver();
  return R"({"type": "newton", "hessian": "exact_first", "iterations": 200, "tolerance": 1e-6})";
}

std::string large_reference_text() {
  return fmt::format(
      "above {} vertices the reference is quasi-Newton to a thousandth of the default tolerance, 3000 iterations "
      "at most: Newton would take hours",
      newton_limit);
}

std::string default_solver(const Settings& s, const Values& extra) {
  Values stated;
  for (const char* name : {"tolerance", "iterations"})
    if (s.has(name)) stated.emplace_back(name, s.value(name));
  return with(default_solver(stated), extra);
}

Params stated_params() {
  return {optional(number("tolerance", "1/s^2", 0, at_least(0), "tolerance of the default solver")),
          optional(integer("iterations", 0, between(1, 1000000), "iterations of the default solver, at most"))};
}

StageSolver stage_solver(const std::string& json) {
  const Value value = parse_json(json, "solver");
  const SolverPlugin& kind = plugin<SolverPlugin>("solver", value.find("type")->text(), "solver");
  const Settings settings = kind.params.read(value, {"type"});
  return {kind.make(settings), stop_rule(settings)};
}

std::string type_of(const Scene& scene, const std::string& key) {
  const Value* given = scene.source.find(key);
  if (given == nullptr) return key == "solver" ? "quasi_newton" : "backward_euler";
  return given->is_object() ? given->find("type")->text() : given->text();
}

Scene with_solver(Scene scene, const std::string& json) {
  apply_override(scene.source, {"solver", json});
  scene.source.locate(scene.file);
  return scene;
}

// ---- one step --------------------------------------------------------------------------------------------------

bool worse_than_not_moving(DynamicSystem& system, const State& before, double h, const std::vector<double>& y) {
  const Stage stage = euler_stage(system, before, h);
  std::vector<double> origin = before.q, ignored(origin.size());
  system.space().coordinates().prescribe(stage.time, origin.data(), ignored.data());
  const double stay = system.problem().evaluate(origin.data(), nullptr).value();
  return !(system.problem().evaluate(y.data(), nullptr).value() <= stay + 1e-9 * std::abs(stay));
}

double true_error(DynamicSystem& system, const State& before, double h, const std::vector<double>& y,
                  StageSolver& reference) {
  const Stage stage = euler_stage(system, before, h);
  const double reached = system.problem().evaluate(y.data(), nullptr).value();
  std::vector<double> best = y;
  Memory memory;
  const double least = solve_stage(system, *reference.solver, stage, best, memory, reference.stop).objective;
  const Bounds box = bounds(system.model().rest);
  const double size =
      std::hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]);
  return std::sqrt(2 * Worst::of({reached - least, 0.0}) / system.space().total_mass()) / (h * size);
}

bool at_saddle(DynamicSystem& system, const State& before, double h, const std::vector<double>& y) {
  const Stage stage = euler_stage(system, before, h);
  return !PointHessian("cholesky").factorise(system.problem(), y.data(), false);
}

// ---- runs ------------------------------------------------------------------------------------------------------

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void perturb(Simulation& simulation, double amount) {
  State state = simulation.state();
  Random random(1);
  const auto& free = simulation.system().space().free_index();
  for (std::size_t i = 0; i < state.q.size(); ++i)
    if (free[i / 3] >= 0) state.q[i] += random.uniform(-amount, amount);
  simulation.set_state(std::move(state));
}

void add_report(const StepReport& report, TrustRun& run) {
  run.statuses.push_back(report.status);
  run.evaluations += report.solve.evaluations;
  run.iterations += report.solve.iterations;
}

void add_energies(const Ledger& ledger, TrustRun& run) {
  Worst elastic = 0, stored = 0;
  for (const LedgerEntry& entry : ledger.entries()) {
    elastic.see(entry.elastic);
    stored.see(entry.elastic + entry.kinetic);
    if (!(entry.numerical_loss >= 0)) run.made -= entry.numerical_loss;  // NaN too
  }
  run.elastic = elastic, run.stored = stored;
}

}  // namespace

int TrustRun::unconverged() const {
  return static_cast<int>(
      std::count_if(statuses.begin(), statuses.end(), [](Status status) { return status != Status::converged; }));
}

TrustRun trust_run(const Scene& scene, const TrustOptions& options) {
  const auto simulation = build_simulation(scene, options.threads);
  if (options.perturbation > 0) perturb(*simulation, options.perturbation * simulation->model().size());
  TrustRun run;
  run.mass = simulation->model().mass, run.size = simulation->model().size();
  run.solver = type_of(scene, "solver");
  // Before the ledger, whose evaluations are not the solver's: observers are called in order.
  double start = 0, spent = 0;
  simulation->observe([&](const Simulation&, const StepReport&) { spent = cpu_seconds() - start; });
  std::unique_ptr<Ledger> ledger;
  if (options.energies) ledger = std::make_unique<Ledger>(*simulation);
  const bool comparable = options.energies && type_of(scene, "integrator") == "backward_euler";
  State before;
  for (int i = 0; i < options.frames * scene.substeps; ++i) {
    before = simulation->state();
    start = cpu_seconds();
    const StepReport report = simulation->step();
    add_report(report, run);
    run.finite = report.status != Status::not_finite;
    if (!run.finite) break;
    if (i > 0) run.cpu += spent;
    const State& after = simulation->state();
    if (comparable)
      run.worse += worse_than_not_moving(simulation->system(), before, after.time - before.time, after.q);
    if ((i + 1) % scene.substeps == 0) run.positions.push_back(after.q);
  }
  if (ledger) add_energies(*ledger, run);
  run.extent = extent(simulation->positions(), scene.up[0] - 'x');
  return run;
}

TrustRun converged_run(const Scene& scene, const TrustOptions& options) {
  State ignored;
  const int vertices = build_model(scene, ignored).vertex_count();
  TrustOptions all = options;
  if (vertices > newton_limit) all.threads = 0;  // the longest runs; nobody asks for their time
  TrustRun first = trust_run(with_solver(scene, reference_solver(vertices)), all);
  if (vertices > newton_limit || first.unconverged() == 0) return first;
  TrustRun second = trust_run(with_solver(scene, tight_solver()), all);
  const bool better = second.finite != first.finite ? second.finite : second.unconverged() < first.unconverged();
  return better ? std::move(second) : std::move(first);
}

std::array<double, 2> extent(const std::vector<double>& q, int axis) {
  const Bounds box = bounds(q);
  return {box.lower[static_cast<std::size_t>(axis)], box.upper[static_cast<std::size_t>(axis)]};
}

double part_distance(const TrustRun& run, const TrustRun& reference, const VertexRange& part) {
  if (!run.finite || !reference.finite || run.positions.size() != reference.positions.size())
    return std::numeric_limits<double>::infinity();
  const std::size_t a = 3 * static_cast<std::size_t>(part.first),
                    b = 3 * static_cast<std::size_t>(part.reference_first);
  Worst largest;
  for (std::size_t frame = 0; frame < run.positions.size(); ++frame) {
    double squares = 0, mass = 0;
    for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(part.count); ++i) {
      const double m = run.mass[(a + i) / 3];
      squares += m * std::pow(run.positions[frame][a + i] - reference.positions[frame][b + i], 2);
      mass += m / 3;
    }
    largest.see(std::sqrt(squares / mass));
  }
  return largest;
}

double trajectory_error(const TrustRun& run, const TrustRun& reference) {
  return part_distance(run, reference, {0, run.vertices(), 0}) / run.size;
}

// ---- against the converged run
// -----------------------------------------------------------------------------------

double TrustComparison::elastic_error() const { return std::abs(ours.elastic / reference.elastic - 1); }

double TrustComparison::height_error() const {
  return std::abs((ours.extent[1] - ours.extent[0]) / (reference.extent[1] - reference.extent[0]) - 1);
}

std::string TrustComparison::note() const {
  std::string out =
      fmt::format("the paper's {:.2g} %; {} evaluations ({}); elastic {:.3g} J ({:.3g})", 100 * paper_error,
                  ours.evaluations, paper.evaluations, ours.elastic, reference.elastic);
  if (ours.unconverged() > 0)
    out += fmt::format("; {} of {} steps did not converge", ours.unconverged(), ours.statuses.size());
  if (reference.solver != "newton") out += "; the reference is quasi-Newton's";
  if (reference.unconverged() > 0)
    out += fmt::format("; {} steps of the reference did not", reference.unconverged());
  if (buckles()) out += fmt::format("; buckles: two references differ by {:.2g} %", 100 * spread);
  return out;
}

bool TrustComparison::judge(const std::string& name, double bound, Findings& findings) const {
  if (!buckles()) {
    findings.at_most(name + "error / size", bound, error, note());
    return true;
  }
  findings.report(name + "error / size", error, note());
  findings.at_most(name + "largest elastic energy, relative error", 0.05, elastic_error(), "buckles");
  findings.at_most(name + "height in the last frame, relative error", 0.05, height_error(), "buckles");
  return false;
}

double reference_spread(const Scene& scene, const TrustRun& reference) {
  const std::string solver = reference.solver == "newton" ? reference_solver() : tight_solver();
  const TrustRun beside =
      trust_run(with_solver(scene, solver), {.frames = static_cast<int>(reference.positions.size()),
                                             .perturbation = 1e-6,
                                             .threads = reference.vertices() > newton_limit ? 0 : 1,
                                             .energies = false});
  return trajectory_error(beside, reference);
}

TrustComparison compare_to_converged(const Scene& scene, const std::string& ours, int frames, double doubtful) {
  TrustComparison out;
  out.ours = trust_run(with_solver(scene, ours), {.frames = frames});
  out.paper = trust_run(with_solver(scene, paper_solver()), {.frames = frames});
  out.reference = converged_run(scene, {.frames = frames});
  out.error = trajectory_error(out.ours, out.reference);
  out.paper_error = trajectory_error(out.paper, out.reference);
  if (out.error > doubtful || out.elastic_error() > 0.03) out.spread = reference_spread(scene, out.reference);
  return out;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

}  // namespace resilin::lab
