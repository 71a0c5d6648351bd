#include <gtest/gtest.h>

#include <cmath>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/figures.h"
#include "lab/paper_report.h"
#include "lab/setup.h"
#include "lab/share.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

ExperimentReport experiment(const std::string& id, const std::string& source, bool pass) {
  Findings findings;
  findings.near("x", 1, pass ? 1 : 2, 0.1);
  findings.plot({.title = "curve of " + id, .series = {{"line", {1, 2}, {3, 4}}}});
  findings.picture("picture of " + id, "png");
  findings.table("table of " + id, {"a", "b"}, {{"1", "two"}});
  findings.differs_because("of " + id);
  return {id,
          "title",
          source.c_str(),
          "Fig. 1",
          "doc",
          findings.rows(),
          findings.figures(),
          findings.differences(),
          verdict_of(findings.rows()),
          1.5};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Findings, FiguresAreKeptInOrder) {
  const ExperimentReport report = experiment("E1", "liu2017", true);
  ASSERT_EQ(report.figures.size(), 3u);
  EXPECT_EQ(std::get<Plot>(report.figures[0]).title, "curve of E1");
  EXPECT_EQ(std::get<PngFigure>(report.figures[1]).png, "png");
  EXPECT_EQ(std::get<TableFigure>(report.figures[2]).rows[0][1], "two");
  EXPECT_EQ(report.differences, std::vector<std::string>{"of E1"});
}

TEST(Findings, FiguresAreNotJudged) {
  Findings findings;
  findings.plot({.title = "t", .series = {{"line", {1}, {NAN}}}});
  EXPECT_TRUE(findings.rows().empty());
}

// Each judge with NaN in each of its places, one at a time.
TEST(Findings, NanNeverPasses) {
  Findings findings;
  for (const double x : {1.0, double{NAN}})
    for (const double y : {1.0, double{NAN}})
      for (const double z : {1.0, double{NAN}}) {
        if (x == 1 && y == 1 && z == 1) continue;
        findings.near("near", x, y, z);
        findings.relative("relative", x, y, z);
        findings.between("between", x, z, y);
      }
  findings.at_most("at most", 1, NAN), findings.at_most("at most", NAN, 1);
  findings.at_least("at least", 1, NAN), findings.at_least("at least", NAN, 1);
  findings.report("reported", NAN);
  EXPECT_GT(findings.rows().size(), 20u);
  for (const Row& row : findings.rows()) EXPECT_FALSE(row.pass) << row.quantity;
}

TEST(Findings, AnInfiniteValueIsNoJudgement) {
  Findings findings;
  findings.at_least("x", 1, INFINITY), findings.at_most("x", INFINITY, 1), findings.relative("x", INFINITY, 1, 0.1);
  for (const Row& row : findings.rows()) EXPECT_FALSE(row.pass) << row.relation;
  findings.report("never reached", INFINITY);
  EXPECT_TRUE(findings.rows().back().pass);
}

TEST(Findings, ANanInATableMisses) {
  Findings findings;
  findings.table("t", {"scene", "error"}, {{"St. Venant", "1"}, {"finance", "2"}});
  EXPECT_TRUE(findings.rows().empty());
  findings.table_row({"bar", "0.1 / -nan"});
  ASSERT_EQ(findings.rows().size(), 1u);
  EXPECT_FALSE(findings.rows()[0].pass);
  EXPECT_EQ(findings.rows()[0].note, "row bar");
  findings.table("u", {"error"}, {{"nan"}});
  EXPECT_EQ(findings.rows().size(), 2u);
}

TEST(Findings, OnlyWhatIsJudgedPasses) {
  Findings findings;
  EXPECT_EQ(verdict_of(findings.rows()), ExperimentVerdict::missed);  // nothing was found
  findings.report("x", 1);
  EXPECT_EQ(verdict_of(findings.rows()), ExperimentVerdict::reported);
  findings.near("x", 1, 1, 0);
  EXPECT_EQ(verdict_of(findings.rows()), ExperimentVerdict::passed);
  findings.near("x", 1, 2, 0);
  EXPECT_EQ(verdict_of(findings.rows()), ExperimentVerdict::missed);
}

TEST(Findings, ATableGrowsAndProgressIsHeard) {
  Findings findings;
  findings.progress(0, 2, "nobody listens");
  std::vector<std::string> heard;
  findings.on_progress = [&](const ExperimentProgress& at) {
    const auto& table = std::get<TableFigure>(findings.figures()[0]);
    heard.push_back(std::to_string(at.done) + "/" + std::to_string(at.total) + " " + at.what + " " +
                    std::to_string(table.rows.size()));
  };
  findings.table("t", {"a"}, {});
  findings.plot({.title = "p", .series = {{"line", {1}, {1}}}});
  for (int i = 1; i <= 2; ++i) findings.table_row({"x"}), findings.progress(i, 2, "part");
  EXPECT_EQ(heard, (std::vector<std::string>{"1/2 part 1", "2/2 part 2"}));
}

