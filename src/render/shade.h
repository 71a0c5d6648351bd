// Colours of what a pixel shows: a body's surface, the ground or the background, in linear light.
#pragma once
#include "render/camera.h"
#include "render/drawing.h"
#include "render/light.h"

namespace resilin::draw {

class Shader {
 public:
  Shader(const Drawing& drawing, const Camera& camera, const Ground& ground, const RenderOptions& options,
         int width, int height, ThreadPool& pool);

  /// Triangle t where the ray through (x, y) meets it.
  F3 surface(std::size_t t, float x, float y) const;
  /// Ground or background.
  F3 open(float x, float y) const;
  /// 1/distance of the ground along the view at (x, y); 0 where it is not seen.
  float ground_depth(float x, float y) const;

 private:
  F3 background(float x, float y) const;
  float edge_ink(std::size_t t, const float weights[3]) const;
  float grid_ink(float along, float across, float distance, float slant) const;

  const Drawing& drawing_;
  const Camera& camera_;
  const Ground& ground_;
  const RenderOptions& options_;
  float width_, height_;
  F3 towards_sun_;
  ShadowMap sun_;
  Sky sky_;
};

/// The spacing of lines on the ground in the world: 1, 2 or 5 times a power of ten.
double grid_spacing(double radius);

}  // namespace resilin::draw
