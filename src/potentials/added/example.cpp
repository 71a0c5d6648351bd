// A body that likes two shapes: its rest shape and an example (Bouaziz et al. 2014, after Martin et al. 2011). Per element, with the stretch
// S(t) = 1 + t (S1 - 1) between rest and the example's S1,
//
//   psi = k/2 min over rotations Q and t in [0, 1] of |z - S(t) Q|^2
//
// an energy of projective dynamics, whose projection is S(t) Q. For given t, Q is the rotation of the polar decomposition of S(t) z; t is the root
// of the slope <S(t) - z Q^T, S1 - 1>, found by regula falsi in every lane. Of a triangle Q is 2 x 3 with orthonormal rows.
#include <fmt/format.h>

#include "core/stamp.h"
#include "potentials/added/added.h"
#include "potentials/compliant.h"
#include "resilin/errors.h"
#include "simd/svd2.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

constexpr double stiffer = 1;  // than the material, unless the stiffness is stated
constexpr int most_steps = 60;

// The rotation nearest to m.
template <int R>
RESILIN_INLINE void nearest_rotation(const Pack m[3 * R], Pack q[3 * R]) {
  if constexpr (R == 3) {
    polar3(m, q);
  } else {
    const Pack one[2] = {broadcast(1), broadcast(1)};
    Pack u[4], s[2], v[6];
    svd2(m, u, s, v);
    compose2(u, one, v, q);
  }
}

// c = a b of R x R and R x 3 matrices.
template <int R>
RESILIN_INLINE void times(const Pack a[R * R], const Pack b[3 * R], Pack c[3 * R]) {
  for (int i = 0; i < R; ++i)
    for (int k = 0; k < 3; ++k) {
      Pack sum = a[R * i] * b[k];
      for (int j = 1; j < R; ++j) sum += a[R * i + j] * b[3 * j + k];
      c[3 * i + k] = sum;
    }
}

