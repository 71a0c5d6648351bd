#include "reduction/snapshot_modes.h"

#include <algorithm>
#include <cmath>

#include "linear/dense.h"

namespace resilin {
namespace {

// Of the largest of all: what is smaller is round-off of the projection.
constexpr double least_square = 1e-20;

// What the subspace cannot show, as functions of vertices times the root of the mass: three columns for each
// snapshot.
DenseMatrix residuals(const PositionSubspace& positions, std::span<const double> mass, const Snapshots& snapshots,
                      ThreadPool& pool) {
  const int n = static_cast<int>(mass.size());
  DenseMatrix out(n, 3 * static_cast<int>(snapshots.size()));
  std::vector<double> q(3 * positions.rows()), shown(3 * mass.size());
  for (std::size_t s = 0; s < snapshots.size(); ++s) {
    positions.project(mass, snapshots[s].data(), q.data(), pool);
    positions.lift(q.data(), shown.data(), pool);
    for (int v = 0; v < n; ++v)
      for (int k = 0; k < 3; ++k)
        out(v, 3 * static_cast<int>(s) + k) = std::sqrt(mass[v]) * (snapshots[s][3 * v + k] - shown[3 * v + k]);
  }
  return out;
}

struct Candidate {
  double square;
  SnapshotMode mode;
};

// Of the vertices of one component: eigenvectors of the Gram matrix, largest first.
void add_candidates(const DenseMatrix& all, std::span<const double> mass, std::span<const int> component, int c,
                    int count, std::vector<Candidate>& out) {
  std::vector<int> vertices;
  for (std::size_t v = 0; v < mass.size(); ++v)
    if (component[v] == c) vertices.push_back(static_cast<int>(v));
  DenseMatrix own(static_cast<int>(vertices.size()), all.columns), vectors;
  for (int j = 0; j < all.columns; ++j)
    for (int i = 0; i < own.rows; ++i) own(i, j) = all(vertices[i], j);
  const std::vector<double> squares = symmetric_eigen(multiply_transposed(own, own), vectors);  // ascending
  for (int m = 0; m < std::min(count, all.columns); ++m) {
    const int column = all.columns - 1 - m;
    Candidate next{squares[column], {c, vertices.front(), std::vector<double>(mass.size(), 0.0)}};
    double largest = 0;
    for (int i = 0; i < own.rows; ++i) {
      double sum = 0;
      for (int j = 0; j < own.columns; ++j) sum += own(i, j) * vectors(j, column);
      double& value = next.mode.value[vertices[i]];
      value = sum / std::sqrt(mass[vertices[i]]);
      if (std::abs(value) > std::abs(largest)) largest = value, next.mode.peak = vertices[i];
    }
    if (largest == 0) continue;
    for (double& value : next.mode.value) value /= largest;
    out.push_back(std::move(next));
  }
}

}  // namespace

std::vector<SnapshotMode> snapshot_modes(const PositionSubspace& positions, std::span<const double> mass,
                                         std::span<const int> component, const Snapshots& snapshots, int count,
                                         ThreadPool& pool) {
  const DenseMatrix all = residuals(positions, mass, snapshots, pool);
  std::vector<Candidate> candidates;
  const int components = component.empty() ? 0 : 1 + *std::max_element(component.begin(), component.end());
  for (int c = 0; c < components; ++c) add_candidates(all, mass, component, c, count, candidates);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.square > b.square; });
  double size = 0;  // of what snapshots are made of
  for (const auto& snapshot : snapshots)
    for (std::size_t i = 0; i < snapshot.size(); ++i) size += mass[i / 3] * snapshot[i] * snapshot[i];
  std::vector<SnapshotMode> out;
  for (Candidate& each : candidates)
    if (std::ssize(out) < count && each.square > least_square * size) out.push_back(std::move(each.mode));
  return out;
}

HandleWeights with_modes(const HandleWeights& weights, int handles, std::span<const SnapshotMode> modes) {
  HandleWeights out;
  for (int v = 0; v < weights.vertices(); ++v) {
    out.append(weights, v);
    for (std::size_t m = 0; m < modes.size(); ++m)
      if (modes[m].value[v] != 0)
        out.handle.push_back(handles + static_cast<int>(m)), out.weight.push_back(modes[m].value[v]);
    out.end_vertex();
  }
  return out;
}

}  // namespace resilin
