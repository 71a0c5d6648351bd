// E46: a spline multiplies damping exactly: no dissipation where it is zero (1e-12), s R where it is s (Brown et
// al. Eq. 57).
#include <algorithm>
#include <cmath>

#include "lab/damping_probe.h"
#include "lab/experiment.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const double factor = s.number("factor");
  const auto flat = [](double y) { return Value::List{Value::List{0.2, y}, Value::List{3.0, y}}; };
  for (const char* type : {"strain_rate", "rayleigh", "principal_strain"})
    for (const char* of : {"strain", "strain_rate"}) {
      lab::DampingProbe plain(type, {}), off(type, {{"spline", flat(0)}, {"spline_of", of}}),
          scaled(type, {{"spline", flat(factor)}, {"spline_of", of}});
      lab::Random random(4);
      double most = 0, wrong = 0;
      for (int i = 0; i < s.integer("samples"); ++i) {
        double u[9], v[9], z[9] = {}, w[9];
        random.rotation(u), random.rotation(v);
        for (int k = 0; k < 3; ++k) {
          const double stretch = random.uniform(0.8, 1.3);
          for (int e = 0; e < 9; ++e) z[e] += u[3 * (e / 3) + k] * stretch * v[3 * (e % 3) + k];
        }
        for (double& x : w) x = random.normal();
        const double r = plain.rate(z, w, nullptr, nullptr);
        most = std::max(most, std::abs(off.rate(z, w, nullptr, nullptr)) / r);
        wrong = std::max(wrong, std::abs(scaled.rate(z, w, nullptr, nullptr) / (factor * r) - 1));
      }
      const std::string what = std::string(type) + ", spline of " + of + ": ";
      findings.at_most(what + "R / R without spline where it is zero", 1e-12, most);
      findings.at_most(what + "|R / (s R0) - 1|", 1e-12, wrong);
    }
}

}  // namespace

ExperimentPlugin experiment_E46() {
  return {.title = "Spline damping scales exactly",
          .source = "brown2018",
          .doc = "Dissipation where the spline is zero, and where it is a constant.",
          .params = {number("factor", "", 2.5, positive(), "of the constant spline"),
                     integer("samples", 1000, between(1, 1000000), "random states of each model")},
          .run = run};
}

}  // namespace resilin
