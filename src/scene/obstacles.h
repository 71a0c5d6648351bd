// Obstacles of a scene: with what their files hold, told to a Builder or drawn.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/obstacles/obstacle.h"
#include "resilin/builder.h"
#include "resilin/scene.h"

namespace resilin {

void add_obstacles(Builder& builder, const Scene& scene, const Value& obstacles);

/// Files that the obstacles of a scene are read from.
std::vector<std::string> obstacle_files(const Scene& scene);

/// Obstacles to draw: those that have an end by their surfaces, those that have none as the ground.
class DrawnObstacles {
 public:
  DrawnObstacles() = default;
  explicit DrawnObstacles(const Scene& scene);
  /// Where they are at that time.
  std::vector<TriangleMesh> at(double time) const;
  /// What kind each of those is.
  std::vector<std::string> names() const;
  /// The height along `up`, a unit vector, of one without end that faces up.
  std::optional<double> ground(const Vec3& up, double time) const;

 private:
  struct One {
    std::string type;
    std::shared_ptr<const Obstacle> obstacle;
    TriangleMesh surface;
    Motion motion;
  };
  std::vector<One> all_;
};

}  // namespace resilin
