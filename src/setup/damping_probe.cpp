#include "setup/damping_probe.h"

#include "potentials/spring.h"
#include "resilin/registry.h"
#include "setup/probe.h"

namespace resilin::setup {

namespace {

std::shared_ptr<const Dissipation> damping_with(std::shared_ptr<const Potential> elastic, ElementKind kind,
                                                const std::string& type, const Values& params) {
  const DampingPlugin& model = plugin<DampingPlugin>("damping", type, "experiment");
  const Settings settings = model.params.read(Value(params));
  return make_damping(model, {.name = type,
                              .settings = settings,
                              .alone = kind == ElementKind::point || settings.boolean("separate"),
                              .elements = 1,
                              .kind = kind,
                              .elastic = std::move(elastic)});
}

}  // namespace

std::shared_ptr<const Dissipation> damping_of_one(const std::string& type, const Values& params,
                                                  const std::string& material, const Values& material_params) {
  const Damps damps = plugin<DampingPlugin>("damping", type, "experiment").damps;
  if (damps == Damps::springs) return damping_on(ElementKind::edge, type, params);
  if (damps == Damps::vertices) return damping_on(ElementKind::point, type, params);
  const Settings elastic = material_settings(material, material_params);
  const ElementSettings element{&elastic, 0};
  return damping_with(plugin<MaterialPlugin>("material", material, "experiment").make(std::span(&element, 1)),
                      ElementKind::tet, type, params);
}

std::shared_ptr<const Dissipation> damping_on(ElementKind kind, const std::string& type, const Values& params) {
  if (kind == ElementKind::tet) return damping_of_one(type, params);
  const double stiffness[1] = {120}, length[1] = {0.8};
  return damping_with(kind == ElementKind::edge ? make_spring(stiffness, length) : nullptr, kind, type, params);
}

DampingProbe::DampingProbe(const std::string& type, const Values& params, const std::string& material,
                           const Values& material_params)
    : DampingProbe(damping_of_one(type, params, material, material_params)) {}

DampingProbe::DampingProbe(std::shared_ptr<const Dissipation> damping) {
  term_.damping = {std::move(damping)};
  kernels_ = TermKernels(term_, std::vector<int>(lanes, 0));
  const auto room = [](AlignedVector<double>& a, int components) {
    a.assign(static_cast<std::size_t>(components) * lanes, 0.0);
    return a.data();
  };
  block_.rows = shape_of(term_.damping[0]->kind()).rows;
  const int n = size();
  block_.packs = 1;
  block_.z = room(z_, n);
  block_.u = room(u_, 9), block_.s = room(s_, 3), block_.v = room(v_, 9), block_.r = room(rotation_, 9);
  block_.psi = room(psi_, 1);
  block_.dpsi_s = room(dpsi_s_, 3), block_.dpsi_z = room(dpsi_z_, n);
  block_.d2psi_s = room(d2psi_s_, 6), block_.d2psi_z = room(d2psi_z_, n * (n + 1) / 2);
  room(zdot_, n), room(origin_, n), room(r_, 1), room(by_z_, n), room(by_rate_, n), room(h_, n * (n + 1) / 2);
}

void DampingProbe::fill(AlignedVector<double>& to, const double* from) {
  for (int i = 0; i < size() * lanes; ++i) to[i] = from[i / lanes];
}

double DampingProbe::rate(const double* z, const double* zdot, double* by_z, double* by_rate) {
  fill(z_, z), fill(zdot_, zdot);
  model().rate(block_, zdot_.data(), {r_.data(), by_z != nullptr ? by_z_.data() : nullptr, by_rate_.data()});
  for (int i = 0; i < size(); ++i) {
    if (by_z != nullptr) by_z[i] = by_z_[i * lanes];
    if (by_rate != nullptr) by_rate[i] = by_rate_[i * lanes];
  }
  return r_[0];
}

void DampingProbe::curvature(const double* z, const double* zdot, double* full) {
  fill(z_, z), fill(zdot_, zdot);
  model().curvature(block_, zdot_.data(), h_.data());
  for (int i = 0, at = 0; i < size(); ++i)
    for (int j = 0; j <= i; ++j, ++at) full[i * size() + j] = full[j * size() + i] = h_[at * lanes];
}

double DampingProbe::stage(const double* z, const double* origin, const double* velocity, double tau,
                           double* gradient) {
  fill(z_, z), fill(zdot_, velocity), fill(origin_, origin);
  block_.z_origin = origin_.data(), block_.z_velocity = zdot_.data(), block_.tau = tau;
  evaluate(kernels_, block_, 1);
  block_.z_origin = block_.z_velocity = nullptr;
  for (int i = 0; i < size() && gradient != nullptr; ++i) gradient[i] = dpsi_z_[i * lanes];
  return psi_[0];
}

}  // namespace resilin::setup
