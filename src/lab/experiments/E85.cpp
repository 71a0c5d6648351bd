// E85: frame indifference and isotropy. Psi(Q F R) = Psi(F) and P(Q F) = Q P(F) for every registered material with
// random parameters and all kinds of stretches; fibres turn with the body only: Psi(Q F) = Psi(F). And for a whole
// mesh: V(Q x + c) = V(x), forces turn with it, and internal forces have neither sum nor torque.
#include "lab/statics.h"
#include "lab/toolkit.h"
#include "potentials/fibre.h"
#include "setup/probe.h"
#include "setup/sampling.h"

namespace resilin {
namespace {

// c = a b, or a b^T.
void multiply(const double* a, const double* b, bool transposed, double* c) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      c[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * (transposed ? b[3 * j + k] : b[3 * k + j]);
    }
}

struct Worst {
  lab::Worst energy, stress;
};

// z = F^T: Q F is z Q^T, F R is R^T z; R^T is a random rotation as good as R.
void compare(lab::Probe& probe, const double* z, double scale, bool isotropic, lab::Random& random, Worst& worst) {
  double q[9], r[9], turned[9], p[9], both[9];
  random.rotation(q), random.rotation(r);
  const double psi = probe.evaluate(z, 1);
  lab::Worst size = scale;
  double gradient[9], expected[9];
  std::copy_n(probe.gradient(), 9, gradient);
  multiply(gradient, q, true, expected);
  multiply(z, q, true, turned);
  probe.evaluate(turned, 1);
  std::copy_n(probe.gradient(), 9, p);
  for (const double x : gradient) size.see(std::abs(x));
  for (int i = 0; i < 9; ++i) worst.stress.see(std::abs(p[i] - expected[i]) / size);
  if (isotropic) multiply(r, turned, false, both);
  else std::copy_n(turned, 9, both);
  worst.energy.see(std::abs(probe.evaluate(both, 0) - psi) / std::max(std::abs(psi), scale));
}

void study_mesh(const Settings& s, Findings& findings) {
  lab::Random random(s.integer("seed") + 1);
  const TetMesh mesh = lab::distorted_box({.size = {2, 1, 1}, .cells = {6, 3, 3}}, 0.2, s.integer("seed"));
  Model model = lab::solid(mesh, 1000, "neo_hookean", {{"young", 1e6}, {"poisson", 0.4}});
  lab::add_fibre(model, 0, 5e5, {1, 1, 0});
  lab::Statics statics(std::move(model));
  auto x = lab::twisted(mesh.vertices, 90);
  for (double& c : x) c += 0.03 * random.normal();
  double q[9];
  random.rotation(q);
  auto y = lab::affine(x, q);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.7 * static_cast<double>(i % 3);
  std::vector<double> g, h;
  const double before = statics.energy(x, &g), after = statics.energy(y, &h);
  findings.at_most("mesh: |V(Q x + c) - V(x)| / V", 1e-12, std::abs(after - before) / before);
  const auto expected = lab::affine(g, q);
  lab::Worst worst, size;
  double sum[3] = {}, torque[3] = {}, forces = 0, moments = 0;
  for (std::size_t i = 0; i < g.size(); i += 3)
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      worst.see(std::abs(h[i + k] - expected[i + k])), size.see(std::abs(g[i + k]));
      sum[k] += g[i + k], forces += std::abs(g[i + k]);
      torque[k] += x[i + a] * g[i + b] - x[i + b] * g[i + a], moments += std::abs(x[i + a] * g[i + b]);
    }
  findings.at_most("mesh: forces turn with the body, relative", 1e-11, worst / size);
  findings.at_most("mesh: |sum f| / sum |f|", 1e-12, std::hypot(sum[0], sum[1], sum[2]) / forces);
  findings.at_most("mesh: |sum x times f| / sum |x||f|", 1e-12,
                   std::hypot(torque[0], torque[1], torque[2]) / moments);
}

void run(const Settings& s, Findings& findings) {
  lab::Random random(s.integer("seed"));
  std::vector<std::string> labels;
  std::vector<Worst> worst;
  Worst fibre;
  for (int draw = 0; draw < s.integer("draws"); ++draw) {
    const auto draws = lab::draw_materials(random);
    labels.resize(draws.size()), worst.resize(draws.size());
    const double kappa = std::pow(10, random.uniform(2, 6));
    const std::array<double, 3> direction = {random.normal(), random.normal(), random.normal()};
    lab::Probe fibres(make_fibre(std::span(&kappa, 1), std::span(&direction, 1)));
    for (const lab::Stretching kind : lab::all_stretchings)
      for (int n = 0; n < s.integer("samples"); ++n) {
        double z[9];
        lab::draw_matrix(kind, s.number("low"), s.number("high"), random, z);
        if (kind != lab::Stretching::point && kind != lab::Stretching::line)
          compare(fibres, z, kappa, false, random, fibre);
        for (std::size_t m = 0; m < draws.size(); ++m) {
          lab::Probe probe = lab::probe(draws[m].material, draws[m].params);
          labels[m] = draws[m].label;
          // On the kink of signed stretches the force has no direction of its own; the energy is still one number.
          Worst here;
          compare(probe, z, probe.stiffness(), true, random, here);
          const bool smooth = probe.potential().reads(1) == Reads::coordinates || !lab::on_the_kink(kind);
          worst[m].energy.see(here.energy);
          if (smooth) worst[m].stress.see(here.stress);
        }
      }
  }
  for (std::size_t m = 0; m < labels.size(); ++m) {
    findings.at_most(labels[m] + ": |Psi(Q F R) - Psi(F)| / Psi", 1e-12, worst[m].energy);
    findings.at_most(labels[m] + ": |P(Q F) - Q P(F)| / P", 1e-12, worst[m].stress);
  }
  findings.at_most("fibre: |Psi(Q F) - Psi(F)| / Psi", 1e-12, fibre.energy);
  findings.at_most("fibre: |P(Q F) - Q P(F)| / P", 1e-12, fibre.stress);
  study_mesh(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E85() {
  return {.title = "Frame indifference and isotropy",
          .source = "oracle",
          .doc = "Energies and stresses of every material under rotations of the body and of the material.",
          .params = {integer("draws", 3, between(1, 1000), "random parameter sets"),
                     integer("samples", 20, between(1, 100000), "deformations of each kind"),
                     number("low", "", 0.35, between(0.2, 1), "smallest stretch"),
                     number("high", "", 2, between(1, 4), "largest stretch"),
                     integer("seed", 1, at_least(0), "seed of the samples")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
