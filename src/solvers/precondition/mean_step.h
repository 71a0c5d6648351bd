// The mass-weighted mean step of vertices that nothing holds. There 1^T H = 1^T M/tau^2, so that
//
//   sum m d = tau^2 sum r
//
// whatever the precision of the operator in between: momentum stays (E81). Where something holds them along some
// axes the mean step is known across these only.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "problem/problem.h"

namespace resilin {

class MeanStep {
 public:
  /// Vertices that move together.
  struct Group {
    std::span<const int> vertices;                              // must stay
    int component = -1;                                         // is left out unless this is active; -1: never
    std::array<double, 9> along = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // projects onto the axes along which nothing holds
  };
  void set(std::vector<Group> groups) { groups_ = std::move(groups); }
  bool empty() const { return groups_.empty(); }
  /// Before r is lost, where d is the same array.
  void note(const Problem& problem, const double* r);
  /// Shifts d of every group.
  void correct(const Problem& problem, double* d);

 private:
  bool wanted(const Problem& problem, const Group& group) const {
    return group.component < 0 || problem.space().components().active(group.component);
  }

  std::vector<Group> groups_;
  std::vector<std::array<double, 3>> wanted_;  // sum m d
  std::vector<double> scratch_;
};

/// Vertices of each island of components that nothing holds in space, ascending; `held`: components that more than
/// pins and springs hold.
std::vector<std::vector<int>> free_islands(const Space& space, std::span<const char> held);

}  // namespace resilin
