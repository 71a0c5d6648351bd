#include "geometry/triangle_bvh.h"

#include <numbers>

namespace resilin {
namespace {

// A node is far when it is further away than this many times its reach [Barill et al. 2018, section 3.2].
constexpr double squared_beta = 2.3 * 2.3;

}  // namespace

std::vector<std::array<Vec3, 3>> all_corners(const TriangleMesh& mesh) {
  std::vector<std::array<Vec3, 3>> out;
  for (int t = 0; t < mesh.triangle_count(); ++t) out.push_back(corners(mesh, t));
  return out;
}

std::vector<Bounds> boxes_of(const std::vector<std::array<Vec3, 3>>& triangles) {
  std::vector<Bounds> out;
  for (const auto& corners : triangles) out.push_back(box_of(corners));
  return out;
}

// By the regions of Voronoi around the triangle [Ericson, "Real-Time Collision Detection", 2005, section 5.1.5].
Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, TrianglePart& part) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  const auto at = [&](TrianglePart which, const Vec3& point) { return part = which, point; };
  if (d1 <= 0 && d2 <= 0) return at(TrianglePart::a, a);
  if (d3 >= 0 && d4 <= d3) return at(TrianglePart::b, b);
  if (d6 >= 0 && d5 <= d6) return at(TrianglePart::c, c);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(TrianglePart::ab, a + (d1 > d3 ? d1 / (d1 - d3) : 0.0) * ab);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(TrianglePart::ca, a + (d2 > d6 ? d2 / (d2 - d6) : 0.0) * ac);
  const double e4 = d4 - d3, e5 = d5 - d6;
  if (va <= 0 && e4 >= 0 && e5 >= 0)
    return at(TrianglePart::bc, b + (e4 + e5 > 0 ? e4 / (e4 + e5) : 0.0) * (c - b));
  const double sum = va + vb + vc;
  return at(TrianglePart::face, a + (vb / sum) * ab + (vc / sum) * ac);
}

Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  TrianglePart part;
  return closest_on_triangle(p, a, b, c, part);
}

TriangleBvh::TriangleBvh(const TriangleMesh& mesh) : corners_(all_corners(mesh)), tree_(boxes_of(corners_)) {
  expand();
}

// From the leaves up: children come after their parents.
void TriangleBvh::expand() {
  const auto& nodes = tree_.nodes();
  std::vector<double> area(nodes.size(), 0.0);
  moments_.resize(nodes.size());
  const auto add = [&](std::size_t to, const Vec3& centre, const Vec3& vector, double weight) {
    moments_[to].centre = moments_[to].centre + weight * centre;
    moments_[to].area = moments_[to].area + vector;
    area[to] += weight;
  };
  const auto lean = [&](std::size_t to, const Vec3& centre, const Vec3& vector) {
    const Vec3 arm = centre - moments_[to].centre;
    for (int i = 0; i < 9; ++i) moments_[to].first[i] += arm[i / 3] * vector[i % 3];
  };
  for (std::size_t n = nodes.size(); n-- > 0;) {
    Moments& m = moments_[n];
    std::vector<std::array<Vec3, 2>> parts;  // centre and area vector
    const auto take = [&](const Vec3& centre, const Vec3& vector, double weight) {
      add(n, centre, vector, weight);
      parts.push_back({centre, vector});
    };
    if (nodes[n].right == 0) {
      for (int k = 0; k < nodes[n].count; ++k) {
        const auto& [a, b, c] = corners_[tree_.order()[nodes[n].first + k]];
        const Vec3 vector = 0.5 * cross(b - a, c - a);
        take((1.0 / 3) * (a + b + c), vector, norm(vector));
      }
    } else {
      for (const std::size_t child : {n + 1, static_cast<std::size_t>(nodes[n].right)}) {
        take(moments_[child].centre, moments_[child].area, area[child]);
        for (int i = 0; i < 9; ++i) m.first[i] += moments_[child].first[i];
      }
    }
    const Bounds& box = nodes[n].box;
    m.centre = area[n] > 0 ? (1 / area[n]) * m.centre : 0.5 * (box.lower + box.upper);
    for (const auto& [centre, vector] : parts) lean(n, centre, vector);
    for (int k = 0; k < 3; ++k)
      m.squared_reach += std::pow(std::max(m.centre[k] - box.lower[k], box.upper[k] - m.centre[k]), 2);
  }
}

double TriangleBvh::distance(const Vec3& p, double cap) const {
  double limit = cap * cap;
  bool found = false;
  tree_.search(p, limit, [&](int t) {
    const auto& [a, b, c] = corners_[t];
    const Vec3 d = p - closest_on_triangle(p, a, b, c);
    if (dot(d, d) < limit) limit = dot(d, d), found = true;
  });
  return found ? std::sqrt(limit) : cap;
}

// tan(angle / 2) = det(a, b, c) / (|a||b||c| + ...) [Van Oosterom and Strackee 1983, eq. 8].
double TriangleBvh::solid_angle(int triangle, const Vec3& p) const {
  const Vec3 a = corners_[triangle][0] - p, b = corners_[triangle][1] - p, c = corners_[triangle][2] - p;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  const double cosine = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return 2 * std::atan2(dot(a, cross(b, c)), cosine);
}

// Generalised winding numbers [Jacobson et al. 2013] with far nodes replaced by their expansion to second order
// [Barill et al. 2018, "Fast Winding Numbers for Soups and Clouds", eq. 15]: with r = centre - p,
//   4 pi w = r.A / |r|^3 + (tr T - 3 r^T T r / |r|^2) / |r|^3.
double TriangleBvh::winding(const Vec3& p) const {
  const auto& nodes = tree_.nodes();
  if (nodes.empty()) return 0;
  double sum = 0;
  std::array<int, 128> stack;
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int i = stack[--size];
    const Moments& m = moments_[i];
    const Vec3 r = m.centre - p;
    const double square = dot(r, r);
    if (square > squared_beta * m.squared_reach) {
      const auto& t = m.first;
      double bent = 0;
      for (int k = 0; k < 9; ++k) bent += r[k / 3] * t[k] * r[k % 3];
      sum += (dot(r, m.area) + t[0] + t[4] + t[8] - 3 * bent / square) / (square * std::sqrt(square));
    } else if (nodes[i].right == 0) {
      for (int k = 0; k < nodes[i].count; ++k) sum += solid_angle(tree_.order()[nodes[i].first + k], p);
    } else {
      stack[size++] = nodes[i].right;
      stack[size++] = i + 1;
    }
  }
  return sum / (4 * std::numbers::pi);
}

}  // namespace resilin
