// Where vertices may go without a surface passing through another (docs/theory/contact.md):
//   planes  between the two sides of every pair that a search has listed; steps of vertices are shortened one by one
//   balls   around every vertex, so that no pair that was not listed can meet; all steps of a component are shortened alike, since a surface
//           that stays behind its inside would be crushed
// The region is convex, so that straight steps inside are safe.
#pragma once
#include <span>
#include <vector>

#include "contact/contact_pairs.h"
#include "core/thread_pool.h"

namespace resilin {

class SafeRegion {
 public:
  /// Around `centre` (xyz of all vertices), where `pairs` were found; `ball` [m]. Pairs keep at least a fiftieth of `radius`. `wanted`: where
  /// vertices are expected to go, which decides how the two sides share what lies between them. `bound`: vertices that are bound to the region.
  void set(std::span<const double> centre, std::span<const ContactPair> pairs, std::span<const double> wanted,
           double ball, double radius, std::span<const int> bound);
  struct Clipped {
    int by_planes = 0;      // vertices
    bool by_balls = false;  // some component
    double farthest = 0;    // that a vertex wanted to go [m]
    bool any() const { return by_planes > 0 || by_balls; }
  };
  /// Shortens steps from `from`, inside, to `to`; part[component] is lowered to the least part left. `alike`: planes shorten whole components
  /// too.
  Clipped clip(const double* from, double* to, std::span<const int> component, std::span<double> part, bool alike,
               ThreadPool& pool);

 private:
  struct HalfSpace {  // normal . x >= offset
    double normal[3], offset;
  };
  double within_planes(std::size_t place, const double* from, const double* step) const;
  double within_ball(std::size_t place, const double* from, const double* step) const;

  std::vector<int> bound_, place_;           // place of each vertex in bound_, or -1
  std::vector<double> left_, planes_, far_;  // of clip, by place
  std::vector<double> centre_;               // of bound vertices
  std::vector<int> start_;                   // half-spaces of each bound vertex
  std::vector<HalfSpace> half_spaces_;
  double ball_ = 0;
};

}  // namespace resilin
