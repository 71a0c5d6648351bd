#include "drawn.h"

#include <algorithm>

namespace resilin::viewer {
namespace {

using Plane = std::optional<std::array<double, 4>>;

class Drawing {
 public:
  Drawing(const Model& model, const Plane& plane)
      : model_(model), plane_(plane), drawn_(model.rest.size() / 3, -1) {}

  DrawnMesh draw() {
    const bool embedded = !plane_ && std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                                 [](const Body& body) { return !body.embedded.empty(); });
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add(model_.bodies[b], static_cast<std::uint32_t>(b));
    if (!embedded) out_.corners.clear(), out_.weights.clear();
    return std::move(out_);
  }

 private:
  void add(const Body& body, std::uint32_t number) {
    if (!plane_ && !body.embedded.empty()) return add_embedded(body, number);
    if (!plane_) add_triangles(body.triangles, number);
    else if (!body.tets.empty()) add_triangles(cut(body), number);
    else add_triangles(kept(body.triangles, 3), number);
    if (body.triangles.empty())
      for (const int v : kept(body.edges, 2)) out_.edges.push_back(vertex(v));
  }
  void add_triangles(const std::vector<int>& triangles, std::uint32_t body) {
    for (const int v : triangles) out_.triangles.push_back(vertex(v));
    out_.bodies.insert(out_.bodies.end(), triangles.size() / 3, body);
  }
  void add_embedded(const Body& body, std::uint32_t number) {
    const auto first = static_cast<std::uint32_t>(out_.vertices.size());
    for (int i = 0; i < body.embedded.vertex_count(); ++i) {
      const int* tet = &body.tets[4 * static_cast<std::size_t>(body.embedded.tet[static_cast<std::size_t>(i)])];
      std::array<std::uint32_t, 4> corners{};
      std::array<float, 4> weights{};
      for (std::size_t c = 0; c < 4; ++c) {
        corners[c] = static_cast<std::uint32_t>(tet[c]);
        weights[c] = static_cast<float>(body.embedded.weights[static_cast<std::size_t>(i)][c]);
      }
      out_.vertices.push_back(corners[0]), out_.corners.push_back(corners), out_.weights.push_back(weights);
    }
    for (const int v : body.embedded.surface.triangles)
      out_.triangles.push_back(first + static_cast<std::uint32_t>(v));
    out_.bodies.insert(out_.bodies.end(), body.embedded.surface.triangles.size() / 3, number);
  }

  std::uint32_t vertex(int v) {
    int& known = drawn_[static_cast<std::size_t>(v)];
    if (known < 0) {
      known = static_cast<int>(out_.vertices.size());
      const auto id = static_cast<std::uint32_t>(v);
      out_.vertices.push_back(id), out_.corners.push_back({id, id, id, id}), out_.weights.push_back({1, 0, 0, 0});
    }
    return static_cast<std::uint32_t>(known);
  }

  // Of elements with so many corners, those on the side that stays.
  std::vector<int> kept(const std::vector<int>& elements, std::size_t corners) const {
    if (!plane_) return elements;
    std::vector<int> out;
    for (std::size_t i = 0; i + corners <= elements.size(); i += corners) {
      double height = 0;
      for (std::size_t c = 0; c < corners; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          height += (*plane_)[k] * model_.rest[3 * static_cast<std::size_t>(elements[i + c]) + k];
      if (height <= (*plane_)[3] * static_cast<double>(corners))
        out.insert(out.end(), elements.begin() + static_cast<std::ptrdiff_t>(i),
                   elements.begin() + static_cast<std::ptrdiff_t>(i + corners));
    }
    return out;
  }
  std::vector<int> cut(const Body& body) const {
    TetMesh mesh;
    mesh.tets = kept(body.tets, 4);
    if (mesh.tets.empty()) return {};
    mesh.vertices = model_.rest;
    return boundary_triangles(mesh);
  }

  const Model& model_;
  const Plane& plane_;
  std::vector<int> drawn_;
  DrawnMesh out_;
};

}  // namespace

DrawnMesh draw(const Model& model, const Plane& plane) { return Drawing(model, plane).draw(); }

}  // namespace resilin::viewer
