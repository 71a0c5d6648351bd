#include "contact/narrow_phase/pair_energy.h"

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/closest_points.h"
#include "core/stamp.h"
#include "simd/log.h"
#include "simd/mat3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double least = 0.01;  // of the radius: below, the energy is a straight line
// Of an element: 0 for a vertex and a triangle, 1 for edges; k; r; what its edges and corners count; its side.
constexpr int numbers = 10;

struct Offset {
  Pack value, slope;
};

Offset offset(Pack d, Pack k, Pack r) {
  const Pack half = 0.5 * r, floor = least * r, zero{};
  const Pack gap = max(r - d, zero), deep = max(d, floor), ratio = deep / half;
  const Pack slope_deep = -k * half * half / deep;
  const auto near = d < half;
  const Pack value_deep = 0.5 * k * half * half - k * half * half * log(min(ratio, constant<Pack>(1))) +
                          min(d - deep, zero) * slope_deep;
  return {select(near, value_deep, 0.5 * k * gap * gap), select(near, slope_deep, -k * gap)};
}

// Between the ends of two edges and the other edge, from side B to side A; z: the second end of the first edge and
// both of the other, from its first end.
template <class T>
struct EndDistances {
  T difference[4][3], squared[4], weight[4][3] = {};  // weight: by the three rows of z

  explicit EndDistances(const T* z) {
    const T origin[3] = {};
    const T *a[2] = {origin, z}, *b[2] = {z + 3, z + 6};
    for (int i = 0; i < 2; ++i) {
      const T t = foot(a[i], b[0], b[1]);
      weight[i][0] = constant<T>(i), weight[i][1] = t - 1.0, weight[i][2] = -t;
      for (int k = 0; k < 3; ++k) difference[i][k] = a[i][k] - (b[0][k] + t * (b[1][k] - b[0][k]));
    }
    for (int i = 0; i < 2; ++i) {
      const T t = foot(b[i], a[0], a[1]);
      weight[2 + i][0] = t, weight[2 + i][1 + i] = constant<T>(-1);
      for (int k = 0; k < 3; ++k) difference[2 + i][k] = t * a[1][k] - b[i][k];
    }
    for (int i = 0; i < 4; ++i) squared[i] = detail::dot(difference[i], difference[i]);
  }
  static T foot(const T* p, const T* a, const T* b) {
    T along[3], to[3];
    detail::minus(b, a, along), detail::minus(p, a, to);
    const T square = detail::dot(along, along), on = detail::dot(to, along);
    return min(max(on / select(square > 0.0, square, constant<T>(1)), T{}), constant<T>(1));
  }
};

