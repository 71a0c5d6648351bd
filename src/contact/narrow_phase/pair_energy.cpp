#include "contact/narrow_phase/pair_energy.h"

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/pair_distances.h"
#include "contact/narrow_phase/pair_hessian.h"
#include "core/stamp.h"

namespace resilin {
namespace {

// Of an element: 0 for a vertex and a triangle, 1 for edges; k; r; what its edges and corners count; its side.
constexpr int numbers = 10;

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
      if (block.d2psi_z != nullptr)
        add_pair_hessian(sum.z, c, block.filter, block.d2psi_z + static_cast<std::ptrdiff_t>(p) * 45 * lanes);
    }
  }

 private:
  struct Sum {
    Pack z[9], k, r, psi{}, g[9] = {};

    Sum(const Block& block, int p, Pack stiffness, Pack radius) : k(stiffness), r(radius) {
      for (int i = 0; i < 9; ++i) z[i] = load(block.z + (p * 9 + i) * lanes);
    }
    /// factor g(d).
    void add(const pair::Distance& at, Pack factor) { add(at.difference, at.squared, at.weight, factor, factor); }
    /// The same with other factors of the value and of the derivative. d = |difference|.
    void add(const Pack difference[3], Pack squared, const Pack weight[3], Pack factor, Pack of_slope) {
      const Pack d = sqrt(squared);
      const pair::Offset here = pair::offset(d, k, r);
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

  static void vertex_triangle(Sum& sum, const double* c, Pack chosen) {
    sum.add(pair::to_face(sum.z), chosen);
    for (int e = 0; e < 3; ++e) sum.add(pair::to_edge(sum.z, e), -chosen * load(c + (3 + e) * lanes));
    for (int p = 0; p < 3; ++p) sum.add(pair::to_corner(sum.z, p), chosen * load(c + (6 + p) * lanes));
  }

  static void edge_edge(Sum& sum, Pack chosen) {
    const Pack origin[3] = {};
    const auto closest = closest_edge_edge<Pack>(origin, sum.z, sum.z + 3, sum.z + 6);
    const pair::EndDistances<Pack> ends(sum.z);
    const pair::EdgeProduct h(pair::offset(sqrt(closest.squared), sum.k, sum.r), ends, sum.k, sum.r);
    sum.add(closest.difference, closest.squared, closest.weight + 1, chosen * h.product,
            chosen * (h.product + h.lost));
    for (int i = 0; i < 4; ++i)
      sum.add(ends.difference[i], ends.squared[i], ends.weight[i], Pack{}, -chosen * h.others[i]);
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

  // The lanes in which the first part is on the other side of the face, or edge, than when the pair was listed.
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
  const double deep = std::max(d, pair::least * r), slope = -0.25 * k * r * r / deep;
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
  for (std::size_t i = 0; i < 9; ++i) z[i] = at[i / 3 + 1][i % 3] - at[0][i % 3];
  const pair::EndDistances<double> ends(z);
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