template <int n>
RESILIN_INLINE Pack product(const Pack* a, const Pack* b) {
  Pack sum = a[0] * b[0];
  for (int i = 1; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// Where z is nearest to: p = S(t) Q, and D = S1 - 1.
template <int R>
struct Nearest {
  static constexpr int n = 3 * R;
  Pack d[R * R], s[R * R], q[n], p[n], turned[n], t;  // turned: D Q
  Mask inside;                                        // 0 < t < 1

  Nearest(const Pack z[n], const Pack* difference) {
    for (int i = 0; i < R * R; ++i) d[i] = difference[i];
    const Pack low_slope = slope(z, Pack{}), high_slope = slope(z, broadcast(1));
    // Two minima: at both ends the slope leads outwards. The lower one.
    const Pack at_high = distance(z, broadcast(1)), at_low = distance(z, Pack{});
    const Mask down = low_slope<0.0, up = high_slope> 0.0;
    inside = down & up;
    Pack low = {}, high = broadcast(1), f_low = low_slope, f_high = high_slope;
    for (int i = 0; i < most_steps; ++i) {
      const Pack gap = f_high - f_low,
                 x = select(inside, (low * f_high - high * f_low) / select(inside, gap, 1.0), 0.0);
      const Pack f = slope(z, x);
      // Illinois: an end that stays twice counts half.
      const Mask right = f > 0.0;
      const Pack half_low = select(right, 0.5 * f_low, f), half_high = select(right, f, 0.5 * f_high);
      low = select(right, low, x), high = select(right, x, high);
      f_low = half_low, f_high = half_high;
      t = x;
      if (!any(inside & (abs(f) > 1e-15 * (abs(low_slope) + abs(high_slope))) & (high - low > 1e-16))) break;
    }
    const Pack none = {}, all = broadcast(1);
    const Pack end = select(down, all, select(up, none, select(at_high < at_low, all, none)));
    settle(z, select(inside, t, end));
  }

 private:
  void settle(const Pack z[n], Pack at) {
    Pack m[n];
    t = at;
    for (int i = 0; i < R * R; ++i) s[i] = (i % (R + 1) == 0 ? 1.0 : 0.0) + at * d[i];
    times<R>(s, z, m);
    nearest_rotation<R>(m, q);
    times<R>(s, q, p);
    times<R>(d, q, turned);
  }
  // Of 1/2 |z - S(t) Q|^2.
  Pack slope(const Pack z[n], Pack at) {
    settle(z, at);
    Pack gap[n];
    for (int i = 0; i < n; ++i) gap[i] = p[i] - z[i];
    return product<n>(gap, turned);
  }
  Pack distance(const Pack z[n], Pack at) {
    settle(z, at);
    Pack gap[n];
    for (int i = 0; i < n; ++i) gap[i] = p[i] - z[i];
    return product<n>(gap, gap);
  }
};

// c = |z - p|.
template <int R>
struct ExampleConstraint {
  static constexpr int rows = R, constraints = 1;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    const Nearest<R> nearest(z, c + 1);
    T gap[3 * R];
    for (int i = 0; i < 3 * R; ++i) gap[i] = z[i] - nearest.p[i];
    value[0] = length_constraint<3 * R>(gap, gradient);
    stiffness[0] = c[0];
  }
};

// 1 - J H^-1 J^T with J = dp/d(turn, t) and H the second derivative of 1/2 |z - p|^2 in (turn, t), which is J^T J where filtered: turns are
// Q exp(W), W skew.
template <int R>
void second_derivative(const Pack z[3 * R], const Nearest<R>& nearest, bool filter, Pack out[9 * R * R]) {
  constexpr int n = 3 * R, turns[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  Pack j[4][n], h[4][4], gap[n];
  for (int i = 0; i < n; ++i) gap[i] = z[i] - nearest.p[i];
  // Column b of p E_a: E_a turns axis `first` into `second`.
  const auto turn = [&](const Pack* m, int axis, Pack* to) {
    const auto [first, second] = turns[axis];
    for (int r = 0; r < R; ++r) {
      to[3 * r + axis] = Pack{};
      to[3 * r + second] = m[3 * r + first], to[3 * r + first] = -m[3 * r + second];
    }
  };
  for (int a = 0; a < 3; ++a) turn(nearest.p, a, j[a]);
  for (int i = 0; i < n; ++i) j[3][i] = select(nearest.inside, nearest.turned[i], 0.0);
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b <= a; ++b) h[a][b] = product<n>(j[a], j[b]);
  if (!filter)
    for (int a = 0; a < 3; ++a) {
      Pack twice[n];
      for (int b = 0; b <= a; ++b) {
        turn(j[a], b, twice);
        Pack sum = product<n>(gap, twice);
        turn(j[b], a, twice);
        h[a][b] -= 0.5 * (sum + product<n>(gap, twice));
      }
      turn(nearest.turned, a, twice);
      h[3][a] -= select(nearest.inside, product<n>(gap, twice), 0.0);
    }
  h[3][3] = select(nearest.inside, h[3][3], 1.0);
  // L D L^T; a direction without stiffness does not move.
  Pack inverse[4], x[4][n];
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < a; ++b)
      for (int k = 0; k < b; ++k) h[a][b] -= h[a][k] * h[b][k] * inverse[k];
    const Pack before = h[a][a];
    for (int k = 0; k < a; ++k) h[a][a] -= h[a][k] * h[a][k] * inverse[k];
    const Mask some = abs(h[a][a]) > 1e-12 * abs(before);
    inverse[a] = select(some, 1.0 / select(some, h[a][a], 1.0), 0.0);
  }
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < 4; ++a) {
      x[a][i] = j[a][i];
      for (int b = 0; b < a; ++b) x[a][i] -= h[a][b] * inverse[b] * x[b][i];
    }
  }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      Pack sum = broadcast(r == c ? 1 : 0);
      for (int a = 0; a < 4; ++a) sum -= x[a][r] * inverse[a] * x[a][c];
      out[n * r + c] = sum;
    }
}

template <int R>
class ExampleKernel final : public Kernel {
 public:
  explicit ExampleKernel(PackedCoefficients numbers) : numbers_(std::move(numbers)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[n], c[1 + R * R], gap[n];
      load_pack(block, p, z, c);
      const Nearest<R> nearest(z, c + 1);
      for (int i = 0; i < n; ++i) gap[i] = z[i] - nearest.p[i];
      add(block.psi, p, 0.5 * c[0] * product<n>(gap, gap));
      for (int i = 0; i < n && block.dpsi_z != nullptr; ++i) add(block.dpsi_z, p * n + i, c[0] * gap[i]);
      if (block.d2psi_z == nullptr) continue;
      Pack h[n * n];
      second_derivative<R>(z, nearest, block.filter, h);
      for (int i = 0, at = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j, ++at) add(block.d2psi_z, p * (n * (n + 1) / 2) + at, c[0] * h[n * i + j]);
    }
  }
  void project(const Block& block, double* projected) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[n], c[1 + R * R];
      load_pack(block, p, z, c);
      const Nearest<R> nearest(z, c + 1);
      for (int i = 0; i < n; ++i) store(projected + (p * n + i) * lanes, nearest.p[i]);
    }
  }

 private:
  static constexpr int n = 3 * R;
  void load_pack(const Block& block, int p, Pack* z, Pack* c) const {
    const double* from = numbers_.pack(block.first + p);
    for (int i = 0; i < 1 + R * R; ++i) c[i] = load(from + i * lanes);
    for (int i = 0; i < n; ++i) z[i] = load(block.z + (p * n + i) * lanes);
  }
  static void add(double* to, int index, Pack value) {
    store(to + index * lanes, load(to + index * lanes) + value);
  }
  PackedCoefficients numbers_;
};

