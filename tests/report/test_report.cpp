#include <gtest/gtest.h>

#include <cmath>

#include "report/report.h"
#include "report/run_report.h"
#include "resilin/render.h"

namespace resilin {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Report, IsOneFileThatLoadsNothing) {
  Report report("title", "subtitle");
  report.picture(png({2, 1, {255, 0, 0, 0, 0, 255}}), "two pixels");
  report.plot({.title = "p", .x_label = "x", .y_label = "y", .series = {{"line", {1, 2}, {3, 4}}}});
  const std::string html = report.html();
  EXPECT_EQ(html.find("<!DOCTYPE html>"), 0u);
  EXPECT_EQ(count(html, "src=\"data:image/png;base64,iVBORw0KGgo"), 1u);
  EXPECT_EQ(count(html, "src="), 1u);
  EXPECT_EQ(count(html, "href=\"data:,\""), count(html, "href="));
  EXPECT_EQ(count(html, "http://www.w3.org/2000/svg"), count(html, "http"));  // the name of SVG, no address
  EXPECT_EQ(count(html, "<section>"), count(html, "</section>"));
}

TEST(Report, TextCannotBreakOut) {
  Report report("a <b> & \"c\"", "");
  report.text("</section><script>alert(1)</script>");
  report.table({"<i>"}, {{"</td>"}});
  report.plot({.title = "t", .series = {{"</script><script>alert(2)", {1}, {1}}}});
  const std::string html = report.html();
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(html.find("</script><script>alert(2)"), std::string::npos);
  EXPECT_NE(html.find("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_EQ(count(html, "<i>"), 0u);
}

TEST(Report, WhatIsNotFiniteIsAGap) {
  Report report("t", "");
  report.plot({.title = "t", .series = {{"s", {0, 1, 2}, {1, NAN, INFINITY}}}});
  EXPECT_NE(report.html().find("\"y\":[1,null,null]"), std::string::npos);
}

TEST(Report, APlotWithoutPointsSaysSo) {
  Report report("t", "");
  report.plot({.title = "empty one", .log_y = true, .series = {{"s", {0, 1}, {-1, 0}}}});
  EXPECT_NE(report.html().find("empty one: there is nothing to plot."), std::string::npos);
  EXPECT_EQ(report.html().find("<figure class=\"plot\">"), std::string::npos);
}

TEST(Report, VerdictsShowWhatWasExpected) {
  const std::vector<Row> rows = {
      {.quantity = "period", .relation = "=", .expected = 2, .measured = 2.5, .tolerance = 0.1, .pass = false},
      {.quantity = "error", .relation = "<=", .expected = 1e-3, .measured = 1e-4},
      {.quantity = "speed", .relation = "report", .measured = 3}};
  Report report("t", "");
  report.verdicts(rows);
  const std::string html = report.html();
  EXPECT_EQ(count(html, "<td class=\"missed\">"), 1u);
  EXPECT_EQ(count(html, "<td class=\"pass\">"), 1u);
  EXPECT_EQ(count(html, "<td class=\"reported\">"), 1u);
  EXPECT_NE(html.find("&lt;= 0.001"), std::string::npos);
}

TEST(RunReport, DamagedLinesOfTheLogAreLeftOut) {
  const auto log = read_log("{\"frame\": 1}\n{\"fra\n{\"frame\": 3}\n{\"frame\": 4}");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[1].find("frame")->integer(), 3);
}

TEST(RunReport, WorksAreSummedOverFrames) {
  Scene scene;
  scene.name = "bar";
  const auto log = read_log(
      "{\"frame\": 1, \"time\": 0.5, \"ledger\": {\"external_work\": 2}}\n"
      "{\"frame\": 2, \"time\": 1, \"ledger\": {\"external_work\": 3}}\n");
  const std::string html = run_report_html(scene, Value::Object{{"status", "done"}}, log, "");
  EXPECT_NE(html.find("{\"name\":\"external forces\",\"x\":[0.5,1],\"y\":[2,5]}"), std::string::npos);
  EXPECT_NE(html.find("Momentum: there is nothing to plot."), std::string::npos);
}

TEST(RunReport, ALongRunIsThinnedButKeepsItsLastFrame) {
  std::vector<Value> log;
  for (int i = 1; i <= 10000; ++i) log.push_back(Value::Object{{"frame", i}, {"iterations", 1}});
  const std::string html = run_report_html({}, Value::Object{}, log, "");
  EXPECT_NE(html.find("[1,4,7,"), std::string::npos);
  EXPECT_NE(html.find(",9994,9997,10000]"), std::string::npos);
}

}  // namespace
}  // namespace resilin
