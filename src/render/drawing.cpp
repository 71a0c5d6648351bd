#include "render/drawing.h"

#include <algorithm>
#include <array>

namespace resilin::draw {
namespace {

constexpr float crease = 0.5f;         // cosine of the angle beyond which an edge is sharp in the rest shape
constexpr double tube_radius = 0.006;  // of springs, relative to what is shown
constexpr int tube_sides = 6;

F3 normal_of(F3 a, F3 b, F3 c) { return normalised(cross(b - a, c - a)); }

float angle_at(F3 a, F3 b, F3 c) {
  const F3 u = normalised(b - a), v = normalised(c - a);
  return std::acos(std::clamp(dot(u, v), -1.f, 1.f));
}

float value_of(const Colouring& colouring, int vertex) {
  if (colouring.values.empty() || !(colouring.high > colouring.low)) return 0;
  const double v = colouring.values[vertex];
  return static_cast<float>(std::clamp((v - colouring.low) / (colouring.high - colouring.low), 0.0, 1.0));
}

/// Corners of a body's triangles. Which are shared is decided in the rest shape, so that it does not change as the
/// body moves.
class Surface {
 public:
  Surface(const Model& model, const std::vector<double>& q, const Space& space, const Colouring& colouring,
          Drawing& out)
      : model_(model),
        q_(q),
        space_(space),
        colouring_(colouring),
        out_(out),
        of_vertex_(static_cast<std::size_t>(model.vertex_count())) {}

  void add(const Body& body, int number) {
    const auto& t = body.triangles;
    const std::size_t first = out_.corners.size();
    for (std::size_t i = 0; i + 2 < t.size(); i += 3) {
      const F3 rest = normal_of(rest_point(t[i]), rest_point(t[i + 1]), rest_point(t[i + 2]));
      const std::array<F3, 3> x = {point(t[i]), point(t[i + 1]), point(t[i + 2])};
      const F3 now = normal_of(x[0], x[1], x[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        const float weight = angle_at(x[k], x[(k + 1) % 3], x[(k + 2) % 3]);
        const std::size_t c = corner(t[i + k], rest, weight);
        out_.corners[c].normal += weight * now;
        out_.triangles.push_back(static_cast<int>(c));
      }
      out_.body.push_back(number);
    }
    for (std::size_t c = first; c < out_.corners.size(); ++c)
      out_.corners[c].normal = normalised(out_.corners[c].normal);
    for (const int v : t) of_vertex_[v].clear();
    rest_normal_.clear();
  }

 private:
  F3 point(int v) const { return space_.point(&q_[3 * v]); }
  F3 rest_point(int v) const { return space_.point(&model_.rest[3 * v]); }

  // The corner of this vertex whose triangles face like `rest`, or a new one.
  std::size_t corner(int vertex, F3 rest, float weight) {
    for (const std::size_t c : of_vertex_[vertex]) {
      F3& mean = rest_normal_[c - first_corner_];
      if (dot(normalised(mean), rest) < crease) continue;
      mean += weight * rest;
      return c;
    }
    const std::size_t c = out_.corners.size();
    if (rest_normal_.empty()) first_corner_ = c;
    out_.corners.push_back({point(vertex), {}, value_of(colouring_, vertex)});
    rest_normal_.push_back(weight * rest);
    of_vertex_[vertex].push_back(c);
    return c;
  }

  const Model& model_;
  const std::vector<double>& q_;
  const Space& space_;
  const Colouring& colouring_;
  Drawing& out_;
  std::vector<std::vector<std::size_t>> of_vertex_;
  std::vector<F3> rest_normal_;
  std::size_t first_corner_ = 0;
};

void add_tube(Drawing& out, const Corner& a, const Corner& b, float radius, int body) {
  const F3 axis = normalised(b.position - a.position), u = perpendicular(axis), v = cross(axis, u);
  const int first = static_cast<int>(out.corners.size());
  for (int i = 0; i < tube_sides; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / tube_sides;
    const F3 n = std::cos(angle) * u + std::sin(angle) * v;
    out.corners.push_back({a.position + radius * n, n, a.value});
    out.corners.push_back({b.position + radius * n, n, b.value});
  }
  for (int i = 0; i < tube_sides; ++i) {
    const int p = first + 2 * i, r = first + 2 * ((i + 1) % tube_sides);
    for (const int c : {p, r, p + 1, r, r + 1, p + 1}) out.triangles.push_back(c);
    out.body.insert(out.body.end(), 2, body);
  }
}

void add_ball(Drawing& out, const Corner& at, float radius, int body) {
  constexpr std::array<F3, 6> axes = {F3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const int first = static_cast<int>(out.corners.size());
  for (const F3& n : axes) out.corners.push_back({at.position + radius * n, n, at.value});
  for (int i = 0; i < 2; ++i)
    for (int j = 2; j < 4; ++j)
      for (int k = 4; k < 6; ++k) {
        const bool turned = (i + j + k) % 2 != 0;
        for (const int c : {i, turned ? k : j, turned ? j : k}) out.triangles.push_back(first + c);
        out.body.push_back(body);
      }
}

void add_obstacle(Drawing& out, const TriangleMesh& mesh, const Space& space) {
  Model model;
  model.add_vertices(mesh.vertices);
  Body body;
  body.triangles = mesh.triangles;
  const int number = static_cast<int>(out.obstacle.size());
  out.two_sided.push_back(0), out.closed.push_back(1), out.has_edges.push_back(0), out.obstacle.push_back(1);
  Surface(model, model.rest, space, {}, out).add(body, number);
}

}  // namespace

Drawing make_drawing(const Model& model, const std::vector<double>& q, const Space& space,
                     const RenderOptions& options) {
  Drawing out;
  Surface surface(model, q, space, options.colouring, out);
  const auto at = [&](int v) { return Corner{space.point(&q[3 * v]), {}, value_of(options.colouring, v)}; };
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const int number = static_cast<int>(b);
    out.two_sided.push_back(body.tets.empty() && !body.triangles.empty() ? 1 : 0);
    out.closed.push_back(body.tets.empty() ? 0 : 1);
    out.has_edges.push_back(body.triangles.empty() ? 0 : 1);
    if (!body.triangles.empty()) surface.add(body, number);
    else if (!body.edges.empty())
      for (std::size_t e = 0; e + 1 < body.edges.size(); e += 2)
        add_tube(out, at(body.edges[e]), at(body.edges[e + 1]), static_cast<float>(tube_radius), number);
    if (body.triangles.empty())  // joints of springs, or vertices that nothing joins
      for (int i = 0; i < body.vertex_count; ++i)
        add_ball(out, at(body.first_vertex + i), static_cast<float>((body.edges.empty() ? 3.5 : 1.5) * tube_radius),
                 number);
  }
  out.obstacle.assign(model.bodies.size(), 0);
  for (const TriangleMesh& mesh : options.obstacles) add_obstacle(out, mesh, space);
  return out;
}

}  // namespace resilin::draw
