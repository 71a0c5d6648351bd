// E3: envelope theorem (Liu et al. Eq. 8). The gradient of k/2 |F - p(F)|^2 is k (F - p(F)), as if the projection p
// were constant: against central differences of the projected energy, for random F of both signs of det F. Where
// two stretches add up to zero the projection is not unique and the energy not smooth: those F are left out.
#include "lab/toolkit.h"
#include "setup/probe.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

double energy(lab::Probe& probe, const double* f, double k, int n, double* gap) {
  double p[9], sum = 0;
  probe.project(f, p);
  for (int i = 0; i < n; ++i) gap[i] = f[i] - p[i], sum += gap[i] * gap[i];
  return k / 2 * sum;
}

struct Worst {
  lab::Worst envelope, potential;  // against differences; and the library's own gradient against Eq. 8
  int count = 0, inverted = 0;
};

// `n` coordinates; f is overwritten and restored.
void compare(lab::Probe& probe, double* f, double k, int n, double step, Worst& worst) {
  lab::Worst scale;
  double gap[9], ignored[9];
  energy(probe, f, k, n, gap);
  for (int i = 0; i < n; ++i) scale.see(k * std::abs(gap[i]));
  probe.evaluate(f, 1);
  for (int i = 0; i < n; ++i) {
    const double x = f[i];
    f[i] = x + step;
    const double above = energy(probe, f, k, n, ignored);
    f[i] = x - step;
    const double below = energy(probe, f, k, n, ignored);
    f[i] = x;
    worst.envelope.see(std::abs((above - below) / (2 * step) - k * gap[i]) / scale);
    worst.potential.see(std::abs(probe.gradient()[i] - k * gap[i]) / scale);
  }
  ++worst.count;
}

void run(const Settings& s, Findings& findings) {
  const double k = s.number("stiffness");
  lab::Random random(s.integer("seed"));
  lab::Probe strain = lab::probe("arap", {{"stiffness", k}});
  Worst worst;
  double skipped = 0;
  while (worst.count < s.integer("samples")) {
    double f[9], u[9], sigma[3], v[9];
    for (double& x : f) x = random.normal();
    svd3(f, u, sigma, v);
    if (sigma[1] + sigma[2] < s.number("margin")) {
      ++skipped;
      continue;
    }
    worst.inverted += sigma[2] < 0;
    // A step well inside the smooth region: the second derivative grows like 1 / (sigma_1 + sigma_2).
    compare(strain, f, k, 9, 1e-4 * std::min(1.0, sigma[1] + sigma[2]), worst);
  }
  findings.at_most("strain: |FD of projected energy - k (F - p)| / |k (F - p)|", 1e-6, worst.envelope);
  findings.at_most("strain: |gradient used by all solvers - k (F - p)| / |k (F - p)|", 1e-12, worst.potential);
  findings.at_least("share of inverted F among the samples", 0.2,
                    static_cast<double>(worst.inverted) / worst.count);
  findings.report("F left out near the non-smooth set", skipped);
}

}  // namespace

ExperimentPlugin experiment_E3() {
  return {.title = "Envelope theorem of the projection",
          .source = "liu2017",
          .doc = "FD gradient of g with p(x) projected equals Eq. 8 for random F, inverted ones included.",
          .params = {number("stiffness", "Pa", 1, positive(), "k"),
                     integer("samples", 10000, between(1, 10000000), "random F"),
                     integer("seed", 1, at_least(0), "seed of the random F"),
                     number("margin", "", 1e-3, positive(), "least sigma_1 + sigma_2 of F that is tried")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
