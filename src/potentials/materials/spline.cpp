// Spline-based solids (Xu et al. 2015; Liu et al. Section 4 and Fig. 6): the functions of the Valanis-Landel form
// drawn as curves. psi = base + sum A(s_i) + sum_{i<j} B(s_i s_j) + C(J), where the control points of `a`, `b`, `c`
// give the derivatives A', B', C' [Pa] (curve.h: monotone cubic pieces, straight beyond the ends), each zero when
// left out. `stress` names the curve f of Eq. 10 and stands for `a` alone. The base is nothing when curves are
// given, else neo-Hookean.
//
// Presets, after Fig. 6, add one curve to neo-Hookean, with E Young's modulus; value and slope are 0 at x = 1, so
// that the constants at rest stay those asked for:
//   A   A'(x) = -10 E (1 - x)^2 for x < 1: resists compression more (straight below 0: slope 20 E)
//   B   A'(x) = +10 E (x - 1)^2 for x > 1: resists tension more (straight above 2: slope 20 E)
// Their energy is the neo-Hookean one plus a convex function of each stretch.
//
// A falling end would let the energy drop without bound: end slopes are raised to 0, and those of `a` without a
// base to 1e-3 of the curve's mean rise.
#include <cmath>

#include "potentials/materials/curve.h"
#include "potentials/materials/extended_log.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

ControlPoints preset_points(const std::string& name) {
  ControlPoints points;
  for (int i = 0; i <= 32; ++i) {
    const double x = i / 16.0, e = x - 1;
    points.push_back({x, name == "A" ? (e < 0 ? -10 * e * e : 0) : (e > 0 ? 10 * e * e : 0)});
  }
  return points;
}

std::string shown(double v) { return Value(v).dump(); }

ControlPoints read_points(const Settings& s, const std::string& name) {
  const ControlPoints points = s.points(name);
  if (points.size() < 2) s.value(name).fail("a curve needs two control points [x, y] at least");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i][0]) || !std::isfinite(points[i][1]))
      s.value(name).fail("a control point is not finite");
    if (i > 0 && !(points[i][0] > points[i - 1][0]))
      s.value(name).list()[i].fail("x of control points must ascend: " + shown(points[i][0]) + " follows " +
                                   shown(points[i - 1][0]));
  }
  return points;
}

struct Spline {
  static constexpr int coefficients = 6;  // mu, lambda, J0, ln J0, factor of the curves, number of their set

  static Params params() {
    return lame_params().add(
        {extension_param(),
         choice("base", {"neo_hookean", "none"},
                "energy that the curves are added to; the default is none when curves are given"),
         choice("preset", {"none", "A", "B"},
                "curve added to neo-Hookean. A: resists compression more; B: resists tension more"),
         points("stress",
                "control points [x, Pa] of the uniaxial stress f(x) (Liu et al. Eq. 10), used in place of a"),
         points("a", "control points [x, Pa] of a'(x); x is a stretch"),
         points("b", "control points [x, Pa] of b'(x); x is a product of two stretches"),
         points("c", "control points [x, Pa] of c'(x); x is the volume ratio J")});
  }

