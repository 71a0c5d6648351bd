// A fixed cut of the mesh into parts, shared by all terms: the unit of parallel work. It depends on the mesh only,
// never on the thread count, and copies of a vertex in several parts are always summed in the same order: that is
// what makes results the same bits for any number of threads. A part lies within one connected component. Used by
// PackedTerm and the Objective.
#pragma once
#include <vector>

#include "resilin/model.h"

namespace resilin {

/// Elements that stand for all of them, by term, ascending; the measure of each counts `factor` times.
struct SampledElements {
  struct OfTerm {
    std::vector<int> elements;
    std::vector<double> factor;
    std::vector<int> place;  // of each in an order that whoever chose them has
  };
  std::vector<OfTerm> terms;
};

class Partition {
 public:
  explicit Partition(const Model& model) : Partition(model, nullptr) {}
  /// Of a sample: components are those of the whole model, parts are smaller, and vertices that no sampled element
  /// has are in none.
  Partition(const Model& model, const SampledElements* sample);

  int parts() const { return static_cast<int>(offset_.size()) - 1; }
  /// Connected component of each vertex: 0, 1, ... in the order of their first vertices.
  const std::vector<int>& component() const { return component_; }
  int component_of_part(int part) const { return part_component_[part]; }
  /// Global ids of the vertices of a part; local id = position.
  std::span<const int> vertices(int part) const {
    return {local_.data() + offset_[part], static_cast<std::size_t>(offset_[part + 1] - offset_[part])};
  }
  /// First row of a part in arrays that hold all parts' copies one after the other.
  int offset(int part) const { return offset_[part]; }
  int copies() const { return offset_.back(); }
  /// Rows of the copies of a vertex, ascending by part.
  std::span<const int> copies_of(int vertex) const {
    return {copy_.data() + copy_start_[vertex],
            static_cast<std::size_t>(copy_start_[vertex + 1] - copy_start_[vertex])};
  }
  /// Elements of a term in a part, ascending.
  std::span<const int> elements(int term, int part) const {
    const auto& start = term_start_[term];
    return {term_elements_[term].data() + start[part], static_cast<std::size_t>(start[part + 1] - start[part])};
  }
  /// Of their measures; empty: all one.
  std::span<const double> factors(int term, int part) const {
    if (term_factors_.empty()) return {};
    const auto& start = term_start_[term];
    return {term_factors_[term].data() + start[part], static_cast<std::size_t>(start[part + 1] - start[part])};
  }

 private:
  std::vector<int> component_, part_component_, offset_, local_, copy_start_, copy_;
  std::vector<std::vector<int>> term_start_, term_elements_;
  std::vector<std::vector<double>> term_factors_;
};

}  // namespace resilin