TEST(Experiment, ALongRunShowsWhatItHasFoundSoFar) {
  // The smallest grid: tiny bars, two frames.
  const Value small = Value::Object{{"vertices", Value::List{Value(40)}},
                                    {"young", Value::List{Value(1e6)}},
                                    {"step", Value::List{Value(1.0 / 30)}},
                                    {"frames", Value(2)},
                                    {"every", Value(2)},
                                    {"iterations", Value(10)},
                                    {"repeat", Value(1)}};
  std::vector<std::size_t> rows;
  int total = 0;
  const ExperimentReport report = run_experiment("two_level.iterations", small,
                                                 [&](const ExperimentReport& so_far, const ExperimentProgress& at) {
                                                   rows.push_back(so_far.rows.size());
                                                   EXPECT_EQ(at.done, static_cast<int>(rows.size()));
                                                   total = at.total;
                                                 });
  EXPECT_EQ(static_cast<int>(rows.size()), total);
  EXPECT_EQ(rows.front(), 1u);
  EXPECT_EQ(rows.back(), rows.size());
  EXPECT_GT(report.rows.size(), rows.size());
  // Five scenes by iteration and by time, and two plots of gains.
  int plots = 0;
  for (const auto& figure : report.figures) plots += std::holds_alternative<Plot>(figure) ? 1 : 0;
  EXPECT_EQ(plots, 12);
}

TEST(Experiment, AStepThatIsNotFiniteIsNotIgnored) {
  Model model = lab::solid(lab::beam_mesh(1), 1000, "corotated", {});
  model.gravity = {0, NAN, 0};
  const auto simulation = lab::make_simulation(std::move(model), 0.01, "quasi_newton");
  EXPECT_THROW(lab::advance(*simulation), lab::StepNotFinite);
  EXPECT_EQ(simulation->state().step, 0);
}

TEST(Experiment, ARunKeepsWhatItsReportShows) {
  const ExperimentReport report =
      run_experiment("liu2017.figure9", Value::Object{{"cells", Value(2)}, {"iterations", Value(4)}});
  EXPECT_EQ(report.source.text(), "liu2017");
  EXPECT_EQ(report.shows, "Fig. 9");
  ASSERT_EQ(report.figures.size(), 2u);
  const auto& plot = std::get<Plot>(report.figures[0]);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[0].y.size(), 5u);
  EXPECT_EQ(plot.series[0].y[0], 1);
}

TEST(Experiment, WindowsOfOneSettingRefuseAnother) {
  const std::pair<const char*, Value::Object> cases[] = {{"E64", {{"stiffness", Value(1e7)}}},
                                                         {"E64", {{"iterations", Value(500)}}},
                                                         {"E65", {{"step", Value(2e-2)}}},
                                                         {"E66", {{"step", Value(0.2)}}},
                                                         {"E67", {{"cells", Value(3)}}}};
  for (const auto& [id, overrides] : cases) try {
      run_experiment(id, Value(overrides));
      ADD_FAILURE() << id << " runs";
    } catch (const InputError& error) {
      EXPECT_TRUE(has(error.what(), overrides[0].first)) << id << ": " << error.what();
      EXPECT_TRUE(has(error.what(), "default") || has(error.what(), "or more")) << id << ": " << error.what();
    }
}

// Other programs of the machine decide how long something takes.
TEST(Findings, TimesAreShownWithTheirMarkAndDecideNothing) {
  Findings findings;
  findings.time("slow", "<=", 1, 2, "of two");
  ASSERT_EQ(findings.rows().size(), 1u);
  const Row& row = findings.rows()[0];
  EXPECT_TRUE(row.pass);
  EXPECT_EQ(row.relation, "report");
  EXPECT_EQ(row.mark, "<=");
  EXPECT_EQ(row.note, "mark <= 1 in bench; of two");
}

TEST(Share, IsTheShareOfSettingsAndFailsWithoutAny) {
  lab::Share share, none;
  for (const double x : {1.0, 2.0, 3.0, static_cast<double>(NAN)}) share.see(x <= 2);
  EXPECT_EQ(share.value(), 0.5);
  Findings findings;
  share.judge("x is small", 0.5, findings);
  share.judge("x is small", 0.6, findings);
  none.judge("nothing", 0, findings);
  EXPECT_TRUE(findings.rows()[0].pass);
  EXPECT_EQ(findings.rows()[0].note, "2 of 4");
  EXPECT_FALSE(findings.rows()[1].pass);
  EXPECT_FALSE(findings.rows()[2].pass);
}

