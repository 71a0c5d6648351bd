// Pictures: they show the body, follow it, repeat bit for bit, and refuse what cannot be drawn.
#include <gtest/gtest.h>

#include <cmath>

#include "resilin/errors.h"
#include "resilin/render.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

Model box_model(int cells = 4) {
  Model model;
  BoxOptions options;
  options.size = {1, 1, 1};
  options.cells = {cells, cells, cells};
  const TetMesh mesh = box(options);
  const double density = 1000;
  add_tet_body(model, "box", mesh, std::span(&density, 1));
  return model;
}

RenderOptions small() {
  RenderOptions options;
  options.width = 160, options.height = 120, options.samples = 2;
  return options;
}

/// Pixels that differ from the picture without bodies: by more than shadows do when `strong`.
struct Mask {
  int count = 0;
  double x = 0, y = 0;  // their middle
};
Mask difference(const Picture& a, const Picture& b, int least) {
  Mask mask;
  for (int i = 0; i < a.width * a.height; ++i) {
    int most = 0;
    for (int k = 0; k < 3; ++k)
      most = std::max(
          most, std::abs(a.rgb[static_cast<std::size_t>(3 * i + k)] - b.rgb[static_cast<std::size_t>(3 * i + k)]));
    if (most < least) continue;
    ++mask.count;
    mask.x += i % a.width, mask.y += i / a.width;
  }
  mask.x /= std::max(1, mask.count), mask.y /= std::max(1, mask.count);
  return mask;
}

/// Blue pixels: the colour of the first body.
Mask body_pixels(const Picture& p) {
  Mask mask;
  for (int i = 0; i < p.width * p.height; ++i) {
    if (p.rgb[static_cast<std::size_t>(3 * i + 2)] - p.rgb[static_cast<std::size_t>(3 * i)] < 40) continue;
    ++mask.count;
    mask.x += i % p.width, mask.y += i / p.width;
  }
  mask.x /= std::max(1, mask.count), mask.y /= std::max(1, mask.count);
  return mask;
}

TEST(Render, TheBodyFillsAPlausiblePartOfThePicture) {
  const Model model = box_model();
  const Picture p = render(model, model.rest, small());
  ASSERT_EQ(p.rgb.size(), 160u * 120u * 3u);
  const Mask body = body_pixels(p);
  EXPECT_GT(body.count, 160 * 120 / 6);
  EXPECT_LT(body.count, 160 * 120 * 3 / 4);
  EXPECT_NEAR(body.x, 80, 12);
  EXPECT_NEAR(body.y, 60, 15);
}

TEST(Render, RepeatsBitForBitWithAnyNumberOfThreads) {
  const Model model = box_model();
  RenderOptions options = small();
  options.threads = 1;
  const Picture once = render(model, model.rest, options);
  EXPECT_EQ(once.rgb, render(model, model.rest, options).rgb);
  for (options.threads = 2; options.threads < 4; ++options.threads)
    EXPECT_EQ(once.rgb, render(model, model.rest, options).rgb);
}

TEST(Render, FollowsTheBodyInAFixedView) {
  const Model model = box_model();
  RenderOptions options = small();
  options.fit = Bounds{{-2, 0, -2}, {2, 2, 2}};
  const Picture here = render(model, model.rest, options);
  std::vector<double> q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] += 0.8;
  const Picture there = render(model, q, options);
  EXPECT_GT(difference(here, there, 30).count, 200);
  EXPECT_GT(body_pixels(there).x, body_pixels(here).x + 8);
  for (std::size_t i = 1; i < q.size(); i += 3) q[i] += 0.5;
  EXPECT_LT(body_pixels(render(model, q, options)).y, body_pixels(there).y - 5);
}

TEST(Render, TheGroundHasAShadow) {
  const Model model = box_model();
  RenderOptions options = small();
  const Picture without = render(model, model.rest, options);
  options.ground_height = -0.6;
  const Picture with = render(model, model.rest, options);
  EXPECT_GT(difference(with, without, 25).count, 300);
}

TEST(Render, WithoutAGroundTheBackgroundIsSmooth) {
  const Model model = box_model();
  const Picture with = render(model, model.rest, small());
  Model nothing = model;
  nothing.bodies.clear();
  const Picture empty = render(nothing, model.rest, small());
  const auto at = [&](const Picture& p, int x, int y, int k) {
    return int{p.rgb[3 * static_cast<std::size_t>(y * p.width + x) + static_cast<std::size_t>(k)]};
  };
  for (int y = 0; y < empty.height; ++y)
    for (int x = 1; x < empty.width; ++x)
      for (int k = 0; k < 3; ++k) EXPECT_LE(std::abs(at(empty, x, y, k) - at(empty, x - 1, y, k)), 2);
  const Mask body = body_pixels(with);  // neither shadow nor grid: what differs is the body
  EXPECT_LT(difference(with, empty, 6).count, 1.1 * body.count);
}

