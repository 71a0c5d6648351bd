// A body that likes several shapes: its rest shape and examples (Bouaziz et al. 2014, after Martin et al. 2011).
// Per element, with the stretch S_i of each of them and S_0 = 1 at rest,
//
//   psi = k/2 min over rotations Q and weights w of |z - S(w) Q|^2,   S(w) = sum w_i S_i,   w_i >= 0,   sum w_i = 1
//
// an energy of projective dynamics, whose projection is p = S(w) Q. For given w, Q is the rotation of the polar
// decomposition of S(w) z. Weights start at the nearest shape and descend: by Newton's method in those that are not
// zero, Q following them, and where that does not descend by the same for a fixed Q, which always does. Of a
// triangle Q is 2 x 3 with orthonormal rows.
#include <fmt/format.h>

#include "core/stamp.h"
#include "potentials/added/added.h"
#include "potentials/compliant.h"
#include "resilin/errors.h"
#include "simd/svd2.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

constexpr const char* shapes_key = "shapes";
constexpr double stiffer = 1;  // than the material, unless the stiffness is stated
constexpr int most_examples = 8, most_shapes = 1 + most_examples;
constexpr int most_steps = 60;
constexpr double settled = 4e-15;  // slopes this small against 1 + |z|^2 are zero, and so are such weights

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

// Of one pack: k, and S_i - 1 of each example.
template <int R>
struct Shapes {
  int count;  // the rest shape too
  Pack k, strain[most_examples][R * R];

  Shapes(const double* from, int examples) : count(1 + examples), k(load(from)) {
    for (int e = 0; e < examples; ++e)
      for (int i = 0; i < R * R; ++i) strain[e][i] = load(from + (1 + e * R * R + i) * lanes);
  }
};

// p for given weights.
template <int R>
struct Point {
  static constexpr int n = 3 * R;
  Pack w[most_shapes] = {}, q[n] = {}, p[n] = {}, squares = {};  // squares: |z - p|^2

  void settle(const Pack z[n], const Shapes<R>& shapes) {
    Pack s[R * R], m[n];
    for (int i = 0; i < R * R; ++i) {
      s[i] = broadcast(i % (R + 1) == 0 ? 1 : 0);
      for (int e = 1; e < shapes.count; ++e) s[i] += w[e] * shapes.strain[e - 1][i];
    }
    times<R>(s, z, m);
    nearest_rotation<R>(m, q);
    times<R>(s, q, p);
    squares = Pack{};
    for (int i = 0; i < n; ++i) squares += (z[i] - p[i]) * (z[i] - p[i]);
  }
  void take(Mask where, const Point& other, int shapes) {
    for (int i = 0; i < shapes; ++i) w[i] = select(where, other.w[i], w[i]);
    for (int i = 0; i < n; ++i) q[i] = select(where, other.q[i], q[i]), p[i] = select(where, other.p[i], p[i]);
    squares = select(where, other.squares, squares);
  }
};

// The second derivative of 1/2 |z - p|^2 in turns Q exp(W), W skew, and in weights: the largest one makes up for
// the others.
template <int R>
struct Tangent {
  static constexpr int n = 3 * R, turns = 3, most = turns + most_shapes;
  int count;        // of variables
  Pack j[most][n];  // dp/d(turns, weights); that of a weight which stays is zero, and so is that of the largest
  Pack c[most][most], inverse[most];  // of factorise(): C D^-1 C^T, C lower with the diagonal D

  Tangent(const Point<R>& at, const Shapes<R>& shapes) : count(turns + shapes.count) {
    for (int a = 0; a < turns; ++a) turn(at.p, a, j[a]);
    Pack base[n] = {}, largest = at.w[0];
    for (int i = 0; i < n; ++i) j[turns][i] = Pack{};
    for (int e = 1; e < shapes.count; ++e) {
      times<R>(shapes.strain[e - 1], at.q, j[turns + e]);
      const Mask larger = at.w[e] > largest;
      largest = select(larger, at.w[e], largest);
      for (int i = 0; i < n; ++i) base[i] = select(larger, j[turns + e][i], base[i]);
    }
    for (int e = 0; e < shapes.count; ++e)
      for (int i = 0; i < n; ++i) j[turns + e][i] -= base[i];
  }
  void hold(int shape, Mask where) {
    for (int i = 0; i < n; ++i) j[turns + shape][i] = select(where, 0.0, j[turns + shape][i]);
  }

