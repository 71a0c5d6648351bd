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

/// balls: two that meet at 6 m/s; fold: a folded sheet whose upper half comes down at 6 m/s; edge: a sheet that falls on its edge; pile: `pile` soft
/// shapes that fall into a box. Sheets have `cells` cells along a side.
std::vector<ContactScene> contact_scenes(int cells, int pile);

/// `boxes` boxes of 0.1 m on the ground, each `gap` above the one below.
Builder box_stack(int boxes, int cells, double young, double gap, double friction);

}  // namespace resilin::lab
