// What a scene says about pictures of it: which way is up and where the ground is.
#pragma once
#include "resilin/render.h"
#include "resilin/scene.h"

namespace resilin::cli {

RenderOptions picture_options(const Scene& scene);

}  // namespace resilin::cli
