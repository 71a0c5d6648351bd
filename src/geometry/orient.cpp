#include "geometry/orient.h"

#include <algorithm>
#include <numeric>

#include "geometry/triangle_bvh.h"

namespace resilin {
namespace {

// The smallest id of the vertices at the same place.
std::vector<int> welded(const TriangleMesh& mesh) {
  std::vector<int> order(static_cast<std::size_t>(mesh.vertex_count())), first(order.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int v) { return vertex_at(mesh.vertices, v); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return at(a) != at(b) ? at(a) < at(b) : a < b; });
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && at(order[i]) == at(order[i - 1]) ? first[order[i - 1]] : order[i];
  return first;
}

struct Side {  // of a triangle, from vertex `low` to `high` or backwards
  int low, high, triangle;
  bool forward;
};

struct Neighbour {
  int triangle;
  bool agrees;  // passes along the common edge in the other direction, as an oriented surface does
};

std::vector<std::vector<Neighbour>> neighbours(const TriangleMesh& mesh) {
  const std::vector<int> id = welded(mesh);
  std::vector<Side> sides;
  for (int t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = id[mesh.triangles[3 * t + k]], b = id[mesh.triangles[3 * t + (k + 1) % 3]];
      if (a != b) sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  const auto key = [](const Side& s) { return std::array{s.low, s.high, s.triangle}; };
  std::sort(sides.begin(), sides.end(), [&](const Side& a, const Side& b) { return key(a) < key(b); });
  std::vector<std::vector<Neighbour>> out(static_cast<std::size_t>(mesh.triangle_count()));
  for (std::size_t i = 0, end; i < sides.size(); i = end) {
    end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
    if (end != i + 2) continue;  // a border, or an edge of several sheets
    const bool agrees = sides[i].forward != sides[i + 1].forward;
    out[sides[i].triangle].push_back({sides[i + 1].triangle, agrees});
    out[sides[i + 1].triangle].push_back({sides[i].triangle, agrees});
  }
  return out;
}

// Spreads the orientation of each part's first triangle over the part.
SurfaceParts spread(const TriangleMesh& mesh, std::vector<char>& turned) {
  const auto beside = neighbours(mesh);
  SurfaceParts parts;
  parts.of_triangle.assign(beside.size(), -1);
  std::vector<int> queue;
  for (int seed = 0; seed < mesh.triangle_count(); ++seed) {
    if (parts.of_triangle[seed] >= 0) continue;
    parts.of_triangle[seed] = parts.count;
    queue.assign(1, seed);
    while (!queue.empty()) {
      const int t = queue.back();
      queue.pop_back();
      for (const auto& [next, agrees] : beside[t]) {
        if (parts.of_triangle[next] >= 0) continue;
        parts.of_triangle[next] = parts.count;
        turned[next] = agrees ? turned[t] : !turned[t];
        queue.push_back(next);
      }
    }
    ++parts.count;
  }
  return parts;
}

// A part that mostly closes around a volume can be asked for its sign; a sheet cannot.
struct Balance {
  Vec3 centre{}, vector{};
  double area = 0, volume = 0;
  bool inside_out() const { return volume < 0 && norm(vector) < 0.5 * area; }
};

void turn(TriangleMesh& mesh, int t) { std::swap(mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]); }

std::vector<Balance> weigh(const TriangleMesh& mesh, const SurfaceParts& parts) {
  std::vector<Balance> out(static_cast<std::size_t>(parts.count));
  const auto each = [&](auto&& visit) {
    for (int t = 0; t < mesh.triangle_count(); ++t) {
      const auto [a, b, c] = corners(mesh, t);
      visit(out[parts.of_triangle[t]], a, b, c, 0.5 * cross(b - a, c - a));
    }
  };
  each([](Balance& part, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& vector) {
    part.area += norm(vector);
    part.vector = part.vector + vector;
    part.centre = part.centre + norm(vector) / 3 * (a + b + c);
  });
  for (Balance& part : out)
    if (part.area > 0) part.centre = (1 / part.area) * part.centre;
  each([](Balance& part, const Vec3& a, const Vec3&, const Vec3&, const Vec3& vector) {
    part.volume += dot(a - part.centre, vector) / 3;
  });
  return out;
}

// Inside of what the other parts enclose, an inward part bounds a cavity. All parts are asked when they face
// outward, at a point just outside of the largest triangle of each, where the part itself does not count.
std::vector<char> cavities(TriangleMesh mesh, const SurfaceParts& parts, const std::vector<Balance>& balance) {
  std::vector<int> largest(balance.size(), -1);
  std::vector<double> area(balance.size(), 0.0);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int part = parts.of_triangle[t];
    if (balance[part].inside_out()) turn(mesh, t);
    const auto [a, b, c] = corners(mesh, t);
    const double one = norm(cross(b - a, c - a));
    if (one > area[part]) area[part] = one, largest[part] = t;
  }
  std::vector<char> out(balance.size(), 0);
  if (std::none_of(balance.begin(), balance.end(), [](const Balance& b) { return b.inside_out(); })) return out;
  const TriangleBvh bvh(mesh);
  for (std::size_t part = 0; part < out.size(); ++part) {
    if (!balance[part].inside_out()) continue;
    const auto [a, b, c] = corners(mesh, largest[part]);
    const Vec3 normal = cross(b - a, c - a);
    out[part] = bvh.winding((1.0 / 3) * (a + b + c) + 1e-3 / std::sqrt(norm(normal)) * normal) > 0.5;
  }
  return out;
}

double volume_about_middle(const TriangleMesh& mesh) {
  const Bounds box = bounds(mesh.vertices);
  const Vec3 middle = 0.5 * (box.lower + box.upper);
  double sum = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = corners(mesh, t);
    sum += dot(a - middle, cross(b - a, c - a)) / 6;
  }
  return sum;
}

}  // namespace

int orient_outward(TriangleMesh& mesh, SurfaceParts& parts) {
  const std::vector<int> before = mesh.triangles;
  std::vector<char> turned(static_cast<std::size_t>(mesh.triangle_count()), 0);
  parts = spread(mesh, turned);
  for (int t = 0; t < mesh.triangle_count(); ++t)
    if (turned[t]) turn(mesh, t);
  if (volume_about_middle(mesh) < 0)
    for (int t = 0; t < mesh.triangle_count(); ++t) turn(mesh, t);
  const std::vector<Balance> balance = weigh(mesh, parts);
  const std::vector<char> cavity = cavities(mesh, parts, balance);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int part = parts.of_triangle[t];
    if (balance[part].inside_out() && !cavity[part]) turn(mesh, t);
  }
  int count = 0;
  for (std::size_t i = 0; i < before.size(); i += 3) count += before[i + 1] != mesh.triangles[i + 1] ? 1 : 0;
  return count;
}

}  // namespace resilin
