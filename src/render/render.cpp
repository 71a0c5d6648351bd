// The picture: bodies to triangles, light, then band after band of rows: z-buffer of samples, shading once per
// pixel and triangle, mean of the samples. Bands share nothing, so threads cannot change a bit.
#include "resilin/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/thread_pool.h"
#include "geometry/vec3.h"
#include "render/camera.h"
#include "render/colours.h"
#include "render/drawing.h"
#include "render/light.h"
#include "render/shade.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace draw;

constexpr int band_rows = 16;

void check(const Model& model, const std::vector<double>& q, const RenderOptions& o) {
  if (q.size() != model.rest.size())
    throw InputError("positions",
                     fmt::format("{} numbers for a model of {} vertices", q.size(), model.rest.size() / 3));
  for (std::size_t i = 0; i < q.size(); ++i)
    if (!std::isfinite(q[i])) throw InputError("positions", fmt::format("vertex {} is not finite", i / 3));
  if (o.width < 16 || o.height < 16 || o.width > 16384 || o.height > 16384)
    throw InputError("size", fmt::format("{}x{} is not allowed: 16 to 16384 pixels", o.width, o.height));
  if (o.samples < 1 || o.samples > 8)
    throw InputError("samples", fmt::format("{} is not allowed: 1 to 8", o.samples));
  const Colouring& c = o.colouring;
  if (!c.values.empty() && 3 * c.values.size() != q.size())
    throw InputError("colouring", fmt::format("{} values for {} vertices", c.values.size(), q.size() / 3));
  for (std::size_t i = 0; i < c.values.size(); ++i)
    if (!std::isfinite(c.values[i]))
      throw InputError("colouring", fmt::format("the value of vertex {} is not finite", i));
  if (!std::isfinite(c.low) || !std::isfinite(c.high)) throw InputError("colouring", "its range is not finite");
  for (const TriangleMesh& mesh : o.obstacles)
    for (const double x : mesh.vertices)
      if (!std::isfinite(x)) throw InputError("obstacles", "a vertex is not finite");
}

std::vector<double> corners_of(const Bounds& b) {
  std::vector<double> out;
  for (int i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 3; ++k) out.push_back((i >> k & 1) != 0 ? b.upper[k] : b.lower[k]);
  return out;
}

double extent(const std::vector<double>& points) { return diagonal(bounds(points)); }

// What is not much larger than the bodies is shown whole; of terrain the part where they are is enough.
void add_small_obstacles(const std::vector<TriangleMesh>& obstacles, std::vector<double>& shown) {
  if (shown.empty()) return;
  const double most = 2.5 * extent(shown);
  for (const TriangleMesh& mesh : obstacles)
    if (!mesh.vertices.empty() && extent(mesh.vertices) < most)
      shown.insert(shown.end(), mesh.vertices.begin(), mesh.vertices.end());
}

Ground make_ground(const RenderOptions& options, const Space& space) {
  Ground g;
  g.exists = options.ground_height.has_value();
  const auto& u = options.up;
  const double norm = std::hypot(u[0], u[1], u[2]);
  if (!(norm > 0) || !std::isfinite(norm)) throw InputError("up", "is not a direction");
  g.up = normalised(
      {static_cast<float>(u[0] / norm), static_cast<float>(u[1] / norm), static_cast<float>(u[2] / norm)});
  g.along = perpendicular(g.up), g.across = cross(g.up, g.along);
  const auto along_up = [&](const double* x) { return (u[0] * x[0] + u[1] * x[1] + u[2] * x[2]) / norm; };
  const double height = options.ground_height.value_or(0);
  g.height = static_cast<float>((height - along_up(space.centre.data())) / space.radius);
  // Lines go through multiples of their spacing in the world, so that they stand still while the view does not.
  const double spacing = grid_spacing(space.radius);
  g.grid = static_cast<float>(spacing / space.radius);
  const auto line = [&](F3 axis) {
    const double at = axis.x * space.centre[0] + axis.y * space.centre[1] + axis.z * space.centre[2];
    return static_cast<float>((std::round(at / spacing) * spacing - at) / space.radius);
  };
  g.grid_along = line(g.along), g.grid_across = line(g.across);
  return g;
}

