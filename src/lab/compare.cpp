#include "lab/compare.h"

#include "lab/compare_reduction.h"
#include "lab/toolkit.h"
#include "resilin/errors.h"
#include "scene/format.h"

namespace resilin::lab {
namespace {

constexpr double advance_tolerance = 1e-6;    // Newton ends far below it: its last step squares the error
constexpr double reference_tolerance = 1e-9;  // of |grad Phi|
constexpr int reference_iterations = 500;

std::string integrator_type(const Scene& scene) {
  const Value* chosen = scene.source.find("integrator");
  return read_plugin("integrator", chosen == nullptr ? Value() : *chosen).type;
}

Stage stage_to_compare(const Scene& scene, Simulation& simulation) {
  if (simulation.integrator().stages() == 0)
    throw InputError(scene.file + ": integrator",
                     fmt::format("{} is explicit: it has no stage that solvers could be compared on. Choose an "
                                 "implicit integrator, e.g. --set integrator=backward_euler",
                                 integrator_type(scene)));
  return simulation.first_stage();
}

std::unique_ptr<Simulation> reference_simulation(Scene scene, int threads) {
  scene = without_reduction(std::move(scene));
  scene.source.set("solver", Value::Object{{"type", "newton"},
                                           {"hessian", "exact_first"},
                                           {"iterations", reference_iterations},
                                           {"gradient_tolerance", advance_tolerance}});
  // Unless it is asked for: solvers that cannot take it are compared too, on the same function.
  if (scene.source.find("contact") == nullptr) scene.source.set("contact", false);
  scene.source.locate(scene.file);
  return build_simulation(scene, threads);
}

void advance(Comparison& out) {
  for (int frame = 0; frame < out.frame; ++frame) {
    bool loose = false;
    for (int i = 0; i < out.scene.substeps; ++i) {
      const Status status = out.simulation->step().status;
      if (status == Status::not_finite) out.advance = status;
      if (status == Status::not_finite) return;
      loose = loose || status != Status::converged;
    }
    out.loose_frames += loose ? 1 : 0;
    for (const auto& run : out.runs) run->see(*out.simulation, out.scene.substeps);
  }
}

void find_minimum(Comparison& out) {
  Study study(out.simulation->system(), out.stage);
  study.system().begin(out.stage);
  const Evaluation first = study.problem().evaluate(out.stage.guess.data(), nullptr);
  out.first_objective = first.value();
  out.reference = study.solve(*make_solver("newton", {{"hessian", "exact_first"}}),
                              {.iterations = reference_iterations, .gradient = reference_tolerance}, out.minimum);
  out.idle = !(out.first_objective - out.reference.objective > first.round_off());
}

double rms_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(3 * sum / static_cast<double>(std::max<std::size_t>(a.size(), 1)));
}

StopRule stop_of(const Configuration& configuration, const CompareOptions& options) {
  const Settings& s = configuration.settings;
  StopRule stop = stop_rule(s);
  if (!s.has("iterations")) stop.iterations = options.iterations;
  if (!s.has("tolerance") && !s.has("gradient_tolerance")) stop.gradient = options.tolerance;
  if (!s.has("budget")) stop.seconds = options.budget;
  return stop;
}

Unknowns unknowns_of(const Configuration& configuration, const Scene& scene) {
  return configuration.unknowns.value_or(has_reduction(scene) ? Unknowns::reduced : Unknowns::full);
}

// What a contender minimises.
struct Field {
  Study study;
  bool reduced;
};

Field field_of(const Configuration& configuration, Comparison& out) {
  const Unknowns unknowns = unknowns_of(configuration, out.scene);
  if (unknowns != Unknowns::full)
    for (const auto& run : out.runs)
      if (run->unknowns() == unknowns) return {{run->simulation().system(), run->reduced(out.stage)}, true};
  return {{out.simulation->system(), out.stage}, false};
}

// Vertices of a reduced contender, and the function of all vertices there.
void lift(Field& field, Comparison& out, const std::vector<double>& y, std::vector<double>& x) {
  DynamicSystem& system = out.simulation->system();
  x.resize(out.minimum.size());
  std::vector<double> ignored(x.size());
  field.study.system().space().coordinates().lift(y.data(), x.data());
  system.space().coordinates().prescribe(out.stage.time, x.data(), ignored.data());
}

// Where a contender's iterates are, as all are measured.
struct Course {
  std::vector<double> distances;
  std::vector<Evaluation> values;  // of reduced contenders: Phi of all vertices
};

Course follow(Contender& c, Field& field, Comparison& out, Solver& solver, const StopRule& stop) {
  Course course;
  std::vector<double> x;
  if (field.reduced) out.simulation->system().begin(out.stage);
  solver.observe = [&](const std::vector<double>& y, const IterationRecord&) {
    if (field.reduced) {
      lift(field, out, y, x);
      course.values.push_back(out.simulation->system().problem().evaluate(x.data(), nullptr));
    }
    course.distances.push_back(rms_distance(field.reduced ? x : y, out.minimum));
  };
  c.report = field.study.solve(solver, stop, c.y);
  solver.observe = nullptr;
  if (field.reduced) lift(field, out, std::vector<double>(c.y), c.y);
  for (std::size_t k = 0; k < std::min(course.values.size(), c.report.trace.size()); ++k) {
    IterationRecord& record = c.report.trace[k];
    record.objective = course.values[k].value(), record.inertia = course.values[k].inertia();
    record.potential = course.values[k].potential();
  }
  return course;
}

void fill_trace(Contender& c, const Comparison& out, const std::vector<double>& distances,
                const std::vector<std::vector<double>>& seconds) {
  const double minimum = out.reference.objective, scale = out.first_objective - minimum;
  State fingerprint{c.y, {}, 0, c.report.iterations, {}, {}};
  for (std::size_t k = 0; k < c.report.trace.size(); ++k) {
    TracePoint point{c.report.trace[k], out.idle ? 0 : (c.report.trace[k].objective - minimum) / scale,
                     k < distances.size() ? distances[k] : 0};
    std::vector<double> times;
    for (const auto& run : seconds)
      if (k < run.size()) times.push_back(run[k]);
    point.record.seconds = median(std::move(times));
    fingerprint.v.push_back(point.record.objective);
    c.trace.push_back(point);
  }
  c.hash = hash(fingerprint);
}

void contend(Contender& c, Comparison& out, const CompareOptions& options) {
  const auto solver = find_plugin<SolverPlugin>(c.configuration.solver)->plugin.make(c.configuration.settings);
  solver->tracing = true;
  Field field = field_of(c.configuration, out);
  StopRule stop = stop_of(c.configuration, options), one = stop;
  one.iterations = 1;
  const auto start = Clock::now();
  field.study.solve(*solver, one, c.y);  // factors, analysis and memory are there afterwards
  c.setup_seconds = seconds_since(start);

  const Course course = follow(c, field, out, *solver, stop);
  std::vector<std::vector<double>> seconds;
  for (int i = 0; i < options.repeat; ++i) {
    std::vector<double> y;
    const SolveReport again = i == 0 ? c.report : field.study.solve(*solver, stop, y);
    seconds.emplace_back();
    for (const IterationRecord& record : again.trace) seconds.back().push_back(record.seconds);
  }
  fill_trace(c, out, course.distances, seconds);
  const std::size_t first = std::min<std::size_t>(1, c.trace.size() - 1);
  c.setup_seconds = std::max(0.0, c.setup_seconds - (c.trace.empty() ? 0 : c.trace[first].record.seconds));
}

// Those that can take the scene. One that was asked for and cannot is an error; a default one is left out.
std::vector<Configuration> usable(const CompareOptions& options, Comparison& out) {
  std::vector<Configuration> kept;
  const bool asked = !options.configurations.empty();
  for (const Configuration& c : asked ? options.configurations : default_configurations(out.scene)) {
    try {
      if (c.unknowns && !has_reduction(out.scene))
        throw InputError("", "the scene has no \"reduction\", so that all its vertices are unknowns");
      const auto solver = find_plugin<SolverPlugin>(c.solver)->plugin.make(c.settings);
      Field field = field_of(c, out);
      if (field.reduced && solver->needs_vertices())
        throw InputError(
            "", fmt::format("it works vertex by vertex and cannot move handles; try {}:unknowns=full", c.solver));
      solver->check(field.study.problem());
      kept.push_back(c);
    } catch (const InputError& error) {
      if (asked) throw InputError("--solver " + c.name, error.problem());
      out.skipped.push_back(c.name + ": " + error.problem());
    }
  }
  return kept;
}

void check_options(const Scene& scene, const CompareOptions& options) {
  if (options.frame < 0 || options.frame > scene.frames)
    throw InputError("--frame", fmt::format("{} is beyond the run: {} has frames 0 to {}", options.frame,
                                            scene.name, scene.frames));
  if (options.iterations < 1)
    throw InputError("--iterations", fmt::format("{} is not allowed: wanted is 1 or more", options.iterations));
  if (options.repeat < 1)
    throw InputError("--repeat", fmt::format("{} is not allowed: wanted is 1 or more", options.repeat));
  if (!(options.budget >= 0)) throw InputError("--budget", "wanted is a time of 0 (none) or more");
  for (std::size_t i = 0; i < options.configurations.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (options.configurations[i].name == options.configurations[j].name)
        throw InputError("--solver " + options.configurations[i].name, "is given twice");
}

// "unknowns" is none of the solver's parameters.
std::optional<Unknowns> take_unknowns(Value& values, const std::string& where) {
  const Value* given = values.find("unknowns");
  if (given == nullptr) return std::nullopt;
  std::optional<Unknowns> out;
  for (const Unknowns each : {Unknowns::full, Unknowns::subspace, Unknowns::reduced})
    if (given->is_text() && given->text() == name(each)) out = each;
  if (!out) throw InputError(where, "unknowns are full, subspace or reduced");
  std::erase_if(values.object(), [](const auto& member) { return member.first == "unknowns"; });
  return out;
}

}  // namespace

const char* name(Unknowns unknowns) {
  return unknowns == Unknowns::full ? "full" : unknowns == Unknowns::subspace ? "subspace" : "reduced";
}

Comparison::Comparison() = default;
Comparison::Comparison(Comparison&&) noexcept = default;
Comparison::~Comparison() = default;

Configuration parse_configuration(const std::string& text) {
  const std::string where = "--solver " + text;
  const std::size_t colon = std::min(text.find(':'), text.size());
  Configuration out{text, text.substr(0, colon), {}};
  const SolverPlugin& kind = plugin<SolverPlugin>("solver", out.solver, where);
  Value values = Value::Object{};
  for (std::size_t at = colon + 1; at <= text.size() && colon < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(where, fmt::format("\"{}\" is no parameter: wanted is NAME:KEY=VALUE,KEY=VALUE", item));
    apply_override(values, {item.substr(0, equals), item.substr(equals + 1)});
    at = end + 1;
  }
  out.unknowns = take_unknowns(values, where);
  values.locate(where);
  out.settings = kind.params.read(values);
  return out;
}

std::vector<Configuration> default_configurations(const Scene& scene) {
  std::vector<Configuration> out;
  if (has_reduction(scene)) {
    const Value* chosen = scene.source.find("solver");
    const PluginChoice solver = read_plugin("solver", chosen == nullptr ? Value() : *chosen);
    for (const Unknowns each : {Unknowns::full, Unknowns::subspace, Unknowns::reduced})
      out.push_back({fmt::format("{}:unknowns={}", solver.type, name(each)), solver.type, solver.settings, each});
    return out;
  }
  for (const auto& entry : registry<SolverPlugin>()) out.push_back(parse_configuration(entry.name));
  out.push_back(parse_configuration("quasi_newton:history=0"));
  return out;
}

Comparison compare(const Scene& scene, const CompareOptions& options) {
  check_options(scene, options);
  const FlushDenormals flush;  // as in a step
  Comparison out;
  out.scene = scene;
  out.frame = options.frame;
  out.integrator = integrator_type(scene);
  out.simulation = reference_simulation(scene, options.threads);
  if (has_reduction(scene))
    for (const Unknowns each : {Unknowns::full, Unknowns::subspace, Unknowns::reduced})
      out.runs.push_back(std::make_unique<ReducedRun>(scene, each, options.threads));
  const std::vector<Configuration> configurations = usable(options, out);  // before the costly part
  advance(out);
  if (out.advance == Status::not_finite) return out;
  out.stage = stage_to_compare(scene, *out.simulation);
  find_minimum(out);
  for (const Configuration& configuration : configurations) {
    out.contenders.push_back({configuration, {}, 0, {}, {}, 0});
    contend(out.contenders.back(), out, options);
  }
  return out;
}

}  // namespace resilin::lab
