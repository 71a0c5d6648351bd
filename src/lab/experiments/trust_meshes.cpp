// Meshes that nobody here has made, dropped, hung and squeezed, soft and stiff, with default settings against the
// converged run. A body that buckles goes one of several ways, all of them right: two converged runs tell, and then
// energy and height are compared instead.
#include "lab/toolkit.h"
#include "lab/trust_scenes.h"
#include "lab/trust_study.h"

namespace resilin {
namespace {

constexpr double usual = 0.01, largest = 0.03, energy = 0.03;

struct Sums {
  int near = 0, compared = 0;  // cases that do not buckle: within `usual`, and all
  bool large = false;          // a reference was not Newton's
  std::vector<double> cpu, evaluations;
};

std::vector<lab::MeshCase> cases(const Settings& s, Findings& findings) {
  std::vector<lab::MeshCase> out;
  for (const std::string& file : lab::trust_meshes()) {
    if (file.find(s.text("meshes")) == std::string::npos) continue;
    if (!lab::has_mesh(file)) {
      findings.report(file + ": left out", 0, "not in the folder");
      continue;
    }
    State ignored;
    if (s.integer("largest") > 0 &&
        build_model(lab::mesh_scene_of({.file = file}), ignored).vertex_count() > s.integer("largest")) {
      findings.report(file + ": left out", 0, "more vertices than `largest`");
      continue;
    }
    for (const std::string& load : lab::mesh_loads())
      for (const double young : s.numbers("young"))
        if (s.text("loads").find(load) != std::string::npos)
          out.push_back({.file = file, .load = load, .young = young, .step = s.number("step")});
  }
  return out;
}

void judge(const Settings& s, const lab::MeshCase& one, Findings& findings, Sums& sums) {
  const auto c =
      lab::compare_to_converged(lab::mesh_scene_of(one), lab::default_solver(s), s.integer("frames"), usual);
  const std::string name = one.name() + ": ";
  if (c.judge(name, largest, findings)) {
    findings.at_most(name + "largest elastic energy, relative error", energy, c.elastic_error());
    sums.near += c.error <= usual ? 1 : 0, ++sums.compared;
  }
  sums.large = sums.large || c.reference.vertices() > lab::newton_limit;
  sums.cpu.push_back(c.cpu_ratio()), sums.evaluations.push_back(c.evaluation_ratio());
  findings.table_row(lab::cells(
      "{} | {} | {:.2g} -> {:.2g}{} | {:.3g} -> {:.3g} ({:.3g}) | {:.2g} -> {:.2g} | {} -> {} | {:.2f}", one.name(),
      c.ours.vertices(), 100 * c.paper_error, 100 * c.error,
      c.buckles() ? fmt::format(" (buckles: {:.2g})", 100 * c.spread) : "", c.paper.elastic, c.ours.elastic,
      c.reference.elastic, c.paper.made, c.ours.made, c.paper.evaluations, c.ours.evaluations, c.cpu_ratio()));
}

void summarise(const Sums& sums, Findings& findings) {
  if (sums.compared > 0)
    findings.at_least("share of cases within 1 % of the size", 0.9, static_cast<double>(sums.near) / sums.compared,
                      fmt::format("{} of {} that do not buckle", sums.near, sums.compared));
  findings.report("CPU over the paper's, median", lab::median_of(sums.cpu), "asked: at most 2");
  findings.report("CPU over the paper's, worst", *std::max_element(sums.cpu.begin(), sums.cpu.end()),
                  "asked: at most 3");
  findings.report("evaluations over the paper's, median", lab::median_of(sums.evaluations));
  findings.report("evaluations over the paper's, worst",
                  *std::max_element(sums.evaluations.begin(), sums.evaluations.end()));
  if (sums.large) findings.differs_because(lab::large_reference_text());
}

void run(const Settings& s, Findings& findings) {
  if (lab::mesh_folder().empty())
    return findings.holds("there are meshes to judge by", false, "RESILIN_MESHES is not set: nothing was judged");
  const auto all = cases(s, findings);
  findings.holds("there are meshes to judge by", !all.empty(), fmt::format("{} cases", all.size()));
  if (all.empty()) return;
  lab::begin_table(
      findings, "Meshes: the paper's -> default (converged)",
      "case | vertices | error [%] | largest elastic energy [J] | energy made [J] | evaluations | CPU x");
  Sums sums;
  lab::for_each_setting(findings, all, std::mem_fn(&lab::MeshCase::name),
                        [&](const lab::MeshCase& one) { judge(s, one, findings, sums); });
  summarise(sums, findings);
}

}  // namespace

ExperimentPlugin experiment_trust_meshes() {
  return {
      .title = "Default solver: errors on thirteen mesh files",
      .source = "trust",
      .doc = "The meshes of $RESILIN_MESHES dropped, hung and squeezed at two stiffnesses, against converged runs.",
      .params = Params{text("meshes", "", "only files with this in their names"),
                       text("loads", "drop,hang,squeeze", "which of these three"),
                       numbers("young", "Pa", {1e4, 1e6}, positive(), "Young's moduli"),
                       integer("frames", 16, between(1, 10000), "per run"),
                       number("step", "s", 1.0 / 30, positive(), "time step"),
                       integer("largest", 0, at_least(0), "vertices of a mesh at most; 0: any")}
                    .add(lab::stated_params()),
      .quick = Quick{.set = {{"meshes", "turtle"}, {"loads", "hang"}, {"young", Value::List{1e6}}}, .meshes = true},
      .run = run};
}

}  // namespace resilin
