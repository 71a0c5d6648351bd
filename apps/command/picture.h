// What a scene says about pictures of it: which way is up, where the ground is and where obstacles are.
#pragma once
#include "resilin/render.h"
#include "resilin/scene.h"

namespace resilin::cli {

RenderOptions picture_options(const Scene& scene, double time = 0);

}  // namespace resilin::cli
