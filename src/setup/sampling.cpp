#include "setup/sampling.h"

#include <cmath>
#include <utility>

#include "contact/obstacles/distances.h"
#include "core/stamp.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin::setup {
namespace {

// Every number with a default anew, well inside its range; one that is zero by default is drawn around one.
Values draw_numbers(const Params& params, Random& random) {
  Values out;
  for (const Param& p : params.list()) {
    if (p.type != Param::Type::number || p.fallback.is_null()) continue;
    const bool bounded = std::isfinite(p.range.low) && std::isfinite(p.range.high);
    const double size = p.fallback.number() == 0 ? 1 : p.fallback.number();
    out.emplace_back(p.name, bounded ? p.range.low + random.uniform(0.1, 0.9) * (p.range.high - p.range.low)
                                     : size * std::pow(10, random.uniform(-1, 1)));
  }
  return out;
}

// What is said of a model besides its own numbers. "spline" needs the curve, and the choices about it mean nothing
// without.
std::vector<Values> damping_variants(bool solid) {
  std::vector<Values> out = {{}};
  for (const double power : {0.5, 2.0})
    out.push_back({{"power", power}, {"power_scale", 10.0}, {"smoothing", 0.1}});
  const Value::List curve = {Value::List{0.2, 0.5}, Value::List{1.0, 1.5}, Value::List{3.0, 2.0}};
  const Params shared = damping_params(Damps::solids);
  for (const Param& p : shared.list()) {
    const bool of_spline = p.name.starts_with("spline");
    if (p.type != Param::Type::choice || (!solid && (of_spline || p.name == "momentum"))) continue;
    for (const std::string& choice : p.choices) {
      out.push_back({{p.name, choice}});
      if (of_spline) out.back().emplace_back("spline", curve);
    }
  }
  return out;
}

}  // namespace

std::vector<MaterialDraw> draw_materials(Random& seeds) {
  std::vector<MaterialDraw> out;
  const std::uint64_t seed = seeds.bits();
  for (const auto& entry : registry<MaterialPlugin>()) {
    Stamp own;  // a material draws the same whichever others are registered
    own.add(seed), own.add(entry.name);
    Random random(own.value());
    out.push_back({entry.name, entry.name, draw_numbers(entry.plugin.params, random)});
    if (const Param* preset = entry.plugin.params.find("preset"))
      for (const std::string& choice : preset->choices) {
        Values values = draw_numbers(entry.plugin.params, random);
        values.emplace_back("preset", choice);
        out.push_back({entry.name + " preset " + choice, entry.name, std::move(values), true});
      }
    if (entry.plugin.params.find("stress") == nullptr) continue;
    Value::List curve;
    double y = -random.uniform(5e4, 1e5);
    for (const double x : {0.0, 0.3, 0.6, 1.0, 1.4, 1.9, 2.5}) {
      curve.push_back(Value::List{x, x == 1.0 ? 0 : y});
      y = x == 0.6 || x == 1.0 ? random.uniform(1e4, 3e4) : y + random.uniform(1e4, 2e4);
    }
    out.push_back({entry.name + " drawn", entry.name, {{"stress", std::move(curve)}}, true});
  }
  return out;
}

std::vector<DampingDraw> draw_dampings(Random& random) {
  std::vector<DampingDraw> out;
  const Params shared = damping_params(Damps::solids);
  for (const auto& entry : registry<DampingPlugin>()) {
    Params own;
    for (const Param& p : entry.plugin.params.list())
      if (shared.find(p.name) == nullptr) own.add({p});
    const Damps damps = entry.plugin.damps;
    std::vector<ElementKind> kinds;
    if (damps == Damps::solids || damps == Damps::continua || damps == Damps::elastic)
      kinds.push_back(ElementKind::tet);
    if (damps == Damps::springs || damps == Damps::elastic) kinds.push_back(ElementKind::edge);
    if (damps == Damps::vertices) kinds.push_back(ElementKind::point);
    for (const ElementKind kind : kinds)
      for (const Values& variant : damping_variants(kind == ElementKind::tet)) {
        Values values = draw_numbers(own, random);
        values.insert(values.end(), variant.begin(), variant.end());
        const char* on = kind == ElementKind::tet    ? " of solids"
                         : kind == ElementKind::edge ? " of springs"
                                                     : " of vertices";
        out.push_back({entry.name + on, entry.name, std::move(values), kind});
      }
  }
  return out;
}

