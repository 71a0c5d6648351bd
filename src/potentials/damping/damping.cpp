#include "potentials/damping/damping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "potentials/damping/decorators.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin {

Params damping_params(Damps damps, bool corrected) {
  Params params = {
      choice("order", {"first", "second"},
             "form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps "
             "second-order integrators second order"),
      number("power", "", 1, at_least(0),
             "exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous"),
      number("power_scale", "", 1, positive(),
             "dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere"),
      number("smoothing", "", 1e-3, at_least(0),
             "for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; "
             "only admm solves that, for drag and separate stretch_rate")};
  if (can_damp(damps, ElementKind::tet) && damps != Damps::vertices)
    params.add(
        {optional(points(
             "spline",
             "control points [x, factor] of a factor on the damping; spline_of says what x is; solids only")),
         choice("spline_of", {"strain", "strain_rate"},
                "argument x of the spline. strain: the principal stretches; strain_rate: the norm of the rate of "
                "Green's strain"),
         choice("spline_axes", {"combined", "each"},
                "combined: the largest factor of the three stretches acts on the element; each: every principal "
                "axis has its own factor"),
         choice("momentum",
                corrected ? std::vector<std::string>{"projection", "velocity_gradient", "off"}
                          : std::vector<std::string>{"off", "projection", "velocity_gradient"},
                "how the rigid part of the velocity is removed, so that damping keeps angular momentum; solids "
                "only")});
  return params.add({boolean(
      "separate", false,
      "true: damping is a term of its own; false: one local step of admm treats it together with the material")});
}

namespace {

ControlPoints spline_points(const Settings& s) {
  const ControlPoints points = s.points("spline");
  if (points.size() < 2) s.value("spline").fail("a spline needs two control points [x, factor] at least");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Value& item = s.value("spline").list()[i];
    if (!std::isfinite(points[i][0]) || !std::isfinite(points[i][1])) item.fail("a control point is not finite");
    if (points[i][1] < 0)
      item.fail(fmt::format("factor {} is negative: damping would feed energy in; must be >= 0", points[i][1]));
    if (i > 0 && !(points[i][0] > points[i - 1][0]))
      item.fail(fmt::format("x of control points must ascend: {} follows {}", points[i][0], points[i - 1][0]));
  }
  return points;
}

// R' = s(e) R grows with the rate only while e^2 s(e) does.
void check_rate_spline(const Settings& s, const ControlPoints& points) {
  const Curve curve = damping_curve(points);
  const double low = std::max(points.front()[0], 0.0), span = points.back()[0] - low;
  for (int i = 0; i <= 1000; ++i) {
    const double e = low + span * i / 1000;
    const Jet<double> at = curve.at(e);
    if (2 * at.d + e * at.dd < -1e-9)
      s.value("spline").fail(fmt::format(
          "falls too fast at strain rate {:.3g}: x^2 factor(x) must not fall, or damping would push", e));
  }
}

// Every vertex of the elements once.
std::vector<int> vertices_of(const Elements& elements) {
  std::vector<int> ids;
  for (int i = 0; i < elements.size(); ++i)
    ids.insert(ids.end(), elements.vertices(i).begin(), elements.vertices(i).end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

bool can_damp(Damps damps, ElementKind kind) {
  if (damps == Damps::solids) return kind == ElementKind::tet;
  if (damps == Damps::continua) return kind == ElementKind::tet || kind == ElementKind::triangle;
  if (damps == Damps::springs) return kind == ElementKind::edge;
  return damps == Damps::vertices || kind != ElementKind::point;
}

void damp_vertices(Model& model, std::span<const int> vertices, const DampingPlugin& kind, const std::string& type,
                   const Settings& settings) {
  Elements points = Elements::points(vertices);
  const auto damping = make_damping(kind, {.name = type,
                                           .settings = settings,
                                           .alone = true,
                                           .elements = points.size(),
                                           .kind = points.kind(),
                                           .elastic = nullptr});
  model.terms.push_back({type, std::move(points), {}, {damping}});
}

void damp_term(Model& model, int term, const std::string& type, const Settings& settings,
               std::span<const int> indices) {
  damp_term(model, term, plugin<DampingPlugin>("damping", type, settings.where()), type, settings, indices);
}

void damp_term(Model& model, int term, const DampingPlugin& kind, const std::string& type, const Settings& settings,
               std::span<const int> indices) {
  const Elements elements = model.terms[term].elements;
  if (!can_damp(kind.damps, elements.kind()))
    throw InputError(settings.where(), fmt::format("{} damps {}, and there are none in \"{}\"", type,
                                                   kind.damps == Damps::springs    ? "springs"
                                                   : kind.damps == Damps::continua ? "solids and shells"
                                                                                   : "solids",
                                                   model.terms[term].name));
  if (kind.damps == Damps::vertices) return damp_vertices(model, vertices_of(elements), kind, type, settings);
  const bool separate = settings.boolean("separate");
  const auto damping =
      make_damping(kind, {.name = type,
                          .settings = settings,
                          .alone = separate,
                          .elements = elements.size(),
                          .kind = elements.kind(),
                          .elastic = model.terms[term].elastic.empty() ? nullptr : model.terms[term].elastic[0],
                          .indices = indices});
  if (separate) model.terms.push_back({type + " of " + model.terms[term].name, elements, {}, {damping}});
  else model.terms[term].damping.push_back(damping);
}

void check_damping(const Settings& s, ElementKind kind) {
  if (!s.declares("spline")) return;
  if (kind != ElementKind::tet) {
    if (s.has("spline")) s.value("spline").fail("only damping of solids has a spline");
    if (s.has("momentum") && s.text("momentum") != "off")
      s.value("momentum").fail("only damping of solids has this correction");
  }
  if (!s.has("spline")) return;
  const ControlPoints points = spline_points(s);
  if (s.text("spline_of") == "strain_rate") check_rate_spline(s, points);
}

std::function<double(double)> spline_factor(const Settings& settings) {
  if (!settings.declares("spline") || !settings.has("spline")) return [](double) { return 1.0; };
  return [curve = damping_curve(spline_points(settings))](double x) { return curve.at(x).d; };
}

std::shared_ptr<const Dissipation> make_damping(const DampingPlugin& plugin, const DampingSource& source) {
  const Settings& s = source.settings;
  check_damping(s, source.kind);
  std::shared_ptr<Dissipation> model = plugin.make(source);
  const bool shaped = s.declares("spline");
  const std::string momentum = shaped && source.kind == ElementKind::tet ? s.text("momentum") : "off";
  if (momentum != "off")
    model = momentum_correction(std::move(model),
                                momentum == "projection" ? Correction::projection : Correction::velocity_gradient);
  if (s.number("power") < 1 && s.number("smoothing") == 0 && !(model->radial() && source.alone))
    throw InputError(
        s.where(),
        fmt::format(
            "{} with power {} needs smoothing > 0: only drag and separate stretch_rate have an exact local step",
            source.name, s.number("power")));
  if (s.number("power") != 1)
    model = power_law(std::move(model), s.number("power"), s.number("power_scale"), s.number("smoothing"));
  if (shaped && s.has("spline"))
    model = (s.text("spline_axes") == "each" ? spline_damping_by_axis : spline_damping)(
        std::move(model), spline_points(s),
        s.text("spline_of") == "strain" ? SplineOf::strain : SplineOf::strain_rate);
  model->set_second_order(s.text("order") == "second");
  return model;
}

}  // namespace resilin
