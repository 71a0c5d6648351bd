// Scenes in which bodies meet, for experiments and tests of contact.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "resilin/builder.h"

namespace resilin::lab {

struct ContactScene {
  std::string name;
  std::function<Builder()> make;  // without contact
};

/// balls: two that meet at 6 m/s; fold: a folded sheet whose upper half comes down at 12 m/s; edge: a sheet that
/// falls on its edge; pile: `pile` soft shapes that fall into a box; meshes: a bunny and an armadillo of
/// $RESILIN_MESHES that a plate presses together, or two creatures without them. Sheets have `cells` cells along a
/// side.
std::vector<ContactScene> contact_scenes(int cells, int pile);

/// `boxes` boxes of 0.1 m on the ground, each `gap` above the one below.
Builder box_stack(int boxes, int cells, double young, double gap, double friction);

/// Cloth above a sphere around the origin (Brown et al. 2018, Fig. 10): linear elasticity whose strain is limited,
/// quadratic bending.
struct Drape {
  int cells = 16;                             // along a side
  double size = 1, radius = 0.3, off = 0.03;  // [m]; off: of the middle of the cloth from the top
  double young = 2e5, bending = 1e-5, friction = 0.3;
  double spin = 0;    // of the sphere about the vertical [rad/s], from the first second on
  bool self = false;  // the cloth touches itself; not in the paper
};
Builder drape(const Drape& options);

}  // namespace resilin::lab
