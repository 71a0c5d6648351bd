// Connected components: what no element couples. Bodies that do not touch are components of their own, with their
// own value of Phi, step lengths and end: none waits for another or disturbs it. Components that touch are joined
// to an island: what solvers sum is then the sum of the island, the same for each of its components, so that they
// take their decisions together. Vectors (xyz of all vertices) are cut into chunks that lie in one component each;
// sums run over chunks in fixed order, so that they do not depend on the thread count. Owned by the Space.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/chunks.h"
#include "core/thread_pool.h"
#include "resilin/model.h"

namespace resilin {

class ComponentSet {
 public:
  /// By component of each vertex: 0, 1, ...
  explicit ComponentSet(std::span<const int> of_vertex);
  /// One, for vectors of `size` numbers.
  static ComponentSet whole(std::ptrdiff_t size);

  int count() const { return static_cast<int>(active_.size()); }
  /// Numbers of a vector.
  std::ptrdiff_t size() const { return size_; }
  /// Those that are finished are left out of loops, sums and evaluations.
  bool active(int component) const { return active_[component] != 0; }
  int active_count() const { return active_count_; }
  void activate_all();
  /// The first `active` says; others are as they were finished.
  void set_active(std::span<const char> active);
  /// Counts the changes of which are active.
  std::uint64_t activations() const { return activations_; }

  /// The first component of the island that it belongs to.
  int island(int component) const { return island_[component]; }
  bool leads(int component) const { return island_[component] == component; }
  bool joined() const { return joined_; }
  /// Two components touch; true when they did not belong to one island yet.
  bool join(int a, int b);
  /// Every component is an island of its own.
  void part();
  std::span<const int> islands() const { return island_; }
  /// k sums of each component become those of its island.
  void share(int k, std::vector<double>& sums) const;

  struct Chunk {
    int component;
    std::ptrdiff_t begin, end;  // numbers, not vertices
  };
  /// Of the active ones.
  std::span<const Chunk> chunks() const { return active_chunks_; }

  /// run(begin, end, component) for each chunk.
  template <class Run>
  void each(ThreadPool& pool, Run&& run) const {
    pool.parallel(static_cast<int>(active_chunks_.size()), [&](int i) {
      const Chunk& chunk = active_chunks_[i];
      run(chunk.begin, chunk.end, chunk.component);
    });
  }
  /// sums[component * k + ...], k of each, set to zero first: run(begin, end, to) adds the k sums of its chunk to
  /// `to`, which is zero.
  template <class Run>
  void sum(ThreadPool& pool, int k, std::vector<double>& scratch, std::vector<double>& sums, Run&& run) const {
    const std::size_t stride = static_cast<std::size_t>(k + 7) / 8 * 8;  // no cache line in common
    scratch.assign(active_chunks_.size() * stride, 0.0);
    pool.parallel(static_cast<int>(active_chunks_.size()),
                  [&](int i) { run(active_chunks_[i].begin, active_chunks_[i].end, scratch.data() + i * stride); });
    sums.assign(static_cast<std::size_t>(count()) * k, 0.0);
    for (std::size_t i = 0; i < active_chunks_.size(); ++i)
      for (int j = 0; j < k; ++j) sums[active_chunks_[i].component * k + j] += scratch[i * stride + j];
  }

 private:
  ComponentSet() = default;
  void choose();

  std::vector<Chunk> chunks_, active_chunks_;
  std::vector<char> active_;
  std::vector<int> island_;
  bool joined_ = false;
  int active_count_ = 0;
  std::uint64_t activations_ = 0;
  std::ptrdiff_t size_ = 0;
};

}  // namespace resilin