TEST(PaperReport, ExperimentsAreGroupedBySource) {
  const auto papers = lab::by_source(
      {experiment("E1", "liu2017", true), experiment("E74", "oracle", true), experiment("E2", "liu2017", true)});
  ASSERT_EQ(papers.size(), 2u);
  EXPECT_EQ(papers[0].source, "liu2017");
  ASSERT_EQ(papers[0].experiments.size(), 2u);
  EXPECT_EQ(papers[0].experiments[1].id, "E2");
}

TEST(PaperReport, AnExperimentOfTwoPapersStandsWithTheOneAskedFor) {
  ExperimentReport shared = experiment("E67", "ledwon2024", true);
  shared.source = {"ledwon2024", "brown2018"};
  const auto both = lab::by_source({shared}), one = lab::by_source({shared}, {"brown2018"}),
             other = lab::by_source({shared}, {"E67", "liu2017"});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[1].source, "brown2018");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].source, "brown2018");
  EXPECT_EQ(other.size(), 2u);
}

TEST(PaperReport, BrownIsComplete) {
  std::string all, figures;
  for (const auto& [id, experiment] : registry<ExperimentPlugin>())
    if (experiment.source.has("brown2018")) all += id + " ", figures += experiment.shows + ", ";
  for (const char* id : {"E25", "E26", "E27", "E28", "E29", "E30", "E31", "E32", "E33", "E34",
                         "E35", "E41", "E42", "E43", "E46", "E67", "E78", "E80", "E83", "E92"})
    EXPECT_TRUE(has(all, std::string(id) + " ")) << id;
  for (const char* part : {"Fig. 3,", "Fig. 6,", "Fig. 7,", "Fig. 8,", "Fig. 11,", "Fig. 12,"})
    EXPECT_TRUE(has(figures, part)) << part;
}

TEST(PaperReport, APageHoldsVerdictsFiguresAndDifferences) {
  const std::string html =
      lab::paper_html({"liu2017", {experiment("E1", "liu2017", true), experiment("E2", "liu2017", false)}});
  for (const char* part :
       {"href=\"#E1\"", "<section id=\"E1\">", "<section id=\"E2\">", "Differs because: of E2", "curve of E1",
        "picture of E2", "table of E1", "<td class=\"missed\">", "Quasi-Newton Methods"})
    EXPECT_TRUE(has(html, part)) << part;
}

TEST(PaperReport, WhatIsOnlyReportedIsCountedApart) {
  ExperimentReport reported = experiment("E71", "ledwon2024", true);
  Findings findings;
  findings.report("x", 1);
  reported.rows = findings.rows();
  reported.verdict = verdict_of(reported.rows);
  const std::string html = lab::paper_html({"ledwon2024", {reported}});
  EXPECT_TRUE(has(html, "<dt>passed</dt><dd>0</dd>"));
  EXPECT_TRUE(has(html, "<dt>reported only</dt><dd>1</dd>"));
  EXPECT_FALSE(has(html, "<td class=\"pass\">"));
}

TEST(PaperReport, TheIndexLeadsToEveryPaper) {
  const auto papers = lab::by_source({experiment("E1", "liu2017", true), experiment("x", "somebody2030", false)});
  const std::string html = lab::papers_index_html(papers, {"liu2017.html", "somebody2030.html"});
  EXPECT_TRUE(has(html, "<a href=\"liu2017.html\">liu2017</a>"));
  EXPECT_TRUE(has(html, "<a href=\"somebody2030.html\">somebody2030</a>"));
}

TEST(PaperReport, EveryTableAndFigureOfLiuIsThere) {
  std::string all;
  for (const auto& [id, experiment] : registry<ExperimentPlugin>())
    if (experiment.source.has("liu2017")) all += experiment.shows + ", ";
  for (const char* part :
       {"Table I,", "Table II,", "Fig. 1,", "Fig. 2,", "Fig. 3,", "Fig. 5,", "Fig. 6,", "Fig. 7,", "Fig. 8,",
        "Fig. 9,", "Fig. 10,", "Fig. 12,", "13,", "Fig. 14,", "Fig. 15,", "16,", "17,", "Fig. 18,"})
    EXPECT_TRUE(has(all, part)) << part;
}

TEST(Figures, ConvergenceIsPlottedByIterationAndByTime) {
  SolveReport report;
  for (const double value : {3.0, 2.0, 1.0}) {
    report.trace.emplace_back();
    report.trace.back().objective = value;
    report.trace.back().seconds = (3 - value) * 1e-3;
  }
  Findings findings;
  lab::plot_convergence(findings, "t", {{"one", report, 0.5e-3}}, 1);
  ASSERT_EQ(findings.figures().size(), 2u);
  const auto& by_time = std::get<Plot>(findings.figures()[1]);
  EXPECT_EQ(by_time.series[0].x, (std::vector<double>{0.5, 1.5, 2.5}));
  EXPECT_EQ(by_time.series[0].y[1], 0.5);
  EXPECT_TRUE(std::isnan(by_time.series[0].y[2]));  // round-off is not drawn
}

}  // namespace
}  // namespace resilin
