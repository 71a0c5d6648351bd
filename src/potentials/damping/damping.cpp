#include "potentials/damping/damping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "potentials/damping/decorators.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin {

Params damping_params(bool corrected) {
  return {
      choice("order", {"first", "second"},
             "first: S = tau R; second: minus tau R(z, v_n), which keeps second-order integrators second order"),
      number("power", "", 1, at_least(0), "p: the force grows with this power of the rate; 0: dry, 1: viscous"),
      number("power_scale", "", 1, positive(),
             "A [W per unit]: the R at which the power law agrees with the linear model"),
      number(
          "smoothing", "", 1e-3, at_least(0),
          "for power < 1: below this part of the rate at which R = A the force is viscous; 0: it jumps, for drag "
          "and separate stretch_rate with admm"),
      optional(points("spline",
                      "control points [stretch or strain rate, factor] of a factor on the damping; solids only")),
      choice("spline_of", {"strain", "strain_rate"},
             "what the spline is a function of: the stretches (the largest factor counts) or |E'|"),
      choice("spline_axes", {"combined", "each"},
             "each: every principal axis has the factor of its own stretch, or of the rate of that"),
      choice("momentum",
             corrected ? std::vector<std::string>{"projection", "velocity_gradient", "off"}
                       : std::vector<std::string>{"off", "projection", "velocity_gradient"},
             "removal of rigid velocity before damping, so that angular momentum stays; solids only"),
      boolean("separate", false, "a term of its own instead of one local step with the material")};
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

}  // namespace

namespace {

// Every vertex of the elements once.
std::vector<int> vertices_of(const Elements& elements) {
  std::vector<int> ids;
  for (int i = 0; i < elements.size(); ++i)
    ids.insert(ids.end(), elements.vertices(i).begin(), elements.vertices(i).end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

bool can_damp(Damps damps, const Elements& elements) {
  const bool solid = elements.kind() == ElementKind::tet, spring = elements.kind() == ElementKind::edge;
  return damps == Damps::vertices || (solid && damps != Damps::springs) || (spring && damps != Damps::solids);
}

}  // namespace

void damp_vertices(Model& model, std::span<const int> vertices, const std::string& type, const Settings& settings) {
  const DampingPlugin& kind = plugin<DampingPlugin>("damping", type, settings.where());
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
  const DampingPlugin& kind = plugin<DampingPlugin>("damping", type, settings.where());
  const Elements elements = model.terms[term].elements;
  if (!can_damp(kind.damps, elements))
    throw InputError(settings.where(),
                     fmt::format("{} damps {}, and there are none in \"{}\"", type,
                                 kind.damps == Damps::springs ? "springs" : "solids", model.terms[term].name));
  if (kind.damps == Damps::vertices) return damp_vertices(model, vertices_of(elements), type, settings);
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
  const bool solid = kind == ElementKind::tet;
  if (!solid && s.has("spline")) s.value("spline").fail("only damping of solids has a spline");
  if (!solid && s.has("momentum") && s.text("momentum") != "off")
    s.value("momentum").fail("only damping of solids has this correction");
  if (!s.has("spline")) return;
  const ControlPoints points = spline_points(s);
  if (s.text("spline_of") == "strain_rate") check_rate_spline(s, points);
}

std::shared_ptr<const Dissipation> make_damping(const DampingPlugin& plugin, const DampingSource& source) {
  const Settings& s = source.settings;
  check_damping(s, source.kind);
  std::shared_ptr<Dissipation> model = plugin.make(source);
  const std::string momentum = s.text("momentum");
  if (source.kind == ElementKind::tet && momentum != "off")
    model = momentum_correction(std::move(model),
                                momentum == "projection" ? Correction::projection : Correction::velocity_gradient);
  if (s.number("power") < 1 && s.number("smoothing") == 0 && !(model->radial() && source.alone))
    throw InputError(s.where(),
                     fmt::format("{} with power {} needs smoothing > 0: only drag and separate stretch_rate "
                                 "have an exact local step",
                                 source.name, s.number("power")));
  if (s.number("power") != 1)
    model = power_law(std::move(model), s.number("power"), s.number("power_scale"), s.number("smoothing"));
  if (s.has("spline"))
    model = (s.text("spline_axes") == "each" ? spline_damping_by_axis : spline_damping)(
        std::move(model), spline_points(s),
        s.text("spline_of") == "strain" ? SplineOf::strain : SplineOf::strain_rate);
  model->set_second_order(s.text("order") == "second");
  return model;
}

}  // namespace resilin
