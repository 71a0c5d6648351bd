// Obstacles: energies that keep vertices out of a region, one file each. Liu et al. 4.3: they count in the energy and its
// gradient and stay out of the constant Hessian, so that touching never needs a new factorisation.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "resilin/params.h"
#include "resilin/potential.h"

namespace resilin {

struct ObstaclePlugin {
  std::string doc;
  Params params;
  /// A potential on points (R = 1, one vertex each). `stiffness` [N/m] is used where the settings name none.
  std::function<std::shared_ptr<const Potential>(const Settings&, double stiffness)> make;
};

}  // namespace resilin
