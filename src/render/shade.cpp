#include "render/shade.h"

#include <algorithm>
#include <limits>

#include "render/colours.h"

namespace resilin::draw {
namespace {

constexpr int sun_map_size = 1024;
constexpr float softness = 0.02f;  // radius of the sun's penumbra
const F3 obstacle_colour = {0.36f, 0.35f, 0.34f};
const F3 sun_light = {1.50f, 1.43f, 1.33f}, sky_light = {0.74f, 0.78f, 0.84f}, bounce_light = {0.34f, 0.33f, 0.32f};

// Points of the triangle in the order of its corners, for the ray through a pixel (Moeller and Trumbore).
void barycentric(F3 a, F3 b, F3 c, F3 eye, F3 ray, float weights[3]) {
  const F3 e1 = b - a, e2 = c - a, p = cross(ray, e2), s = eye - a, q = cross(s, e1);
  const float det = dot(e1, p);
  const float inverse = std::abs(det) > std::numeric_limits<float>::min() ? 1 / det : 0;
  // The pixel's centre may lie a little outside when only some of its samples hit.
  const float u = clamp01(dot(s, p) * inverse), v = clamp01(std::min(dot(ray, q) * inverse, 1 - u));
  weights[0] = 1 - u - v, weights[1] = u, weights[2] = v;
}

F3 sun_direction(const Camera& camera, F3 up) {
  const F3 back = camera.backward();
  const F3 level = normalised(back - dot(back, up) * up);
  return normalised(1.15f * up - 0.62f * camera.right() + 0.45f * level);
}

}  // namespace

double grid_spacing(double radius) {
  const double wanted = radius / 2.5, power = std::pow(10, std::floor(std::log10(wanted)));
  const double digit = wanted / power;
  return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

Shader::Shader(const Drawing& drawing, const Camera& camera, const Ground& ground, const RenderOptions& options,
               int width, int height, ThreadPool& pool)
    : drawing_(drawing),
      camera_(camera),
      ground_(ground),
      options_(options),
      width_(static_cast<float>(width)),
      height_(static_cast<float>(height)),
      towards_sun_(sun_direction(camera, ground.up)),
      sun_(drawing, towards_sun_, sun_map_size),
      sky_(make_sky(drawing, ground, pool)) {}

F3 Shader::background(float x, float y) const {
  static const F3 top = linear({205, 218, 233}), bottom = linear({246, 247, 249});
  const float t = y / height_, dx = x / width_ - 0.5f;
  return mix(top, bottom, smoothstep(-0.15f, 0.85f, t - 0.25f * dx * dx));
}

float Shader::ground_depth(float x, float y) const {
  if (!ground_.exists) return 0;
  const float fall = dot(camera_.ray(x, y), ground_.up), above = dot(camera_.eye(), ground_.up) - ground_.height;
  return above > 0 && fall < -1e-6f ? -fall / above : 0;
}

// Lines of the grid, as wide as a pixel or so, paler where they would merge.
float Shader::grid_ink(float along, float across, float distance, float slant) const {
  const float pixel = distance / camera_.focal();
  const auto line = [&](float s, float width) {
    const float off = std::abs(s / ground_.grid - std::round(s / ground_.grid)) * ground_.grid;
    return clamp01((width * 0.9f - off) / width + 0.5f) * clamp01(ground_.grid / (8 * width));
  };
  const float width = std::max(pixel, 0.6f * pixel / std::max(slant, 0.05f));
  return std::max(line(along - ground_.grid_along, width), line(across - ground_.grid_across, width));
}

F3 Shader::open(float x, float y) const {
  static const F3 floor = linear({236, 236, 238});
  const F3 behind = background(x, y);
  const float depth = ground_depth(x, y);
  if (depth <= 0) return behind;
  const F3 ray = camera_.ray(x, y), point = camera_.eye() + (1 / depth) * ray;
  const float along = dot(point, ground_.along), across = dot(point, ground_.across);
  const float away = std::hypot(along, across), presence = 1 - smoothstep(1.6f, 4.2f, away);
  if (presence <= 0) return behind;
  const float sun = sun_.lit_softly(point, ground_.up, sun_.texel(), softness), sky = sky_.at_ground(along, across);
  const float slant = -dot(ray, ground_.up) / length(ray);
  const float ink = 1 - 0.13f * presence * grid_ink(along, across, 1 / depth, slant);
  const float light = ink * (0.5f * sun + 0.5f * sky);
  // Shadows are a little blue: what is left is the sky's light.
  const F3 colour = {floor.x * light, floor.y * (light + 0.012f * (1 - sun)),
                     floor.z * (light + 0.03f * (1 - sun))};
  return mix(behind, colour, presence);
}

float Shader::edge_ink(std::size_t t, const float weights[3]) const {
  if (!options_.edges || drawing_.has_edges[drawing_.body[t]] == 0) return 0;
  ScreenPoint p[3];
  for (std::size_t k = 0; k < 3; ++k)
    p[k] = camera_.project(drawing_.corners[drawing_.triangles[3 * t + k]].position);
  const float area = std::abs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y));
  float ink = 0;
  float sum = 0, flat[3];  // weights on the screen
  for (int k = 0; k < 3; ++k) sum += flat[k] = weights[k] * (1 / std::max(p[k].depth, 1e-9f));
  for (int k = 0; k < 3; ++k) {
    const ScreenPoint &a = p[(k + 1) % 3], &b = p[(k + 2) % 3];
    const float height = area / std::max(1e-6f, std::hypot(a.x - b.x, a.y - b.y));
    const float distance = (1 - flat[k] / sum >= 0 ? flat[k] / sum : 0) * height;
    ink = std::max(ink, clamp01(1.1f - distance) * clamp01(height / 5));
  }
  return ink;
}

