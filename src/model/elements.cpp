#include <cassert>

#include "geometry/vec3.h"
#include "resilin/model.h"

namespace resilin {

std::string name(ElementKind kind) {
  static constexpr std::array<const char*, element_shapes.size()> names = {
      "tet", "triangle", "hinge", "edge", "point", "pair", "dihedral", "fan8", "fan16", "sided8", "sided16"};
  return names[static_cast<std::size_t>(kind)];
}

void Elements::add(std::span<const int> vertices, std::span<const double> coefficients, double measure) {
  assert(static_cast<int>(vertices.size()) == corners() &&
         static_cast<int>(coefficients.size()) == rows() * corners());
  vertices_.insert(vertices_.end(), vertices.begin(), vertices.end());
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
  measure_.push_back(measure);
}

// F = Ds Dm^-1 with Ds = [x1-x0 x2-x0 x3-x0]; row r of z = F^T is sum_a (Dm^-1)_{a r} (x_a - x_0).
Elements Elements::tets(std::span<const double> rest, std::span<const int> tets) {
  Elements out(ElementKind::tet);
  for (std::size_t t = 0; t + 3 < tets.size(); t += 4) {
    const double* x[4];
    for (int a = 0; a < 4; ++a) x[a] = &rest[3 * tets[t + a]];
    double dm[3][3];  // column a: edge a + 1
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 3; ++k) dm[k][a] = x[a + 1][k] - x[0][k];
    double cofactor[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        cofactor[i][j] = dm[i1][j1] * dm[i2][j2] - dm[i1][j2] * dm[i2][j1];
      }
    const double det = dm[0][0] * cofactor[0][0] + dm[0][1] * cofactor[0][1] + dm[0][2] * cofactor[0][2];
    double c[12];
    for (int r = 0; r < 3; ++r) {
      c[r * 4] = 0;
      for (int a = 0; a < 3; ++a) {
        c[r * 4 + a + 1] = cofactor[r][a] / det;  // (Dm^-1)_{a r}
        c[r * 4] -= c[r * 4 + a + 1];
      }
    }
    out.add(tets.subspan(t, 4), c, det / 6);
  }
  return out;
}

void Elements::append(const Elements& other) {
  assert(kind_ == other.kind_);
  vertices_.insert(vertices_.end(), other.vertices_.begin(), other.vertices_.end());
  coefficients_.insert(coefficients_.end(), other.coefficients_.begin(), other.coefficients_.end());
  measure_.insert(measure_.end(), other.measure_.begin(), other.measure_.end());
}

// F = Ds Dm^-1 with Ds = [x1-x0 x2-x0] and Dm the same in axes (a, b) of the sheet at rest: row r of z = F^T is
// sum_i (Dm^-1)_{i r} (x_i - x_0).
Elements Elements::triangles(std::span<const double> rest, std::span<const int> triangles,
                             std::span<const double> thickness, std::span<const std::array<double, 3>> warp) {
  Elements out(ElementKind::triangle);
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    const auto at = [&](std::size_t i) { return vertex_at(rest, triangles[t + i]); };
    const Vec3 x = at(0), first = at(1) - x, second = at(2) - x, normal = cross(first, second);
    const double doubled = norm(normal);
    const Vec3 n = (1 / doubled) * normal;
    const Vec3 wanted = warp.empty() ? Vec3{1, 0, 0} : warp[warp.size() == 1 ? 0 : t / 3];
    Vec3 a = wanted - dot(wanted, n) * n;
    if (norm(a) < 1e-6 * norm(wanted)) a = first;  // the sheet stands across it here: any direction
    a = (1 / norm(a)) * a;
    const Vec3 b = cross(n, a);
    const double dm[2][2] = {{dot(first, a), dot(second, a)}, {dot(first, b), dot(second, b)}};
    const double det = dm[0][0] * dm[1][1] - dm[0][1] * dm[1][0];
    const double inverse[2][2] = {{dm[1][1] / det, -dm[0][1] / det}, {-dm[1][0] / det, dm[0][0] / det}};
    double c[6];
    for (int r = 0; r < 2; ++r) {
      c[3 * r + 1] = inverse[0][r], c[3 * r + 2] = inverse[1][r];
      c[3 * r] = -c[3 * r + 1] - c[3 * r + 2];
    }
    out.add(triangles.subspan(t, 3), c, doubled / 2 * thickness[thickness.size() == 1 ? 0 : t / 3]);
  }
  return out;
}

Elements Elements::springs(std::span<const int> edges) {
  Elements out(ElementKind::edge);
  const double c[2] = {-1, 1};
  for (std::size_t e = 0; e + 1 < edges.size(); e += 2) out.add(edges.subspan(e, 2), c, 1);
  return out;
}

Elements Elements::points(std::span<const int> vertices) {
  Elements out(ElementKind::point);
  const double c[1] = {1};
  for (std::size_t i = 0; i < vertices.size(); ++i) out.add(vertices.subspan(i, 1), c, 1);
  return out;
}

}  // namespace resilin
