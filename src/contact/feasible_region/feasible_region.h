// Where vertices may go without a surface passing through another (docs/theory/contact.md):
//   pairs  that a search has listed: a plane between the two sides, which may move along with them, shows that a
//          step is safe. Where none is found, planes that stand still shorten the steps of vertices one by one
//   balls  around every vertex, so that no pair that was not listed can meet; all steps of a component are
//          shortened alike, since a surface that stays behind its inside would be crushed
// Planes are placed anew for every step, from where it begins.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "contact/narrow_phase/contact_pairs.h"
#include "core/thread_pool.h"

namespace resilin {

class FeasibleRegion {
 public:
  /// Around `centre` (xyz of all vertices), where `pairs` were found; `ball` [m]. Pairs keep at least a fiftieth of
  /// `radius`. `bound`: vertices that are bound to the region.
  void set(std::span<const double> centre, std::span<const ContactPair> pairs, double ball, double radius,
           std::span<const int> bound);
  struct Clipped {
    int by_planes = 0;      // vertices
    bool by_balls = false;  // some component
    double farthest = 0;    // that a vertex wanted to go [m]
    bool any() const { return by_planes > 0 || by_balls; }
  };
  /// How much of a gap a pair keeps at least, besides a fiftieth of the radius: the lesser of the two.
  struct Keeps {
    double of_radius = 0, of_gap = 0;
  };
  /// Shortens steps from `from`, inside, to `to`; part[component] is lowered to what all vertices may go if they go
  /// alike.
  Clipped clip(const double* from, double* to, std::span<const int> component, std::span<double> part,
               ThreadPool& pool);
  /// The same for whole components: all vertices of one have the same left; stopped[component]: whether planes did
  /// it.
  Clipped clip_alike(const double* from, double* to, std::span<const int> component, Keeps keeps,
                     std::span<char> stopped, ThreadPool& pool);

 private:
  struct Pair {
    std::array<int, 4> vertices;
    bool edges;
    double normal[3];  // from side B to side A
    double gap(const double* x) const;
    void turn(const double* x);
  };
  Clipped begin(const double* from, const double* to, std::span<const int> component, ThreadPool& pool);
  double keeps(double gap, Keeps more) const;
  bool passes(Pair& pair, const double* from, const double* to, Keeps more) const;
  bool hold_more(const double* from, const double* to, Keeps more, ThreadPool& pool);
  void stop_at_planes(const Pair& pair, const double* from, Keeps more);
  double within_ball(std::size_t place, const double* from, const double* step) const;
  std::vector<int> bound_, place_;  // place of each vertex in bound_, or -1
  std::vector<double> centre_;      // of bound vertices
  std::vector<Pair> pairs_;
  double ball_ = 0, radius_ = 0;
  // Of one step, by place, component or pair.
  std::vector<double> step_, left_, far_, whole_, together_;
  std::vector<char> held_;  // 1: planes that stand still hold the pair, 2: since this round
};

}  // namespace resilin
