#include "render/colours.h"

#include <algorithm>
#include <vector>

namespace resilin::draw {
namespace {

float to_linear(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }
float to_srgb(float l) { return l <= 0.0031308f ? 12.92f * l : 1.055f * std::pow(l, 1 / 2.4f) - 0.055f; }

constexpr std::array<int, 3> palette[] = {{74, 134, 201},  {226, 108, 78}, {58, 166, 140},  {232, 184, 84},
                                          {139, 108, 190}, {98, 182, 208}, {214, 112, 150}, {128, 150, 86}};

// Nine points of matplotlib's viridis (CC0).
constexpr std::array<int, 3> viridis[] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                                          {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                                          {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};

}  // namespace

F3 linear(std::array<int, 3> c) {
  const auto one = [](int v) { return to_linear(static_cast<float>(v) / 255); };
  return {one(c[0]), one(c[1]), one(c[2])};
}

std::array<std::uint8_t, 3> srgb(F3 light) {
  constexpr int steps = 8192;
  static const std::vector<std::uint8_t> table = [] {
    std::vector<std::uint8_t> t(steps + 1);
    for (int i = 0; i <= steps; ++i)
      t[static_cast<std::size_t>(i)] =
          static_cast<std::uint8_t>(255 * to_srgb(static_cast<float>(i) / steps) + 0.5f);
    return t;
  }();
  const auto one = [](float l) { return table[static_cast<std::size_t>(clamp01(l) * steps + 0.5f)]; };
  return {one(light.x), one(light.y), one(light.z)};
}

F3 body_colour(std::size_t i) { return linear(palette[i % std::size(palette)]); }

F3 map_colour(float t) {
  static const std::vector<F3> table = [] {  // interpolated in sRGB, where its steps look even
    std::vector<F3> out;
    for (int i = 0; i <= 256; ++i) {
      const float at = static_cast<float>(i) / 256 * (std::size(viridis) - 1);
      const std::size_t k = std::min<std::size_t>(static_cast<std::size_t>(at), std::size(viridis) - 2);
      const float f = at - static_cast<float>(k);
      std::array<float, 3> c{};
      for (std::size_t j = 0; j < 3; ++j)
        c[j] = to_linear((static_cast<float>(viridis[k][j]) * (1 - f) + static_cast<float>(viridis[k + 1][j]) * f) /
                         255);
      out.push_back({c[0], c[1], c[2]});
    }
    return out;
  }();
  return table[static_cast<std::size_t>(clamp01(t) * 256 + 0.5f)];
}

}  // namespace resilin::draw
