#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "lab/svg.h"
#include "report/report.h"

namespace resilin {
namespace {

using Points = std::vector<std::pair<double, double>>;

Points circles(const std::string& text) {
  Points out;
  const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  for (std::sregex_iterator i(text.begin(), text.end(), circle), end; i != end; ++i)
    out.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
  return out;
}

int count(const std::string& text, const std::string& part) {
  int out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Every element is closed, in order: what an XML reader asks for first.
bool well_formed(const std::string& text) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z]+)[^<>]*?(/?)>");
  for (std::sregex_iterator i(text.begin(), text.end(), tag), end; i != end; ++i) {
    if ((*i)[3] == "/") continue;
    if ((*i)[1] != "/") open.push_back((*i)[2]);
    else if (open.empty() || open.back() != (*i)[2]) return false;
    else open.pop_back();
  }
  return open.empty();
}

Plot decay() {
  return {"Error <of> A & B",
          "iterations",
          "relative error",
          false,
          true,
          {{"one", {0, 1, 2, 3}, {1, 1e-2, 1e-4, 1e-6}}, {"two", {0, 1, 2, 3}, {1, 1e-1, NAN, 1e-3}}}};
}

TEST(Svg, IsWellFormedAndEscaped) {
  const std::string text = svg(decay());
  EXPECT_TRUE(well_formed(text));
  EXPECT_TRUE(has(text, "<title>Error &lt;of&gt; A &amp; B</title>"));
  EXPECT_EQ(text.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0u);
  EXPECT_TRUE(has(text, "fill=\"#ffffff\""));  // readable on a dark page
}

TEST(Svg, PointsStandInsideTheFrameAndInOrder) {
  const std::string text = svg(decay());
  std::smatch frame;
  const std::regex rect(
      "<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\" fill=\"none\"");
  ASSERT_TRUE(std::regex_search(text, frame, rect));
  const double x = std::stod(frame[1]), y = std::stod(frame[2]), w = std::stod(frame[3]), h = std::stod(frame[4]);
  const Points points = circles(text);
  ASSERT_EQ(points.size(), 7u);
  for (const auto& [px, py] : points) {
    EXPECT_GE(px, x);
    EXPECT_LE(px, x + w);
    EXPECT_GE(py, y);
    EXPECT_LE(py, y + h);
  }
  // Equal ratios are equal distances on a log axis, and small values stand low.
  EXPECT_NEAR(points[1].second - points[0].second, points[2].second - points[1].second, 0.02);
  EXPECT_GT(points[1].second, points[0].second);
  EXPECT_NEAR(points[1].first - points[0].first, points[2].first - points[1].first, 0.02);
}

TEST(Svg, APointThatCannotBeDrawnIsAGap) {
  const std::string text = svg(decay());
  std::smatch second;
  const std::regex path("<path d=\"([^\"]*)\"[^>]*stroke=\"#d9622b\"");
  ASSERT_TRUE(std::regex_search(text, second, path));
  EXPECT_EQ(count(second[1], "M"), 2);
  EXPECT_EQ(count(second[1], "L"), 1);
  Plot plot = decay();
  plot.series[1].y[2] = 0;  // log axis
  EXPECT_EQ(svg(plot), text);
}

TEST(Svg, LogAxesHaveDecadesAndShortOnesRoundNumbers) {
  const std::string text = svg(decay());
  for (const char* tick : {">1<", ">0.1<", ">0.01<", ">1e-4<", ">1e-6<", ">0.5<", ">3<"})
    EXPECT_TRUE(has(text, tick)) << tick;
  const std::string sizes = svg({"t", "vertices", "gain", true, false, {{"a", {1500, 33000}, {1.5, 2}}}});
  for (const char* tick : {">5000<", ">10000<", ">20000<", ">1.6<"}) EXPECT_TRUE(has(sizes, tick)) << tick;
}

TEST(Svg, LinesThatBelongTogetherShareAColour) {
  Plot plot = decay();
  plot.series[0].colour = plot.series[1].colour = 2;
  plot.series[1].dashed = true;
  const std::string text = svg(plot);
  EXPECT_EQ(count(text, "stroke=\"#2a9166\""), 4);  // two lines, two marks of the legend
  EXPECT_EQ(count(text, "stroke-dasharray"), 2);
}

TEST(Svg, OnePointIsEnough) {
  const Plot plot{"t", "x", "y", false, false, {{"a", {2}, {3}}}};
  ASSERT_TRUE(has_points(plot));
  EXPECT_EQ(circles(svg(plot)).size(), 1u);
  EXPECT_FALSE(has_points({"t", "x", "y", true, false, {{"a", {0, NAN}, {3, 1}}}}));
}

}  // namespace
}  // namespace resilin
