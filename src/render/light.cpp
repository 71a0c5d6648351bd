#include "render/light.h"

#include <algorithm>
#include <array>
#include <limits>

#include "render/raster.h"

namespace resilin::draw {
namespace {

constexpr int sky_directions = 64, sky_map_size = 160, chunks = 8;

// Evenly over the upper half of the sphere (golden-angle spiral), from a little above the horizon.
F3 sky_direction(int i, const Ground& g) {
  const float z = 0.06f + 0.94f * (static_cast<float>(i) + 0.5f) / sky_directions, r = std::sqrt(1 - z * z);
  const float angle = 2.3999632f * static_cast<float>(i);
  return r * std::cos(angle) * g.along + r * std::sin(angle) * g.across + z * g.up;
}

void add_direction(const Drawing& drawing, const Ground& ground, F3 d, Sky& sum) {
  const ShadowMap map(drawing, d, sky_map_size);
  const float bias = 1.5f * map.texel();
  for (std::size_t c = 0; c < drawing.corners.size(); ++c) {
    const float cosine = dot(drawing.corners[c].normal, d);
    if (cosine == 0) continue;
    // Off the surface, on the side that the light comes from.
    const F3 point = drawing.corners[c].position + (cosine > 0 ? bias : -bias) * drawing.corners[c].normal;
    (cosine > 0 ? sum.front : sum.back)[c] += std::abs(cosine) * map.lit(point, bias);
  }
  const float cosine = dot(ground.up, d), cell = 2 * sum.extent / static_cast<float>(sum.cells);
  for (int y = 0; y < sum.cells && ground.exists; ++y)
    for (int x = 0; x < sum.cells; ++x) {
      const F3 point = ground.point(-sum.extent + (static_cast<float>(x) + 0.5f) * cell,
                                    -sum.extent + (static_cast<float>(y) + 0.5f) * cell);
      sum.ground[y * sum.cells + x] += cosine * map.lit(point, 0.5f * map.texel());
    }
}

}  // namespace

ShadowMap::ShadowMap(const Drawing& drawing, F3 towards_light, int size)
    : u_(perpendicular(towards_light)), v_(cross(towards_light, u_)), w_(towards_light), size_(size) {
  constexpr float far = std::numeric_limits<float>::max();
  heights_.assign(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), -far);
  if (drawing.corners.empty()) return;
  float right = -far, high = -far;
  left_ = low_ = far;
  for (const Corner& c : drawing.corners) {
    const float x = dot(u_, c.position), y = dot(v_, c.position);
    left_ = std::min(left_, x), right = std::max(right, x);
    low_ = std::min(low_, y), high = std::max(high, y);
  }
  const float extent = std::max({right - left_, high - low_, 1e-6f}) * 1.02f;
  left_ = (left_ + right - extent) / 2, low_ = (low_ + high - extent) / 2;
  scale_ = static_cast<float>(size) / extent;
  std::vector<ScreenPoint> points(drawing.corners.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const F3 p = drawing.corners[i].position;
    points[i] = {(dot(u_, p) - left_) * scale_, (dot(v_, p) - low_) * scale_, dot(w_, p)};
  }
  for (std::size_t t = 0; t < drawing.triangles.size(); t += 3) {
    const auto corner = [&](std::size_t k) { return points[drawing.triangles[t + k]]; };
    const ScreenPoint a = corner(0), b = corner(1), c = corner(2);
    const bool away = (b.x - a.x) * (c.y - a.y) < (c.x - a.x) * (b.y - a.y);
    if (away && drawing.closed[drawing.body[t / 3]] != 0) continue;
    raster(a, b, c, size, 0, size, [&](int x, int y, float depth) {
      float& held =
          heights_[static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(x)];
      held = std::max(held, depth);
    });
  }
}

