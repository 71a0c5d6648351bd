// Motions of pins and obstacles and signals of forces, from a scene.
#pragma once
#include "resilin/mesh.h"
#include "resilin/motion.h"
#include "resilin/params.h"

namespace resilin {

/// `center`: of rotations that name none; `frame`: its duration [s], for what is given per frame.
Motion read_motion(const Value& value, const Vec3& center, double frame);
/// Of an obstacle (an object of type "placement"): from its own frame to where it stands.
Motion read_placement(const Settings& placement, double frame);
Signal read_signal(const Value& value);

}  // namespace resilin