class PairKernel final : public Kernel {
 public:
  explicit PairKernel(PackedCoefficients coefficients) : coefficients_(std::move(coefficients)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const double* c = coefficients_.pack(block.first + p);
      Sum sum(block, p, load(c + lanes), load(c + 2 * lanes));
      const bool edges = std::any_of(c, c + lanes, [](double kind) { return kind == 1; });
      const bool triangles = std::any_of(c, c + lanes, [](double kind) { return kind == 0; });
      const Pack is_edges = load(c);
      if (triangles) vertex_triangle(sum, c, 1.0 - is_edges);
      if (edges) edge_edge(sum, is_edges);
      sum.write(block, p);
    }
  }

 private:
  struct Sum {
    Pack z[9], k, r, psi{}, g[9] = {};

    Sum(const Block& block, int p, Pack stiffness, Pack radius) : k(stiffness), r(radius) {
      for (int i = 0; i < 9; ++i) z[i] = load(block.z + (p * 9 + i) * lanes);
    }
    /// factor g(|difference|), whose derivative by row i of z is weight[i] times the direction of the difference.
    void add(const Pack difference[3], Pack squared, const Pack weight[3], Pack factor) {
      add(difference, squared, weight, factor, factor);
    }
    /// The same with other factors of the value and of the derivative.
    void add(const Pack difference[3], Pack squared, const Pack weight[3], Pack factor, Pack of_slope) {
      const Pack d = sqrt(squared);
      const Offset here = offset(d, k, r);
      psi += factor * here.value;
      const Pack scale = select(d > 0.0, of_slope * here.slope / select(d > 0.0, d, constant<Pack>(1)), Pack{});
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) g[3 * i + j] += scale * weight[i] * difference[j];
    }
    void write(Block& block, int p) const {
      store(block.psi + p * lanes, load(block.psi + p * lanes) + psi);
      for (int i = 0; i < 9 && block.dpsi_z != nullptr; ++i) {
        double* to = block.dpsi_z + (p * 9 + i) * lanes;
        store(to, load(to) + g[i]);
      }
    }
  };

  // The vertex is the origin of z, the rows are the corners.
  static void vertex_triangle(Sum& sum, const double* c, Pack chosen) {
    const Pack origin[3] = {}, zero{};
    const auto closest = closest_vertex_triangle<Pack>(origin, sum.z, sum.z + 3, sum.z + 6);
    sum.add(closest.difference, closest.squared, closest.weight + 1, chosen);
    for (int e = 0; e < 3; ++e) {
      const int other = (e + 1) % 3;
      const Pack *a = sum.z + 3 * e, *b = sum.z + 3 * other;
      Pack along[3], difference[3], weight[3] = {};
      detail::minus(b, a, along);
      const Pack square = detail::dot(along, along), to_foot = -detail::dot(a, along);
      const Pack t = min(max(to_foot / select(square > 0.0, square, constant<Pack>(1)), zero), constant<Pack>(1));
      for (int j = 0; j < 3; ++j) difference[j] = -(a[j] + t * along[j]);
      weight[e] = t - 1.0, weight[other] = -t;
      sum.add(difference, detail::dot(difference, difference), weight, -chosen * load(c + (3 + e) * lanes));
    }
    for (int p = 0; p < 3; ++p) {
      Pack difference[3], weight[3] = {};
      for (int j = 0; j < 3; ++j) difference[j] = -sum.z[3 * p + j];
      weight[p] = constant<Pack>(-1);
      sum.add(difference, detail::dot(difference, difference), weight, chosen * load(c + (6 + p) * lanes));
    }
  }

  // h = g prod_i (1 - g_i/g), with g_i of the ends. h is smooth in g and g_i, and g_i <= g.
  static void edge_edge(Sum& sum, Pack chosen) {
    const Pack origin[3] = {}, zero{}, one = constant<Pack>(1);
    const auto closest = closest_edge_edge<Pack>(origin, sum.z, sum.z + 3, sum.z + 6);
    const Offset whole = offset(sqrt(closest.squared), sum.k, sum.r);
    const Mask pushes = whole.value > 0.0;
    const Pack inverse = select(pushes, 1.0 / select(pushes, whole.value, one), zero);
    const EndDistances<Pack> ends(sum.z);
    Pack left[4], others[4], product = one, lost{};
    for (int i = 0; i < 4; ++i)
      left[i] = max(one - offset(sqrt(ends.squared[i]), sum.k, sum.r).value * inverse, zero);
    for (int i = 0; i < 4; ++i) {
      product *= left[i];
      others[i] = one;
      for (int j = 0; j < 4; ++j)
        if (j != i) others[i] *= left[j];
      lost += (one - left[i]) * others[i];
    }
    sum.add(closest.difference, closest.squared, closest.weight + 1, chosen * product, chosen * (product + lost));
    for (int i = 0; i < 4; ++i)
      sum.add(ends.difference[i], ends.squared[i], ends.weight[i], zero, -chosen * others[i]);
  }

  PackedCoefficients coefficients_;
};

