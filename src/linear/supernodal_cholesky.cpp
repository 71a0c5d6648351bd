#include "linear/supernodal_cholesky.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "core/thread_pool.h"
#include "linear/multifrontal.h"
#include "linear/panel_layout.h"
#include "linear/panel_sweep.h"
#include "linear/sparse_matrix.h"
#include "resilin/watch.h"

namespace resilin {

using panel::stride;

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

// A power of two that brings the largest |b| near 1, for float's narrow range. 1 when there is nothing to scale.
double range_scale(const double* b, std::size_t count) {
  double most[8] = {};  // by lane, so that the loop is a vector operation
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int k = 0; k < 8; ++k) most[k] = std::abs(b[i + k]) > most[k] ? std::abs(b[i + k]) : most[k];
  double largest = *std::max_element(most, most + 8);
  for (; i < count; ++i) largest = std::max(largest, std::abs(b[i]));
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

}  // namespace

template <class S>
void SupernodalCholesky<S>::Free::operator()(void* p) const {
  std::free(p);
}

// Zeroed. Huge pages: the factor is one long stream, and a stream stops at every page.
template <class S>
template <class T>
typename SupernodalCholesky<S>::template Buffer<T> SupernodalCholesky<S>::allocate(std::size_t count) {
  const std::size_t alignment = count * sizeof(T) >= huge_page ? huge_page : 64;
  const std::size_t bytes = std::max(alignment, (count * sizeof(T) + alignment - 1) / alignment * alignment);
  void* memory = std::aligned_alloc(alignment, bytes);
  if (!memory) throw std::bad_alloc();
  if (alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; a refusal does no harm
  std::memset(memory, 0, bytes);
  return Buffer<T>(static_cast<T*>(memory));
}

template <class S>
PanelLayout SupernodalCholesky<S>::layout(int node) const {
  const bool top = node >= symbolic_.task_node.back();
  return {symbolic_.block * symbolic_.width(node), symbolic_.block * symbolic_.below(node), top};
}

template <class S>
void SupernodalCholesky<S>::analyse(const SymmetricMatrix& a) {
  factorised_ = false;
  watch_begin("ordering a matrix of " + std::to_string(a.size()) + " rows");
  symbolic_ = analyse_pattern(a, ordering_);
  panel_start_ = {0};
  for (int s = 0; s < symbolic_.nodes(); ++s) panel_start_.push_back(panel_start_.back() + layout(s).values());
  watch_check();
  factor_ = allocate<S>(panel_start_.back());
  place_regions();
  place_rows();
}

template <class S>
void SupernodalCholesky<S>::place_regions() {
  const Symbolic& s = symbolic_;
  const int right_sides = s.block == 1 ? 3 : 1, per_row = s.block == 1 ? stride<3> : stride<1>;
  std::vector<std::size_t> at;
  std::size_t size = 0;
  const auto take = [&](std::size_t count) {  // whole cache lines: neighbours must not share one
    at.push_back(size);
    size += (count + 63) / 64 * 64;
  };
  region_.clear();
  for (int t = 0; t <= s.tasks(); ++t) {
    const bool top = t == s.tasks();
    const int begin = s.task_node[t], end = top ? s.nodes() : s.task_node[t + 1];
    const int own = s.first[end] - s.first[begin], tail = top ? 0 : s.tail_start[t + 1] - s.tail_start[t];
    int chunks = 0;
    for (int node = begin; node < end; ++node) chunks = std::max(chunks, layout(node).chunks);
    take(static_cast<std::size_t>(own + tail + 1) * per_row);
    take(static_cast<std::size_t>(chunks) * panel::rows * right_sides +
         (top ? panel::scratch_sums * right_sides : 0));
    region_.push_back({begin, end, s.first[begin], own, tail, nullptr, nullptr});
  }
  workspace_ = allocate<A>(size);
  for (std::size_t t = 0; t < region_.size(); ++t) {
    region_[t].vector = workspace_.get() + at[2 * t];
    region_[t].scratch = workspace_.get() + at[2 * t + 1];
  }
}

template <class S>
void SupernodalCholesky<S>::place_rows() {
  index_start_ = {0};
  index_.clear();
  for (const Region& region : region_)
    for (int node = region.begin; node < region.end; ++node) {
      const auto rows = symbolic_.local_row.begin();
      index_.insert(index_.end(), rows + symbolic_.row_start[node], rows + symbolic_.row_start[node + 1]);
      if (symbolic_.block == 1)  // the padding reads and writes a slot of its own, which stays zero
        while (index_.size() % panel::rows) index_.push_back(region.own + region.tail);
      index_start_.push_back(static_cast<int>(index_.size()));
    }
}

template <class S>
Factorisation SupernodalCholesky<S>::factorise(const SymmetricMatrix& a, ThreadPool& pool) {
  watch_begin("factorising a matrix of " + std::to_string(a.size()) + " rows");
  const auto sink = [this](int node, const double* columns, const Runner& run) {
    const PanelLayout panel = layout(node);
    S* out = factor_.get() + panel_start_[node];
    const int group = 16;
    run((panel.blocks + group - 1) / group, [&](int part) {
      for (int c = part * group; c < std::min(panel.blocks, (part + 1) * group); ++c)
        panel::pack_block<S>(panel, columns, c, out);
    });
  };
  const Factorisation result = factorise_multifrontal(symbolic_, a, pool, sink);
  factorised_ = result.positive_definite;
  return result;
}

template <class S>
panel::PanelView<S, typename SupernodalCholesky<S>::A> SupernodalCholesky<S>::view(int node,
                                                                                   const Region& region) const {
  const int per_row = symbolic_.block == 1 ? stride<3> : stride<1>;
  A* own = region.vector + static_cast<std::size_t>(per_row) * (symbolic_.first[node] - region.column);
  return {layout(node),  factor_.get() + panel_start_[node], index_.data() + index_start_[node], region.vector, own,
          region.scratch};
}

template <class S>
void SupernodalCholesky<S>::solve(const double* b, double* x, ThreadPool& pool) const {
  assert(factorised_);
  const FlushDenormals flush;
  if (symbolic_.block == 1) solve_with<3>(b, x, pool);
  else solve_with<1>(b, x, pool);
}

template <class S>
template <int R>
void SupernodalCholesky<S>::solve_with(const double* b, double* x, ThreadPool& pool) const {
  const Symbolic& s = symbolic_;
  const double scale = sizeof(S) == 4 ? range_scale(b, 3 * static_cast<std::size_t>(s.size)) : 1;
  const Runner run(&pool);
  const Region& top = region_.back();
  pool.parallel(s.tasks() + 1, [&](int part) {
    if (part == s.tasks()) return load_right_side<R>(top, b, scale);
    const Region& region = region_[s.run_order[part]];
    load_right_side<R>(region, b, scale);
    for (int node = region.begin; node < region.end; ++node)
      panel::forward_panel<S, A, R>(view(node, region), nullptr);
  });
  add_tails<R>();
  for (int node = top.begin; node < top.end; ++node) panel::forward_panel<S, A, R>(view(node, top), &run);
  for (int node = top.end - 1; node >= top.begin; --node) panel::backward_panel<S, A, R>(view(node, top), &run);
  pool.parallel(s.tasks() + 1, [&](int part) {
    if (part == s.tasks()) return store_solution<R>(top, x, scale);
    const int task = s.run_order[s.tasks() - 1 - part];  // backwards: what was read last is still in the cache
    const Region& region = region_[task];
    copy_tail<R>(task);
    for (int node = region.end - 1; node >= region.begin; --node)
      panel::backward_panel<S, A, R>(view(node, region), nullptr);
    store_solution<R>(region, x, scale);
  });
}

template <class S>
template <int R>
void SupernodalCholesky<S>::load_right_side(const Region& region, const double* b, double scale) const {
  constexpr int step = stride<R>;
  for (int i = 0; i < region.own; ++i) {
    const double* from = b + 3 * static_cast<std::size_t>(symbolic_.order[region.column + i]);
    A* to = region.vector + static_cast<std::size_t>(step) * i;
    for (int k = 0; k < 3; ++k) to[k] = static_cast<A>(from[k] * scale);
    if (R == 3) to[step - 1] = 0;
  }
  A* rest = region.vector + static_cast<std::size_t>(step) * region.own;
  std::fill(rest, rest + static_cast<std::size_t>(step) * (region.tail + 1), A(0));
}

template <class S>
template <int R>
void SupernodalCholesky<S>::store_solution(const Region& region, double* x, double scale) const {
  const double back = 1 / scale;
  for (int i = 0; i < region.own; ++i) {
    const A* from = region.vector + static_cast<std::size_t>(stride<R>) * i;
    double* to = x + 3 * static_cast<std::size_t>(symbolic_.order[region.column + i]);
    for (int k = 0; k < 3; ++k) to[k] = from[k] * back;
  }
}

// What the tasks owe to the top, in the order of tasks.
template <class S>
template <int R>
void SupernodalCholesky<S>::add_tails() const {
  constexpr int step = stride<R>;
  const Region& top = region_.back();
  for (int t = 0; t < symbolic_.tasks(); ++t) {
    const A* from = region_[t].vector + static_cast<std::size_t>(step) * region_[t].own;
    for (int k = symbolic_.tail_start[t]; k < symbolic_.tail_start[t + 1]; ++k, from += step) {
      A* to = top.vector + static_cast<std::size_t>(step) * (symbolic_.tail[k] - top.column);
      for (int c = 0; c < step; ++c) to[c] += from[c];
    }
  }
}

template <class S>
template <int R>
void SupernodalCholesky<S>::copy_tail(int task) const {
  constexpr int step = stride<R>;
  const Region& top = region_.back();
  const Region& region = region_[task];
  A* to = region.vector + static_cast<std::size_t>(step) * region.own;
  for (int k = symbolic_.tail_start[task]; k < symbolic_.tail_start[task + 1]; ++k) {
    const A* from = top.vector + static_cast<std::size_t>(step) * (symbolic_.tail[k] - top.column);
    for (int c = 0; c < step; ++c) *to++ = from[c];
  }
  std::fill(to, to + step, A(0));
}

template class SupernodalCholesky<float>;
template class SupernodalCholesky<double>;

}  // namespace resilin
