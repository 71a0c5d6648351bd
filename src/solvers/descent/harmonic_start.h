// Where a stage begins when pins move otherwise than freely flying vertices would: the target does not know of
// that, and the elements next to the pins are strained from the first iteration on. The start is moved by the
// A-harmonic extension of what the pins do besides their flight, delta = y - origin - tau velocity on pinned
// vertices:
//
//   A_ff u = -A_fp delta,   A the constant Hessian (free f, pinned p)
//
// One solve without an evaluation, in stages with such pins only. Used by quasi_newton.
#pragma once
#include <cstdint>
#include <vector>

#include "problem/problem.h"
#include "resilin/state.h"

namespace resilin {

class HarmonicStart {
 public:
  /// r = -A_fp delta, zero on pinned vertices; false when no pin leaves its flight.
  bool load(const Problem& problem, const std::vector<double>& y, std::vector<double>& r);

 private:
  void couple(const Problem& problem);

  struct Entry {
    int free, pinned;  // vertices
    double value;      // of A
  };
  double tau_ = 0;
  std::uint64_t revision_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace resilin
