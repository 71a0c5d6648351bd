// E23: the squirrel's material (Liu et al. Fig. 2): the polynomial mu (x - 1)^4 resists |x - 1| > 0.5 more than the
// strain energy with the same fitted k = 0.6 mu, and |x - 1| < 0.25 less. f = 4 mu e^3 against k e: they cross at
// |e| = sqrt(k / 4 mu).
#include "lab/toolkit.h"
#include "setup/probe.h"

namespace resilin {
namespace {

ValanisLandelFunctions functions(const std::string& material, const lab::Values& params) {
  return plugin<MaterialPlugin>("material", material, "experiment")
      .functions(lab::material_settings(material, params));
}

void run(const Settings& s, Findings& findings) {
  const double mu = s.number("mu"), d = s.number("half_width");
  const lab::Probe fitted = lab::probe("polynomial", {{"mu", mu}, {"fit_interval", Value::List{1 - d, 1 + d}}});
  const double k = fitted.stiffness();
  findings.relative("k fitted on [1 - d, 1 + d]: 2.4 mu d^2", 2.4 * mu * d * d, k, 1e-6, "0.6 mu at d = 0.5");
  const auto polynomial = functions("polynomial", {{"mu", mu}}), strain = functions("arap", {{"stiffness", k}});

  const double crossing = std::sqrt(k / (4 * mu));
  lab::Least least_gain, least_ratio;
  lab::Worst most_small;
  for (int i = 1; i <= 1000; ++i)
    for (const double sign : {-1.0, 1.0}) {
      const double e = sign * i * 1e-3;
      const double soft = std::abs(polynomial.stress(1 + e)), plain = std::abs(strain.stress(1 + e));
      if (std::abs(e) > d) least_gain.see(soft / plain);
      if (std::abs(e) < d / 2) most_small.see(soft / plain);
      least_ratio.see(polynomial.stress(1 + e) * e);
    }
  findings.at_least("least |f_poly| / |f_PD| for |x - 1| > d", 1, least_gain);
  findings.at_most("most |f_poly| / |f_PD| for |x - 1| < d/2", 1, most_small);
  findings.at_least("f_poly (x - 1): always pulls back", 0, least_ratio);

  double low = 1e-6, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (polynomial.stress(1 + middle) < strain.stress(1 + middle) ? low : high) = middle;
  }
  findings.relative("|x - 1| where both stresses agree: sqrt(k / 4 mu)", crossing, low, 1e-9);
}

}  // namespace

ExperimentPlugin experiment_E23() {
  return {.title = "The polynomial material is softer near rest and stiffer far away",
          .source = "liu2017",
          .shows = "Fig. 2",
          .doc = "Stress curves of mu (x - 1)^4 and of the strain energy with the same fitted k.",
          .params = {number("mu", "Pa", 1e5, positive(), "factor mu of the polynomial material"),
                     number("half_width", "", 0.5, {0, 1, true, true}, "half width d of the interval of Eq. 11")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
