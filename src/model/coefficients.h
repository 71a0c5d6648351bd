// Numbers per element, uniform or one set each, laid out in packs for the kernels. Owned by potentials.
#pragma once
#include <span>
#include <vector>

#include "core/aligned.h"

namespace resilin {

class Coefficients {
 public:
  explicit Coefficients(int count = 0) : count_(count) {}

  int count() const { return count_; }
  /// Appends one element's numbers.
  void add(std::span<const double> one) { values_.insert(values_.end(), one.begin(), one.end()); }
  /// Elements stored; one means: the same for all.
  int size() const { return count_ == 0 ? 0 : static_cast<int>(values_.size()) / count_; }
  const double* element(int i) const { return values_.data() + (size() == 1 ? 0 : i * count_); }
  double* element(int i) { return values_.data() + (size() == 1 ? 0 : i * count_); }

  /// Puts the numbers of slot_element[i] into lane i % 8 of pack i / 8. Keeps a single pack when all elements agree.
  void arrange(std::span<const int> slot_element);
  /// [count][8] of one pack.
  const double* pack(int i) const { return packed_.data() + static_cast<std::size_t>(i) * stride_; }

 private:
  int count_ = 0;
  std::size_t stride_ = 0;  // 0: the same pack for all
  std::vector<double> values_;
  AlignedVector<double> packed_;
};

}  // namespace resilin