// c = -sqrt(2 psi/k). A vertex that has passed through a triangle has c = c(0) - d, and the gradient leads back.
// Edges that have passed each other are left to the vertices: led back by themselves as well, bodies are thrown
// apart.
class PairForm final : public CompliantForm {
 public:
  explicit PairForm(const PackedCoefficients& coefficients) : coefficients_(coefficients), kernel_(coefficients) {}
  int constraints() const override { return 1; }
  bool one_sided() const override { return true; }

  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    alignas(64) double psi[block_packs * lanes] = {};
    std::fill_n(out.gradient, block.packs * 9 * lanes, 0.0);
    Block energy = block;
    energy.psi = psi, energy.dpsi_z = out.gradient, energy.d2psi_z = nullptr;
    kernel_.evaluate(energy);
    for (int p = 0; p < block.packs; ++p) {
      const double* c = coefficients_.pack(block.first + p);
      const Pack k = load(c + lanes), r = load(c + 2 * lanes), value = load(psi + p * lanes);
      const Mask pushes = value > nothing * k * r * r;
      const Pack depth = select(pushes, sqrt(2.0 * select(pushes, value, k) / k), Pack{});
      const Pack scale = select(pushes, -1.0 / (k * select(pushes, depth, constant<Pack>(1))), Pack{});
      store(out.value + p * lanes, -depth);
      store(out.stiffness + p * lanes, k);
      double* gradient = out.gradient + p * 9 * lanes;
      for (int i = 0; i < 9; ++i) store(gradient + i * lanes, scale * load(gradient + i * lanes));
      const Passed passed(block.z + p * 9 * lanes, load(c), load(c + 9 * lanes));
      if (!any(passed.lanes_in)) continue;
      const double at_contact = std::sqrt(2 * offset_energy(0, 1, 1).value);
      const Mask back = passed.lanes_in & (load(c) < 0.5);
      store(out.value + p * lanes,
            select(back, -at_contact * r - passed.distance, select(passed.lanes_in, Pack{}, -depth)));
      for (int i = 0; i < 9; ++i)
        store(gradient + i * lanes, select(back, -passed.weight[i / 3] * passed.way[i % 3],
                                           select(passed.lanes_in, Pack{}, load(gradient + i * lanes))));
    }
  }

 private:
  static constexpr double nothing = 1e-24;  // of k r^2: c would be round-off

  // Who is on the other side of the face, or edge, than when the pair was listed.
  struct Passed {
    Mask lanes_in;
    Pack distance, weight[3], way[3];  // way: from side B to side A, now
    Passed(const double* at, Pack edges, Pack side) {
      const Pack origin[3] = {};
      Pack z[9], u[3], v[3], n[3];
      for (int i = 0; i < 9; ++i) z[i] = load(at + i * lanes);
      const Mask is_edges = edges > 0.5;
      const auto face = closest_vertex_triangle<Pack>(origin, z, z + 3, z + 6);
      const auto edge = closest_edge_edge<Pack>(origin, z, z + 3, z + 6);
      for (int k = 0; k < 3; ++k) {
        u[k] = select(is_edges, z[k], z[3 + k] - z[k]);
        v[k] = select(is_edges, z[6 + k] - z[3 + k], z[6 + k] - z[k]);
        way[k] = select(is_edges, edge.difference[k], face.difference[k]);
        weight[k] = select(is_edges, edge.weight[k + 1], face.weight[k + 1]);
      }
      cross(u, v, n);
      const Pack across = side * detail::dot(n, way);
      distance = sqrt(select(is_edges, edge.squared, face.squared));
      // Inside of the face, or of both edges: elsewhere they have gone around.
      const Mask inside = (abs(weight[0]) > 0.0) & (abs(weight[1]) > 0.0) & (abs(weight[2]) > 0.0) &
                          ((edges < 0.5) | (edge.weight[0] > 0.0));
      lanes_in = inside & (across < 0.0) & (distance > 0.0);
      const Pack inverse = 1.0 / select(distance > 0.0, distance, constant<Pack>(1));
      for (Pack& each : way) each *= inverse;
    }
  };

  PackedCoefficients coefficients_;
  PairKernel kernel_;
};

class PairPotential final : public Potential {
 public:
  explicit PairPotential(Coefficients coefficients) : coefficients_(std::move(coefficients)) {}
  std::string name() const override { return "contact"; }
  ElementKind kind() const override { return ElementKind::dihedral; }
  void stamp(Stamp& out) const override { out.add("contact"), out.add(std::span(coefficients_.values())); }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<PairKernel>(coefficients_.pack(slot_element));
  }
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int, double, double* matrix) const override { std::fill_n(matrix, 9, 0.0); }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    return std::make_unique<PairForm>(coefficients_.pack(slot_element));
  }

 private:
  Coefficients coefficients_;
};

