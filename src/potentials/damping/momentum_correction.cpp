
#include "potentials/damping/decorators.h"
#include "simd/mat3.h"

namespace resilin {
namespace {

// Section 6.2 on the rows z_r of an element, whose rigid velocities are omega x z_r: the nearest omega solves A
// omega = b with A = sum |z_r|^2 1 - z_r z_r^T and b = sum z_r x z'_r. The projection is symmetric; with c = A^-1
// sum z_r x g_r
//   dR'/dz_r = dR/dz_r - g_r x omega - z'_r x c + 2 (c . omega) z_r - (z_r . omega) c - (z_r . c) omega,   g =
//   dR/dz'_nonrigid.
struct Projection {
  explicit Projection(const Pack at[9]) : z(at) {
    Pack a[9] = {}, cofactors[9];
    for (int r = 0; r < 3; ++r) {
      const Pack* row = z + 3 * r;
      const Pack square = dot3(row[0], row[1], row[2], row[0], row[1], row[2]);
      for (int i = 0; i < 9; ++i) a[i] += (i % 4 == 0 ? square : Pack{}) - row[i / 3] * row[i % 3];
    }
    // Singular only when all rows lie on a line: then the turn about that line moves nothing, and its axis gets a
    // small stiffness. Also in a point: 1e-100 is nothing beside any z, and its cube does not underflow.
    const Pack shift = 1e-14 * trace(a) + 1e-100;
    for (int i = 0; i < 9; i += 4) a[i] += shift;
    cofactor(a, cofactors);
    const Pack inverse_determinant = 1.0 / dot3(a[0], a[1], a[2], cofactors[0], cofactors[1], cofactors[2]);
    for (int i = 0; i < 9; ++i) inverse[i] = cofactors[i] * inverse_determinant;  // A is symmetric
  }
  void turn(const Pack w[9], Pack omega[3]) const {
    Pack b[3] = {}, one[3];
    for (int r = 0; r < 3; ++r) {
      cross(z + 3 * r, w + 3 * r, one);
      for (int k = 0; k < 3; ++k) b[k] += one[k];
    }
    apply(inverse, b, omega);
  }
  void nonrigid(const Pack w[9], Pack out[9]) const {
    Pack omega[3], one[3];
    turn(w, omega);
    for (int r = 0; r < 3; ++r) {
      cross(omega, z + 3 * r, one);
      for (int k = 0; k < 3; ++k) out[3 * r + k] = w[3 * r + k] - one[k];
    }
  }
  void transposed(const Pack g[9], Pack out[9]) const { nonrigid(g, out); }
  void add_by_z(const Pack w[9], const Pack g[9], Pack by_z[9]) const {
    Pack omega[3], c[3], one[3], two[3];
    turn(w, omega), turn(g, c);
    const Pack both = dot3(c[0], c[1], c[2], omega[0], omega[1], omega[2]);
    for (int r = 0; r < 3; ++r) {
      const Pack* row = z + 3 * r;
      cross(g + 3 * r, omega, one), cross(w + 3 * r, c, two);
      const Pack along = dot3(row[0], row[1], row[2], omega[0], omega[1], omega[2]),
                 with = dot3(row[0], row[1], row[2], c[0], c[1], c[2]);
      for (int k = 0; k < 3; ++k)
        by_z[3 * r + k] += 2.0 * both * row[k] - one[k] - two[k] - along * c[k] - with * omega[k];
    }
  }
  const Pack* z;
  Pack inverse[9];
};

// Section 6.3: z'_nonrigid = (z' + z z'^T Y)/2 with Y = z^-T (their Eq. 67, transposed). For invertible F only: F
// nearly flat makes it large, and where F is singular Y is zero.
struct VelocityGradient {
  explicit VelocityGradient(const Pack at[9]) : z(at) {
    cofactor(z, y);
    const Pack determinant = dot3(z[0], z[1], z[2], y[0], y[1], y[2]);
    const Mask some = abs(determinant) > 1e-100;
    const Pack inverse_determinant = select(some, 1.0 / select(some, determinant, broadcast(1.0)), Pack{});
    for (Pack& entry : y) entry *= inverse_determinant;
  }
  void nonrigid(const Pack w[9], Pack out[9]) const { half_with(z, w, y, w, out); }
  void transposed(const Pack g[9], Pack out[9]) const { half_with(y, g, z, g, out); }
  // (g Y^T z' - Y g^T z z'^T Y)/2
  void add_by_z(const Pack w[9], const Pack g[9], Pack by_z[9]) const {
    Pack a[9], b[9], c[9], d[9];
    multiply_nt(g, y, a), multiply(a, w, b);
    multiply_nt(y, g, a), multiply(a, z, c), multiply_nt(c, w, a), multiply(a, y, d);
    for (int i = 0; i < 9; ++i) by_z[i] += 0.5 * (b[i] - d[i]);
  }
  // out = (base + a m^T b)/2
  static void half_with(const Pack a[9], const Pack m[9], const Pack b[9], const Pack base[9], Pack out[9]) {
    Pack one[9], two[9];
    multiply_nt(a, m, one), multiply(one, b, two);
    for (int i = 0; i < 9; ++i) out[i] = 0.5 * (base[i] + two[i]);
  }
  const Pack* z;
  Pack y[9];
};

template <class Kind>
class CorrectedKernel final : public DecoratorKernel {
 public:
  using DecoratorKernel::DecoratorKernel;

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    alignas(64) double inside[block_packs * 9 * lanes], g[block_packs * 9 * lanes];
    remove_rigid(block, zdot, inside);
    const bool gradients = out.by_z != nullptr || out.by_rate != nullptr;
    inner().rate(block, inside, {out.r, out.by_z, gradients ? g : nullptr});
    for (int p = 0; p < block.packs && gradients; ++p) {
      Pack z[9], w[9], by_inside[9], changed[9];
      load_pack<9>(block.z, p, z), load_pack<9>(zdot, p, w), load_pack<9>(g, p, by_inside);
      const Kind kind(z);
      if (out.by_z != nullptr) {
        load_pack<9>(out.by_z, p, changed);
        kind.add_by_z(w, by_inside, changed);
        store_pack<9>(changed, p, out.by_z);
      }
      if (out.by_rate == nullptr) continue;
      kind.transposed(by_inside, changed);
      store_pack<9>(changed, p, out.by_rate);
    }
  }