  // `exact`: with the part that the gap z - p has. Lanes of `fixed` have a fixed Q. What has no stiffness does not
  // move.
  void factorise(const Pack gap[n], bool exact, Mask fixed) {
    for (int a = 0; a < count; ++a)
      for (int b = 0; b <= a; ++b) {
        c[a][b] = product<n>(j[a], j[b]);
        if (exact && b < turns) c[a][b] -= curvature(gap, a, b);
        if (b < turns) c[a][b] = select(fixed, a == b ? 1.0 : 0.0, c[a][b]);
      }
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < a; ++b)
        for (int k = 0; k < b; ++k) c[a][b] -= c[a][k] * c[b][k] * inverse[k];
      const Pack before = c[a][a];
      for (int k = 0; k < a; ++k) c[a][a] -= c[a][k] * c[a][k] * inverse[k];
      const Mask some = abs(c[a][a]) > 1e-12 * abs(before);
      inverse[a] = select(some, 1.0 / select(some, c[a][a], 1.0), 0.0);
    }
  }
  Mask indefinite() const {
    Pack least = inverse[0];
    for (int a = 1; a < count; ++a) least = min(least, inverse[a]);
    return least < 0.0;
  }
  // The step of Newton's method in the weights, J^T gap down.
  void step(const Pack gap[n], Pack* d) const {
    Pack x[most];
    for (int a = 0; a < count; ++a) {
      x[a] = a < turns ? Pack{} : product<n>(gap, j[a]);  // Q is at its best already
      for (int b = 0; b < a; ++b) x[a] -= c[a][b] * inverse[b] * x[b];
    }
    for (int a = count - 1; a >= turns; --a) {
      x[a] *= inverse[a];
      for (int b = a + 1; b < count; ++b) x[a] -= c[b][a] * inverse[a] * x[b];
      d[a - turns] = x[a];
    }
  }

 private:
  // m E_axis, with E turning one of the two other axes into the other.
  static void turn(const Pack m[n], int axis, Pack to[n]) {
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    for (int r = 0; r < R; ++r) {
      to[3 * r + axis] = Pack{};
      to[3 * r + second] = m[3 * r + first], to[3 * r + first] = -m[3 * r + second];
    }
  }
  Pack curvature(const Pack gap[n], int a, int b) const {
    Pack twice[n];
    turn(j[a], b, twice);
    const Pack one = product<n>(gap, twice);
    if (a >= turns) return one;
    turn(j[b], a, twice);
    return 0.5 * (one + product<n>(gap, twice));
  }
};

template <int R>
struct Nearest : Point<R> {
  static constexpr int n = 3 * R;
  const Shapes<R>& shapes;
  Pack gap[n];  // z - p

  Nearest(const Pack z[n], const Shapes<R>& of) : shapes(of) {
    start(z);
    for (int i = 0; i < n; ++i) gap[i] = z[i] - this->p[i];
    if (of.count == 1) return;
    const Pack size = 1.0 + product<n>(z, z);
    Mask active = first_lanes(lanes), fixed = first_lanes(0);
    Point<R> trial;
    for (int i = 0; i < most_steps; ++i) {
      active = active & next(size, fixed, trial);
      if (!any(active)) break;
      trial.settle(z, shapes);
      const Mask taken = active & (trial.squares <= this->squares + 1e-15 * size);
      active = active & (taken | !fixed);
      fixed = active & !taken;
      this->take(taken, trial, shapes.count);
      for (int k = 0; k < n; ++k) gap[k] = z[k] - this->p[k];
    }
  }

