#include "lab/reduced_bodies.h"

#include <set>

#include "lab/toolkit.h"
#include "reduction/reduction.h"
#include "resilin/scene.h"
#include "resilin/shapes.h"
#include "solvers/precondition/factor.h"

namespace resilin::lab {
namespace {

class Bytes final : public ReductionStore {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string where() const override { return "reduction"; }
  std::optional<std::string> load() const override { return bytes_; }
  void save(const std::string&) const override {}

 private:
  std::string bytes_;
};

SimulationOptions fixed_iterations(double step, int iterations) {
  SimulationOptions options;
  options.step = step;
  if (iterations > 0)
    options.stop.iterations = iterations, options.stop.tolerance = 0, options.stop.gradient = 1e-14;
  return options;
}

}  // namespace

// Vertices inside and on the surface: n s^3 = 0.3165 + 3.0 s, within 5 % from 200 to 440,000 vertices.
double creature_spacing(int vertices) {
  double s = 0.0271;
  for (int i = 0; i < 60; ++i) s = std::cbrt((0.3165 + 3.0 * s) / vertices);
  return s;
}

TetMesh creature_mesh(int vertices) {
  return metaballs({.balls = creature_balls(), .spacing = creature_spacing(vertices)});
}

Model creature_model(int vertices, double stiffness) {
  return solid(creature_mesh(vertices), 1000, "arap", {{"stiffness", stiffness}});
}

Model shell_model(int vertices, double stiffness) {
  const int cells = std::max(2, static_cast<int>(std::lround(std::sqrt(vertices))) - 1);
  TriangleMesh mesh = grid_sheet({.size = {1, 1}, .cells = {cells, cells}});
  for (std::size_t v = 0; v < mesh.vertices.size(); v += 3)
    mesh.vertices[v + 2] = 0.1 * std::sin(4 * mesh.vertices[v]) * std::cos(3 * mesh.vertices[v + 1]);
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Shell{.mesh = mesh,
                    .skin = {.thickness = 2e-3,
                             .material = {"arap", {{"stiffness", stiffness}}},
                             .bending = {"mean_curvature", {{"keep_side", true}}}}});
  return std::move(builder).model();
}

Model skinned_creature_model(int vertices, double stiffness) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Solid{
      .mesh = creature_mesh(vertices),
      .material = {"arap", {{"stiffness", stiffness}}},
      .skin = Skin{.thickness = 2e-3, .material = {"arap", {{"stiffness", 10 * stiffness}}}, .bending = "none"}});
  return std::move(builder).model();
}

std::unique_ptr<Simulation> dropped_creature(const Drop& drop, const Choice& solver,
                                             std::optional<ReductionSettings> reduction,
                                             std::shared_ptr<const ReductionStore> store) {
  Builder builder;
  const TetMesh mesh = creature_mesh(drop.vertices);
  const int body = builder.add(Solid{.mesh = mesh, .material = {"arap", {{"stiffness", drop.stiffness}}}});
  std::vector<double> start = mesh.vertices;
  Least low;
  for (std::size_t i = 1; i < start.size(); i += 3) low.see(start[i]);
  for (std::size_t i = 1; i < start.size(); i += 3) start[i] += 0.02 - low;
  builder.place(body, start);
  builder.launch(body, drop.velocity);
  builder.obstacle("plane");
  return builder.simulation(
      {.step = drop.step, .solver = solver, .reduction = reduction, .reduction_store = store});
}

std::shared_ptr<const ReductionStore> store_of(const Reduction& reduction) {
  return std::make_shared<Bytes>(reduction.encode());
}

ReductionSettings reduction_of(int handles, int samples) {
  ReductionSettings out;
  out.handles = handles, out.fit_handles = std::max(1, std::min(60, handles / 2));
  out.samples = samples < 0 ? std::numeric_limits<int>::max() : samples;
  return out;
}

std::unique_ptr<Simulation> reduced_scene(const Settings& s, double gravity, const std::string& solver,
                                          const std::string& body) {
  const int handles = s.integer("handles");
  return build_simulation(
      parse_scene(fmt::format(R"({{"step": {}, "gravity": {}, "contact": false, "solver": {},
                       "reduction": {{"handles": {}, "fit_handles": {}, "samples": {}}},
                       "bodies": [{{"shape": {{"type": "metaballs", "spacing": {}}}, {}}}]}})",
                              s.number("step"), gravity, solver, handles, handles / 2, s.integer("samples"),
                              creature_spacing(s.integer("vertices")), body),
                  "reduced.json"));
}

std::unique_ptr<Simulation> reduced_simulation(Model model, const ReductionSettings& settings, double step,
                                               int iterations, const std::string& solver) {
  SimulationOptions options = fixed_iterations(step, iterations);
  options.reduction = settings;
  return std::make_unique<Simulation>(std::move(model), make_integrator("backward_euler"),
                                      resilin::make_solver(solver), options);
}

