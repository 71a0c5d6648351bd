#include "setup/probe.h"

#include <algorithm>

#include "resilin/registry.h"

namespace resilin::setup {

double Constraints::energy() const {
  double sum = 0;
  for (int j = 0; j < count; ++j) {
    const double c = one_sided ? std::min(value[j], 0.0) : value[j];
    sum += 0.5 * stiffness[j] * c * c;
  }
  return sum;
}

Probe::Probe(std::shared_ptr<const Potential> potential)
    : potential_(std::move(potential)),
      kernels_(*potential_, std::vector<int>(lanes, 0)),
      form_(potential_->compliant_form(std::vector<int>(lanes, 0))) {
  const int rows = shape_of(potential_->kind()).rows;
  const int n = 3 * rows;
  block_.rows = rows;
  block_.packs = 1;
  const auto room = [](AlignedVector<double>& a, int components) {
    a.assign(static_cast<std::size_t>(components) * lanes, 0.0);
    return a.data();
  };
  block_.z = room(z_, n);
  block_.u = room(u_, 9), block_.s = room(s_, 3), block_.v = room(v_, 9), block_.r = room(r_, 9);
  block_.psi = room(psi_, 1);
  block_.dpsi_s = room(dpsi_s_, 3), block_.dpsi_z = room(dpsi_z_, n);
  block_.d2psi_s = room(d2psi_s_, 6), block_.d2psi_z = room(d2psi_z_, n * (n + 1) / 2);
}

void Probe::fill(const double* z) {
  for (int i = 0; i < 3 * block_.rows; ++i)
    for (int l = 0; l < lanes; ++l) z_[static_cast<std::size_t>(i) * lanes + l] = z[i];
}

double Probe::evaluate(const double* z, int derivatives, bool filter) {
  fill(z);
  block_.filter = filter;
  resilin::evaluate(kernels_, block_, derivatives);
  if (derivatives > 0)
    for (int i = 0; i < 3 * block_.rows; ++i) gradient_[i] = dpsi_z_[static_cast<std::size_t>(i) * lanes];
  return psi_[0];
}

double Probe::hessian(int i, int j) const {
  const int at = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  return d2psi_z_[static_cast<std::size_t>(at) * lanes];
}

void Probe::project(const double* z, double* projected) {
  fill(z);
  decompose(kernels_, block_, 1);
  alignas(64) double out[9 * lanes];
  kernels_.elastic()[0]->project(block_, out);
  for (int i = 0; i < 3 * block_.rows; ++i) projected[i] = out[i * lanes];
}

Constraints Probe::constrain(const double* z) {
  Constraints out;
  if (form_ == nullptr) return out;
  alignas(64) double value[most_constraints * lanes], stiffness[most_constraints * lanes],
      gradient[most_constraints * 9 * lanes];
  fill(z);
  form_->evaluate(block_, {value, gradient, stiffness});
  out.count = form_->constraints(), out.one_sided = form_->one_sided();
  for (int j = 0; j < out.count; ++j) {
    out.value[j] = value[j * lanes], out.stiffness[j] = stiffness[j * lanes];
    for (int i = 0; i < 3 * block_.rows; ++i) out.gradient[j][i] = gradient[(j * 3 * block_.rows + i) * lanes];
  }
  return out;
}

double Probe::stiffness() const {
  double matrix[9];
  potential_->quadratic(0, 1, matrix);
  return matrix[0];
}

Settings material_settings(const std::string& material, const Values& params) {
  return plugin<MaterialPlugin>("material", material, "experiment").params.read(Value(params));
}

Probe probe(const std::string& material, const Values& params) {
  const Settings settings = material_settings(material, params);
  const ElementSettings element{&settings, 0};
  return Probe(plugin<MaterialPlugin>("material", material, "experiment").make(std::span(&element, 1)));
}

Values as_stiff_as(const std::string& material, const Value& young, double poisson) {
  const MaterialPlugin& kind = plugin<MaterialPlugin>("material", material, "experiment");
  if (kind.params.find("young") != nullptr) return {{"young", young}, {"poisson", poisson}};
  const auto [mu, lambda] = lame_at_rest(kind, kind.params.defaults());
  const double own = mu > 0 ? mu * (3 * lambda + 2 * mu) / (lambda + mu) : probe(material, {}).stiffness();
  Values out;
  for (const Param& p : kind.params.list())
    if (p.unit == "Pa" && p.fallback.is_number())
      out.emplace_back(p.name, p.fallback.number() * young.number() / own);
  return out;
}

}  // namespace resilin::setup
