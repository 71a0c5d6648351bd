// Hinges by the dihedral angle, with a rest angle (Grinspun et al. 2003, with the weights of quadratic.cpp): theta
// is the signed angle between the normals of two triangles with a common edge of length l,
//
//   E = D/2 sum l^2/(A0 + A1) (theta - theta0)^2
//
// z holds the common edge e and the tips a and b of both triangles, all from the edge's first vertex. Each triangle
// has a foot of height h from the edge to its tip, at the part s of the edge; m points from the edge to the tip, n
// is the normal. With w = (-s, 1)/h in (e, tip) and d = (1, 0)/|e|
//
//   dtheta   = sum n w,      d2theta = -sum sym(n w, m w) + sym(e^ w, n d) + sym(n d, m d)/2,      sym(p, q) = p
//            q^T + q p^T
//
// over the two triangles, where n w is the vector of R^9 with n times the entries of w in the rows of z.
#include <array>
#include <numbers>

#include "potentials/bending/bending.h"
#include "potentials/coordinate_potential.h"
#include "simd/atan2.h"
#include "simd/mat3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double thin = 1e-12;  // a triangle whose height is this part of its sides has no normal: it has no force

template <Real T>
RESILIN_INLINE T dot_of(const T* a, const T* b) {
  return dot3(a[0], a[1], a[2], b[0], b[1], b[2]);
}

// One of the two triangles: unit vectors m and n, and w in (e, tip). All zero where it is degenerate.
template <Real T>
struct Wing {
  T m[3], n[3], w[2];

  // `side`: 1 for the triangle on the left of the edge, -1 for the other.
  void set(const T* edge, const T* unit, T length, const T* tip, double side) {
    T normal[3];
    cross(edge, tip, normal);
    const T twice_area = sqrt(dot_of(normal, normal)), along = dot_of(unit, tip);
    const auto sound = twice_area > thin * (length * length + dot_of(tip, tip));
    const T zero = constant<T>(0), one = constant<T>(1), height = twice_area / select(length > 0.0, length, one);
    const T inverse = select(sound, side / select(sound, twice_area, one), zero);
    for (int k = 0; k < 3; ++k) n[k] = normal[k] * inverse;
    cross(n, unit, m);
    for (int k = 0; k < 3; ++k) m[k] = side * m[k];
    w[1] = select(sound, 1.0 / select(sound, height, one), zero);
    w[0] = -w[1] * along / select(sound, length, one);
  }
};

template <Real T>
struct Fold {
  T unit[3], inverse;  // of the edge; 1/|e|
  Wing<T> wing[2];
  T angle;

  explicit Fold(const T z[9]) {
    const T length = sqrt(dot_of(z, z)), zero = constant<T>(0);
    const auto some = length > 0.0;
    inverse = select(some, 1.0 / select(some, length, constant<T>(1)), zero);
    for (int k = 0; k < 3; ++k) unit[k] = z[k] * inverse;
    wing[0].set(z, unit, length, z + 3, 1);
    wing[1].set(z, unit, length, z + 6, -1);
    T turn[3];
    cross(wing[1].n, wing[0].n, turn);
    angle = atan2(dot_of(turn, unit), dot_of(wing[0].n, wing[1].n));
  }

  // angle - rest in (-pi, pi].
  T from(T rest) const {
    const T gap = angle - rest, turn = constant<T>(2 * std::numbers::pi), zero = constant<T>(0);
    return gap - select(gap > std::numbers::pi, turn, zero) + select(gap <= -std::numbers::pi, turn, zero);
  }

  void gradient(T g[9]) const {
    for (int k = 0; k < 3; ++k) {
      g[k] = wing[0].n[k] * wing[0].w[0] + wing[1].n[k] * wing[1].w[0];
      g[3 + k] = wing[0].n[k] * wing[0].w[1], g[6 + k] = wing[1].n[k] * wing[1].w[1];
    }
  }

