// What a material is: formulas of the principal stretches, written once for T = double and T = Pack, and the
// adaptor that turns them into a Potential (isotropic.h). A material file holds formulas, parameters and
// documentation only. It may be of any form psi(s) or psi(I1, I2, J) (invariants.h); most are of the form
// (valanis_landel.h)
//
//   psi(s) = sum a(s_i) + sum_{i<j} b(s_i s_j) + c(s_0 s_1 s_2)          (Valanis-Landel; Liu et al. Eq. 9)
//   k      = int (x - 1) f(x) dx / int (x - 1)^2 dx,  f = a' + 2 b' + c'   (Liu et al. Eqs. 10, 11)
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "resilin/params.h"
#include "resilin/potential.h"

namespace resilin {

/// A function of one variable with two derivatives.
template <class T>
struct Jet {
  T f, d, dd;
};

/// psi(s1, s2, s3) with two derivatives.
template <class T>
struct StretchJet {
  T psi, d[3], h[6];  // h: 00 11 22 12 02 01
};

/// The settings of one element; `index` picks from per-element lists.
struct ElementSettings {
  const Settings* settings;
  int index;
};

/// The three functions of Eq. 9 for one set of parameters: for plots, stiffness fits and experiments.
struct ValanisLandelFunctions {
  std::function<Jet<double>(double)> a, b, c;
  /// f of Eq. 10 and its slope.
  double stress(double x) const { return a(x).d + 2 * b(x).d + c(x).d; }
};

struct MaterialPlugin {
  std::string doc;
  Params params;
  /// On tets, and on triangles: a thin sheet of it, whose stretch across the sheet takes the value that costs least
  /// (membrane.h).
  std::function<std::shared_ptr<const Potential>(std::span<const ElementSettings>)> make, make_membrane;
  /// The energy of one element as a function of its stretches: for plots and tests.
  std::function<std::function<StretchJet<double>(const std::array<double, 3>&)>(const Settings&)> energy;
  std::function<ValanisLandelFunctions(const Settings&)> functions;  // only materials of that form
};

/// k of Eq. 11 by quadrature on [low, high].
double fit_stiffness(const std::function<double(double)>& stress, double low, double high);
/// k, low, high: of the settings' fit_params(), k from the axial stress unless it is set by hand. Throws unless it
/// is positive.
std::array<double, 3> fit_interval(const Settings& settings, const std::function<double(double)>& stress);

/// Young's modulus and Poisson ratio, or mu and lambda: the parameters shared by most solids.
struct Lame {
  double mu, lambda;
};
Params lame_params();
Lame lame(const Settings& settings, int element);
/// What formulas with the coefficients mu and lambda inherit. They have a compliant form where lambda >= 0.
struct LameCoefficients {
  static constexpr int coefficients = 2;
  static Params params() { return lame_params(); }
  static void prepare(const Settings& s, int element, double* c) {
    const Lame l = lame(s, element);
    c[0] = l.mu, c[1] = l.lambda;
  }
  static bool constrains(const double* c) { return c[1] >= 0; }
};
/// Those of any isotropic solid at rest, from the second derivative of its energy.
Lame lame_at_rest(const MaterialPlugin& plugin, const Settings& settings);
/// Throws unless the pair of constants is stated once and makes a stable solid.
void check_lame(const Settings& settings);

/// Parameters of the constant Hessian: interval of Eq. 11 or a stiffness set by hand.
Params fit_params();

}  // namespace resilin
