#include "geometry/check_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "geometry/vec3.h"

namespace resilin {

namespace {

constexpr std::size_t max_examples = 8;
constexpr double flat = 1e-10;  // slivers pass (bad but usable), flat elements do not

bool is_finite(const Vec3& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

/// Vertices that have no smaller one near them, in cells of a few tolerances: as these lie further apart than the
/// tolerance, a cell holds few however many vertices a file puts into one place.
class KeptVertices {
 public:
  KeptVertices(std::span<const double> vertices, const Bounds& box, double tolerance)
      : vertices_(vertices), lower_(box.lower), tolerance_(tolerance), cell_(tolerance > 0 ? 4 * tolerance : 1) {}

  /// The smallest kept vertex within the tolerance of v, or v itself, which is then kept.
  int keep(int v) {
    const Vec3 p = vertex_at(vertices_, v);
    Cell low = cell_of(p, -tolerance_), high = cell_of(p, tolerance_), at;
    int found = v;
    for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
      for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
        for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
          if (const auto it = cells_.find(at); it != cells_.end())
            for (int other : it->second)
              if (other < found && norm(vertex_at(vertices_, other) - p) <= tolerance_) found = other;
    if (found == v) cells_[cell_of(p, 0)].push_back(v);
    return found;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t h = 0;
      for (const std::int64_t x : cell)
        h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ull, h ^= h >> 32;
      return static_cast<std::size_t>(h);
    }
  };
  Cell cell_of(const Vec3& p, double shift) const {
    Cell out;
    for (int k = 0; k < 3; ++k) out[k] = static_cast<std::int64_t>(std::floor((p[k] - lower_[k] + shift) / cell_));
    return out;
  }

  std::span<const double> vertices_;
  Vec3 lower_;
  double tolerance_, cell_;
  std::unordered_map<Cell, std::vector<int>, Hash> cells_;
};

}  // namespace

std::string number_text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

std::string vertex_text(std::span<const double> vertices, int v) {
  const Vec3 p = vertex_at(vertices, v);
  return "vertex " + std::to_string(v) + " at (" + number_text(p[0]) + ", " + number_text(p[1]) + ", " +
         number_text(p[2]) + ")";
}

std::string element_text(const ElementList& list, int element) {
  std::string ids;
  for (int v : list[element]) ids += (ids.empty() ? "" : ", ") + std::to_string(v);
  return std::string(list.noun) + " " + std::to_string(element) + " (vertices " + ids + ")";
}

void add_defect(std::vector<Defect>& defects, DefectKind kind, const std::vector<int>& ids,
                const std::string& detail) {
  if (ids.empty()) return;
  const std::size_t shown = std::min(ids.size(), max_examples);
  defects.push_back({kind, static_cast<int>(ids.size()), {ids.begin(), ids.begin() + shown}, detail});
}

double longest_edge(std::span<const Vec3> corners) {
  double longest = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = i + 1; j < corners.size(); ++j) longest = std::max(longest, norm(corners[j] - corners[i]));
  return longest;
}

// Negated so that what overflowed to NaN counts as flat.
bool is_flat(const std::array<Vec3, 4>& tet) {
  const double edge = longest_edge(tet);
  return !(std::abs(det(tet[0], tet[1], tet[2], tet[3])) / 6 > flat * edge * edge * edge);
}

bool is_flat(const std::array<Vec3, 3>& triangle) {
  const double edge = longest_edge(triangle);
  return !(norm(cross(triangle[1] - triangle[0], triangle[2] - triangle[0])) / 2 > flat * edge * edge);
}

void check_arrays(const ElementList& list, std::vector<Defect>& defects) {
  if (list.vertices.size() % 3 == 0 && list.ids.size() % list.corners == 0) return;
  defects.push_back({DefectKind::incomplete_array,
                     1,
                     {},
                     std::to_string(list.vertices.size()) + " coordinates and " + std::to_string(list.ids.size()) +
                         " " + list.noun + " indices; these must be multiples of 3 and " +
                         std::to_string(list.corners)});
}

std::vector<bool> check_vertices(const ElementList& list, std::vector<Defect>& defects) {
  std::vector<bool> finite(list.vertex_count(), true);
  std::vector<int> bad;
  for (int v = 0; v < list.vertex_count(); ++v) {
    finite[v] = is_finite(vertex_at(list.vertices, v));
    if (!finite[v]) bad.push_back(v);
  }
  if (!bad.empty())
    add_defect(defects, DefectKind::non_finite_vertex, bad,
               vertex_text(list.vertices, bad[0]) + "; coordinates must be finite");
  return finite;
}

