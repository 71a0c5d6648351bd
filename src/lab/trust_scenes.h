// The scenes of the experiments `trust.*`: a beam of any size, a small cube, and anybody's meshes dropped, hung and
// squeezed.
#pragma once
#include <string>
#include <vector>

#include "resilin/scene.h"

namespace resilin::lab {

struct BeamDrop {
  double length = 1;      // [m]; a quarter as high and deep
  double young = 1e6;     // [Pa]
  double gravity = 9.81;  // [m/s^2]
  double step = 1.0 / 30;
};
/// 12 x 3 x 3 cells, tilted by 20 degrees, its middle 0.6 lengths above the ground.
Scene tilted_beam(const BeamDrop& beam);

/// 1 cm of jelly, dropped from 5 cm.
Scene jelly_cube();

/// $RESILIN_MESHES, or "" when it is not set.
std::string mesh_folder();
/// Its files of tets and three surfaces that are filled with about 10,000 tets.
const std::vector<std::string>& trust_meshes();
/// Whether the folder is there and holds that file.
bool has_mesh(const std::string& file);

/// drop: from 0.25 m above the ground; hang: the upper tenth of the vertices is held; squeeze: the upper tenth is
/// pushed down on the lower one by a fifth of the height in 0.3 s.
const std::vector<std::string>& mesh_loads();
struct MeshCase {
  std::string file, load = "drop";
  double young = 1e5;  // [Pa], neo-Hookean, whatever the file says
  double step = 1.0 / 30;
  std::string name() const;
};
/// Scaled to 1 m. Inverted tets are turned around.
Scene mesh_scene_of(const MeshCase& c);

/// Pins that follow a motion: there the ledger's balance holds to first order only.
bool moves_pins(const Scene& scene);

}  // namespace resilin::lab
