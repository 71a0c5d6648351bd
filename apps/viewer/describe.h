// Registry and scenes, as the page is told of them.
#pragma once
#include <string>

#include "resilin/model.h"
#include "resilin/scene.h"
#include "scene/obstacles.h"

namespace resilin::viewer {

/// The message `hello`.
std::string hello(bool control);

/// Members of the message `scene` that follow from a scene and its model.
Value::Object describe_scene(const Scene& scene, const Model& model, const DrawnObstacles& obstacles, double time);

/// Flat lists of numbers.
Value numbers(const std::vector<double>& values);
Value numbers(const std::vector<int>& values);

}  // namespace resilin::viewer
