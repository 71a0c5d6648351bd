// E30: identities behind the momentum correction. With W skew, z' = z W is a rigid spin and P = dpsi/dz: K(z) (z W)
// = P W, so Rayleigh damping is torque-free only at zero stress; both corrections take out a spin entirely; the
// torque of the corrected force vanishes; dR/dz of Eq. 70 against differences.
#include "lab/toolkit.h"
#include "setup/damping_probe.h"
#include "setup/probe.h"
#include "simd/mat3.h"

namespace resilin {
namespace {

void draw(lab::Random& random, double z[9]) {
  double u[9], v[9];
  random.rotation(u), random.rotation(v);
  std::fill_n(z, 9, 0.0);
  for (int k = 0; k < 3; ++k) {
    const double stretch = random.uniform(1.0, 1.6);
    for (int e = 0; e < 9; ++e) z[e] += u[3 * (e / 3) + k] * stretch * v[3 * (e % 3) + k];
  }
}

// z W of a random skew W, and W.
void draw_spin(lab::Random& random, const double z[9], double skew[9], double rate[9]) {
  const double a = random.normal(), b = random.normal(), c = random.normal();
  const double w[9] = {0, a, b, -a, 0, c, -b, -c, 0};
  std::copy_n(w, 9, skew);
  multiply(z, skew, rate);
}

void stiffness_identity(const Settings& s, Findings& findings) {
  lab::Probe elastic = lab::probe("neo_hookean", {});
  lab::Random random(1);
  lab::Worst worst;
  for (int i = 0; i < s.integer("samples"); ++i) {
    lab::Worst size, gap;
    double z[9], w[9], rate[9], expected[9];
    draw(random, z);
    draw_spin(random, z, w, rate);
    elastic.evaluate(z, 2);
    multiply(elastic.gradient(), w, expected);
    for (int a = 0; a < 9; ++a) {
      double sum = 0;
      for (int b = 0; b < 9; ++b) sum += elastic.hessian(a, b) * rate[b];
      gap.see(std::abs(sum - expected[a])), size.see(std::abs(expected[a]));
    }
    worst.see(gap / size);
  }
  findings.at_most("K (w x x) against w x grad U", 1e-6, worst);
}

void correction(const Settings& s, const std::string& kind, Findings& findings) {
  lab::DampingProbe model("rayleigh", {{"momentum", kind}}), plain("rayleigh", {{"momentum", "off"}});
  lab::Random random(2);
  lab::Worst rigid, torque, gradient;
  for (int i = 0; i < s.integer("samples"); ++i) {
    double z[9], w[9], rate[9], by_z[9], by_rate[9], moment[9], spin[9];
    draw(random, z);
    draw_spin(random, z, w, spin);
    rigid.see(model.rate(z, spin, nullptr, nullptr) / plain.rate(z, spin, nullptr, nullptr));
    for (double& x : rate) x = random.normal();
    model.rate(z, rate, by_z, by_rate);
    multiply_tn(z, by_rate, moment);  // sum of z_r g_r^T: its skew part is the torque
    lab::Worst size, largest;
    for (int e = 0; e < 9; ++e) size.see(std::abs(moment[e])), largest.see(std::abs(by_z[e]));
    for (int e = 0; e < 9; ++e) torque.see(std::abs(moment[e] - moment[3 * (e % 3) + e / 3]) / size);
    for (int e = 0; e < 9; ++e) {
      const double step = 2e-5, at = z[e];
      const auto moved = [&](double to) { return z[e] = to, model.rate(z, rate, nullptr, nullptr); };
      const double up = moved(at + step), down = moved(at - step);
      z[e] = at;
      gradient.see(std::abs((up - down) / (2 * step) - by_z[e]) / largest);
    }
  }
  findings.at_most(kind + ": R of a rigid spin / uncorrected", 1e-12, rigid);
  findings.at_most(kind + ": torque / size of the force", 1e-8, torque);
  findings.at_most(kind + ": dR/dz against differences", 1e-6, gradient);
}

void run(const Settings& s, Findings& findings) {
  stiffness_identity(s, findings);
  for (const char* kind : {"projection", "velocity_gradient"}) correction(s, kind, findings);
}

}  // namespace

ExperimentPlugin experiment_E30() {
  return {
      .title = "Identities of the momentum correction",
      .source = "brown2018",
      .doc = "Stiffness under rigid spin; rigid velocity, torque and gradient of the corrected Rayleigh damping.",
      .params = {integer("samples", 200, between(1, 1000000), "random states")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
