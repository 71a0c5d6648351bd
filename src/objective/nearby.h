// The vertices that are near an obstacle: an obstacle is a term of points on all vertices, and most of them are far from it. Those within a
// margin are listed. As long as no vertex has moved further than the least clearance of those that are not, none of them can have arrived. An obstacle
// that moves itself is asked again at every new time.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "resilin/model.h"

namespace resilin {

class Nearby {
 public:
  explicit Nearby(double margin) : margin_(margin) {}

  /// Elements of a term of points that may count at x at that time, ascending, are in listed() afterwards; true when they changed.
  bool cover(const Term& term, double time, const double* x, ThreadPool& pool);
  const std::vector<int>& listed() const { return listed_; }

 private:
  bool moved_too_far(const Term& term, const double* x, ThreadPool& pool) const;

  double margin_;
  double time_ = 0;                   // at which they were listed: what moves may have arrived since
  double clearance_ = -1;             // the least of those that are not listed [m]; negative: nothing is known
  std::vector<double> from_;          // xyz of each element's vertex where they were listed
  std::vector<double> room_, least_;  // clearance by one potential; by all
  std::vector<int> listed_;
};

}  // namespace resilin
