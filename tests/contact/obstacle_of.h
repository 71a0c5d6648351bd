// An obstacle of a type with some of its parameters.
#pragma once
#include <memory>
#include <string>

#include "contact/obstacles/obstacle.h"
#include "resilin/registry.h"

namespace resilin::test {

inline std::shared_ptr<const Obstacle> obstacle_of(const std::string& type, const Value::Object& params = {}) {
  const ObstaclePlugin& chosen = plugin<ObstaclePlugin>("obstacle", type, "test");
  Value located(params);
  located.locate("test");
  return chosen.make(chosen.params.read(located));
}

}  // namespace resilin::test