  // One wing's part of the second derivative in the rows (e, tip): block (r, c), entry (i, j).
  T second(const Wing<T>& of, int r, int c, int i, int j) const {
    const T nm = of.n[i] * of.m[j] + of.m[i] * of.n[j];
    T out = -of.w[r] * of.w[c] * nm;
    if (c == 0) out -= of.w[r] * inverse * unit[i] * of.n[j];
    if (r == 0) out -= of.w[c] * inverse * of.n[i] * unit[j];
    if (r == 0 && c == 0) out -= 0.5 * inverse * inverse * nm;
    return out;
  }
};

// c = theta - theta0.
struct AngleConstraint {
  static constexpr int rows = 3, constraints = 1, coefficients = 2;  // D, theta0
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    const Fold<T> fold(z);
    value[0] = fold.from(c[1]);
    fold.gradient(gradient);
    stiffness[0] = c[0];
  }
};

class DihedralKernel final : public Kernel {
 public:
  explicit DihedralKernel(PackedCoefficients coefficients) : coefficients_(std::move(coefficients)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const double* c = coefficients_.pack(block.first + p);
      const Pack k = load(c);
      Pack z[9], g[9];
      load_pack<9>(block.z, p, z);
      const Fold<Pack> fold(z);
      const Pack gap = fold.from(load(c + lanes));
      fold.gradient(g);
      add(block.psi + p * lanes, 0.5 * k * gap * gap);
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 9; ++i) add(block.dpsi_z + (p * 9 + i) * lanes, k * gap * g[i]);
      if (block.d2psi_z == nullptr) continue;
      double* to = block.d2psi_z + static_cast<std::ptrdiff_t>(p) * 45 * lanes;
      for (int i = 0, at = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j, ++at) add(to + at * lanes, k * g[i] * g[j]);
      if (!block.filter) add_second(fold, k * gap, to);  // indefinite: Gauss and Newton leave it out
    }
  }

 private:
  static void add_second(const Fold<Pack>& fold, Pack scale, double* to) {
    for (int side = 0; side < 2; ++side) {
      const Wing<Pack>& wing = fold.wing[side];
      const int row[2] = {0, 3 + 3 * side};  // of z: the edge and this tip
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c <= r; ++c)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < (r == c ? i + 1 : 3); ++j) {
              const int a = row[r] + i, b = row[c] + j;
              add(to + (a * (a + 1) / 2 + b) * lanes, scale * fold.second(wing, r, c, i, j));
            }
    }
  }

  PackedCoefficients coefficients_;
};

class Dihedral final : public CoordinatePotential<DihedralKernel, AngleConstraint> {
 public:
  Dihedral(Coefficients coefficients, Coefficients rows)
      : CoordinatePotential("dihedral", ElementKind::dihedral, std::move(coefficients)), rows_(std::move(rows)) {}
  void stamp(Stamp& out) const override {
    CoordinatePotential::stamp(out);
    out.add(std::span(rows_.values()));
  }
  // That of quadratic bending.
  void quadratic(int element, double, double* matrix) const override {
    const double k = numbers(element)[0], *row = rows_.element(element);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) matrix[3 * i + j] = k * row[i] * row[j];
  }

 private:
  Coefficients rows_;  // dtheta of a flat hinge is these times the rows of z, along the normal
};

Term make(const BendingSource& source) {
  static constexpr double from_first[12] = {-1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1};
  Term term{"dihedral bending", Elements(ElementKind::dihedral), {}};
  Coefficients coefficients(2), rows(3);
  for (const Hinge& hinge : hinges(source.triangles)) {
    const HingeShape shape = hinge_shape(source.rest, hinge);
    term.elements.add(hinge.v, from_first, shape.edge * shape.edge / shape.areas);
    coefficients.add(std::array{hinge_stiffness(source, hinge), hinge_angle(source.rest, hinge)});
    rows.add(std::array{shape.row[1] / shape.edge, shape.row[2] / shape.edge, shape.row[3] / shape.edge});
  }
  term.elastic = {std::make_shared<Dihedral>(std::move(coefficients), std::move(rows))};
  return term;
}

}  // namespace

BendingPlugin bending_dihedral() {
  return {
      "Bending by the angle between neighbouring triangles, against that of the rest shape (Grinspun et al. 2003): "
      "for sheets that are curved or folded at rest.",
      bending_params(), make};
}

}  // namespace resilin
