#include "lab/paper_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/report.h"

namespace resilin::lab {
namespace {

struct Paper {
  const char *source, *title, *about;
};

constexpr Paper papers[] = {
    {"liu2017", "Quasi-Newton Methods for Real-time Simulation of Hyperelastic Materials",
     "Liu, Bouaziz and Kavan, ACM Transactions on Graphics 36(3), 2017. Meshes are our own, of about the same "
     "size. Figure 4 (a body squeezed through a torus) is E20, with a creature. Simpler than in the paper: the "
     "competitor of Figure 10 has whole Hessians of two frames ago, not the partial updates of Hecht et al. 2012; "
     "the squirrel of 33 666 vertices in Table I runs only when asked for; spline spheres are compared with Newton "
     "in a few frames soon after the start."},
    {"brown2018", "Accurate Dissipative Forces in Optimization Integrators",
     "Brown, Overby, Forootaninia and Narain, ACM Transactions on Graphics 37(6), 2018. Bodies on the terrain of "
     "Figure 1 (E45) and under the cloth of Figure 10 (E40) are our own; Table 2 has some of its times. Simpler "
     "than in the paper: Figure 11 has a ball and a body of balls instead of bunnies, Figure 12 a released block "
     "instead of a dragon."},
    {"ledwon2024", "Comparison of XPBD and Projective Dynamics",
     "Ledwon, Master's thesis, RWTH Aachen University, 2024. The thesis prints neither size nor mesh nor density "
     "of its beam, so only comparisons without units are fair: from rest all of them depend on k h^2/(rho w^2) "
     "alone. Its misprints are corrected (X37 to X44). Simpler than in the thesis: most released beams begin at a "
     "linear twist; E69 simulates the twisting."},
    {"brandt2018", "Hyper-Reduced Projective Dynamics",
     "Brandt, Eisemann and Hildebrandt, ACM Transactions on Graphics 37(4), 2018. Bodies are generated and have "
     "about as many vertices as the paper's: a creature, and a curved sheet for the Glove. Table 1 is E54 (the "
     "largest row with --set largest=500000), Table 2 E51, Figure 3 E56, Figure 4 E52, Figure 5 "
     "brandt2018.figure5, Figure 6 E55. Times on another machine than the paper's."},
    {"oracle", "Closed forms and identities", "What any correct implementation must show, whatever the paper."},
    {"files", "Files and bodies from surfaces", "Claims about reading, repairing and filling meshes."},
    {"shells", "Shells and cloth",
     "Sheets of triangles against theory: membranes, bending, limits of strain, enclosed volumes."},
    {"contact", "Contact and friction", "What touches rests, holds, slides and never crosses."},
    {"house", "Building blocks", "Derivatives and reference solvers that other claims stand on."},
    {"trust", "Right by default, and honest when it is not",
     "Default settings against converged runs: at every scale, on anybody's meshes, with stages that are cut "
     "short. \"The paper's\" is ten iterations of Liu et al. 2017."},
};

// A source that nobody has described goes by its name.
Paper described(const std::string& source) {
  for (const Paper& paper : papers)
    if (source == paper.source) return paper;
  return {source.c_str(), source.c_str(), ""};
}

struct Count {
  int passed = 0, missed = 0, reported = 0;
  ExperimentVerdict verdict() const {
    return missed > 0   ? ExperimentVerdict::missed
           : passed > 0 ? ExperimentVerdict::passed
                        : ExperimentVerdict::reported;
  }
  std::size_t figures = 0;
  double seconds = 0;
};

Count count(const PaperResults& paper) {
  Count out;
  for (const ExperimentReport& one : paper.experiments) {
    ++(one.verdict == ExperimentVerdict::passed   ? out.passed
       : one.verdict == ExperimentVerdict::missed ? out.missed
                                                  : out.reported);
    out.figures += one.figures.size();
    out.seconds += one.seconds;
  }
  return out;
}

std::string judged_rows(const ExperimentReport& one) {
  const auto judged =
      std::count_if(one.rows.begin(), one.rows.end(), [](const Row& r) { return r.relation != "report"; });
  const auto held = std::count_if(one.rows.begin(), one.rows.end(),
                                  [](const Row& r) { return r.relation != "report" && r.pass; });
  return fmt::format("{} of {}", held, judged);
}

void add_contents(Report& report, const PaperResults& paper) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> links;
  for (const ExperimentReport& one : paper.experiments) {
    rows.push_back({one.id, one.shows, one.title, judged_rows(one), std::to_string(one.figures.size()),
                    fmt::format("{:.1f}", one.seconds), name(one.verdict)});
    links.push_back("#" + one.id);
  }
  report.table({"experiment", "shows", "title", "rows that hold", "figures", "time [s]", "verdict"}, rows, links);
}

void add_experiment(Report& report, const ExperimentReport& one) {
  const std::string part = one.shows.empty() ? "" : " (" + one.shows + ")";
  report.section(fmt::format("{}: {}{}", one.id, one.title, part), one.id);
  report.text(one.doc);
  for (const std::string& difference : one.differences) report.text("Differs because: " + difference);
  report.verdicts(one.rows);
  for (const Figure& figure : one.figures) report.figure(figure);
}

}  // namespace

std::vector<PaperResults> by_source(const std::vector<ExperimentReport>& reports,
                                    const std::vector<std::string>& asked) {
  std::vector<PaperResults> out;
  for (const ExperimentReport& report : reports) {
    const auto wanted = [&](const std::string& name) { return report.source.has(name); };
    const bool some = std::any_of(asked.begin(), asked.end(), wanted);
    for (const std::string& source : report.source) {
      if (some && std::find(asked.begin(), asked.end(), source) == asked.end()) continue;
      auto place = std::find_if(out.begin(), out.end(), [&](const PaperResults& p) { return p.source == source; });
      if (place == out.end()) place = out.insert(out.end(), {source, {}});
      place->experiments.push_back(report);
    }
  }
  return out;
}

std::string paper_html(const PaperResults& paper) {
  const Paper known = described(paper.source);
  const Count total = count(paper);
  Report report(fmt::format("{}: {}", paper.source, known.title), known.about);
  report.facts({{"passed", std::to_string(total.passed)},
                {"missed", std::to_string(total.missed)},
                {"reported only", std::to_string(total.reported)},
                {"figures", std::to_string(total.figures)},
                {"time", fmt::format("{:.0f} s", total.seconds)}});
  add_contents(report, paper);
  for (const ExperimentReport& one : paper.experiments) add_experiment(report, one);
  return report.html();
}

std::string papers_index_html(const std::vector<PaperResults>& papers, const std::vector<std::string>& pages) {
  Report report("Reproduced papers",
                "Every experiment with what is expected of it, what was measured and a verdict.");
  std::vector<std::vector<std::string>> rows;
  for (const PaperResults& paper : papers) {
    const Count total = count(paper);
    rows.push_back({paper.source, described(paper.source).title, std::to_string(total.passed),
                    std::to_string(total.missed), std::to_string(total.reported), std::to_string(total.figures),
                    fmt::format("{:.0f}", total.seconds), name(total.verdict())});
  }
  report.table({"source", "title", "passed", "missed", "reported only", "figures", "time [s]", "verdict"}, rows,
               pages);
  return report.html();
}

}  // namespace resilin::lab