  // 1 - J H^-1 J^T with H the second derivative in turns and weights, J^T J where filtered.
  void second_derivative(bool filter, Pack out[n * n]) const {
    Tangent<R> tangent(*this, shapes);
    for (int e = 0; e < shapes.count; ++e) tangent.hold(e, !(this->w[e] > 0.0));
    tangent.factorise(gap, !filter, first_lanes(0));
    Pack x[Tangent<R>::most][n];
    for (int a = 0; a < tangent.count; ++a)
      for (int i = 0; i < n; ++i) {
        x[a][i] = tangent.j[a][i];
        for (int b = 0; b < a; ++b) x[a][i] -= tangent.c[a][b] * tangent.inverse[b] * x[b][i];
      }
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        Pack sum = broadcast(r == c ? 1 : 0);
        for (int a = 0; a < tangent.count; ++a) sum -= x[a][r] * tangent.inverse[a] * x[a][c];
        out[n * r + c] = sum;
      }
  }

 private:
  void start(const Pack z[n]) {
    for (int e = 0; e < shapes.count; ++e) {
      Point<R> one;
      one.w[e] = broadcast(1);
      one.settle(z, shapes);
      this->take(e == 0 ? first_lanes(lanes) : one.squares < this->squares, one, shapes.count);
    }
  }

  // Weights to try; false where the best are known. Only the weight with the steepest way down leaves zero, once
  // the others have found their places.
  Mask next(Pack size, Mask fixed, Point<R>& trial) const {
    Tangent<R> tangent(*this, shapes);
    Pack slope[most_shapes], steepest = {}, rough = {};
    for (int e = 0; e < shapes.count; ++e) {
      slope[e] = -product<n>(gap, tangent.j[Tangent<R>::turns + e]);
      const Mask zero = !(this->w[e] > 0.0);
      steepest = select(zero, min(steepest, slope[e]), steepest);
      rough = select(zero, rough, max(rough, abs(slope[e])));
    }
    const Mask leave = (steepest < -settled * size) & (rough <= -0.1 * steepest);
    for (int e = 0; e < shapes.count; ++e)
      tangent.hold(e, !((this->w[e] > 0.0) | (leave & (slope[e] <= steepest))));
    tangent.factorise(gap, true, fixed);
    const Mask indefinite = tangent.indefinite();
    if (any(indefinite)) tangent.factorise(gap, true, fixed | indefinite);
    Pack d[most_shapes];
    tangent.step(gap, d);
    limit(d, trial);
    return leave | (rough > settled * size);
  }

  // trial = w + length d, as far as weights stay positive. The largest weight has no part in d.
  void limit(Pack* d, Point<R>& trial) const {
    Pack largest = this->w[0], rest = {}, length = broadcast(1), sum = {};
    for (int e = 1; e < shapes.count; ++e) largest = max(largest, this->w[e]);
    for (int e = 0; e < shapes.count; ++e) {
      d[e] = select((this->w[e] > 0.0) | (d[e] > 0.0), d[e], 0.0);
      rest -= d[e];
    }
    Mask base = first_lanes(lanes);  // not found yet
    for (int e = 0; e < shapes.count; ++e) {
      const Mask here = base & (this->w[e] >= largest);
      base = base & !here;
      d[e] = select(here, rest, d[e]);
      const Mask short_of = this->w[e] + length * d[e] < 0.0;
      length = select(short_of, -this->w[e] / select(short_of, d[e], 1.0), length);
    }
    for (int e = 0; e < shapes.count; ++e) {
      const Pack moved = this->w[e] + length * d[e];
      trial.w[e] = select(moved > settled, moved, 0.0);
      sum += trial.w[e];
    }
    for (int e = 0; e < shapes.count; ++e) trial.w[e] = trial.w[e] / sum;
  }
};

template <int R>
class ExampleKernel final : public Kernel {
 public:
  ExampleKernel(PackedCoefficients numbers, int examples) : numbers_(std::move(numbers)), examples_(examples) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[n];
      load_pack<n>(block.z, p, z);
      const Shapes<R> shapes(numbers_.pack(block.first + p), examples_);
      const Nearest<R> nearest(z, shapes);
      add(block.psi, p, 0.5 * shapes.k * nearest.squares);
      for (int i = 0; i < n && block.dpsi_z != nullptr; ++i)
        add(block.dpsi_z, p * n + i, shapes.k * nearest.gap[i]);
      if (block.d2psi_z == nullptr) continue;
      Pack h[n * n];
      nearest.second_derivative(block.filter, h);
      for (int i = 0, at = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j, ++at) add(block.d2psi_z, p * (n * (n + 1) / 2) + at, shapes.k * h[n * i + j]);
    }
  }
  void project(const Block& block, double* projected) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[n];
      load_pack<n>(block.z, p, z);
      const Shapes<R> shapes(numbers_.pack(block.first + p), examples_);
      const Nearest<R> nearest(z, shapes);
      for (int i = 0; i < n; ++i) store(projected + (p * n + i) * lanes, nearest.p[i]);
    }
  }

 private:
  static constexpr int n = 3 * R;
  PackedCoefficients numbers_;
  int examples_;
};

// c = |z - p|.
template <int R>
class ExampleForm final : public CompliantForm {
 public:
  ExampleForm(PackedCoefficients numbers, int examples) : numbers_(std::move(numbers)), examples_(examples) {}
  int constraints() const override { return 1; }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[3 * R], gradient[3 * R];
      load_pack<3 * R>(block.z, p, z);
      const Shapes<R> shapes(numbers_.pack(block.first + p), examples_);
      const Nearest<R> nearest(z, shapes);
      store(out.value + p * lanes, length_constraint<3 * R>(nearest.gap, gradient));
      store(out.stiffness + p * lanes, shapes.k);
      store_pack<3 * R>(gradient, p, out.gradient);
    }
  }

 private:
  PackedCoefficients numbers_;
  int examples_;
};