namespace {

State bent_state(const Model& model) { return at_rest(bent(model.rest, 60)); }

// What the parts of an iteration take alone.
void measure_parts(const Model& model, const Reduction& reduction, ReducedCost& out) {
  ThreadPool pool(available_cores());
  std::set<int> touched;
  std::vector<double> q(3 * static_cast<std::size_t>(reduction.rows()), 0.5), r(q);
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    const ReducedTerm& term = reduction.terms()[t];
    out.samples += static_cast<int>(term.samples.element.size());
    for (const int i : term.samples.element)
      for (const int v : model.terms[t].elements.vertices(i)) touched.insert(v);
    if (term.fit.empty()) continue;
    out.projections += 3 * term.fit.components();
    const auto rows = static_cast<std::size_t>(3 * model.terms[t].elements.rows());
    const AlignedVector<double> p(rows * static_cast<std::size_t>(term.fit.samples() + 8), 0.25);
    out.fit += least_seconds(20, [&] { term.fit.add(p.data(), r.data(), pool); });
  }
  const std::vector<int> vertices(touched.begin(), touched.end());
  const PartialLift partial(reduction.positions(), vertices);
  AlignedVector<double> rows(4 * vertices.size());
  out.sampled_vertices = static_cast<int>(vertices.size());
  out.partial = least_seconds(20, [&] { partial.lift(q.data(), rows.data(), pool); });
}

}  // namespace

ReducedCost reduced_cost(const Model& model, const ReductionSettings& settings, double step, int iterations,
                         int frames) {
  ReducedCost out;
  out.vertices = model.vertex_count(), out.elements = model.element_count();
  SimulationOptions options = fixed_iterations(step, iterations);
  options.reduction = settings;
  auto begin = Clock::now();
  {
    ThreadPool pool(available_cores());
    const Reduction reduction(model, settings, pool);
    out.setup = seconds_since(begin);
    measure_parts(model, reduction, out);
    options.reduction_store = store_of(reduction);
  }
  begin = Clock::now();
  const auto simulation = std::make_unique<Simulation>(model, make_integrator("backward_euler"),
                                                       resilin::make_solver("projective_dynamics"), options);
  out.setup += seconds_since(begin), out.unknowns = static_cast<int>(simulation->state().q.size());
  simulation->set_state(bent_state(model));
  advance(*simulation);  // factorises
  Least fastest, lift;
  for (int i = 0; i < frames; ++i) {
    const StepReport report = advance(*simulation);
    if (!(report.seconds >= fastest)) {
      const Phases& phases = report.solve.phases;
      out.local = phases.local / report.solve.iterations;
      out.global = (phases.total() - phases.local) / report.solve.iterations;
    }
    fastest.see(report.seconds);
    const auto at = Clock::now();
    (void)simulation->positions();  // with velocities
    lift.see(seconds_since(at) / 2);
  }
  out.step = fastest, out.display = lift;
  const SymmetricMatrix matrix = simulation->system().problem().constant().matrix();
  out.fill = 2.0 * matrix.slots() / (static_cast<double>(matrix.size()) * matrix.size());
  const auto before = Clock::now();
  Factor(InnerSolve("cholesky")).prepare(simulation->system().problem());
  out.factor = seconds_since(before);
  return out;
}

FullCost full_cost(const Model& model, double step, int iterations) {
  FullCost out;
  const auto begin = Clock::now();
  Simulation simulation(model, make_integrator("backward_euler"), resilin::make_solver("projective_dynamics"),
                        fixed_iterations(step, iterations));
  simulation.set_state(bent_state(model));
  advance(simulation);  // factorises
  const double first = seconds_since(begin);
  Least fastest;
  for (int i = 0; i < 3; ++i) fastest.see(advance(simulation).seconds);
  out.step = fastest, out.setup = first - out.step;
  return out;
}

std::vector<std::string> cost_columns() {
  return split_cells(
      "vertices | elements | unknowns | set-up [s] | step [ms] | iteration [us] | display [ms] | new factor [ms] | "
      "fill");
}

std::vector<std::string> cost_row(const ReducedCost& c, int iterations) {
  return cells("{} | {} | {} | {:.2f} | {:.2f} | {:.0f} | {:.2f} | {:.2f} | {:.3f}", c.vertices, c.elements,
               c.unknowns, c.setup, 1e3 * c.step, 1e6 * c.step / iterations, 1e3 * c.display, 1e3 * c.factor,
               c.fill);
}

double spread(const Model& model) {
  double sum = 0;
  const double mass = model.total_mass();
  std::array<double, 3> middle{};
  for (std::size_t i = 0; i < model.rest.size(); ++i) middle[i % 3] += model.mass[i / 3] * model.rest[i] / mass;
  for (std::size_t i = 0; i < model.rest.size(); ++i)
    sum += model.mass[i / 3] * std::pow(model.rest[i] - middle[i % 3], 2);
  return std::sqrt(sum);
}

double normalised_distance(const Model& model, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += model.mass[i / 3] * std::pow(a[i] - b[i], 2);
  return std::sqrt(sum) / spread(model);
}

ErrorSummary summary(const std::vector<double>& errors) {
  if (errors.empty()) return {std::nan(""), std::nan(""), std::nan("")};
  std::vector<double> sorted = errors;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double error : errors) sum += error;
  return {sum / static_cast<double>(errors.size()), sorted[sorted.size() / 2], Worst::of(errors)};
}

double distance(const Model& model, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += model.mass[i / 3] * std::pow(a[i] - b[i], 2);
  return std::sqrt(sum / model.total_mass()) / model.size();
}

std::vector<double> bent(const std::vector<double>& rest, double degrees_per_metre) {
  std::vector<double> q = rest;
  for (std::size_t i = 0; i < q.size(); i += 3) {
    const double angle = degrees_per_metre * std::numbers::pi / 180 * rest[i + 1];
    const double x = rest[i], z = rest[i + 2];
    q[i] = std::cos(angle) * x - std::sin(angle) * z, q[i + 2] = std::sin(angle) * x + std::cos(angle) * z;
    q[i + 1] = 1.1 * rest[i + 1];
  }
  return q;
}

}  // namespace resilin::lab