  // Reads the curves of one settings object and makes them the current set; equal sets are kept once.
  void share(const Settings& s) {
    const bool drawn = s.has("a") || s.has("b") || s.has("c") || s.has("stress");
    const std::string preset = s.text("preset");
    check_combination(s, drawn, preset);
    based_ = s.has("base") ? s.text("base") == "neo_hookean" : !drawn;
    scaled_ = preset != "none";

    std::array<Curve, 3> read;
    double rest = 0, largest = 0;
    for (int i = 0; i < 3 && drawn; ++i) {
      const std::string name = i == 0 && s.has("stress") ? "stress" : std::string(1, static_cast<char>('a' + i));
      if (!s.has(name)) continue;
      const ControlPoints points = read_points(s, name);
      read[i] = make_curve(points, i == 0 && !based_);
      rest += (i == 1 ? 2 : 1) * read[i].at(1).d;
      for (const auto& p : points) largest = std::max(largest, std::abs(p[1]));
    }
    if (std::abs(rest) > 1e-9 * largest)
      throw InputError(s.where(), "the material is not stress-free at rest: a' + 2 b' + c' at x = 1 is " +
                                      shown(rest) + " Pa and must be 0");
    if (scaled_) read[0] = make_curve(preset_points(preset), false);

    for (set_ = 0; set_ < static_cast<int>(curves_[0].size()); ++set_)
      if (curves_[0][set_] == read[0] && curves_[1][set_] == read[1] && curves_[2][set_] == read[2]) return;
    for (int i = 0; i < 3; ++i) {
      curves_[i].push_back(read[i]);
      used_[i] = used_[i] || !read[i].is_zero();
    }
  }

  void stamp(Stamp& out) const {
    for (const auto& of_kind : curves_)
      for (const Curve& curve : of_kind) curve.stamp(out);
  }

  void prepare(const Settings& s, int element, double* c) const {
    const Lame l = based_ ? lame(s, element) : Lame{0, 0};
    c[0] = l.mu, c[1] = l.lambda, c[2] = s.number("j0", element), c[3] = std::log(c[2]);
    c[4] = scaled_ ? l.mu * (3 * l.lambda + 2 * l.mu) / (l.lambda + l.mu) : 1;  // E
    c[5] = set_;
  }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    return with_curve(0, x, c, {0.5 * c[0] * (x * x - 1.0), c[0] * x, c[0]});
  }
  template <Real T>
  Jet<T> b(T x, const T* c) const {
    const T zero = constant<T>(0);
    return with_curve(1, x, c, {zero, zero, zero});
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    return with_curve(2, j, c, logarithmic_volume(j, c[0], c[1], c[2], c[3]));
  }

 private:
  static Curve make_curve(const ControlPoints& points, bool rising_ends) {
    double low = points[0][1], high = low;
    for (const auto& p : points) low = std::min(low, p[1]), high = std::max(high, p[1]);
    return {points, rising_ends ? 1e-3 * (high - low) / (points.back()[0] - points.front()[0]) : 0};
  }

  static void check_combination(const Settings& s, bool drawn, const std::string& preset) {
    const auto refuse = [&](const char* problem) { throw InputError(s.where(), problem); };
    if (s.has("stress") && (s.has("a") || s.has("b") || s.has("c")))
      refuse("give either stress, or a, b and c, not both");
    if (preset != "none" && drawn) refuse("give either a preset or control points, not both");
    const bool based = s.has("base") ? s.text("base") == "neo_hookean" : !drawn;
    if (based) return check_lame(s);
    if (preset != "none") refuse("a preset has the base neo_hookean");
    if (!drawn) refuse("without a base the material needs control points: stress, or a, b and c");
    for (const char* name : {"young", "poisson", "mu", "lambda"})
      if (s.has(name))
        s.value(name).fail("has no effect: the curves alone make the material; set base to neo_hookean to use it");
  }

  template <Real T>
  Jet<T> with_curve(int kind, T x, const T* c, Jet<T> base) const {
    if (!used_[kind]) return base;
    const Jet<T> curve = evaluate_curve(curves_[kind].data(), x, c[5]);
    return {base.f + c[4] * curve.f, base.d + c[4] * curve.d, base.dd + c[4] * curve.dd};
  }

  std::vector<Curve> curves_[3];  // by set
  bool used_[3] = {};
  // Of the current settings.
  int set_ = 0;
  bool based_ = true, scaled_ = false;
};

}  // namespace

MaterialPlugin material_spline() {
  return valanis_landel<Spline>("spline",
                                "Stress curves given by control points (Xu et al. 2015): derivatives of the "
                                "Valanis-Landel functions a, b, c. Presets A and B add a curve to neo-Hookean.");
}

}  // namespace resilin
