// What is drawn: the surfaces, springs and points of a model's bodies, and the surfaces of obstacles after them, as
// triangles with smooth normals. Positions are centred and scaled so that what the view shows has radius 1: the
// constants of lights and shadows are relative to that.
#pragma once
#include <vector>

#include "render/vec.h"
#include "resilin/model.h"
#include "resilin/render.h"

namespace resilin::draw {

/// Maps world coordinates to those of the drawing.
struct Space {
  Vec3 centre{0, 0, 0};
  double radius = 1;
  F3 point(const double* x) const {
    const auto one = [&](int k) { return static_cast<float>((x[k] - centre[k]) / radius); };
    return {one(0), one(1), one(2)};
  }
};

struct Corner {
  F3 position, normal;
  float value = 0;  // of the colouring, 0 to 1
};

/// Corners are shared by the triangles that are smooth across: a sharp edge has its corners twice.
struct Drawing {
  std::vector<Corner> corners;
  std::vector<int> triangles;   // 3 corners each
  std::vector<int> body;        // per triangle
  std::vector<char> two_sided;  // per body: cloth
  std::vector<char> closed;     // per body: a solid, of which only what faces the light can shade
  std::vector<char> has_edges;  // per body: triangles of the simulated mesh, not of a tube
  std::vector<char> obstacle;   // per body: seen from where it faces
};

Drawing make_drawing(const Model& model, const std::vector<double>& q, const Space& space,
                     const RenderOptions& options);

}  // namespace resilin::draw