template <int R>
class Example final : public Potential {
 public:
  Example(Coefficients numbers, int examples) : numbers_(std::move(numbers)), examples_(examples) {}
  std::string name() const override { return "example"; }
  ElementKind kind() const override { return R == 3 ? ElementKind::tet : ElementKind::triangle; }
  void stamp(Stamp& out) const override {
    out.add(name()), out.add(examples_), out.add(std::span(numbers_.values()));
  }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<ExampleKernel<R>>(numbers_.pack(slot_element), examples_);
  }
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int element, double, double* matrix) const override {
    for (int i = 0; i < R * R; ++i) matrix[i] = i % (R + 1) == 0 ? numbers_.element(element)[0] : 0;
  }
  bool projects() const override { return true; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    return std::make_unique<ExampleForm<R>>(numbers_.pack(slot_element), examples_);
  }

 private:
  Coefficients numbers_;  // k, and S_i - 1 of each example
  int examples_;
};

// xyz of the body's vertices in each example.
std::vector<std::vector<double>> read_shapes(const PotentialSource& source) {
  std::vector<std::vector<double>> out;
  if (!source.settings.has(shapes_key)) return out;
  const Value& value = source.settings.value(shapes_key);
  for (const Value& shape : value.list()) {
    auto& positions = out.emplace_back();
    if (shape.is_text()) shape.fail("only scenes read files: list the positions of all vertices");
    for (const Value& item : shape.list())
      for (const double x : item.vector3()) positions.push_back(x);
    if (positions.size() != 3 * static_cast<std::size_t>(source.vertex_count))
      shape.fail(
          fmt::format("{} positions, but the body has {} vertices", positions.size() / 3, source.vertex_count));
  }
  if (out.size() > most_examples)
    value.fail(fmt::format("{} shapes; at most {} are taken", out.size(), most_examples));
  return out;
}

// S - 1 of an element in an example.
template <int R>
void add_strain(const PotentialSource& source, int element, std::span<const double> x, std::vector<double>& out) {
  const auto ids = source.elements.vertices(element);
  const auto c = source.elements.coefficients(element);
  double z[3 * R] = {}, u[R * R], s[R], v[3 * R];
  for (int r = 0; r < R; ++r)
    for (std::size_t a = 0; a < ids.size(); ++a)
      for (int k = 0; k < 3; ++k) z[3 * r + k] += c[r * ids.size() + a] * x[3 * (ids[a] - source.first_vertex) + k];
  if constexpr (R == 3) svd3(z, u, s, v);
  else svd2(z, u, s, v);
  for (int i = 0; i < R * R; ++i) {
    double sum = i % (R + 1) == 0 ? -1 : 0;
    for (int k = 0; k < R; ++k) sum += u[R * (i / R) + k] * s[k] * u[R * (i % R) + k];
    out.push_back(sum);
  }
}

template <int R>
std::shared_ptr<const Potential> make(const PotentialSource& source) {
  const auto shapes = read_shapes(source);
  Coefficients numbers(1 + static_cast<int>(shapes.size()) * R * R);
  for (int e = 0; e < source.elements.size(); ++e) {
    std::vector<double> one{source.stiffness(e, stiffer)};
    for (const auto& shape : shapes) add_strain<R>(source, e, shape, one);
    numbers.add(one);
  }
  return std::make_shared<Example<R>>(std::move(numbers), static_cast<int>(shapes.size()));
}

}  // namespace

PotentialPlugin potential_example() {
  PotentialPlugin plugin;
  plugin.doc =
      "Example shapes besides the rest shape (Martin et al. 2011): an element that is stretched as in one of them, "
      "or as in a mixture, costs nothing. A projection to projective dynamics and ADMM.";
  plugin.shapes = shapes_key;
  plugin.params = {any(shapes_key,
                       "up to 8 example shapes, each a mesh file with the body's elements or a list with [x, y, z] "
                       "of every vertex; default: none, so that only the rest shape costs nothing"),
                   optional(field("stiffness", "Pa", 0, positive(),
                                  "stress over strain away from these shapes; default: that of the material"))};
  plugin.on = {ElementKind::tet, ElementKind::triangle};
  plugin.make = [](const PotentialSource& source) {
    return source.elements.kind() == ElementKind::tet ? make<3>(source) : make<2>(source);
  };
  return plugin;
}

}  // namespace resilin
