// The whole range of Ledwon 2024: h = 1e-1 to 1e-4 s, k (or Young's modulus) = 1e5 to 1e12 Pa, strain and
// simplified neo-Hookean, released and twisted further. From rest and without gravity the step depends on k h^2
// alone, so 32 combinations are 14 problems; that is measured too. Relative errors are against the least objective
// that any solver found (Eq. 3.87). ADMM is plain, with the best of ten weights for every case, as in the thesis.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

lab::ThesisCase run_case(lab::OneStage stage, int iterations) {
  lab::ThesisCase out = lab::thesis_case(std::move(stage), iterations);
  lab::Least least = out.minimum;
  for (const lab::Run& run : out.runs)
    for (const IterationRecord& record : run.curve.report.trace) least.see(record.objective);
  out.minimum = least;
  return out;
}

// Some twenty points per decade: what the eye sees of 1000 iterations.
void plot_case(const std::string& title, const lab::ThesisCase& one, int iterations, Findings& findings) {
  Plot plot = lab::loglog(title, "iteration", "relative error");
  for (std::size_t k = 0; k < one.runs.size(); ++k) {
    Series series{one.runs[k].curve.name, {}, {}};
    for (int i = 1; i <= iterations; i = std::max(i + 1, static_cast<int>(1.12 * i)))
      series.x.push_back(i), series.y.push_back(one.error(k, i) > 1e-13 ? one.error(k, i) : NAN);
    plot.series.push_back(std::move(series));
  }
  findings.plot(std::move(plot));
}

// The combinations "h, k" of the thesis with this power of ten of k h^2.
std::string combinations(int power) {
  std::string out;
  for (int a = 1; a <= 4; ++a)
    if (power + 2 * a >= 5 && power + 2 * a <= 12)
      out += fmt::format("{}1e-{}, 1e{}", out.empty() ? "" : "; ", a, power + 2 * a);
  return out;
}

// Any combination with that k h^2.
lab::BeamOptions at_power(lab::BeamOptions o, int power) {
  o.step = power >= 3 ? 1e-1 : 1e-4;
  o.stiffness = std::pow(10.0, power) / (o.step * o.step);
  return o;
}

struct Sweep {
  std::vector<std::vector<std::string>> rows;
  Series bias;
  lab::Worst worst_qn{}, worst_bias{};
  bool finite = true;
};

void add(Sweep& sweep, const lab::ThesisCase& one, int power, int iterations) {
  const std::size_t last = one.runs.size() - 1;
  sweep.rows.push_back(lab::cells("1e{} | {}", power, combinations(power)));
  for (const int i : {10, 40, iterations})
    for (std::size_t k = 0; k <= last; ++k)
      sweep.rows.back().push_back(fmt::format("{:.2g}", 100 * one.error(k, i)));
  for (std::size_t k = 0; k <= last; ++k) sweep.finite = sweep.finite && std::isfinite(one.error(k, iterations));
  sweep.worst_qn.see(one.error(0, iterations));
  sweep.worst_bias.see(one.error(last, iterations));
  sweep.bias.x.push_back(std::pow(10.0, power));
  sweep.bias.y.push_back(std::max(one.error(last, iterations), 1e-13));
}

Series run_sweep(const Settings& s, const std::string& material, bool further, Findings& findings) {
  lab::BeamOptions o;
  o.cells = s.integer("cells"), o.material = material;
  lab::PreparedBeam beam = lab::prepare_beam(o, 20);
  const int n = s.integer("iterations");
  const std::string setting = material + (further ? ", twisted further" : ", released");
  Sweep sweep{{}, {setting, {}, {}}};
  std::vector<std::string> columns = {"k h^2", "h [s], k [Pa]"};
  for (int power = s.integer("first_power"); power <= s.integer("last_power"); ++power) {
    beam.options = at_power(o, power);
    const lab::ThesisCase one =
        run_case(further ? lab::twist_further(beam, s.number("further")) : lab::release(beam), n);
    add(sweep, one, power, n);
    if (power % 2 == 0) plot_case(fmt::format("{}, k h^2 = 1e{} kg/m", setting, power), one, n, findings);
    if (columns.size() > 2) continue;
    for (const int i : {10, 40, n})
      for (const lab::Run& run : one.runs) columns.push_back(fmt::format("{} {}", run.curve.name, i));
  }
  findings.near(setting + ": steps of the preparation that neither converged nor came down to round-off", 0,
                beam.unfinished, 0,
                "those that end at round-off were called converged before there was the status `stalled`");
  findings.holds(setting + ": all errors are finite", sweep.finite);
  findings.at_most(setting + ": largest error of QN at the end", 1e-3, sweep.worst_qn);
  findings.report(setting + ": largest error of XPBD at the end", sweep.worst_bias);
  findings.table(setting + ": relative errors in % after some iterations", columns, sweep.rows);
  return sweep.bias;
}

// h = 1e-1, 1e-2, 1e-3 s with the same k h^2.
void only_the_product_counts(const Settings& s, Findings& findings) {
  lab::BeamOptions o;
  o.cells = s.integer("cells");
  std::vector<double> errors[4];
  for (int a = 1; a <= 3; ++a) {
    o.step = std::pow(10.0, -a), o.stiffness = 1e4 / (o.step * o.step);
    const lab::ThesisCase one = run_case(lab::released_beam(o), 40);
    for (std::size_t k = 0; k < 4; ++k) errors[k].push_back(one.error(k, 20));
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const char* names[] = {"QN", "ADMM", "PD", "XPBD"};
    findings.near(
        fmt::format("k h^2 = 1e4, three steps: largest / least error of {} after 20 iterations", names[k]), 1,
        lab::Worst::of(errors[k]) / lab::Least::of(errors[k]), 1e-3);
  }
}

void run(const Settings& s, Findings& findings) {
  only_the_product_counts(s, findings);
  Plot bias = lab::loglog("XPBD: relative error at the end", "k h^2 [kg/m]", "relative error");
  for (const char* material : {"arap", "simplified_neo_hookean"})
    for (const bool further : {false, true}) bias.series.push_back(run_sweep(s, material, further, findings));
  findings.plot(std::move(bias));
  findings.differs_because(
      "the thesis sweeps h and k; from rest only k h^2 counts, so each line stands for all combinations with it.");
}

}  // namespace

ExperimentPlugin experiment_ledwon2024_range() {
  return {.title = "Four solvers over the range of steps and stiffnesses",
          .source = "ledwon2024",
          .shows = "Section 3.8, Figs. 3.4 and 3.8 for other h and k",
          .doc = "Relative errors of the prepared beam, two motions, two materials, 14 values of k h^2.",
          .params = {integer("cells", 2, between(1, 24), "cells across the beam"),
                     integer("iterations", 1000, between(41, 1000000), "iterations of every run"),
                     integer("first_power", -3, between(-6, 12), "least power of ten of k h^2"),
                     integer("last_power", 10, between(-6, 12), "largest power of ten of k h^2"),
                     number("further", "degrees", 9, any_number(),
                            "angle by which the pins turn when twisted further")},
          .quick = Quick{.set = {{"cells", 1}}, .slow = true},
          .run = run};
}

}  // namespace resilin
