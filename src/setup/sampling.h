// Every registered material, damping model and obstacle with random parameters, and deformations that include the
// awkward ones: what derivative checks and invariance checks loop over.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "contact/obstacles/obstacle.h"
#include "resilin/builder.h"
#include "resilin/element_kind.h"
#include "setup/random.h"

namespace resilin::setup {

struct MaterialDraw {
  std::string label, material;
  Values params;
  bool knots = false;  // its second derivative has corners (control points of curves)
};
/// One draw of each registered material; those with presets or curves once for each.
std::vector<MaterialDraw> draw_materials(Random& seeds);

struct DampingDraw {
  std::string label, type;
  Values params;
  ElementKind kind = ElementKind::tet;
};
/// One draw of each registered damping model on each kind of element that it damps: as it is, and once with each
/// thing that may be said of any model (powers, splines, momentum correction, order).
std::vector<DampingDraw> draw_dampings(Random& random);

/// With numbers and vectors drawn anew, until they go together.
std::shared_ptr<const Obstacle> draw_obstacle(const ObstaclePlugin& plugin, Random& random);
/// A point around the origin, inside of it if it is found there in a hundred draws.
void draw_inside(const Obstacle& obstacle, Random& random, double* x);
/// Within a few `step` of x the energy of an obstacle has no corner: it is off the boundary and off the points with
/// several ways out.
bool smooth_at(const Obstacle& obstacle, const double* x, double step);

/// Kinds of 3x3 matrices z = u diag(s) v^T.
enum class Stretching {
  upright,   // distinct, positive
  inverted,  // distinct, one negative
  two_equal,
  all_equal,
  flat,     // one zero
  line,     // two zero
  point,    // all zero
  opposite  // s_i + s_j = 0 or nearly: 1e-9, 1e-6, 1e-4
};
constexpr Stretching all_stretchings[] = {Stretching::upright,   Stretching::inverted, Stretching::two_equal,
                                          Stretching::all_equal, Stretching::flat,     Stretching::line,
                                          Stretching::point,     Stretching::opposite};
const char* name(Stretching kind);
/// At s_i + s_j = 0 energies of the signed stretches have a kink; polynomials and invariants of F are smooth there.
bool on_the_kink(Stretching kind);
void draw_matrix(Stretching kind, double low, double high, Random& random, double z[9]);

}  // namespace resilin::setup