std::shared_ptr<const Obstacle> draw_obstacle(const ObstaclePlugin& plugin, Random& random) {
  for (;;) {
    Values values = plugin.example;
    for (auto& drawn : draw_numbers(plugin.params, random)) values.push_back(std::move(drawn));
    for (const Param& p : plugin.params.list())
      if (p.type == Param::Type::vector3)
        values.emplace_back(p.name, Value::List{random.normal(), random.normal(), random.normal()});
    try {
      return plugin.make(plugin.params.read(Value(values)));
    } catch (const InputError&) {  // numbers that do not go together: others
    }
  }
}

void draw_inside(const Obstacle& obstacle, Random& random, double* x) {
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < 3; ++k) x[k] = random.normal();
    if (obstacle.distance({x[0], x[1], x[2]}) < 0) return;
  }
}

bool smooth_at(const Obstacle& obstacle, const double* x, double step) {
  alignas(64) double at[3 * lanes];  // x in lane 6 and 7, its neighbours in the others
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < 3; ++k) at[k * lanes + l] = x[k] + (l / 2 == k ? (l % 2 == 0 ? 10 : -10) * step : 0);
  Distances out;
  obstacle.measure(at, 1, out);
  for (int l = 0; l < 6; ++l) {
    double squares = 0;
    for (const Pack& n : out.normal) squares += (n[l] - n[6]) * (n[l] - n[6]);
    if (!(squares < 1e-6) || (out.value[l] < 0) != (out.value[6] < 0)) return false;
  }
  return true;
}

const char* name(Stretching kind) {
  switch (kind) {
    case Stretching::upright: return "distinct stretches";
    case Stretching::inverted: return "inverted";
    case Stretching::two_equal: return "two equal";
    case Stretching::all_equal: return "all equal";
    case Stretching::flat: return "rank 2";
    case Stretching::line: return "rank 1";
    case Stretching::point: return "rank 0";
    case Stretching::opposite: return "s_i + s_j small";
  }
  return "";
}

bool on_the_kink(Stretching kind) {
  return kind == Stretching::line || kind == Stretching::point || kind == Stretching::opposite;
}

void draw_matrix(Stretching kind, double low, double high, Random& random, double z[9]) {
  double s[3];
  do {
    for (double& x : s) x = random.uniform(low, high);
  } while (std::abs(s[0] - s[1]) < 0.02 || std::abs(s[0] - s[2]) < 0.02 || std::abs(s[1] - s[2]) < 0.02);
  if (s[1] > s[0])
    std::swap(s[0], s[1]);  // the sign of det z sits on the smallest: opposite pairs must be the small ones
  const double nearly[4] = {0, 1e-9, 1e-6, 1e-4};
  switch (kind) {
    case Stretching::upright: break;
    case Stretching::inverted: s[2] *= -1; break;
    case Stretching::two_equal: s[1] = s[0]; break;
    case Stretching::all_equal: s[1] = s[2] = s[0]; break;
    case Stretching::flat: s[2] = 0; break;
    case Stretching::line: s[1] = s[2] = 0; break;
    case Stretching::point: s[0] = s[1] = s[2] = 0; break;
    case Stretching::opposite: s[2] = -s[1] + nearly[random.bits() % 4]; break;
  }
  double u[9], v[9];
  random.rotation(u), random.rotation(v);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      z[3 * r + c] =
          u[3 * r] * s[0] * v[3 * c] + u[3 * r + 1] * s[1] * v[3 * c + 1] + u[3 * r + 2] * s[2] * v[3 * c + 2];
}

}  // namespace resilin::setup
