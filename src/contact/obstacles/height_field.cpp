// Terrain: heights on a grid, as the block of ground below them. Between grid points it is flat, triangle by
// triangle.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "contact/obstacles/mesh_region.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

struct Heights {
  int columns = 0, rows = 0;   // grid points
  std::vector<double> values;  // row by row, the farthest first: as on a map
};

// The same number in [0, 1) for the same place, whatever the machine.
double random_at(std::int64_t column, std::int64_t row, std::uint64_t seed) {
  std::uint64_t h = seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(column) * 0xc2b2ae3d27d4eb4fu +
                    static_cast<std::uint64_t>(row) * 0x165667b19e3779f9u;
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return static_cast<double>((h ^ (h >> 33)) >> 11) * 0x1p-53;
}

// Random numbers at whole places, blended smoothly in between.
double noise(double u, double v, std::uint64_t seed) {
  const double column = std::floor(u), row = std::floor(v);
  const auto smooth = [](double t) { return t * t * t * (t * (6 * t - 15) + 10); };
  const double a = smooth(u - column), b = smooth(v - row);
  const auto at = [&](int i, int j) {
    return random_at(static_cast<std::int64_t>(column) + i, static_cast<std::int64_t>(row) + j, seed);
  };
  return (at(0, 0) * (1 - a) + at(1, 0) * a) * (1 - b) + (at(0, 1) * (1 - a) + at(1, 1) * a) * b;
}

Heights hills(const Settings& s, const std::vector<double>& size) {
  const double spacing = std::max(size[0], size[1]) / s.integer("cells"), wave = s.number("wavelength");
  Heights out;
  out.columns = std::max(1, static_cast<int>(std::round(size[0] / spacing))) + 1;
  out.rows = std::max(1, static_cast<int>(std::round(size[1] / spacing))) + 1;
  const auto seed = static_cast<std::uint64_t>(s.integer("seed"));
  for (int j = 0; j < out.rows; ++j)
    for (int i = 0; i < out.columns; ++i) {
      const double u = size[0] * i / (out.columns - 1) / wave, v = size[1] * j / (out.rows - 1) / wave;
      double sum = 0;
      for (int octave = 0; octave < 3; ++octave)
        sum += std::ldexp(noise(std::ldexp(u, octave), std::ldexp(v, octave), seed + octave), -octave);
      out.values.push_back(s.number("height") * sum / 1.75);
    }
  return out;
}

Heights stated(const Value& value) {
  if (value.is_text()) value.fail("only a scene reads files: give a list of rows");
  Heights out;
  for (const Value& row : value.list()) {
    const std::vector<double> numbers = row.numbers();
    if (out.rows++ == 0) out.columns = static_cast<int>(numbers.size());
    if (static_cast<int>(numbers.size()) != out.columns)
      row.fail("has " + std::to_string(numbers.size()) + " heights where the first row has " +
               std::to_string(out.columns));
    out.values.insert(out.values.end(), numbers.begin(), numbers.end());
  }
  if (out.rows < 2 || out.columns < 2) value.fail("at least two rows of two heights are wanted");
  if (!std::all_of(out.values.begin(), out.values.end(), [](double h) { return std::isfinite(h); }))
    value.fail("a height is not finite");
  return out;
}

// Across, away and up on a map -> xyz with that axis up.
Vec3 placed(const Vec3& map, const std::string& up) {
  if (up == "x") return {map[2], map[0], map[1]};
  if (up == "y") return {map[0], map[2], -map[1]};
  return map;
}

// Closed by walls and a bottom, a quarter as deep as it is wide.
TriangleMesh block(const Heights& heights, const std::vector<double>& size, const std::string& up) {
  TriangleMesh out;
  const int columns = heights.columns, rows = heights.rows;
  const double bottom =
      *std::min_element(heights.values.begin(), heights.values.end()) - 0.25 * std::min(size[0], size[1]);
  const auto add = [&](double i, double j, double height) {
    const Vec3 p = placed({size[0] * (i / (columns - 1) - 0.5), size[1] * (0.5 - j / (rows - 1)), height}, up);
    out.vertices.insert(out.vertices.end(), p.begin(), p.end());
    return out.vertex_count() - 1;
  };
  const auto triangle = [&](int a, int b, int c) { out.triangles.insert(out.triangles.end(), {a, b, c}); };
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) add(i, j, heights.values[j * columns + i]);
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
      if ((i + j) % 2 == 0) triangle(c, d, a), triangle(d, b, a);
      else triangle(c, d, b), triangle(c, b, a);
    }
  std::vector<int> rim, below;  // counter-clockwise from above
  for (int i = 0; i + 1 < columns; ++i) rim.push_back((rows - 1) * columns + i);
  for (int j = rows - 1; j > 0; --j) rim.push_back(j * columns + columns - 1);
  for (int i = columns - 1; i > 0; --i) rim.push_back(i);
  for (int j = 0; j + 1 < rows; ++j) rim.push_back(j * columns);
  for (const int v : rim) below.push_back(add(v % columns, v / columns, bottom));
  const int middle = add(0.5 * (columns - 1), 0.5 * (rows - 1), bottom);
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const std::size_t next = (i + 1) % rim.size();
    triangle(below[i], below[next], rim[i]), triangle(below[next], rim[next], rim[i]);
    triangle(below[next], below[i], middle);
  }
  return out;
}

}  // namespace

ObstaclePlugin obstacle_height_field() {
  ObstaclePlugin plugin;
  plugin.doc = "Terrain: a block of ground with heights on a grid, around its origin.";
  plugin.params = {
      numbers("size", "m", {2, 2}, positive(), "extents across and away, as on a map"),
      any("heights",
          "heights in metres: a list of rows, the farthest first; or a picture (.pgm, path relative to the scene), "
          "whose white is as high as height; default: hills"),
      number("height", "m", 0.2, positive(), "height of the highest possible hill, and of white in a picture"),
      number("wavelength", "m", 0.7, positive(), "distance between hills"),
      integer("cells", 32, between(1, 2000), "cells of the grid of hills along the longer side"),
      integer("seed", 1, between(0, 2147483647), "seed of the hills; equal seeds give equal hills"),
      choice("up", {"y", "x", "z"}, "axis that points up; default: that of the scene")};
  plugin.params.add(contact_params());
  plugin.make = [](const Settings& s) {
    const std::vector<double> size = s.numbers("size");
    if (size.size() != 2) s.value("size").fail("two lengths are wanted: across and away");
    const Heights heights = s.has("heights") ? stated(s.value("heights")) : hills(s, size);
    return std::make_shared<MeshRegion>("height_field", block(heights, size, s.text("up")));
  };
  plugin.example = {{"cells", 8}};
  return plugin;
}

}  // namespace resilin
