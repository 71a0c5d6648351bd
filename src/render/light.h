// Light: a sun with a shadow map, and a sky of many directions whose shadow maps give the soft occlusion where
// things touch.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "render/drawing.h"
#include "render/vec.h"

namespace resilin::draw {

/// Heights along a direction of what is nearest to the light there.
class ShadowMap {
 public:
  ShadowMap(const Drawing& drawing, F3 towards_light, int size);
  /// 1: lit, 0: in shadow; 2 x 2 comparisons, weighted.
  float lit(F3 point, float bias) const;
  /// The mean over a disk of that radius on the plane through the point with that normal.
  float lit_softly(F3 point, F3 normal, float bias, float radius) const;
  float texel() const { return 1 / scale_; }
  F3 direction() const { return w_; }

 private:
  float compare(int x, int y, float height) const {
    if (x < 0 || y < 0 || x >= size_ || y >= size_) return 1;
    return heights_[static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(x)] >
                   height
               ? 0.f
               : 1.f;
  }
  float lit_at(float x, float y, float height) const;

  F3 u_, v_, w_;
  float left_ = 0, low_ = 0, scale_ = 1;
  int size_;
  std::vector<float> heights_;
};

/// How much of the sky's light arrives: 1 for an open, upward surface.
struct Sky {
  std::vector<float> front, back;  // per corner, on the side of its normal and on the other
  std::vector<float> ground;       // per cell of a grid over [-extent, extent]^2
  int cells = 0;
  float extent = 0;
  float at_ground(float x, float y) const;
};

/// A plane through origin + height * up, with its two directions.
struct Ground {
  bool exists = false;
  F3 up, along, across;
  float height = 0;
  float grid = 1, grid_along = 0, grid_across = 0;  // spacing of its lines, and where one goes through
  F3 point(float x, float y) const { return x * along + y * across + height * up; }
};

Sky make_sky(const Drawing& drawing, const Ground& ground, ThreadPool& pool);

}  // namespace resilin::draw