TEST(Render, DrawsClothFromBothSidesSpringsAndPoints) {
  Model model;
  const std::vector<double> x = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  model.add_vertices(x);
  for (const auto& [triangles, edges] : std::vector<std::pair<std::vector<int>, std::vector<int>>>{
           {{0, 1, 2, 0, 2, 3}, {}}, {{0, 2, 1, 0, 3, 2}, {}}, {{}, {0, 1, 1, 2, 2, 3, 3, 0}}, {{}, {}}}) {
    model.bodies = {{"thing", 0, 4, {}, triangles, edges}};
    RenderOptions options = small();
    options.width = 320, options.height = 240;
    const Picture with = render(model, x, options);
    model.bodies.clear();
    const Picture without = render(model, x, options);
    EXPECT_GT(difference(with, without, 12).count, triangles.empty() ? 40 : 3000);
  }
}

TEST(Render, ColoursNumbersAndExplainsThem) {
  const Model model = box_model();
  RenderOptions options = small();
  const Picture plain = render(model, model.rest, options);
  for (int v = 0; v < model.vertex_count(); ++v)
    options.colouring.values.push_back(model.rest[static_cast<std::size_t>(3 * v)]);
  options.colouring.label = "x [m]";
  options.colouring.low = -0.5, options.colouring.high = 0.5;
  const Picture coloured = render(model, model.rest, options);
  EXPECT_GT(difference(plain, coloured, 30).count, 2000);
  options.colouring.values.pop_back();
  EXPECT_THROW(render(model, model.rest, options), InputError);
  options.colouring.values.push_back(std::nan(""));
  EXPECT_THROW(render(model, model.rest, options), InputError);
}

TEST(Render, RefusesWhatCannotBeDrawn) {
  const Model model = box_model();
  std::vector<double> q = model.rest;
  q[4] = std::nan("");
  try {
    render(model, q, small());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("vertex 1"), std::string::npos) << error.what();
  }
  q.pop_back();
  EXPECT_THROW(render(model, q, small()), InputError);
  RenderOptions options = small();
  options.width = 0;
  EXPECT_THROW(render(model, model.rest, options), InputError);
  options = small();
  options.up = {0, 0, 0};
  EXPECT_THROW(render(model, model.rest, options), InputError);
}

TEST(Render, SurvivesDegenerateBodies) {
  Model model = box_model(1);
  std::vector<double> q(model.rest.size(), 3.0);  // all in one point
  EXPECT_EQ(render(model, q, small()).rgb.size(), 160u * 120u * 3u);
  for (double& x : q) x *= 1e150;
  EXPECT_NO_THROW(render(model, q, small()));
  EXPECT_NO_THROW(render(Model(), {}, small()));
  q = model.rest;
  for (double& x : q) x = x * 1e-12 + 1e6;
  EXPECT_NO_THROW(render(model, q, small()));
}

TEST(FitView, ShowsEveryPointInEveryDirectionOfUp) {
  const std::vector<double> points = {-1, 0, 0, 5, 2, 0, 0, 0, 3, 1, 1, 1};
  for (const Vec3& up : {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}}) {
    const View view = fit_view(points, up, 1.5);
    double eye = 0;
    for (std::size_t k = 0; k < 3; ++k) eye += up[k] * (view.eye[k] - view.target[k]);
    EXPECT_GT(eye, 0) << "from above";
    const double distance =
        std::hypot(view.eye[0] - view.target[0], view.eye[1] - view.target[1], view.eye[2] - view.target[2]);
    EXPECT_GT(distance, 3);
    EXPECT_LT(distance, 60);
  }
}

// A box around the body hides it; turned inside out, as a container, only its far sides are seen.
TEST(Render, ObstaclesAreDrawnAndContainersAreOpen) {
  const Model model = box_model();
  RenderOptions options = small();
  const int alone = body_pixels(render(model, model.rest, options)).count;
  TriangleMesh cover = surface(box({.size = {2, 2, 2}, .cells = {2, 2, 2}}));
  options.fit = Bounds{{-1, -1, -1}, {1, 1, 1}};
  const Picture empty = render(model, model.rest, options);
  options.obstacles = {cover};
  const Picture hidden = render(model, model.rest, options);
  EXPECT_EQ(body_pixels(hidden).count, 0);
  EXPECT_GT(difference(hidden, empty, 20).count, alone / 4);
  for (std::size_t t = 0; t < cover.triangles.size(); t += 3) std::swap(cover.triangles[t], cover.triangles[t + 1]);
  options.obstacles = {cover};
  const Picture inside = render(model, model.rest, options);
  EXPECT_GT(body_pixels(inside).count, alone / 10);
  EXPECT_GT(difference(inside, empty, 20).count, alone / 4);
  options.obstacles[0].vertices[0] = std::nan("");
  EXPECT_THROW(render(model, model.rest, options), InputError);
}

}  // namespace
}  // namespace resilin
