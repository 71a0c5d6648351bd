#include "potentials/material.h"

#include "resilin/errors.h"

namespace resilin {

// Composite 8-point Gauss-Legendre: the integrands are smooth or piecewise smooth (splines, extensions below J0).
double fit_stiffness(const std::function<double(double)>& stress, double low, double high) {
  static constexpr double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                     0.9602898564975363};
  static constexpr double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                       0.1012285362903763};
  constexpr int cells = 64;
  double top = 0, bottom = 0;
  for (int cell = 0; cell < cells; ++cell) {
    const double half = (high - low) / (2 * cells), middle = low + (2 * cell + 1) * half;
    for (int i = 0; i < 8; ++i) {
      const double x = middle + (i % 2 ? half : -half) * node[i / 2], w = half * weight[i / 2];
      top += w * (x - 1) * stress(x);
      bottom += w * (x - 1) * (x - 1);
    }
  }
  return top / bottom;
}

std::array<double, 3> fit_interval(const Settings& settings, const std::function<double(double)>& stress) {
  const auto interval = settings.numbers("fit_interval");
  if (interval.size() != 2 || !(interval[0] < interval[1]))
    settings.value("fit_interval").fail("wanted: two stretches [low, high] with low < high");
  if (settings.has("fit_stiffness")) return {settings.number("fit_stiffness"), interval[0], interval[1]};
  const double k = fit_stiffness(stress, interval[0], interval[1]);
  if (!(k > 0))
    throw InputError(
        settings.where(),
        "Eq. 11 gives a stiffness that is not positive on this fit_interval; set fit_stiffness by hand");
  return {k, interval[0], interval[1]};
}

Params lame_params() {
  return {field("young", "Pa", 1e5, positive(), "Young's modulus"),
          field("poisson", "", 0.4, {-1, 0.5, true, true}, "Poisson ratio"),
          optional(field("mu", "Pa", 0, positive(),
                         "shear modulus; give it with lambda, in place of young and poisson")),
          optional(field("lambda", "Pa", 0, any_number(), "first Lame constant; give it with mu"))};
}

void check_lame(const Settings& s) {
  if (s.has("mu") != s.has("lambda"))
    throw InputError(s.where(), "mu and lambda go together: give both or neither");
  if (s.has("mu") && (s.has("young") || s.has("poisson")))
    throw InputError(s.where(), "give either young and poisson, or mu and lambda, not both");
}

Lame lame(const Settings& s, int element) {
  check_lame(s);
  if (s.has("mu")) {
    const Lame out{s.number("mu", element), s.number("lambda", element)};
    if (out.lambda <= -2.0 / 3 * out.mu)
      s.value("lambda").fail("lambda must be above -2/3 mu, or the bulk modulus is not positive");
    return out;
  }
  const double e = s.number("young", element), nu = s.number("poisson", element);
  return {e / (2 * (1 + nu)), e * nu / ((1 + nu) * (1 - 2 * nu))};
}

Lame lame_at_rest(const MaterialPlugin& plugin, const Settings& settings) {
  // rest.h: lambda + 2 mu on the diagonal, lambda beside it.
  const StretchJet<double> rest = plugin.energy(settings)({1, 1, 1});
  return {(rest.h[0] - rest.h[5]) / 2, rest.h[5]};
}

Params fit_params() {
  return {
      numbers(
          "fit_interval", "", {0.5, 1.5}, positive(),
          "range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)"),
      optional(number("fit_stiffness", "Pa", 0, positive(),
                      "k, in place of the fit; it changes how fast solvers converge, not the result"))};
}

}  // namespace resilin
