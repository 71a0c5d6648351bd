// E46: a spline multiplies damping exactly: no dissipation where it is zero (1e-12), s R where it is s (Brown et
// al. Eq. 57).
#include "lab/small_systems.h"
#include "lab/toolkit.h"
#include "potentials/damping/decorators.h"
#include "setup/damping_probe.h"

namespace resilin {
namespace {

// ---- Fig. 12: strong damping far from rest, little near it

constexpr double light = 0.03;  // of the heavy damping
const std::array<std::array<double, 2>, 4> drawn = {{{0.75, 1}, {0.95, light}, {1.05, light}, {1.25, 1}}};

// Length over rest length of a released block.
Series released(const Settings& s, const std::string& name, double shear, bool spline) {
  Model model = lab::solid(box({.cells = {2, 1, 1}}), 1000, "corotated", {{"young", 1e4}, {"poisson", 0.3}});
  Values damping = {{"shear", shear}};
  Value::List points;
  for (const auto& [stretch, factor] : drawn) points.push_back(Value::List{stretch, factor});
  if (spline) damping.emplace_back("spline", points);
  lab::add_damping(model, 0, "strain_rate", damping);
  const std::vector<double> q = lab::stretched(model.rest, s.number("stretch"));
  const Bounds rest = bounds(model.rest);
  const auto simulation = lab::precise_simulation(std::move(model), 0.01, "tr_bdf2");
  lab::start_from(*simulation, q, {});
  Series out{name, {}, {}};
  for (int i = 0; i <= 400; ++i) {
    const Bounds now = bounds(simulation->positions());
    out.x.push_back(simulation->state().time);
    out.y.push_back((now.upper[0] - now.lower[0]) / (rest.upper[0] - rest.lower[0]));
    lab::advance(*simulation);
  }
  return out;
}

// Half the range of the length after `from` seconds.
double amplitude(const Series& series, double from, double to) {
  lab::Least low;
  lab::Worst high;
  for (std::size_t i = 0; i < series.x.size(); ++i)
    if (series.x[i] >= from && series.x[i] <= to) low.see(series.y[i]), high.see(series.y[i]);
  return (high - low) / 2;
}

void relax(const Settings& s, Findings& findings) {
  const double shear = s.number("shear");
  const Series heavy = released(s, "uniform, heavy", shear, false), spline = released(s, "spline", shear, true),
               little = released(s, "uniform, light", light * shear, false);
  findings.at_most("Fig. 12: first second, amplitude with the spline / with light damping", 1,
                   amplitude(spline, 0.5, 1) / amplitude(little, 0.5, 1), "the deformed state is damped");
  findings.at_least("Fig. 12: last second, amplitude with the spline / with heavy damping", 1,
                    amplitude(spline, 3, 4) / amplitude(heavy, 3, 4), "near rest it hardly is");
  Series curve{"spline", {}, {}};
  const Curve shape = damping_curve({drawn.begin(), drawn.end()});
  for (double x = 0.6; x < 1.5; x += 0.01) curve.x.push_back(x), curve.y.push_back(shape.at(x).d);
  findings.plot(lab::linear("Fig. 12: the factor on the damping", "stretch", "factor", {curve}));
  findings.plot(lab::linear("Fig. 12: a block released from a stretched state", "time [s]", "length / rest length",
                            {heavy, spline, little}));
  findings.differs_because("a block stands for the dragon; the paper does not print its spline");
}

void run(const Settings& s, Findings& findings) {
  const double factor = s.number("factor");
  const auto flat = [](double y) { return Value::List{Value::List{0.2, y}, Value::List{3.0, y}}; };
  for (const char* type : {"strain_rate", "rayleigh", "principal_strain"})
    for (const char* of : {"strain", "strain_rate"}) {
      lab::DampingProbe plain(type, {}), off(type, {{"spline", flat(0)}, {"spline_of", of}}),
          scaled(type, {{"spline", flat(factor)}, {"spline_of", of}});
      lab::Random random(4);
      lab::Worst most, wrong;
      for (int i = 0; i < s.integer("samples"); ++i) {
        double u[9], v[9], z[9] = {}, w[9];
        random.rotation(u), random.rotation(v);
        for (int k = 0; k < 3; ++k) {
          const double stretch = random.uniform(0.8, 1.3);
          for (int e = 0; e < 9; ++e) z[e] += u[3 * (e / 3) + k] * stretch * v[3 * (e % 3) + k];
        }
        for (double& x : w) x = random.normal();
        const double r = plain.rate(z, w, nullptr, nullptr);
        most.see(std::abs(off.rate(z, w, nullptr, nullptr)) / r);
        wrong.see(std::abs(scaled.rate(z, w, nullptr, nullptr) / (factor * r) - 1));
      }
      const std::string what = std::string(type) + ", spline of " + of + ": ";
      findings.at_most(what + "R / R without spline where it is zero", 1e-12, most);
      findings.at_most(what + "|R / (s R0) - 1|", 1e-12, wrong);
    }
  relax(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E46() {
  return {.title = "Spline damping scales exactly",
          .source = "brown2018",
          .shows = "Fig. 12",
          .doc = "Dissipation where the spline is zero, and where it is a constant.",
          .params = {number("factor", "", 2.5, positive(), "factor of the constant spline"),
                     integer("samples", 1000, between(1, 1000000), "random states of each model"),
                     number("stretch", "", 1.5, positive(), "stretch of the block's start"),
                     number("shear", "Pa s", 300, positive(), "its heavy damping")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