template <int R>
class Example final : public Potential {
 public:
  explicit Example(Coefficients numbers) : numbers_(std::move(numbers)) {}
  std::string name() const override { return "example"; }
  ElementKind kind() const override { return R == 3 ? ElementKind::tet : ElementKind::triangle; }
  void stamp(Stamp& out) const override { out.add(name()), out.add(std::span(numbers_.values())); }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<ExampleKernel<R>>(numbers_.pack(slot_element));
  }
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int element, double, double* matrix) const override {
    for (int i = 0; i < R * R; ++i) matrix[i] = i % (R + 1) == 0 ? numbers_.element(element)[0] : 0;
  }
  bool projects() const override { return true; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    return std::make_unique<PackedForm<ExampleConstraint<R>, 1 + R * R>>(ExampleConstraint<R>{},
                                                                         numbers_.pack(slot_element));
  }

 private:
  Coefficients numbers_;  // k, S1 - 1
};

// xyz of the body's vertices in the example, or nothing.
std::vector<double> read_positions(const PotentialSource& source) {
  std::vector<double> out;
  if (!source.settings.has("positions")) return out;
  const Value& value = source.settings.value("positions");
  for (const Value& item : value.list())
    for (const double x : item.vector3()) out.push_back(x);
  if (out.size() != 3 * static_cast<std::size_t>(source.vertex_count))
    value.fail(fmt::format("{} positions, but the body has {} vertices", out.size() / 3, source.vertex_count));
  return out;
}

template <int R>
std::shared_ptr<const Potential> make(const PotentialSource& source) {
  const std::vector<double> example = read_positions(source);
  Coefficients numbers(1 + R * R);
  for (int e = 0; e < source.elements.size(); ++e) {
    std::array<double, 1 + R * R> one{source.stiffness(e, stiffer)};
    const auto ids = source.elements.vertices(e);
    const auto c = source.elements.coefficients(e);
    double z[3 * R] = {}, u[R * R], s[R], v[3 * R];
    for (int r = 0; r < R && !example.empty(); ++r)
      for (std::size_t a = 0; a < ids.size(); ++a)
        for (int k = 0; k < 3; ++k)
          z[3 * r + k] += c[static_cast<std::size_t>(r) * ids.size() + a] *
                          example[3 * static_cast<std::size_t>(ids[a] - source.first_vertex) + k];
    if constexpr (R == 3) svd3(z, u, s, v);
    else svd2(z, u, s, v);
    for (int i = 0; i < R * R && !example.empty(); ++i) {
      one[1 + i] = i % (R + 1) == 0 ? -1 : 0;
      for (int k = 0; k < R; ++k) one[1 + i] += u[R * (i / R) + k] * s[k] * u[R * (i % R) + k];
    }
    numbers.add(one);
  }
  return std::make_shared<Example<R>>(std::move(numbers));
}

}  // namespace

PotentialPlugin potential_example() {
  PotentialPlugin plugin;
  plugin.doc =
      "An example shape besides the rest shape: an element that is stretched as in either, or in between, costs "
      "nothing. A projection to projective dynamics and ADMM.";
  plugin.params = {
      any("positions", "where each vertex of the body stands in the example: list of [x, y, z]; default: at rest"),
      optional(field("stiffness", "Pa", 0, positive(),
                     "stress over strain away from both shapes; default: that of the material"))};
  plugin.on = {ElementKind::tet, ElementKind::triangle};
  plugin.make = [](const PotentialSource& source) {
    return source.elements.kind() == ElementKind::tet ? make<3>(source) : make<2>(source);
  };
  return plugin;
}

}  // namespace resilin
