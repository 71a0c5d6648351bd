// The z-buffer: which triangle covers the centre of a pixel, and at which depth. Depth grows towards the viewer and
// is linear on the screen (1/w of a perspective camera, height along the light of a shadow map).
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

namespace resilin::draw {

struct ScreenPoint {
  float x = 0, y = 0, depth = 0;
};

/// Calls hit(x, y, depth) for the pixels in rows [top, bottom) of a screen `width` wide whose centres lie in the
/// triangle.
template <class Hit>
void raster(ScreenPoint a, ScreenPoint b, ScreenPoint c, int width, int top, int bottom, Hit&& hit) {
  const auto [low_x, high_x] = std::minmax({a.x, b.x, c.x});
  const auto [low_y, high_y] = std::minmax({a.y, b.y, c.y});
  const auto whole = [](float s) {
    return static_cast<int>(std::clamp(s, -1e6f, 1e6f));
  };  // a corner may lie far off the screen
  const int x0 = std::max(0, whole(std::ceil(low_x - 0.5f))),
            x1 = std::min(width - 1, whole(std::floor(high_x - 0.5f)));
  const int y0 = std::max(top, whole(std::ceil(low_y - 0.5f))),
            y1 = std::min(bottom - 1, whole(std::floor(high_y - 0.5f)));
  if (x1 < x0 || y1 < y0) return;
  const double area = (static_cast<double>(b.x) - a.x) * (static_cast<double>(c.y) - a.y) -
                      (static_cast<double>(c.x) - a.x) * (static_cast<double>(b.y) - a.y);
  if (area == 0) return;
  if (area < 0) std::swap(b, c);
  const double inverse = 1 / std::abs(area);
  // Edge functions, positive inside, double: neighbours must agree on what lies between them.
  const double dx[3] = {static_cast<double>(b.y) - c.y, static_cast<double>(c.y) - a.y,
                        static_cast<double>(a.y) - b.y};
  const double dy[3] = {static_cast<double>(c.x) - b.x, static_cast<double>(a.x) - c.x,
                        static_cast<double>(b.x) - a.x};
  for (int y = y0; y <= y1; ++y) {
    const double px = x0 + 0.5, py = y + 0.5;
    double e0 = (px - b.x) * dx[0] + (py - b.y) * dy[0];
    double e1 = (px - c.x) * dx[1] + (py - c.y) * dy[1];
    double e2 = (px - a.x) * dx[2] + (py - a.y) * dy[2];
    for (int x = x0; x <= x1; ++x, e0 += dx[0], e1 += dx[1], e2 += dx[2]) {
      if (e0 < 0 || e1 < 0 || e2 < 0) continue;
      hit(x, y, static_cast<float>((e0 * a.depth + e1 * b.depth + e2 * c.depth) * inverse));
    }
  }
}

}  // namespace resilin::draw
