#include "potentials/enclosed_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/stamp.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

class EnclosedVolume final : public GlobalEnergy {
 public:
  EnclosedVolume(std::span<const int> triangles, double volume, double stiffness, double target)
      : vertices_(triangles.begin(), triangles.end()),
        stiffness_(stiffness / std::abs(volume)),
        wanted_(target * volume) {
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
    for (const int v : triangles)
      corners_.push_back(
          static_cast<int>(std::lower_bound(vertices_.begin(), vertices_.end(), v) - vertices_.begin()));
  }

  std::string name() const override { return "enclosed volume"; }
  void stamp(Stamp& out) const override {
    out.add(name()), out.add(std::span<const int>(vertices_)), out.add(std::span<const int>(corners_));
    out.add(stiffness_), out.add(wanted_);
  }
  std::span<const int> vertices() const override { return vertices_; }
  double stiffness() const override { return stiffness_; }

  double constraint(const double* x, int stride, double* gradient) const override {
    if (gradient != nullptr) std::fill_n(gradient, 3 * vertices_.size(), 0.0);
    double sum = 0;
    for (std::size_t t = 0; t < corners_.size(); t += 3) {
      const int* v = &corners_[t];
      const std::array<Vec3, 3> p = triangle(x, stride, v);
      sum += dot(p[0], cross(p[1], p[2]));
      for (int i = 0; i < 3 && gradient != nullptr; ++i) {
        const Vec3 across = cross(p[(i + 1) % 3], p[(i + 2) % 3]);
        for (int k = 0; k < 3; ++k) gradient[3 * v[i] + k] += across[k] / 6;
      }
    }
    return sum / 6 - wanted_;
  }

  // Of p_i (p_j x p_k)/6: d2/dp_i dp_j turns by -p_k/6.
  void curvature(const double* x, const Blocks& add) const override {
    for (std::size_t t = 0; t < corners_.size(); t += 3) {
      const std::array<Vec3, 3> p = triangle(x, 3, &corners_[t]);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const Vec3 a = (1.0 / 6) * p[(i + 2) % 3];
        add(vertices_[corners_[t + i]], vertices_[corners_[t + j]],
            {0, a[2], -a[1], -a[2], 0, a[0], a[1], -a[0], 0});
      }
    }
  }

 private:
  // About a vertex of the surface: far from the origin sums would cancel.
  std::array<Vec3, 3> triangle(const double* x, int stride, const int* v) const {
    const auto at = [&](int local) {
      const double* p = x + static_cast<std::ptrdiff_t>(stride) * vertices_[local];
      return Vec3{p[0], p[1], p[2]};
    };
    const Vec3 origin = at(0);
    return {at(v[0]) - origin, at(v[1]) - origin, at(v[2]) - origin};
  }

  std::vector<int> vertices_, corners_;  // corners: of triangles, into vertices_
  double stiffness_, wanted_;
};

}  // namespace

// Every edge must be met once in each direction.
void require_enclosed_volume(std::span<const double> rest, std::span<const int> triangles,
                             const std::string& where) {
  std::map<std::pair<int, int>, int> met;  // edge -> times met upwards minus downwards
  for (std::size_t t = 0; t < triangles.size(); t += 3)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = triangles[t + i], b = triangles[t + (i + 1) % 3];
      met[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  for (const auto& [edge, balance] : met)
    if (balance != 0)
      throw InputError(where, fmt::format("the surface is open at the edge between vertices {} and {}, so it "
                                          "encloses no volume; close it (\"resilin check\" lists all open edges)",
                                          edge.first, edge.second));
  if (!(std::abs(enclosed_volume(rest, triangles)) > 0))
    throw InputError(where, "the surface encloses no volume at rest");
}

std::shared_ptr<const GlobalEnergy> make_enclosed_volume(std::span<const double> rest,
                                                         std::span<const int> triangles, double stiffness,
                                                         double target) {
  return std::make_shared<EnclosedVolume>(triangles, enclosed_volume(rest, triangles), stiffness, target);
}

}  // namespace resilin
