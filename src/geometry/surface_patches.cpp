#include "geometry/surface_patches.h"

#include <algorithm>
#include <array>
#include <limits>

#include "geometry/box_tree.h"
#include "geometry/vec3.h"

namespace resilin {

namespace {

/// Across each of its three edges: the only other triangle, and whether it faces the same side.
struct Neighbour {
  int triangle = -1;
  bool agrees = true;
};
using Neighbours = std::vector<std::array<Neighbour, 3>>;

void connect(Neighbours& neighbours, const HalfEdge& from, const HalfEdge& to) {
  for (Neighbour& slot : neighbours[from.triangle]) {
    if (slot.triangle >= 0) continue;
    slot = {to.triangle, from.forward != to.forward};
    return;
  }
}

/// Floods one patch from its first triangle.
void flood(const Neighbours& neighbours, int id, Patches& out) {
  Patch& patch = out.patches[id];
  std::vector<int> members{patch.first};
  out.of_triangle[patch.first] = id;
  std::size_t turned = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const int t = members[i];
    turned += out.turned[t];
    for (const auto& [next, agrees] : neighbours[t]) {
      if (next < 0) continue;
      if (!agrees) patch.consistent = false;
      const bool side = out.turned[t] == agrees;
      if (out.of_triangle[next] >= 0) {
        if (out.turned[next] != side) patch.one_sided = true;
        continue;
      }
      out.of_triangle[next] = id;
      out.turned[next] = side;
      members.push_back(next);
    }
  }
  if (2 * turned > members.size())
    for (int t : members) out.turned[t] = !out.turned[t];
}

struct Solid {
  Bounds box = bounds({});
  double six_volumes = 0;
  bool negative() const {
    constexpr double flat = 1e-12;  // of the box: below this, a sign is chance
    const Vec3 size = box.upper - box.lower;
    return six_volumes < -flat * size[0] * size[1] * size[2];
  }
};

std::vector<Solid> measure(const TriangleMesh& mesh, const Patches& patches) {
  std::vector<Solid> out(patches.patches.size());
  for (std::size_t t = 0; t < patches.of_triangle.size(); ++t) {
    if (patches.of_triangle[t] < 0) continue;
    Solid& solid = out[patches.of_triangle[t]];
    const Vec3 origin = corners(mesh, patches.patches[patches.of_triangle[t]].first)[0];
    const auto p = corners(mesh, static_cast<int>(t));
    extend(solid.box, box_of(p));
    solid.six_volumes += det(origin, p[0], p[1], p[2]);
  }
  return out;
}

// Whether the line through p along z passes the edge ab on the right, seen along z. Each edge answers the same for
// both of its triangles, so that a line through an edge counts once.
bool passes(const Vec3& p, Vec3 a, Vec3 b) {
  if ((a[1] > p[1]) == (b[1] > p[1])) return false;
  if (a > b) std::swap(a, b);
  return p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
}

bool ray_hits(const Vec3& p, const std::array<Vec3, 3>& t) {
  bool inside = false;
  for (int i = 0; i < 3; ++i) inside ^= passes(p, t[i], t[(i + 1) % 3]);
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  return inside && n[2] != 0 && dot(n, t[0] - p) / n[2] > 0;
}

bool contains(const Bounds& outer, const Bounds& inner) {
  for (int k = 0; k < 3; ++k)
    if (outer.lower[k] > inner.lower[k] || outer.upper[k] < inner.upper[k]) return false;
  return true;
}

}  // namespace

std::vector<HalfEdge> sorted_half_edges(std::span<const int> triangles, const std::vector<bool>& use) {
  std::vector<HalfEdge> out;
  out.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size() / 3; ++t)
    for (std::size_t i = 0; use[t] && i < 3; ++i) {
      const int a = triangles[3 * t + i], b = triangles[3 * t + (i + 1) % 3];
      out.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), a < b});
    }
  std::sort(out.begin(), out.end());
  return out;
}

Patches find_patches(std::span<const int> triangles, const std::vector<bool>& use) {
  const std::size_t m = triangles.size() / 3;
  Neighbours neighbours(m);
  std::vector<bool> has_border(m, false);
  const std::vector<HalfEdge> half_edges = sorted_half_edges(triangles, use);
  for_each_edge(half_edges, [&](std::span<const HalfEdge> edge) {
    if (edge.size() == 2) {
      connect(neighbours, edge[0], edge[1]);
      connect(neighbours, edge[1], edge[0]);
    } else {
      for (const HalfEdge& h : edge) has_border[h.triangle] = true;
    }
  });
  Patches out;
  out.of_triangle.assign(m, -1);
  out.turned.assign(m, false);
  for (std::size_t t = 0; t < m; ++t) {
    if (use[t] && out.of_triangle[t] < 0) {
      out.patches.push_back({static_cast<int>(t)});
      flood(neighbours, static_cast<int>(out.patches.size()) - 1, out);
    }
    if (has_border[t]) out.patches[out.of_triangle[t]].closed = false;
  }
  return out;
}

std::vector<bool> inside_out(const TriangleMesh& mesh, const Patches& patches) {
  const auto bounds_a_solid = [&](int id) {
    return id >= 0 && patches.patches[id].closed && patches.patches[id].consistent &&
           !patches.patches[id].one_sided;
  };
  const std::vector<Solid> solids = measure(mesh, patches);
  std::vector<bool> out(solids.size());
  bool any = false;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    out[i] = bounds_a_solid(static_cast<int>(i)) && solids[i].negative();
    any = any || out[i];
  }
  if (!any) return out;

  std::vector<int> walls;
  std::vector<Bounds> boxes;
  for (std::size_t t = 0; t < patches.of_triangle.size(); ++t) {
    if (!bounds_a_solid(patches.of_triangle[t])) continue;
    walls.push_back(static_cast<int>(t));
    boxes.push_back(box_of(corners(mesh, walls.back())));
  }
  const BoxTree tree(boxes);
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (!out[i]) continue;
    const auto p = corners(mesh, patches.patches[i].first);
    const Vec3 start = (1.0 / 3) * (p[0] + p[1] + p[2]);
    Vec3 end = start;
    end[2] = std::numeric_limits<double>::infinity();
    tree.touching({start, end}, [&](int k) {
      const int other = patches.of_triangle[walls[k]];
      if (other != static_cast<int>(i) && contains(solids[other].box, solids[i].box) &&
          ray_hits(start, corners(mesh, walls[k])))
        out[i] = !out[i];
      return true;
    });
  }
  return out;
}

std::vector<int> repair_winding(TriangleMesh& mesh) {
  std::vector<bool> use(mesh.triangle_count(), true);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int* v = mesh.triangles.data() + 3 * static_cast<std::size_t>(t);
    use[t] = v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
  }
  const auto turn = [&](int t) { std::swap(mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]); };
  Patches patches = find_patches(mesh.triangles, use);
  std::vector<bool> turned(mesh.triangle_count(), false);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int id = patches.of_triangle[t];
    if (id < 0 || patches.patches[id].one_sided || !patches.turned[t]) continue;
    turned[t] = true;
    turn(t);
  }
  for (Patch& patch : patches.patches) patch.consistent = !patch.one_sided;
  const std::vector<bool> wrong = inside_out(mesh, patches);
  std::vector<int> ids;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int id = patches.of_triangle[t];
    if (id >= 0 && wrong[id]) {
      turned[t] = !turned[t];
      turn(t);
    }
    if (turned[t]) ids.push_back(t);
  }
  return ids;
}

}  // namespace resilin
