// Damping proportional to the rate of the stretch tensor S of F = R S (Brown et al. Appendix B with X19 and X20),
//
//   R = k/2 |S'|^2
//
// A stage differences S itself, S' = (S - S_origin)/tau (their Eq. 73), so that its potential depends on |S -
// S_origin| alone and the local step of any power of R is known but for that distance: S lies between S_origin and
// sym(Q^T F~), Q the rotation of F~ S, in turns. Free of torque, as S does not see rotations; a fast spin stretches
// the origin a little (X21). With z = F^T = u diag(s) v^T: S = u diag(s) u^T, Q^T = u v^T; and G : dS = 2 (L z) :
// dz where S L + L S = G.
#include "potentials/damping/damping.h"
#include "simd/mat3.h"
#include "simd/polar3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

constexpr int most_turns = 30;  // of the rotation and the stretch

// S = u diag(s) u^T of z = u diag(s) v^T.
struct Stretch {
  explicit Stretch(const double* from) {
    Pack v[9];
    load_pack<9>(from, 0, z);
    svd3(z, u, s, v);
    multiply_diagonal_nt(u, s, u, matrix);
  }
  // L of S L + L S = G, G symmetric.
  void lyapunov(const Pack g[9], Pack l[9]) const {
    Pack half[9], turned[9];
    multiply_tn(u, g, half), multiply(half, u, turned);
    for (int i = 0; i < 9; ++i)
      turned[i] /= max(s[i / 3] + s[i % 3], 1e-6);  // below: flat, where S has no derivative
    multiply(u, turned, half), multiply_nt(half, u, l);
  }
  Pack z[9], u[9], s[3], matrix[9];
};

class StretchKernel final : public DissipationKernel {
 public:
  explicit StretchKernel(PackedCoefficients k) : k_(std::move(k)) {}

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      const Stretch at(block.z + p * 9 * lanes);
      Pack w[9], half[9], rates[9];
      load_pack<9>(zdot, p, w);
      multiply_nt(w, at.z, half);
      for (int i = 0; i < 9; ++i) rates[i] = half[i] + half[3 * (i % 3) + i / 3];  // (z z^T)'
      at.lyapunov(rates, half);
      set(block, p, at, half, out.r, out.by_rate);
    }
    if (out.by_z != nullptr) difference_by_z(block, zdot, out.by_z);
  }

  void stage_rate(const Block& block, const double*, const Rate& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      const Stretch at(block.z + p * 9 * lanes), before(block.z_origin + p * 9 * lanes);
      Pack rates[9];
      for (int i = 0; i < 9; ++i) rates[i] = (at.matrix[i] - before.matrix[i]) / block.tau;
      set(block, p, at, rates, out.r, out.by_rate);
      for (int i = 0; i < 9 && out.by_z != nullptr; ++i) store(out.by_z + (p * 9 + i) * lanes, Pack{});
    }
  }

  void radial_step(const Block& block, const double* weight, const Radius& radius, double* to) const override {
    for (int p = 0; p < block.packs; ++p) {
      const Stretch before(block.z_origin + p * 9 * lanes);
      const Pack k = load(k_.pack(block.first + p)), w = load(weight + p * lanes);
      Pack v[9], s[9], q[9], z[9];
      for (int i = 0; i < 9; ++i) v[i] = load(block.z + (p * 9 + i) * lanes), s[i] = before.matrix[i];
      for (int turn = 0; turn < most_turns; ++turn) {
        const Pack moved = nearer(before, v, k, w, radius, s, q);
        if (!any(moved > 1e-15)) break;
      }
      multiply(s, q, z);
      store_pack<9>(z, p, to);
    }
  }

 private:
  // R = k/2 |S'|^2 and 2 L z with S L + L S = k S'.
  void set(const Block& block, int p, const Stretch& at, const Pack rates[9], double* r, double* gradient) const {
    const Pack k = load(k_.pack(block.first + p));
    Pack force[9], l[9], by[9];
    if (r != nullptr) store(r + p * lanes, 0.5 * k * squared_norm(rates));
    if (gradient == nullptr) return;
    for (int i = 0; i < 9; ++i) force[i] = 2.0 * k * rates[i];
    at.lyapunov(force, l);
    multiply(l, at.z, by);
    store_pack<9>(by, p, gradient);
  }

  // One turn: q the rotation of S v (z = S q), then S on the way from S_origin to sym(v q^T). How far S moved.
  static Pack nearer(const Stretch& before, const Pack v[9], Pack k, Pack w, const Radius& radius, Pack s[9],
                     Pack q[9]) {
    Pack product[9], wanted[9], squares = {}, moved = {};
    multiply(s, v, product);
    polar3(product, q);
    multiply_nt(v, q, product);
    for (int i = 0; i < 9; ++i) {
      wanted[i] = 0.5 * (product[i] + product[3 * (i % 3) + i / 3]) - before.matrix[i];
      squares += wanted[i] * wanted[i];
    }
    const Pack distance = sqrt(squares), part = radius(k, w, distance) / max(distance, 1e-300);
    for (int i = 0; i < 9; ++i) {
      const Pack next = before.matrix[i] + part * wanted[i];
      moved = max(moved, abs(next - s[i]));
      s[i] = next;
    }
    return moved;
  }

  PackedCoefficients k_;
};

class StretchRate final : public Dissipation {
 public:
  explicit StretchRate(const DampingSource& source)
      : name_(source.name), k_(source.coefficients(1, [](const Settings& s, int element, double* c) {
          c[0] = s.number("viscosity", element);
        })) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return ElementKind::tet; }
  bool radial() const override { return true; }
  void viscosity(int element, double* matrix) const override {
    for (int i = 0; i < 9; ++i) matrix[i] = i % 4 == 0 ? k_.element(element)[0] : 0;
  }

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const override {
    return std::make_unique<StretchKernel>(k_.pack(slot_element));
  }
  void stamp_model(Stamp& out) const override { out.add(std::span(k_.values())); }

 private:
  std::string name_;
  Coefficients k_;
};

}  // namespace

DampingPlugin damping_stretch_rate() {
  return {
      "Viscous stress proportional to the rate of the stretch tensor S. With power 0 and the solver admm it is "
      "exactly dry: the body rests in a deformed shape, like clay.",
      Params{field("viscosity", "Pa s", 200, at_least(0), "viscosity k of R = k/2 |S'|^2")}.add(
          damping_params(Damps::solids)),
      Damps::solids, [](const DampingSource& source) { return std::make_shared<StretchRate>(source); }};
}

}  // namespace resilin
