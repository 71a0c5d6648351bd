// E70: stopped after ten iterations, solvers have untwisted the beam by different angles (Ledwon 2024, Fig. 3.6 b
// to d): QN by most, then ADMM, then PD. XPBD comes last on fine meshes, where ten sweeps do not reach across; on
// coarse ones there is no order to expect.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run_beam(lab::BeamOptions o, int iterations, Findings& findings) {
  const TetMesh mesh = lab::beam_mesh(o.cells);
  const lab::ThesisCase beam = lab::thesis_case(lab::released_beam(o), iterations);
  const std::vector<double>& start = beam.stage.stage().origin;
  std::vector<double> angle;
  const std::string at = fmt::format("{} vertices: ", mesh.vertices.size() / 3);
  for (const lab::Run& run : beam.runs) {
    angle.push_back(lab::untwisted(mesh, start, run.y));
    findings.report(at + run.curve.name + ", angle untwisted [degrees]", angle.back());
    findings.picture(fmt::format("Fig. 3.6: {}{} after {} iterations", at, run.curve.name, iterations),
                     lab::snapshot(lab::ledwon_model(o), run.y, {0, 1, 0}, start));
  }
  findings.report(at + "converged, angle untwisted [degrees]", lab::untwisted(mesh, start, beam.minimiser));
  findings.at_least(at + "QN / ADMM, angle untwisted", 1, angle[0] / angle[1]);
  findings.at_least(at + "ADMM / PD, angle untwisted", 1, angle[1] / angle[2]);
  const double last = angle[2] / angle[3];
  if (mesh.vertices.size() / 3 >= 1000) findings.at_least(at + "PD / XPBD, angle untwisted", 1, last);
  else findings.report(at + "PD / XPBD, angle untwisted", last, "no order expected below 1000 vertices");
}

void run(const Settings& s, Findings& findings) {
  lab::BeamOptions o = lab::beam_options(s);
  run_beam(o, s.integer("iterations"), findings);
  o.cells = s.integer("cells_large");
  run_beam(o, s.integer("iterations"), findings);
}

}  // namespace

ExperimentPlugin experiment_E70() {
  return {.title = "Angle untwisted in ten iterations, by solver",
          .source = "ledwon2024",
          .shows = "Fig. 3.6",
          .doc = "Angle by which the ends of the released beam turn back, by solver.",
          .params = lab::beam_params(1e8, 1e-2, 10, 3,
                                     {integer("cells_large", 6, between(1, 24), "cells across the second beam")}),
          .quick = Quick{.set = {{"cells", 2}, {"cells_large", 3}}},
          .run = run};
}

}  // namespace resilin