std::vector<bool> check_indices(const ElementList& list, std::vector<Defect>& defects) {
  const int n = list.vertex_count();
  std::vector<bool> usable(list.count(), true);
  std::vector<int> outside, repeated, v(list.corners);
  for (int e = 0; e < list.count(); ++e) {
    std::copy_n(list[e].begin(), list.corners, v.begin());
    std::sort(v.begin(), v.end());
    const bool inside = v.front() >= 0 && v.back() < n;
    const bool repeats = std::adjacent_find(v.begin(), v.end()) != v.end();
    usable[e] = inside && !repeats;
    if (!inside) outside.push_back(e);
    else if (repeats) repeated.push_back(e);
  }
  if (!outside.empty())
    add_defect(defects, DefectKind::index_out_of_range, outside,
               element_text(list, outside[0]) + "; vertex ids must be in 0.." + std::to_string(n - 1));
  if (!repeated.empty())
    add_defect(defects, DefectKind::repeated_vertex, repeated,
               element_text(list, repeated[0]) + " names a vertex twice; all must differ");
  return usable;
}

void check_duplicates(const ElementList& list, std::vector<bool>& usable, DefectKind kind,
                      std::vector<Defect>& defects) {
  std::vector<std::array<int, 5>> keys;  // sorted vertices, element; triangles leave one at -1
  for (int e = 0; e < list.count(); ++e) {
    if (!usable[e]) continue;
    std::array<int, 5> key{-1, -1, -1, -1, e};
    std::copy_n(list[e].begin(), list.corners, key.begin());
    std::sort(key.begin(), key.begin() + 4);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::pair<int, int>> found;  // (element, the one before it)
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (std::equal(keys[i].begin(), keys[i].begin() + 4, keys[i - 1].begin()))
      found.emplace_back(keys[i][4], keys[i - 1][4]);
  std::sort(found.begin(), found.end());
  std::vector<int> ids;
  for (const auto& [element, before] : found) {
    ids.push_back(element);
    usable[element] = false;
  }
  if (!ids.empty())
    add_defect(defects, kind, ids,
               element_text(list, ids[0]) + " has the vertices of " + list.noun + " " +
                   std::to_string(found[0].second) + "; each must be there once");
}

void check_unreferenced(const ElementList& list, std::vector<Defect>& defects) {
  std::vector<bool> used(list.vertex_count(), false);
  for (int e = 0; e < list.count(); ++e)
    for (int v : list[e])
      if (v >= 0 && v < list.vertex_count()) used[v] = true;
  std::vector<int> ids;
  for (int v = 0; v < list.vertex_count(); ++v)
    if (!used[v]) ids.push_back(v);
  if (!ids.empty())
    add_defect(defects, DefectKind::unreferenced_vertex, ids,
               vertex_text(list.vertices, ids[0]) + " belongs to no " + list.noun + " and has no mass");
}

void check_coincident(const ElementList& list, std::vector<Defect>& defects) {
  const std::vector<int> first = coincident_vertices(list.vertices);
  std::vector<int> ids;
  for (int v = 0; v < list.vertex_count(); ++v)
    if (first[v] != v) ids.push_back(v);
  if (!ids.empty())
    add_defect(defects, DefectKind::coincident_vertices, ids,
               vertex_text(list.vertices, ids[0]) + " lies on vertex " + std::to_string(first[ids[0]]));
}

std::vector<int> coincident_vertices(std::span<const double> vertices) {
  constexpr double coincident = 1e-9;  // of the bounding diagonal
  const int n = static_cast<int>(vertices.size() / 3);
  std::vector<int> first(n);
  Bounds box = bounds({});
  for (int v = 0; v < n; ++v) {
    first[v] = v;
    if (const Vec3 p = vertex_at(vertices, v); is_finite(p)) extend(box, p);
  }
  const double tolerance = coincident * diagonal(box);
  if (!std::isfinite(tolerance)) return first;  // no vertices, or sizes beyond all doubles
  KeptVertices kept(vertices, box, tolerance);
  for (int v = 0; v < n; ++v)
    if (is_finite(vertex_at(vertices, v))) first[v] = kept.keep(v);
  return first;
}

}  // namespace resilin
