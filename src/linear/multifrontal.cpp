#include "linear/multifrontal.h"

#include <algorithm>
#include <cassert>
#include <climits>

#include "linear/dense_kernels.h"
#include "linear/sparse_matrix.h"
#include "resilin/watch.h"

namespace resilin {
namespace {

constexpr int column_tile = 96, row_tile = 256;

int tiles(int size, int tile) { return (size + tile - 1) / tile; }

// A front: its factor columns (height x width) and the update matrix (below x below), lower parts.
struct Front {
  double* panel;
  double* update;
  int width, below;
  int height() const { return width + below; }
  double* at(int row, int column) const { return panel + row + static_cast<std::ptrdiff_t>(column) * height(); }
  /// Column `column` of the whole front such that [row of the front] is its entry.
  double* column(int column) const {
    if (column < width) return at(0, column);
    return update + static_cast<std::ptrdiff_t>(column - width) * below - width;
  }
};

bool stopped(const Watch* watch) { return watch != nullptr && watch->stops(); }

// Returns -1 or the first column that failed. A front that was stopped is of no use.
int factorise_front(const Front& front, const Runner& run, double& pivot, const Watch* watch) {
  const int height = front.height();
  for (int k = 0; k < front.width && !stopped(watch); k += column_tile) {
    const int size = std::min(column_tile, front.width - k), next = k + size;
    if (const int failed = cholesky_in_place(front.at(k, k), size, height, pivot); failed >= 0) return k + failed;
    run(tiles(height - next, row_tile), [&](int tile) {
      const int row = next + tile * row_tile;
      solve_transposed_right(front.at(k, k), size, height, front.at(row, k), std::min(row_tile, height - row),
                             height);
    });
    run(tiles(front.width - next, column_tile), [&](int tile) {
      const int c = next + tile * column_tile, columns = std::min(column_tile, front.width - c);
      subtract_product(front.at(c, c), height, {front.at(c, k), height - c, height},
                       {front.at(c, k), columns, height}, size);
    });
  }
  run(tiles(front.below, column_tile), [&](int tile) {
    const int c = tile * column_tile, columns = std::min(column_tile, front.below - c);
    const double* rows = front.at(front.width + c, 0);
    subtract_product(front.update + c + static_cast<std::ptrdiff_t>(c) * front.below, front.below,
                     {rows, front.below - c, height}, {rows, columns, height}, front.width);
  });
  return -1;
}

class Multifrontal {
 public:
  Multifrontal(const Symbolic& symbolic, const SymmetricMatrix& a, const PanelSink& sink)
      : s_(symbolic), a_(a), sink_(sink), b_(symbolic.block), update_(symbolic.nodes()) {}

  Factorisation run(ThreadPool& pool) {
    const int tasks = s_.tasks();
    std::vector<Failure> failure(tasks + 1);
    pool.parallel(tasks, [&](int part) {
      const FlushDenormals flush;
      const int t = s_.run_order[part];
      failure[t] = run_nodes(s_.task_node[t], s_.task_node[t + 1], Runner());
    });
    const auto first = [](const Failure& x, const Failure& y) { return x.column < y.column; };
    Failure worst = *std::min_element(failure.begin(), failure.end(), first);
    if (worst.column == INT_MAX) worst = run_nodes(s_.task_node.back(), s_.nodes(), Runner(&pool));
    watch_check();
    if (worst.column == INT_MAX) return {};
    return {false, s_.order[worst.column], worst.pivot};
  }

 private:
  struct Failure {
    int column = INT_MAX;  // final number
    double pivot = 0;
  };
  struct Run {  // consecutive rows of a child that are consecutive in its parent's front
    int from, size, to;
  };

  Failure run_nodes(int begin, int end, const Runner& run) {
    std::size_t largest = 0;
    for (int s = begin; s < end; ++s)
      largest = std::max(largest, std::size_t(b_) * b_ * s_.width(s) * (s_.width(s) + s_.below(s)));
    const auto panel = std::make_unique_for_overwrite<double[]>(largest);
    for (int s = begin; s < end && !stopped(watch_); ++s) {
      const Front front = assemble(s, panel.get(), run);
      double pivot = 0;
      if (const int failed = factorise_front(front, run, pivot, watch_); failed >= 0)
        return {s_.first[s] + failed / b_, pivot};
      sink_(s, front.panel, run);
    }
    return {};
  }

  Front assemble(int s, double* panel, const Runner& run) {
    Front front{panel, nullptr, b_ * s_.width(s), b_ * s_.below(s)};
    std::fill(panel, panel + std::size_t(front.width) * front.height(), 0.0);
    update_[s] = std::make_unique<double[]>(std::size_t(front.below) * front.below);
    front.update = update_[s].get();
    for (int e = s_.entry_start[s]; e < s_.entry_start[s + 1]; ++e) add_entry(s_.entry[e], front);
    for (int c = s_.child_start[s]; c < s_.child_start[s + 1]; ++c) {
      add_child(s_.child[c], front, run);
      update_[s_.child[c]].reset();
    }
    return front;
  }

  void add_entry(const PanelEntry& entry, const Front& front) const {
    const double* value = &a_.value[std::size_t(b_) * b_ * entry.slot];
    for (int i = 0; i < b_; ++i)
      for (int j = 0; j < b_; ++j)
        *front.at(b_ * entry.row + i, b_ * entry.column + j) = value[entry.transposed ? b_ * j + i : b_ * i + j];
  }

  void add_child(int child, const Front& front, const Runner& run) const {
    const int size = b_ * s_.below(child), first = s_.row_start[child];
    const double* update = update_[child].get();
    std::vector<Run> runs;
    for (int k = 0; k < s_.below(child); ++k) {
      const int to = b_ * s_.relative[first + k];
      if (!runs.empty() && runs.back().to + runs.back().size == to) runs.back().size += b_;
      else runs.push_back({b_ * k, b_, to});
    }
    run(tiles(size, column_tile), [&](int tile) {
      const int end = std::min(size, (tile + 1) * column_tile);
      std::size_t at = 0;
      for (int j = tile * column_tile; j < end; ++j) {
        while (runs[at].from + runs[at].size <= j) ++at;
        const double* source = update + static_cast<std::ptrdiff_t>(j) * size;
        double* target = front.column(runs[at].to + j - runs[at].from);
        for (std::size_t r = at; r < runs.size(); ++r) {
          const int skip = r == at ? j - runs[r].from : 0;  // above the diagonal
          const double* from = source + runs[r].from;
          double* to = target + runs[r].to;
          for (int i = skip; i < runs[r].size; ++i) to[i] += from[i];
        }
      }
    });
  }

  const Symbolic& s_;
  const SymmetricMatrix& a_;
  const PanelSink& sink_;
  const int b_;
  const Watch* watch_ = Watch::current();  // of the caller: the pool's threads have none
  std::vector<std::unique_ptr<double[]>> update_;
};

}  // namespace

Factorisation factorise_multifrontal(const Symbolic& symbolic, const SymmetricMatrix& a, ThreadPool& pool,
                                     PanelSink sink) {
  assert(a.size() == symbolic.size && a.block() == symbolic.block && a.column.size() == symbolic.entry.size());
  const FlushDenormals flush;
  return Multifrontal(symbolic, a, sink).run(pool);
}

}  // namespace resilin
