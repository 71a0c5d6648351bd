#include "lab/prox_probe.h"

#include <utility>

#include "lab/probe.h"
#include "lab/toolkit.h"

namespace resilin::lab {

ProxProbe::ProxProbe(std::vector<std::shared_ptr<const Potential>> potentials)
    : ProxProbe(Term{"", Elements{}, std::move(potentials), {}}) {}

ProxProbe::ProxProbe(std::shared_ptr<const Dissipation> damping)
    : ProxProbe(Term{"", Elements{}, {}, {std::move(damping)}}) {}

ProxProbe::ProxProbe(Term term) : term_(std::move(term)) {
  const int rows = shape_of(term_.elastic.empty() ? term_.damping[0]->kind() : term_.elastic[0]->kind()).rows;
  kernels_ = TermKernels(term_, std::vector<int>(lanes, 0));
  block_.rows = rows;
  block_.packs = 1;
  const int n = 3 * rows, sizes[] = {n, 9, 3, 9, 1, 3, n, 6, n * (n + 1) / 2, 9};
  int total = 0;
  for (const int size : sizes) total += size * lanes;
  numbers_.assign(total, 0.0);
  double* at = numbers_.data();
  const auto room = [&](int i) { return std::exchange(at, at + sizes[i] * lanes); };
  block_.z = room(0), block_.u = room(1), block_.s = room(2), block_.v = room(3), block_.psi = room(4);
  block_.dpsi_s = room(5), block_.dpsi_z = room(6), block_.d2psi_s = room(7), block_.d2psi_z = room(8);
  block_.r = room(9);
}

double ProxProbe::stiffness() const {
  double sum = 0, matrix[9];
  for (const auto& potential : term_.elastic) {
    potential->quadratic(0, 1, matrix);
    sum += matrix[0];
  }
  return sum;
}

void ProxProbe::set_stage(const double* const origin[8], double tau) {
  origin_.resize(static_cast<std::size_t>(components()) * lanes);
  for (int i = 0; i < components(); ++i)
    for (int l = 0; l < lanes; ++l) origin_[static_cast<std::size_t>(i) * lanes + l] = origin[l][i];
  block_.z_origin = origin_.data();
  block_.tau = tau;
}

void ProxProbe::solve_lanes(const double* const v[8], double weight, double* z) {
  alignas(64) double from[9 * lanes], to[9 * lanes], w[lanes], k[lanes];
  std::fill_n(w, lanes, weight);
  std::fill_n(k, lanes, stiffness());
  for (int i = 0; i < components(); ++i)
    for (int l = 0; l < lanes; ++l) from[i * lanes + l] = to[i * lanes + l] = v[l][i];
  prox(kernels_, method(), block_, {.v = from, .weight = w, .stiffness = k, .z = to});
  for (int i = 0; i < components(); ++i)
    for (int l = 0; l < lanes; ++l) z[components() * l + i] = to[i * lanes + l];
}

void ProxProbe::solve(const double* v, double weight, double* z) {
  const double* all[lanes];
  double out[9 * lanes];
  std::fill_n(all, lanes, v);
  solve_lanes(all, weight, out);
  std::copy_n(out, components(), z);
}

double ProxProbe::evaluate(const double* z, int derivatives) {
  for (int i = 0; i < components(); ++i) std::fill_n(numbers_.data() + i * lanes, lanes, z[i]);
  resilin::evaluate(kernels_, block_, derivatives);
  return block_.psi[0];
}

double ProxProbe::value(const double* z, const double* v, double weight) {
  double squares = 0;
  for (int i = 0; i < components(); ++i) squares += (z[i] - v[i]) * (z[i] - v[i]);
  return evaluate(z, 0) + 0.5 * weight * squares;
}

double ProxProbe::slope(const double* z, const double* v, double weight) {
  evaluate(z, 1);
  double squares = 0;
  for (int i = 0; i < components(); ++i) {
    const double g = block_.dpsi_z[i * lanes] + weight * (z[i] - v[i]);
    squares += g * g;
  }
  return std::sqrt(squares);
}

void ProxProbe::compass_search(const double* v, double weight, double step, double* z) {
  double best = value(z, v, weight);
  for (const double least = 1e-7 * step; step > least; step *= 0.5)
    for (bool moved = true; moved;) {
      moved = false;
      for (int i = 0; i < 2 * components(); ++i) {
        const double before = z[i / 2];
        z[i / 2] += i % 2 == 0 ? step : -step;
        const double f = value(z, v, weight);
        if (f < best - 1e-14 * std::abs(best)) best = f, moved = true;
        else z[i / 2] = before;
      }
    }
}

ProxProbe prox_probe(const std::string& material, const Values& params) {
  const Settings settings = material_settings(material, params);
  const ElementSettings element{&settings, 0};
  return ProxProbe({plugin<MaterialPlugin>("material", material, "experiment").make(std::span(&element, 1))});
}

}  // namespace resilin::lab
