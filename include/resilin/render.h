// Pictures without a display: a small software renderer for the bodies of a model. No GPU, no window system, and
// the same bits for the same input, whatever the number of threads.
//
//   write_file("bar.png", png(render(model, state.q)));
//
// Called by `resilin render` and `resilin run --preview`. It must not know scenes, solvers or where positions come
// from.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/model.h"

namespace resilin {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // 3 per pixel, rows from the top, sRGB
};

/// A perspective camera.
struct View {
  Vec3 eye{0, 0, 0}, target{0, 0, -1}, up{0, 1, 0};
  double field_of_view = 28;  // vertical [degrees]
};

/// A number per vertex, shown by a perceptual colour map (viridis) with a bar that explains it.
struct Colouring {
  std::vector<double> values;  // empty: bodies have plain colours of a palette
  std::string label;           // "speed [m/s]"
  double low = 0, high = 1;    // ends of the colour map; equal ones are fine
};

struct RenderOptions {
  int width = 960, height = 720;
  int samples = 3;  // per pixel and axis
  Vec3 up{0, 1, 0};
  std::optional<View> view;             // none: three-quarter view that shows everything
  std::optional<Bounds> fit;            // what the view must show, e.g. all frames; none: this one
  std::optional<double> ground_height;  // along `up`; none: there is no ground
  std::vector<TriangleMesh>
      obstacles;       // where they stand; only the sides that they face are seen: a container is open to the eye
  bool edges = false;  // edges of the triangles as thin lines
  Colouring colouring;
  int threads = 0;  // 0: all cores
};

/// `q`: xyz per vertex of the model. Throws InputError for sizes that do not match and for numbers that are not
/// finite.
Picture render(const Model& model, const std::vector<double>& q, const RenderOptions& options = {});

/// The three-quarter view in which all `points` (xyz) just fill a picture of `aspect` = width / height.
View fit_view(std::span<const double> points, const Vec3& up, double aspect);

/// The contents of a PNG file.
std::string png(const Picture& picture);

}  // namespace resilin
