#include "picture.h"

#include <cmath>

#include "scene/obstacles.h"

namespace resilin::cli {
namespace {

// The height of a plane whose normal points up; other obstacles are not drawn as the ground.
void find_ground(const Value& obstacle, RenderOptions& options) {
  if (!obstacle.is_object()) return;
  const Value *type = obstacle.find("type"), *normal = obstacle.find("normal"), *height = obstacle.find("height");
  if (type == nullptr || !type->is_text() || type->text() != "plane") return;
  std::array<double, 3> n = normal != nullptr ? normal->vector3() : std::array<double, 3>{0, 1, 0};
  const double length = std::hypot(n[0], n[1], n[2]);
  double cosine = 0;
  for (std::size_t k = 0; k < 3; ++k) cosine += n[k] / length * options.up[k];
  if (cosine > 0.999) options.ground_height = height != nullptr ? height->number() : 0;
}

}  // namespace

RenderOptions picture_options(const Scene& scene, double time) {
  RenderOptions options;
  options.up = {0, 0, 0};
  options.up[static_cast<std::size_t>(scene.up[0] - 'x')] = 1;
  const Value* obstacles = scene.source.find("obstacles");
  if (obstacles != nullptr && obstacles->is_list())
    for (const Value& obstacle : obstacles->list()) find_ground(obstacle, options);
  options.obstacles = DrawnObstacles(scene).at(time);
  return options;
}

}  // namespace resilin::cli