std::array<double, numbers> numbers_in(const VertexTriangle& n) {
  const auto& [e0, e1, e2] = n.inner_edges;
  const auto& [p0, p1, p2] = n.inner_corners;
  return {0, n.stiffness, n.radius, e0, e1, e2, p0, p1, p2, n.side};
}

std::array<double, numbers> numbers_in(const EdgeEdge& n) {
  return {1, n.stiffness, n.radius, 0, 0, 0, 0, 0, 0, n.side};
}

constexpr double from_first[12] = {-1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1};

// Minus the gradient of an element by its first vertices, so many of them, summed.
std::array<double, 3> force_on_first(const std::array<double, numbers>& of, int first,
                                     const std::array<int, 4>& vertices, const double* x) {
  Coefficients one(numbers);
  one.add(of);
  const int slots[lanes] = {};
  const PairKernel kernel(one.pack(slots));
  alignas(64) double z[9 * lanes], psi[lanes] = {}, gradient[9 * lanes] = {};
  for (std::size_t i = 0; i < 9; ++i)
    std::fill_n(z + i * lanes, lanes, x[3 * vertices[i / 3 + 1] + i % 3] - x[3 * vertices[0] + i % 3]);
  Block block;
  block.packs = 1, block.z = z, block.psi = psi, block.dpsi_z = gradient;
  kernel.evaluate(block);
  std::array<double, 3> out{};
  for (int i = 3 * (first - 1); i < 9; ++i) out[i % 3] += gradient[i * lanes];  // dz/dx_0 = -1
  return out;
}

}  // namespace

OffsetEnergy offset_energy(double d, double k, double r) {
  if (d >= r) return {0, 0, 0};
  if (d >= 0.5 * r) return {0.5 * k * (r - d) * (r - d), -k * (r - d), k};
  const double deep = std::max(d, least * r), slope = -0.25 * k * r * r / deep;
  return {0.125 * k * r * r - 0.25 * k * r * r * std::log(2 * deep / r) + (d - deep) * slope, slope,
          0.25 * k * r * r / (deep * deep)};
}

double side_of(bool edges, const std::array<int, 4>& vertices, const double* normal, const double* x) {
  const auto at = corners_at(x, vertices);
  double u[3], v[3], n[3];
  detail::minus(edges ? at[1] : at[2], edges ? at[0] : at[1], u);
  detail::minus(at[3], edges ? at[2] : at[1], v);
  cross(u, v, n);
  return detail::dot(n, normal) < 0 ? -1 : 1;
}

PairTerm::PairTerm() : term_{"contact", Elements(ElementKind::dihedral), {}}, coefficients_(numbers) {}

void PairTerm::add(const std::array<int, 4>& vertices, const VertexTriangle& numbers_of) {
  term_.elements.add(vertices, from_first, 1);
  coefficients_.add(numbers_in(numbers_of));
}

void PairTerm::add(const std::array<int, 4>& vertices, const EdgeEdge& numbers_of) {
  term_.elements.add(vertices, from_first, 1);
  coefficients_.add(numbers_in(numbers_of));
}

std::array<double, 3> side_force(const VertexTriangle& of, const std::array<int, 4>& vertices, const double* x) {
  return force_on_first(numbers_in(of), 1, vertices, x);
}

std::array<double, 3> side_force(const EdgeEdge& of, const std::array<int, 4>& vertices, const double* x) {
  return force_on_first(numbers_in(of), 2, vertices, x);
}

double edge_part(const std::array<const double*, 4>& at, double distance, double radius) {
  double z[9], part = 1;
  for (int i = 0; i < 9; ++i) z[i] = at[i / 3 + 1][i % 3] - at[0][i % 3];
  const EndDistances<double> ends(z);
  const double whole = offset_energy(distance, 1, radius).value;
  for (const double squared : ends.squared)
    part *= std::max(0.0, 1 - offset_energy(std::sqrt(squared), 1, radius).value / whole);
  return whole > 0 ? part : 0;
}

Term PairTerm::finish() && {
  term_.elastic = {std::make_shared<PairPotential>(std::move(coefficients_))};
  return std::move(term_);
}

}  // namespace resilin
