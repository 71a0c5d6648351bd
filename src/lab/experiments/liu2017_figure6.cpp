// Fig. 6 of Liu et al. 2017: two materials made of splines, neo-Hookean at small strains. A resists compression
// more, B tension more: the stress of Eq. 10 by the stretch of one axis, and a sphere whose poles are pulled apart
// and pushed together.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"
#include "setup/probe.h"

namespace resilin {
namespace {

constexpr double young = 3e4, poisson = 0.35;  // as liu_scene("sphere_a")

ValanisLandelFunctions functions(const std::string& material, const std::string& preset) {
  lab::Values params = {{"young", young}, {"poisson", poisson}};
  if (!preset.empty()) params.emplace_back("preset", preset);
  return plugin<MaterialPlugin>("material", material, "experiment")
      .functions(lab::material_settings(material, params));
}

// Of |f| over that of the neo-Hookean, for stretches in [low, high].
double least_ratio(const ValanisLandelFunctions& f, const ValanisLandelFunctions& base, double low, double high) {
  lab::Least least;
  for (int i = 0; i <= 100; ++i) {
    const double x = low + (high - low) * i / 100;
    least.see(f.stress(x) / base.stress(x));
  }
  return least;
}

void show_sphere(const Settings& s, const std::string& name, Findings& findings) {
  const auto simulation = lab::start_scene(lab::liu_scene(name, s.number("detail")));
  lab::Least low = 1;
  lab::Worst high = 1;
  for (int frame = 1; frame <= s.integer("frames"); ++frame) {
    lab::advance(*simulation);
    const auto range = lab::stretch_range(simulation->model(), simulation->positions());
    low.see(range[0]), high.see(range[1]);
    if (frame == 10 || frame == s.integer("frames"))
      findings.picture("Fig. 6: " + name + ", frame " + std::to_string(frame),
                       lab::snapshot(simulation->model(), simulation->positions()));
  }
  findings.holds(name + ": finite", is_finite(simulation->state()));
  findings.report(name + ": smallest stretch", low);
  findings.report(name + ": largest stretch", high);
}

void run(const Settings& s, Findings& findings) {
  const auto base = functions("neo_hookean", ""), a = functions("spline", "A"), b = functions("spline", "B");
  const double d = s.number("strain");
  findings.at_least("A, compressed: least stress / neo-Hookean, away from rest", 1.05,
                    least_ratio(a, base, 1 - d, 1 - d / 2));
  findings.at_least("A, stretched: least stress / neo-Hookean", 1 - 1e-9, least_ratio(a, base, 1 + d / 2, 1 + d));
  findings.at_least("B, stretched: least stress / neo-Hookean, away from rest", 1.05,
                    least_ratio(b, base, 1 + d / 2, 1 + d));
  findings.at_least("B, compressed: least stress / neo-Hookean", 1 - 1e-9, least_ratio(b, base, 1 - d, 1 - d / 2));
  Plot plot = lab::linear("Fig. 6: stress by stretch (Eq. 10)", "stretch", "stress [Pa]");
  for (const auto& [name, f] : {std::pair{"neo-Hookean", &base}, {"spline A", &a}, {"spline B", &b}}) {
    Series series{name, {}, {}};
    for (double x = 0.3; x <= 2.001; x += 0.02) series.x.push_back(x), series.y.push_back(f->stress(x));
    plot.series.push_back(std::move(series));
  }
  findings.plot(std::move(plot));
  show_sphere(s, "sphere_a", findings);
  show_sphere(s, "sphere_b", findings);
  findings.differs_because(
      "the paper prints neither the curves nor the motion: the curves are ours, and the spheres are held at their "
      "poles, which are pulled apart and pushed together.");
}

}  // namespace

ExperimentPlugin experiment_liu2017_figure6() {
  return {.title = "Spline materials that resist compression or tension more",
          .source = "liu2017",
          .shows = "Fig. 6",
          .doc = "Stress curves of both presets against the neo-Hookean, and a sphere of each.",
          .params = {number("strain", "", 0.6, between(0.2, 0.7), "strain of the curves that are compared"),
                     integer("frames", 30, between(1, 10000), "frames of the spheres"),
                     number("detail", "", 1, between(0.3, 4), "size of the spheres")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