float ShadowMap::lit_at(float x, float y, float height) const {
  const float px = std::clamp(x, -4.f, static_cast<float>(size_) + 4) - 0.5f,
              py = std::clamp(y, -4.f, static_cast<float>(size_) + 4) - 0.5f;
  const int i = static_cast<int>(std::floor(px)), j = static_cast<int>(std::floor(py));
  const float fx = px - static_cast<float>(i), fy = py - static_cast<float>(j);
  return (1 - fy) * ((1 - fx) * compare(i, j, height) + fx * compare(i + 1, j, height)) +
         fy * ((1 - fx) * compare(i, j + 1, height) + fx * compare(i + 1, j + 1, height));
}

float ShadowMap::lit(F3 p, float bias) const {
  return lit_at((dot(u_, p) - left_) * scale_, (dot(v_, p) - low_) * scale_, dot(w_, p) + bias);
}

float ShadowMap::lit_softly(F3 p, F3 normal, float bias, float radius) const {
  constexpr std::size_t samples = 40, outer = 8;
  static const auto disk = [] {  // the first few on the rim: when they agree, the rest need not be asked
    std::array<std::array<float, 2>, samples> d{};
    for (std::size_t i = 0; i < samples; ++i) {
      const float r = i < outer ? 1 : std::sqrt((static_cast<float>(i - outer) + 0.5f) / (samples - outer));
      const float angle = i < outer ? 0.7853982f * static_cast<float>(i) : 2.3999632f * static_cast<float>(i);
      d[i] = {r * std::cos(angle), r * std::sin(angle)};
    }
    return d;
  }();
  const float x = (dot(u_, p) - left_) * scale_, y = (dot(v_, p) - low_) * scale_, height = dot(w_, p) + bias;
  const float reach = radius * scale_, size = static_cast<float>(size_);
  if (x < -reach || y < -reach || x > size + reach || y > size + reach) return 1;
  // The plane's own slope, so that it does not shade itself.
  const float slope = radius / std::max(dot(normal, w_), 0.12f), su = -slope * dot(normal, u_),
              sv = -slope * dot(normal, v_);
  float sum = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const auto [dx, dy] = disk[i];
    sum += lit_at(x + reach * dx, y + reach * dy, height + su * dx + sv * dy);
    if (i + 1 == outer && (sum == 0 || sum == static_cast<float>(outer))) return sum / outer;
  }
  return sum / samples;
}

float Sky::at_ground(float x, float y) const {
  const float scale = static_cast<float>(cells) / (2 * extent);
  const float px = (x + extent) * scale - 0.5f, py = (y + extent) * scale - 0.5f;
  if (!(px >= 0 && py >= 0 && px < static_cast<float>(cells - 1) && py < static_cast<float>(cells - 1))) return 1;
  const int i = static_cast<int>(px), j = static_cast<int>(py);
  const float fx = px - static_cast<float>(i), fy = py - static_cast<float>(j);
  const auto cell = [&](int a, int b) { return ground[b * cells + a]; };
  return (1 - fy) * ((1 - fx) * cell(i, j) + fx * cell(i + 1, j)) +
         fy * ((1 - fx) * cell(i, j + 1) + fx * cell(i + 1, j + 1));
}

// Sums of fixed chunks of directions, added in order: the same bits for every number of threads.
Sky make_sky(const Drawing& drawing, const Ground& ground, ThreadPool& pool) {
  Sky sky;
  sky.cells = 176;
  sky.extent = 2.6f;
  sky.front.assign(drawing.corners.size(), 0), sky.back = sky.front;
  sky.ground.assign(static_cast<std::size_t>(sky.cells * sky.cells), 0);
  std::vector<Sky> parts(chunks, sky);
  pool.parallel(chunks, [&](int part) {
    for (int i = part; i < sky_directions; i += chunks)
      add_direction(drawing, ground, sky_direction(i, ground), parts[part]);
  });
  float total = 0;
  for (int i = 0; i < sky_directions; ++i) total += dot(ground.up, sky_direction(i, ground));
  const auto add = [total](std::vector<float>& to, const std::vector<float>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i] / total;
  };
  for (const Sky& part : parts) add(sky.front, part.front), add(sky.back, part.back), add(sky.ground, part.ground);
  return sky;
}

}  // namespace resilin::draw
