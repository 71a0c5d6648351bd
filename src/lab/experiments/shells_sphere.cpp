// A spherical membrane under internal pressure, against closed forms: p r^2 (1 - nu)/(2 E t) for small strains, and
// for large ones the balloon
//
//   p = t/(r l^2) dW/dl(l, l),   W the energy per volume of the membrane that is stretched by l both ways
//
// of neo-Hookean rubber, on its rising branch. The pressure follows the surface; the radius comes from the enclosed
// volume.
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr double radius = 0.5, thickness = 1e-3, young = 1e6;

// dV/dx of the enclosed volume, and the volume.
double volume(const std::vector<int>& triangles, const std::vector<double>& y, std::vector<double>& gradient) {
  gradient.assign(y.size(), 0.0);
  double sum = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = [&](std::size_t k) { return 3 * static_cast<std::size_t>(triangles[t + (i + k) % 3]); };
      const std::size_t a = at(0), b = at(1), c = at(2);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
        const double part = (y[b + l] * y[c + m] - y[b + m] * y[c + l]) / 6;
        gradient[a + k] += part, sum += part * y[a + k] / 3;
      }
    }
  return sum;
}

// Mean stretch of the sphere in equilibrium with pressure p.
double inflated(const TriangleMesh& mesh, const std::string& material, double poisson, double p) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const int body = builder.add(Shell{.mesh = mesh,
                                     .skin = {.thickness = thickness,
                                              .material = {material, {{"young", young}, {"poisson", poisson}}},
                                              .bending = "none"}});
  std::vector<int> all;
  for (int v = 0; v < mesh.vertex_count(); ++v) all.push_back(v);
  builder.soft_pin({.body = body, .vertices = all}, 1e-7 * young * thickness);  // where it is and how it is turned
  lab::Statics statics(builder.model());
  std::vector<double> y = mesh.vertices, outward;
  const double start = volume(mesh.triangles, y, outward);
  double now = start, before = 0;
  for (int i = 0; i < 200 && std::abs(now - before) > 1e-10 * now; ++i) {
    before = now;
    for (double& x : outward) x *= p;
    if (!(statics.equilibrium(outward, y).residual < 1e-6)) return std::nan("");
    now = volume(mesh.triangles, y, outward);
  }
  return std::cbrt(now / start);
}

// dW/dl of a neo-Hookean membrane: W = min over the third stretch of mu/2 (2 l^2 + s^2 - 3) - mu L + lambda/2 L^2,
// L = ln(l^2 s).
double balloon_stress(double l, double poisson) {
  const auto [mu, lambda] = lab::lame_of(young, poisson);
  double s = 1 / (l * l);
  for (int i = 0; i < 100; ++i) {  // mu (s^2 - 1) + lambda L = 0
    const double value = mu * (s * s - 1) + lambda * std::log(l * l * s), slope = 2 * mu * s + lambda / s;
    s = std::max(s - value / slope, s / 2);
  }
  return 2 * mu * (l - 1 / l) + 2 * lambda * std::log(l * l * s) / l;
}

void run(const Settings& s, Findings& findings) {
  Plot plot = lab::linear("A balloon", "subdivisions", "strain / closed form");
  const auto judge = [&](const std::string& name, const std::string& material, double poisson, double stretch,
                         double p) {
    Series series{name, {}, {}};
    for (const double level : s.numbers("subdivisions")) {
      const TriangleMesh mesh = ball_surface({radius, static_cast<int>(level)});
      series.x.push_back(level);
      series.y.push_back((inflated(mesh, material, poisson, p) - 1) / (stretch - 1));
    }
    for (std::size_t i = 0; i + 1 < series.y.size(); ++i)
      findings.at_most(fmt::format("{}: error of level {} over that of {}", name, series.x[i + 1], series.x[i]),
                       0.5, std::abs(series.y[i + 1] - 1) / std::abs(series.y[i] - 1));
    findings.relative(name + ": strain / closed form, finest", 1, series.y.back(), 0.03);
    plot.series.push_back(series);
  };
  for (const double poisson : s.numbers("poisson")) {
    const double strain = 1e-5, p = strain * 2 * young * thickness / (radius * (1 - poisson));
    for (const char* material : {"corotated", "st_venant_kirchhoff"})
      judge(fmt::format("{}, nu = {:.2g}", material, poisson), material, poisson, 1 + strain, p);
  }
  for (const double stretch : s.numbers("stretches")) {
    const double p = thickness * balloon_stress(stretch, 0.45) / (radius * stretch * stretch);
    judge(fmt::format("balloon, stretch {:.3g}", stretch), "neo_hookean", 0.45, stretch, p);
  }
  findings.plot(plot);
}

}  // namespace

ExperimentPlugin experiment_shells_sphere() {
  return {.title = "A spherical membrane under pressure",
          .source = "shells",
          .doc = "Strains of a sphere under internal pressure, small and large, under refinement.",
          .params = {numbers("subdivisions", "", {1, 2, 3}, between(0, 6), "of the icosahedron, ascending"),
                     numbers("poisson", "", {0, 0.3}, between(0, 0.49), "Poisson's ratios, for small strains"),
                     numbers("stretches", "", {1.05, 1.15}, between(1.001, 1.25),
                             "of the neo-Hookean balloon; below its largest pressure")},
          .quick = Quick{.set = {{"poisson", Value::List{0.3}}, {"stretches", Value::List{1.1}}}},
          .run = run};
}

}  // namespace resilin
