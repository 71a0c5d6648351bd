// Balls that melt together: f(p) = -b log sum_i exp(-d_i(p) / b), d_i = |p - c_i| - r_i, a smooth minimum of
// the distances.
#include <algorithm>
#include <limits>

#include "geometry/shapes/shape_support.h"
#include "geometry/vec3.h"

namespace resilin {

namespace {

double smooth_union(const MetaballsOptions& options, const Vec3& p, std::vector<double>& d) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < options.balls.size(); ++i) {
    d[i] = norm(p - options.balls[i].center) - options.balls[i].radius;
    nearest = std::min(nearest, d[i]);
  }
  if (options.blend == 0) return nearest;
  double sum = 0;  // relative to the nearest, so that nothing overflows
  for (double di : d) sum += std::exp(-(di - nearest) / options.blend);
  return nearest - options.blend * std::log(sum);
}

Ball read_ball(const Value& value) {
  Ball ball;
  if (value.is_object()) {
    value.only_keys({"center", "radius"});
    const Value *center = value.find("center"), *radius = value.find("radius");
    if (!center || !radius) value.fail("a ball needs center and radius");
    ball = {center->vector3(), radius->number()};
  } else {
    const std::vector<double> n = value.numbers();
    if (n.size() != 4) value.fail("a ball is [x, y, z, radius] or {\"center\": [x, y, z], \"radius\": r}");
    ball = {{n[0], n[1], n[2]}, n[3]};
  }
  if (!(ball.radius > 0)) value.fail("radius " + std::to_string(ball.radius) + " must be positive");
  return ball;
}

}  // namespace

TetMesh metaballs(const MetaballsOptions& options) {
  if (options.balls.empty()) throw InputError("balls", "the list is empty; at least one ball is needed");
  if (!(options.blend >= 0) || !std::isfinite(options.blend))
    throw InputError("blend", std::to_string(options.blend) + " must be finite and not negative");
  // n balls at one place swell by blend log n: that is the most the union can reach beyond the balls.
  const double swell = options.blend * std::log(static_cast<double>(options.balls.size()));
  Bounds region = bounds({});
  for (std::size_t i = 0; i < options.balls.size(); ++i) {
    const std::string field = "balls[" + std::to_string(i) + "]";
    require_positive(options.balls[i].radius, (field + ".radius").c_str());
    require_finite(options.balls[i].center, (field + ".center").c_str());
    for (int a = 0; a < 3; ++a) {
      const double reach = options.balls[i].radius + swell, at = options.balls[i].center[a];
      region.lower[a] = std::min(region.lower[a], at - reach);
      region.upper[a] = std::max(region.upper[a], at + reach);
    }
  }
  std::vector<double> distances(options.balls.size());
  return fill_solid(
      [&](const double* p) {
        return smooth_union(options, {p[0], p[1], p[2]}, distances);
      },
      region, options.spacing);
}

std::vector<Ball> creature_balls() {
  std::vector<Ball> balls = {{{-0.25, 0, 0.42}, 0.17}, {{0, 0, 0.44}, 0.16},     {{0.22, 0, 0.44}, 0.16},
                             {{0.40, 0, 0.58}, 0.09},  {{0.52, 0, 0.68}, 0.13},  {{0.64, 0, 0.65}, 0.08},
                             {{-0.44, 0, 0.46}, 0.07}, {{-0.53, 0, 0.54}, 0.06}, {{-0.58, 0, 0.64}, 0.05}};
  for (double x : {-0.26, 0.24})
    for (double y : {-0.13, 0.13})
      for (const auto& [z, r] : {std::pair{0.30, 0.09}, {0.19, 0.075}, {0.08, 0.08}})
        balls.push_back({{x, y, z}, r});
  for (double y : {-0.09, 0.09}) balls.push_back({{0.47, y, 0.80}, 0.055});
  return balls;
}

ShapePlugin shape_metaballs() {
  return {"A smooth union of balls, meshed by isosurface stuffing. Without balls it is a four-legged creature.",
          {optional(any("balls", "list of [x, y, z, radius] or {center, radius}, in metres")),
           number("blend", "m", 0.03, at_least(0), "width of the blend between neighbouring balls"),
           number("spacing", "m", 0.05, positive(), "edge length of the lattice; tets have about this size")},
          [](const Settings& s) {
            MetaballsOptions options;
            options.blend = s.number("blend");
            options.spacing = s.number("spacing");
            if (!s.has("balls")) options.balls = creature_balls();
            else
              for (const Value& ball : s.value("balls").list()) options.balls.push_back(read_ball(ball));
            return located(s, [&] { return metaballs(options); });
          }};
}

}  // namespace resilin