  // N^T H N, column by column.
  void curvature(const Block& block, const double* zdot, double* h) const override {
    alignas(64) double inside[block_packs * 9 * lanes];
    remove_rigid(block, zdot, inside);
    inner().curvature(block, inside, h);
    for (int p = 0; p < block.packs; ++p) {
      Pack z[9], full[9][9], left[9][9];
      load_pack<9>(block.z, p, z);
      const Kind kind(z);
      double* at = h + static_cast<std::ptrdiff_t>(p) * 45 * lanes;
      for (int i = 0, k = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j, ++k) full[i][j] = full[j][i] = load(at + k * lanes);
      for (int i = 0; i < 9; ++i) kind.transposed(full[i], left[i]);  // row i of H N
      for (int j = 0; j < 9; ++j) {
        Pack column[9], done[9];
        for (int i = 0; i < 9; ++i) column[i] = left[i][j];
        kind.transposed(column, done);
        for (int i = j; i < 9; ++i) store(at + (i * (i + 1) / 2 + j) * lanes, done[i]);
      }
    }
  }

 private:
  static void remove_rigid(const Block& block, const double* zdot, double* inside) {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[9], w[9], nonrigid[9];
      load_pack<9>(block.z, p, z), load_pack<9>(zdot, p, w);
      Kind(z).nonrigid(w, nonrigid);
      store_pack<9>(nonrigid, p, inside);
    }
  }
};

template <class Kind, Correction correction>
class Corrected final : public Decorator {
 public:
  using Decorator::Decorator;

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const override {
    return std::make_unique<CorrectedKernel<Kind>>(inner().pack_damping(slot_element));
  }
  void stamp_model(Stamp& out) const override {
    Decorator::stamp_model(out);
    out.add(static_cast<int>(correction));
  }
};

}  // namespace

std::shared_ptr<Dissipation> momentum_correction(std::shared_ptr<Dissipation> inner, Correction kind) {
  if (kind == Correction::projection)
    return std::make_shared<Corrected<Projection, Correction::projection>>(std::move(inner));
  return std::make_shared<Corrected<VelocityGradient, Correction::velocity_gradient>>(std::move(inner));
}

}  // namespace resilin
