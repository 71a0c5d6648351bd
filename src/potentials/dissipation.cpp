#include "potentials/dissipation.h"

#include <algorithm>

#include "core/stamp.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr int most_z = block_packs * 9 * lanes, most_h = block_packs * 45 * lanes;

// to += factor * from
void add_scaled(double* to, double factor, const double* from, int count) {
  for (int i = 0; i < count; i += lanes) store(to + i, load(to + i) + factor * load(from + i));
}

}  // namespace

void Dissipation::quadratic(int element, double tau, double* matrix) const {
  viscosity(element, matrix);
  const int rows = shape_of(kind()).rows;
  for (int i = 0; i < rows * rows; ++i) matrix[i] /= tau;
}

std::unique_ptr<DissipationKernel> Dissipation::pack_damping(std::span<const int> slot_element) const {
  auto kernel = make_kernel(slot_element);
  kernel->second_order_ = second_order_;
  return kernel;
}

std::unique_ptr<Kernel> Dissipation::pack(std::span<const int> slot_element) const {
  return pack_damping(slot_element);
}

void Dissipation::stamp(Stamp& out) const {
  out.add(name()), out.add(second_order_);
  stamp_model(out);
}

void DissipationKernel::evaluate(Block& block) const {
  if (block.z_origin == nullptr) return;  // outside of a stage: only what stores energy counts
  const int z_count = 3 * block.rows, h_count = z_count * (z_count + 1) / 2, size = block.packs * z_count * lanes;
  alignas(64) double w[most_z], r[block_packs * lanes], by_z[most_z], by_rate[most_z];
  for (int i = 0; i < size; i += lanes) store(w + i, (load(block.z + i) - load(block.z_origin + i)) / block.tau);
  const bool gradient = block.dpsi_z != nullptr;
  stage_rate(block, w, {r, gradient ? by_z : nullptr, gradient ? by_rate : nullptr});
  add_scaled(block.psi, block.tau, r, block.packs * lanes);
  if (gradient) add_scaled(block.dpsi_z, block.tau, by_z, size), add_scaled(block.dpsi_z, 1, by_rate, size);
  if (block.d2psi_z != nullptr) {
    alignas(64) double h[most_h];
    curvature(block, w, h);
    add_scaled(block.d2psi_z, 1 / block.tau, h, block.packs * h_count * lanes);
  }
  if (!second_order_) return;
  rate(block, block.z_velocity, {r, gradient ? by_z : nullptr, nullptr});
  add_scaled(block.psi, -block.tau, r, block.packs * lanes);
  if (gradient) add_scaled(block.dpsi_z, -block.tau, by_z, size);
}

void DissipationKernel::local_step(const Block& block, const double* weight, double* z) const {
  struct Viscous final : Radius {
    explicit Viscous(double step) : tau(step) {}
    Pack operator()(Pack k, Pack w, Pack distance) const override { return w * distance / (w + k / tau); }
    double tau;
  };
  radial_step(block, weight, Viscous(block.tau), z);
}

// dR/dzdot is linear in zdot: its columns are its values at unit rates.
void DissipationKernel::curvature(const Block& block, const double*, double* h) const {
  const int z_count = 3 * block.rows, h_count = z_count * (z_count + 1) / 2, size = block.packs * z_count * lanes;
  alignas(64) double unit[most_z], column[most_z];
  std::fill_n(unit, size, 0.0);
  const auto set_unit = [&](int i, double value) {
    for (int p = 0; p < block.packs; ++p) std::fill_n(unit + (p * z_count + i) * lanes, lanes, value);
  };
  for (int i = 0; i < z_count; ++i) {
    set_unit(i, 1);
    rate(block, unit, {nullptr, nullptr, column});
    for (int p = 0; p < block.packs; ++p)
      for (int j = i; j < z_count; ++j)
        std::copy_n(column + (p * z_count + j) * lanes, lanes, h + (p * h_count + j * (j + 1) / 2 + i) * lanes);
    set_unit(i, 0);
  }
}

void DissipationKernel::difference_by_z(const Block& block, const double* zdot, double* by_z) const {
  constexpr double step = 2e-6;  // near equal stretches third derivatives are large
  const int z_count = 3 * block.rows;
  alignas(64) double z[most_z], plus[block_packs * lanes], minus[block_packs * lanes];
  std::copy_n(block.z, block.packs * z_count * lanes, z);
  Block at = block;
  at.z = z;
  for (int i = 0; i < z_count; ++i) {
    const auto move = [&](double by) {
      for (int p = 0; p < block.packs; ++p) {
        const int k = (p * z_count + i) * lanes;
        store(z + k, load(block.z + k) + by);
      }
    };
    move(step);
    rate(at, zdot, {plus, nullptr, nullptr});
    move(-step);
    rate(at, zdot, {minus, nullptr, nullptr});
    move(0);
    for (int p = 0; p < block.packs; ++p)
      store(by_z + (p * z_count + i) * lanes, (load(plus + p * lanes) - load(minus + p * lanes)) / (2 * step));
  }
}

double damping_power(const DissipationKernel& model, SweepBlock& sweep) {
  const Block& block = sweep.block;
  model.rate(block, block.z_velocity, {nullptr, nullptr, block.dpsi_z});
  Pack total = {};
  for (int p = 0; p < block.packs; ++p) {
    Pack power = {};
    for (int i = p * 3 * block.rows; i < (p + 1) * 3 * block.rows; ++i)
      power += load(block.z_velocity + i * lanes) * load(block.dpsi_z + i * lanes);
    total += load(sweep.measure + p * lanes) * power;
  }
  return sum(total);
}

}  // namespace resilin
