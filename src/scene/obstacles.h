// Obstacles of a scene: with what their files hold, told to a Builder or drawn.
#pragma once
#include <string>
#include <vector>

#include "contact/obstacle.h"
#include "resilin/builder.h"
#include "resilin/scene.h"

namespace resilin {

void add_obstacles(Builder& builder, const Scene& scene, const Value& obstacles);

/// Files that the obstacles of a scene are read from.
std::vector<std::string> obstacle_files(const Scene& scene);

/// The surfaces of the obstacles that have an end, to draw.
class DrawnObstacles {
 public:
  DrawnObstacles() = default;
  explicit DrawnObstacles(const Scene& scene);
  /// Where they are at that time.
  std::vector<TriangleMesh> at(double time) const;

 private:
  struct One {
    TriangleMesh surface;
    Motion motion;
  };
  std::vector<One> all_;
};

}  // namespace resilin
