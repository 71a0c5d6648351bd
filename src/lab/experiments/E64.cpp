// E64: Fig. 3.4 and Table 3.1 of Ledwon 2024: one step of the released beam, h = 1e-2 s, k = 1e8 Pa, by four
// solvers, for beams of several sizes, judged alike. The order of PD and XPBD in the first iterations depends on
// the mesh: it is judged from 1000 vertices on, where it is the thesis's.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"
#include "lab/windows.h"

namespace resilin {
namespace {

constexpr int moments[] = {40, 60, 260, 1000};  // where QN, ADMM, PD and XPBD converge in the thesis

enum { qn, admm, pd, xpbd };

void add_rows(const std::string& name, const lab::ThesisCase& beam, Findings& findings) {
  for (const int i : moments)
    findings.table_row(lab::cells("{} | {} | {:.2g} | {:.2g} | {:.2g} | {:.2g}", name, i, 100 * beam.error(qn, i),
                                  100 * beam.error(admm, i), 100 * beam.error(pd, i), 100 * beam.error(xpbd, i)));
}

// Windows of the independent program; they are for S-BEAM with 81 and 208 vertices.
void judge(const lab::ThesisCase& beam, const std::string& at, Findings& findings) {
  findings.at_most(at + "QN after 40: relative error", 1e-3, beam.error(qn, 40));
  // Below rounding of the objective no order means anything.
  findings.holds(at + "after 40: QN <= ADMM <= PD", beam.error(qn, 40) <= beam.error(admm, 40) + 1e-12 &&
                                                        beam.error(admm, 40) <= beam.error(pd, 40) + 1e-12);
  findings.at_most(at + "PD after 260: relative error", 1e-3, beam.error(pd, 260));
  for (const int solver : {qn, admm, pd})
    findings.at_most(at + beam.runs[solver].curve.name + " after 1000: relative error", 5e-4,
                     std::abs(beam.error(solver, 1000)));
  findings.between(at + "XPBD after 1000: relative error", 2e-3, 5e-2, beam.error(xpbd, 1000),
                   "thesis 0.018, independent program 0.0191 and 0.0063");
  findings.at_most(at + "XPBD: share of the error at 500 that is gone by 1000", 0.2,
                   1 - beam.error(xpbd, 1000) / beam.error(xpbd, 500), "a bias, not slowness");
}

void run(const Settings& s, Findings& findings) {
  lab::windows_hold_at(s, {{"stiffness", 1e8}, {"step", 1e-2}});
  lab::windows_need_at_least(s, "iterations", 1000);
  lab::BeamOptions o = lab::beam_options(s);
  const int iterations = s.integer("iterations");
  lab::begin_table(findings, "Table 3.1: relative errors in %", "beam | iterations | QN | ADMM | PD | XPBD");
  for (const char* row : {"thesis | 40 | 0 | 0.4 | 22.7 | 67.8", "thesis | 60 | 0 | 0 | 12.6 | 47.8",
                          "thesis | 260 | 0 | 0 | 0 | 4.0", "thesis | 1000 | 0 | 0 | 0 | 1.8",
                          "independent program, 81 v | 40 | 0 | 0.0015 | 1.13 | 1.60",
                          "independent program, 81 v | 60 | 0 | 0 | 0.15 | 1.80",
                          "independent program, 81 v | 260 | 0 | 0 | 0 | 1.91",
                          "independent program, 81 v | 1000 | 0 | 0 | 0 | 1.91"})
    findings.table_row(lab::split_cells(row));
  for (const int cells : {s.integer("cells"), s.integer("cells_medium"), s.integer("cells_large")}) {
    o.cells = cells;
    const int vertices = (4 * cells + 1) * (cells + 1) * (cells + 1);
    const lab::ThesisCase beam = lab::thesis_case(lab::released_beam(o), iterations);
    const std::string at = fmt::format("{} vertices: ", vertices);
    judge(beam, at, findings);
    if (vertices >= 1000)
      for (const int moment : {40, 60})
        findings.at_least(fmt::format("{}XPBD after {}: relative error, at least that of PD", at, moment),
                          beam.error(pd, moment), beam.error(xpbd, moment), "as in the thesis");
    findings.report(at + "best c of ADMM", beam.weight);
    lab::plot_objective(findings, fmt::format("Fig. 3.4: system, {} vertices", vertices), beam.runs, iterations);
    lab::plot_errors(findings, fmt::format("Released beam, {} vertices", vertices), lab::curves(beam.runs),
                     beam.minimum);
    add_rows(fmt::format("{} v", vertices), beam, findings);
  }
  findings.differs_because(
      "the thesis prints neither size nor mesh nor density of its beam. PD and XPBD need more iterations on finer "
      "meshes; its beam is probably finer than ours of 81 vertices.");
}

}  // namespace

ExperimentPlugin experiment_E64() {
  return {.title = "Relative errors of four solvers on the released beam",
          .source = "ledwon2024",
          .shows = "Fig. 3.4, Table 3.1",
          .doc = "QN, ADMM with the best of ten weights, PD and XPBD, 1000 iterations, three sizes.",
          .params = lab::beam_params(1e8, 1e-2, 1000, 2,
                                     {integer("cells_medium", 3, between(1, 24), "cells across the second beam"),
                                      integer("cells_large", 6, between(1, 24), "cells across the third beam")}),
          .quick = Quick{.set = {{"cells_medium", 2}, {"cells_large", 3}}},
          .run = run};
}

}  // namespace resilin
