// E74: homogeneous uniaxial tension and compression with free lateral faces, on a distorted tet mesh. Linear tets
// contain the exact field diag(l, t, t), so mesh and formula agree to rounding:
//   corotated  P = E (l - 1),           t = 1 - nu (l - 1)
//   StVK       P = (E/2) l (l^2 - 1),   t^2 = 1 - nu (l^2 - 1)
//   neo-Hookean  mu (t - 1/t) + lambda ln(l t^2)/t = 0,  P = mu (l - 1/l) + lambda ln(l t^2)/l   (root found here)
// Measured on the mesh: t makes the lateral force vanish, P is the resultant on the loaded face over its area; all
// other vertices are free of force; and from a disturbed start, with the two loaded faces held, Newton finds the
// same field.
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Uniaxial {
  double t, p;
};

struct Law {
  std::string material;
  Uniaxial expected;
  bool exists = true;
};

// Root of a rising function by bisection.
template <class F>
double root(F&& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<Law> laws(double young, double nu, double l) {
  const auto [mu, lambda] = lab::lame_of(young, nu);
  const double t2 = 1 - nu * (l * l - 1);
  // t times the lateral stress: mu (t^2 - 1) + lambda ln(l t^2) rises with t.
  const double t =
      root([&, m = mu, n = lambda](double x) { return m * (x * x - 1) + n * std::log(l * x * x); }, 1e-3, 1e3);
  const Uniaxial neo{t, mu * (l - 1 / l) + lambda * std::log(l * t * t) / l};
  return {{"corotated", {1 - nu * (l - 1), young * (l - 1)}, 1 - nu * (l - 1) > 0},
          {"st_venant_kirchhoff", {t2 > 0 ? std::sqrt(t2) : 0, young / 2 * l * (l * l - 1)}, t2 > 0.01},
          {"neo_hookean", neo, l * t * t > 0.1}};  // below J0 the library's energy is the extended one
}

struct Measured {
  double t, p;
  double stray;  // largest force on a vertex off the loaded faces, over the largest on them
};

Measured measure(lab::Statics& statics, const TetMesh& mesh, double l, double young) {
  std::vector<double> g;
  const auto& rest = mesh.vertices;
  const auto at = [&](double t) {
    const double f[9] = {l, 0, 0, 0, t, 0, 0, 0, t};
    const auto y = lab::affine(rest, f);
    statics.energy(y, &g);
    double lateral = 0;  // dV/dt
    for (std::size_t i = 0; i < rest.size(); i += 3) lateral += g[i + 1] * rest[i + 1] + g[i + 2] * rest[i + 2];
    return lateral;
  };
  Measured m{root(at, 0.1, 3), 0, 0};  // dV/dt = 0 at the least energy; it rises there
  at(m.t);
  std::vector<char> loaded(mesh.vertex_count(), 0);
  for (const char* face : {"x_min", "x_max"})
    for (const int v : mesh.vertex_groups.at(face)) loaded[v] = 1;
  const auto& end = mesh.vertex_groups.at("x_max");
  lab::Worst largest =
      1e-3 * young * lab::face_area(mesh, "x_max") / static_cast<double>(end.size());  // near l = 1
  lab::Worst stray = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double size = std::hypot(g[3 * v], g[3 * v + 1], g[3 * v + 2]);
    (loaded[v] ? largest : stray).see(size);
  }
  m.stray = stray / largest;
  for (const int v : end) m.p += g[3 * v] / lab::face_area(mesh, "x_max");
  return m;
}

// The loaded faces held at diag(l, t, t) X, everything else disturbed: largest distance from the affine field.
double solve_held(const lab::Values& params, const std::string& material, const TetMesh& mesh, double l, double t,
                  bool& stable) {
  Model model = lab::solid(mesh, 1000, material, params);
  lab::pin(model, mesh.vertex_groups.at("x_min"));
  lab::pin(model, mesh.vertex_groups.at("x_max"));
  lab::Statics statics(std::move(model));
  const double f[9] = {l, 0, 0, 0, t, 0, 0, 0, t};
  const auto exact = lab::affine(mesh.vertices, f);
  auto y = exact;
  lab::Random random(5);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (statics.system().space().free_index()[i / 3] >= 0) y[i] += 0.01 * random.normal();
  stable = statics.stable(exact);
  statics.equilibrium(std::vector<double>(y.size(), 0.0), y);
  return lab::largest_difference(y, exact);
}

void study(const Settings& s, double l, Findings& findings) {
  const double young = s.number("young"), nu = s.number("poisson");
  const int cells = s.integer("cells");
  const TetMesh mesh = lab::distorted_box(
      {.cells = {cells, cells, cells}, .pattern = lab::box_pattern(s.text("pattern"))}, s.number("distortion"), 1);
  const lab::Values params = {{"young", young}, {"poisson", nu}};
  for (const Law& law : laws(young, nu, l)) {
    const std::string what = fmt::format("{}, l = {:g}: ", law.material, l);
    if (!law.exists) {
      findings.report(what + "no such state", l, "the formula has no lateral stretch there");
      continue;
    }
    lab::Statics statics(lab::solid(mesh, 1000, law.material, params));
    const Measured m = measure(statics, mesh, l, young);
    findings.relative(what + "lateral stretch t", law.expected.t, m.t, 1e-6);
    findings.near(what + "P [Pa]", law.expected.p, m.p, 1e-6 * std::max(std::abs(law.expected.p), 1e-3 * young));
    findings.at_most(what + "force on free vertices / on loaded ones", 1e-6, m.stray);
    bool stable = false;
    const double distance = solve_held(params, law.material, mesh, l, m.t, stable);
    const std::string row = what + "distance of the solved field from diag(l, t, t) X / size";
    if (stable) findings.at_most(row, 1e-6, distance);
    else findings.report(row, distance, "the homogeneous state is not stable there: not judged");
  }
}

void constants(Findings& findings) {  // computed beforehand, E = 1e6, nu = .3
  const double table[4][3] = {{0.7, 1.10793473, -4.052304e5},
                              {0.9, 1.03170243, -1.087222e5},
                              {1.1, 0.97149295, 9.307743e4},
                              {1.5, 0.88017459, 3.782802e5}};
  for (const auto& row : table) {
    const Uniaxial neo = laws(1e6, 0.3, row[0])[2].expected;
    const std::string at = fmt::format("neo-Hookean formula, l = {:g}: ", row[0]);
    findings.relative(at + "t computed beforehand", row[1], neo.t, 1e-6);
    findings.relative(at + "P computed beforehand", row[2], neo.p, 1e-6);
  }
}

void run(const Settings& s, Findings& findings) {
  if (s.has("stretch")) return study(s, s.number("stretch"), findings);
  for (const double l : {0.7, 0.9, 1.1, 1.5}) study(s, l, findings);
  constants(findings);
}

}  // namespace

ExperimentPlugin experiment_E74() {
  return {.title = "Uniaxial homogeneous patch with free lateral faces",
          .source = "oracle",
          .doc = "Lateral stretch and stress of corotated, StVK and neo-Hookean solids against closed forms.",
          .params = {number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     number("poisson", "", 0.3, {-0.9, 0.495, false, false}, "Poisson ratio"),
                     optional(number("stretch", "", 1.1, {0.3, 2.5, false, false},
                                     "l; left out: 0.7, 0.9, 1.1 and 1.5")),
                     integer("cells", 3, between(1, 12), "cells along each side of the cube"),
                     choice("pattern", {"six", "five", "bcc"}, "how a cell is cut into tets"),
                     number("distortion", "cells", 0.2, between(0, 0.25), "random shift of the mesh's vertices")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