F3 Shader::surface(std::size_t t, float x, float y) const {
  const Corner* corner[3];
  std::size_t ids[3];
  for (std::size_t k = 0; k < 3; ++k) {
    ids[k] = static_cast<std::size_t>(drawing_.triangles[3 * t + k]);
    corner[k] = &drawing_.corners[ids[k]];
  }
  const auto body = static_cast<std::size_t>(drawing_.body[t]);
  const F3 ray = camera_.ray(x, y);
  float w[3];
  barycentric(corner[0]->position, corner[1]->position, corner[2]->position, camera_.eye(), ray, w);
  F3 point, n;
  float value = 0;
  for (int k = 0; k < 3; ++k)
    point += w[k] * corner[k]->position, n += w[k] * corner[k]->normal, value += w[k] * corner[k]->value;
  const F3 view = normalised(-1.f * ray);
  n = normalised(n);
  const F3 flat = cross(corner[1]->position - corner[0]->position, corner[2]->position - corner[0]->position);
  const bool behind = dot(flat, view) < 0;
  if (behind) n = -1.f * n;
  const std::vector<float>& occlusion = behind ? sky_.back : sky_.front;
  float open_sky = 0;
  for (int k = 0; k < 3; ++k) open_sky += w[k] * occlusion[ids[k]];

  F3 albedo = drawing_.obstacle[body] != 0        ? obstacle_colour
              : options_.colouring.values.empty() ? body_colour(body)
                                                  : map_colour(value);
  if (behind && drawing_.two_sided[body] != 0 && options_.colouring.values.empty())
    albedo = mix(albedo, {0.6f, 0.6f, 0.6f}, 0.45f);
  const float cosine = dot(n, towards_sun_), offset = 2.5f * sun_.texel();
  const float lit = cosine > 0 ? sun_.lit_softly(point + offset * n, n, offset, 0.6f * softness) : 0;
  const float bounce = 0.5f - 0.5f * dot(n, ground_.up);
  F3 light = std::max(cosine, 0.f) * lit * sun_light + open_sky * sky_light + bounce * bounce_light;
  if (drawing_.two_sided[body] != 0 && cosine < 0)
    light += 0.34f * -cosine * sun_light;  // cloth lets some light through
  const F3 half = normalised(view + towards_sun_);
  const float shine = lit * std::pow(std::max(0.f, dot(n, half)), 38.f) * 0.16f;
  const float rim = std::pow(1 - std::max(0.f, dot(n, view)), 4.f) * 0.16f * open_sky;
  const F3 colour = 0.74f * (albedo * light) + F3{shine, shine, shine} + rim * sky_light;
  return (1 - 0.45f * edge_ink(t, w)) * colour;
}

}  // namespace resilin::draw
