// The vertices that are near an obstacle: an obstacle is a term of points on all vertices, and most of them are far
// from it. Those within a margin are listed. As long as none of the others has moved further than its clearance
// was, none of them can have arrived. An obstacle that moves itself is asked again at every new time. Where lists
// do not last the margin grows.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "resilin/model.h"

namespace resilin {

class ObstacleCulling {
 public:
  explicit ObstacleCulling(double margin) : margin_(margin) {}

  /// Elements of a term of points that may count at x at that time, ascending, are in listed() afterwards; true
  /// when they changed.
  bool ensure_listed(const Term& term, double time, const double* x, ThreadPool& pool);
  const std::vector<int>& listed() const { return listed_; }

 private:
  bool arrived(const double* x, ThreadPool& pool) const;

  double margin_;
  int growths_ = 0;
  int lasted_ = -1;  // questions that the list has answered; negative: there is none
  double time_ = 0;  // at which they were listed: what moves may have arrived since
  struct Far {
    int vertex;
    double from[3], clearance;  // where it was, and how far it could go
  };
  std::vector<Far> far_;                   // vertices that are not listed and can arrive at all
  std::vector<double> at_, room_, least_;  // xyz of each element's vertex; clearance by one potential; by all
  std::vector<int> listed_;
};

}  // namespace resilin
