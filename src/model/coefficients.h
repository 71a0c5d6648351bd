// Numbers per element, uniform or one set each: owned by potentials. And the same in packs: owned by kernels.
#pragma once
#include <span>
#include <vector>

#include "core/aligned.h"

namespace resilin {

/// [count][8] per pack; one pack when all elements agree.
class PackedCoefficients {
 public:
  const double* pack(int i) const { return packed_.data() + static_cast<std::size_t>(i) * stride_; }

 private:
  friend class Coefficients;
  std::size_t stride_ = 0;  // 0: the same pack for all
  AlignedVector<double> packed_;
};

class Coefficients {
 public:
  explicit Coefficients(int count = 0) : count_(count) {}

  int count() const { return count_; }
  /// Appends one element's numbers.
  void add(std::span<const double> one) { values_.insert(values_.end(), one.begin(), one.end()); }
  /// Elements stored; one means: the same for all.
  int size() const { return count_ == 0 ? 0 : static_cast<int>(values_.size()) / count_; }
  const double* element(int i) const { return values_.data() + (size() == 1 ? 0 : i * count_); }
  const std::vector<double>& values() const { return values_; }

  /// The numbers of slot_element[i] in lane i % 8 of pack i / 8.
  PackedCoefficients pack(std::span<const int> slot_element) const;

 private:
  int count_ = 0;
  std::vector<double> values_;
};

}  // namespace resilin
