// The camera: from points of the drawing to pixels and back to rays.
#pragma once
#include "render/drawing.h"
#include "render/raster.h"
#include "render/vec.h"
#include "resilin/render.h"

namespace resilin::draw {

class Camera {
 public:
  Camera(const View& view, const Space& space, int width, int height);
  /// Pixel coordinates and 1/distance along the view; distance <= 0 gives depth 0: not to be drawn.
  ScreenPoint project(F3 point) const;
  /// Not normalised: one unit along the view.
  F3 ray(float x, float y) const {
    return forward_ + ((x - centre_x_) / focal_) * right_ - ((y - centre_y_) / focal_) * up_;
  }
  F3 eye() const { return eye_; }
  F3 right() const { return right_; }
  F3 backward() const { return -1.f * forward_; }
  float focal() const { return focal_; }  // pixels per unit at distance one

 private:
  F3 eye_, right_, up_, forward_;
  float focal_, centre_x_, centre_y_;
};

}  // namespace resilin::draw
