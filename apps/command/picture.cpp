#include "picture.h"

#include "scene/obstacles.h"

namespace resilin::cli {

RenderOptions picture_options(const Scene& scene, double time) {
  RenderOptions options;
  options.up = {0, 0, 0};
  options.up[static_cast<std::size_t>(scene.up[0] - 'x')] = 1;
  const DrawnObstacles obstacles(scene);
  options.ground_height = obstacles.ground(options.up, time);
  options.obstacles = obstacles.at(time);
  return options;
}

}  // namespace resilin::cli
