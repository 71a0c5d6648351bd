// An open question of Ledwon 2024: why does PD stall at a large step and stiffness? Its matrix M/h^2 + L resists
// infinitesimal rotations of the whole body, which the energy does not, so a rotation is taken back by a share of
// about rho l^2/(k h^2) per iteration: ten times more k h^2, ten times more iterations. The share of the error that
// is a rigid motion, the rate, and what the closed-form rigid step leaves.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Result {
  double over, over_rigid, share, rate;
};

// Bent, so that the first iterations turn the beam; h = 0.1 s, k as given.
Result run_beam(const Settings& s, double stiffness) {
  lab::BeamOptions o;
  o.cells = s.integer("cells"), o.step = s.number("step"), o.stiffness = stiffness;
  Model model = lab::ledwon_model(o);
  const std::vector<double> mass = model.mass;
  auto q = lab::twisted(model.rest, o.twist);
  for (std::size_t i = 0; i < q.size(); i += 3) q[i + 1] += s.number("bend") * model.rest[i] * model.rest[i];
  lab::OneStage stage = lab::stage_from_rest(std::move(model), q, o.step, 1);
  std::vector<double> least;
  const double minimum = stage.minimum(least, 1e-11);
  const int n = s.integer("iterations");
  const lab::Run plain = lab::traced(stage, "", "projective_dynamics", {}, n),
                 rigid = lab::traced(stage, "", "projective_dynamics", {{"rigid_step", true}}, n);
  const auto excess = [&](int i) { return lab::record_at(plain.curve.report, i).objective - minimum; };
  return {lab::record_at(plain.curve.report, n).objective / minimum,
          lab::record_at(rigid.curve.report, n).objective / minimum, lab::rigid_share(mass, least, plain.y),
          std::pow(excess(n) / excess(n / 2), 1.0 / n)};  // excess ~ error^2, n/2 iterations
}

void run(const Settings& s, Findings& findings) {
  lab::begin_table(findings, "PD, by k h^2",
                   "k h^2 | objective / least | rigid share | 1 - rate | with rigid step");
  Plot plot = lab::loglog("PD by k h^2", "k h^2 [kg/m]", "",
                          {{"1 - rate of PD", {}, {}}, {"objective / least - 1", {}, {}}});
  double before = 0;
  for (double k = s.number("stiffness"); k < 1.001 * s.number("stiffest"); k *= 10) {
    const Result r = run_beam(s, k);
    const double contrast = k * s.number("step") * s.number("step");
    const std::string at = fmt::format("k h^2 = {:.0e}: ", contrast);
    findings.at_least(at + "share of PD's squared error that is a rigid motion", 0.99, r.share);
    findings.at_most(at + "with the rigid step, objective / least", 1.00001, r.over_rigid);
    findings.report(at + "PD, objective / least", r.over);
    findings.report(at + "PD, 1 - rate", 1 - r.rate);
    if (before > 0)
      findings.between(at + "1 - rate, ten times less / now", 7, 13, before / (1 - r.rate), "rho l^2/(k h^2)");
    before = 1 - r.rate;
    findings.table_row(lab::cells("{:.0e} | {:.6f} | {:.8f} | {:.2e} | {:.9f}", contrast, r.over, r.share,
                                  1 - r.rate, r.over_rigid));
    plot.series[0].x.push_back(contrast), plot.series[0].y.push_back(1 - r.rate);
    plot.series[1].x.push_back(contrast), plot.series[1].y.push_back(r.over - 1);
  }
  findings.plot(std::move(plot));
}

}  // namespace

ExperimentPlugin experiment_ledwon2024_rigid_rotation() {
  return {.title = "Projective dynamics stalls on rigid rotations",
          .source = "ledwon2024",
          .shows = "Section 3.8, open question",
          .doc = "Rigid share of the error and rate of PD over k h^2, and the rigid step.",
          .params = {integer("cells", 2, between(1, 24), "cells across the beam"),
                     number("step", "s", 0.1, positive(), "time step"),
                     number("stiffness", "Pa", 1e8, positive(), "least k"),
                     number("stiffest", "Pa", 1e11, positive(), "largest k"),
                     number("bend", "1/m", 0.1, any_number(), "b of the start, y += b x^2"),
                     integer("iterations", 1000, between(100, 1000000), "iterations of every run")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