/// Triangles of every band, in their order.
struct Bands {
  int count = 0;
  std::vector<std::size_t> start;
  std::vector<int> triangles;
};

Bands sort_into_bands(const Drawing& drawing, const std::vector<ScreenPoint>& points, int rows, int height) {
  Bands bands;
  bands.count = (height + rows - 1) / rows;
  bands.start.assign(static_cast<std::size_t>(bands.count) + 1, 0);
  const auto each = [&](auto&& visit) {
    for (std::size_t t = 0; t < drawing.triangles.size() / 3; ++t) {
      const auto p = [&](std::size_t k) -> const ScreenPoint& { return points[drawing.triangles[3 * t + k]]; };
      if (p(0).depth <= 0 || p(1).depth <= 0 || p(2).depth <= 0) continue;
      const float facing = (p(1).x - p(0).x) * (p(2).y - p(0).y) - (p(1).y - p(0).y) * (p(2).x - p(0).x);
      if (facing > 0 && drawing.obstacle[drawing.body[t]] != 0) continue;
      const auto [low, high] = std::minmax({p(0).y, p(1).y, p(2).y});
      if (!(high >= 0) || !(low <= static_cast<float>(height))) continue;
      const int first = static_cast<int>(std::max(0.f, low)) / rows;
      const int last = std::min(height - 1, static_cast<int>(std::min(high, static_cast<float>(height)))) / rows;
      for (int b = first; b <= last; ++b) visit(static_cast<std::size_t>(b), static_cast<int>(t));
    }
  };
  each([&](std::size_t b, int) { ++bands.start[b + 1]; });
  for (std::size_t b = 0; b + 1 < bands.start.size(); ++b) bands.start[b + 1] += bands.start[b];
  bands.triangles.resize(bands.start.back());
  std::vector<std::size_t> next = bands.start;
  each([&](std::size_t b, int t) { bands.triangles[next[b]++] = t; });
  return bands;
}

class Painter {
 public:
  Painter(const Drawing& drawing, const Camera& camera, const Shader& shader, const RenderOptions& options,
          Picture& picture)
      : drawing_(drawing),
        shader_(shader),
        samples_(options.samples),
        picture_(picture),
        points_(drawing.corners.size()) {
    const auto s = static_cast<float>(samples_);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const ScreenPoint p = camera.project(drawing.corners[i].position);
      points_[i] = {p.x * s, p.y * s, p.depth};
    }
    bands_ = sort_into_bands(drawing, points_, band_rows * samples_, picture.height * samples_);
  }

  void paint(ThreadPool& pool) {
    pool.parallel(bands_.count, [&](int b) { paint_band(b); });
  }

 private:
  // Per sample the triangle that is seen, -1 for none.
  std::vector<int> visible(int band, int top, int bottom) const {
    const int width = picture_.width * samples_;
    const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(bottom - top);
    std::vector<float> depth(size, 0.f);
    std::vector<int> seen(size, -1);
    for (std::size_t i = bands_.start[band]; i < bands_.start[static_cast<std::size_t>(band) + 1]; ++i) {
      const int t = bands_.triangles[i];
      const auto p = [&](std::size_t k) { return points_[drawing_.triangles[3 * t + k]]; };
      raster(p(0), p(1), p(2), width, top, bottom, [&](int x, int y, float z) {
        const std::size_t at =
            static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
        if (z > depth[at]) depth[at] = z, seen[at] = t;
      });
    }
    hide_below_ground(depth, seen, top);
    return seen;
  }

  void hide_below_ground(const std::vector<float>& depth, std::vector<int>& seen, int top) const {
    const auto width = static_cast<std::size_t>(picture_.width * samples_);
    const float s = 1 / static_cast<float>(samples_);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] < 0) continue;
      const float x = (static_cast<float>(i % width) + 0.5f) * s,
                  y = (static_cast<float>(top) + static_cast<float>(i / width) + 0.5f) * s;
      if (shader_.ground_depth(x, y) > depth[i]) seen[i] = -1;
    }
  }

  void paint_band(int band) {
    const int first = band * band_rows, last = std::min(picture_.height, first + band_rows);
    const std::vector<int> seen = visible(band, first * samples_, last * samples_);
    for (int y = first; y < last; ++y)
      for (int x = 0; x < picture_.width; ++x) {
        const auto colour = srgb(pixel(seen, x, y, y - first));
        std::copy(colour.begin(), colour.end(),
                  picture_.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(y) * picture_.width + x));
      }
  }

  // Each triangle of the pixel is shaded once, in the middle of its samples.
  F3 pixel(const std::vector<int>& seen, int x, int y, int row) const {
    const int width = picture_.width * samples_, all = samples_ * samples_;
    int ids[64];
    for (int j = 0; j < samples_; ++j)
      for (int i = 0; i < samples_; ++i)
        ids[j * samples_ + i] =
            seen[static_cast<std::size_t>((row * samples_ + j)) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x * samples_ + i)];
    F3 sum;
    for (int k = 0; k < all; ++k) {
      if (ids[k] == -2) continue;
      const int id = ids[k];
      int count = 0;
      float mx = 0, my = 0;
      for (int m = k; m < all; ++m) {
        if (ids[m] != id) continue;
        ids[m] = -2;
        ++count;
        mx += static_cast<float>(m % samples_) + 0.5f, my += static_cast<float>(m / samples_) + 0.5f;
      }
      const float s = 1 / (static_cast<float>(count) * static_cast<float>(samples_));
      const float px = static_cast<float>(x) + mx * s, py = static_cast<float>(y) + my * s;
      const F3 colour = id < 0 ? shader_.open(px, py) : shader_.surface(static_cast<std::size_t>(id), px, py);
      sum += static_cast<float>(count) * colour;
    }
    return (1 / static_cast<float>(all)) * sum;
  }

  const Drawing& drawing_;
  const Shader& shader_;
  int samples_;
  Picture& picture_;
  std::vector<ScreenPoint> points_;
  Bands bands_;
};

}  // namespace

Picture render(const Model& model, const std::vector<double>& q, const RenderOptions& options) {
  check(model, q, options);
  if (std::any_of(model.bodies.begin(), model.bodies.end(), [](const Body& b) { return !b.embedded.empty(); })) {
    RenderOptions carried = options;
    const std::vector<double>& values = options.colouring.values;
    carried.colouring.values = with_embedded(model, values, values.empty() ? 0 : 1);
    return render(with_embedded(model), with_embedded(model, q), carried);
  }
  std::vector<double> shown = options.fit ? corners_of(*options.fit) : q;
  add_small_obstacles(options.obstacles, shown);
  const Bounds box = shown.empty() ? Bounds{{0, 0, 0}, {0, 0, 0}} : bounds(shown);
  Space space;
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    space.centre[k] = (box.lower[k] + box.upper[k]) / 2;
    square += std::pow((box.upper[k] - box.lower[k]) / 2, 2);
  }
  space.radius = std::sqrt(square);
  if (!std::isfinite(space.radius)) throw InputError("positions", "the bodies are too large to be drawn");
  if (!(space.radius > 0)) space.radius = 1;
  const double aspect = static_cast<double>(options.width) / options.height;
  const View view = options.view ? *options.view : fit_view(shown, options.up, aspect);
  const Camera camera(view, space, options.width, options.height);
  const Ground ground = make_ground(options, space);
  const Drawing drawing = make_drawing(model, q, space, options);
  ThreadPool pool(options.threads > 0 ? options.threads : available_cores());
  const Shader shader(drawing, camera, ground, options, options.width, options.height, pool);
  Picture picture{options.width, options.height, {}};
  picture.rgb.resize(3 * static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  Painter(drawing, camera, shader, options, picture).paint(pool);
  if (!options.colouring.values.empty()) draw_colour_bar(picture, options.colouring);
  return picture;
}

}  // namespace resilin
