#include "solvers/precondition/low_rank.h"

#include <algorithm>
#include <array>

namespace resilin {
namespace {

// The axis of a row that lies along one, else -1.
int single_axis(const RankOneStiffness& row) {
  std::array<bool, 3> used{};
  for (std::size_t i = 0; i < row.gradient.size(); ++i) used[i % 3] = used[i % 3] || row.gradient[i] != 0;
  if (used[0] + used[1] + used[2] != 1) return -1;
  return used[0] ? 0 : used[1] ? 1 : 2;
}

}  // namespace

double LowRank::Row::along(const double* d) const {
  double sum = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) sum += gradient[3 * i + k] * d[3 * vertices[i] + k];
  return sum;
}

bool LowRank::Row::meets(const Row& other) const {
  return std::any_of(components.begin(), components.end(), [&](int c) {
    return std::find(other.components.begin(), other.components.end(), c) != other.components.end();
  });
}

const double* LowRank::Row::part(std::ptrdiff_t begin) const {
  const double* at = column.data();
  for (const ComponentSet::Chunk& chunk : parts) {
    if (chunk.begin == begin) return at;
    at += chunk.end - chunk.begin;
  }
  return nullptr;
}

// Without pinned rows of unknowns.
LowRank::Row LowRank::make_row(RankOneStiffness stiffness) const {
  const Space& space = problem_->space();
  Row row{std::move(stiffness), {}, {}, {}};
  for (std::size_t i = 0; i < row.vertices.size(); ++i) {
    const int v = row.vertices[i];
    row.components.push_back(space.row_component()[v]);
    if (space.free_index()[v] < 0) std::fill_n(&row.gradient[3 * i], 3, 0.0);
  }
  std::sort(row.components.begin(), row.components.end());
  row.components.erase(std::unique(row.components.begin(), row.components.end()), row.components.end());
  return row;
}

void LowRank::set(Problem& problem, std::vector<RankOneStiffness> rows, std::uint64_t version) {
  problem_ = &problem;
  std::vector<Row> before;
  before.swap(rows_);
  for (RankOneStiffness& row : rows) rows_.push_back(make_row(std::move(row)));
  if (version != 0 && version == version_) keep_columns(before);
  version_ = version;
  if (rows_.empty()) return;
  make_columns();
  factorise();
}

void LowRank::keep_columns(std::vector<Row>& before) {
  for (Row& row : rows_) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const Row& other) {
      return !other.column.empty() && row.vertices == other.vertices && row.gradient == other.gradient;
    });
    if (same != before.end()) row.column = std::move(same->column), row.parts = std::move(same->parts);
  }
}

// Rows without a common component have their columns solved for at once; so have three rows along one axis each,
// where B is the same for all axes.
void LowRank::make_columns() {
  std::vector<char> made(rows_.size(), 0);
  const bool by_axis = inner_.same_on_axes();
  std::vector<std::size_t> together;
  for (std::size_t first = 0; first < rows_.size(); ++first) {
    if (made[first] != 0 || !rows_[first].column.empty()) continue;
    const bool single = by_axis && single_axis(rows_[first]) >= 0;
    const std::size_t most = single ? 3 : rows_.size();
    together.clear();
    for (std::size_t i = first; i < rows_.size() && together.size() < most; ++i) {
      if (made[i] != 0 || !rows_[i].column.empty()) continue;
      const bool fits = single ? single_axis(rows_[i]) >= 0
                               : std::none_of(together.begin(), together.end(),
                                              [&](std::size_t j) { return rows_[i].meets(rows_[j]); });
      if (fits) together.push_back(i), made[i] = 1;
    }
    make_columns(together);
  }
}

// Each of three rows along an axis stands in an axis of its own of the product.
void LowRank::make_columns(std::span<const std::size_t> rows) {
  const bool single = inner_.same_on_axes() && single_axis(rows_[rows[0]]) >= 0;
  wide_.assign(problem_->space().size(), 0.0);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const Row& row = rows_[rows[n]];
    const int axis = std::max(0, single_axis(row));
    for (std::size_t v = 0; v < row.vertices.size(); ++v) {
      double* to = &wide_[3 * row.vertices[v]];
      if (single) to[n] = row.gradient[3 * v + axis];
      else std::copy_n(&row.gradient[3 * v], 3, to);
    }
  }
  inner_.apply(wide_.data(), wide_.data());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    Row& row = rows_[rows[n]];
    const int axis = std::max(0, single_axis(row));
    for (const ComponentSet::Chunk& chunk : problem_->space().components().chunks()) {
      if (!std::binary_search(row.components.begin(), row.components.end(), chunk.component)) continue;
      row.parts.push_back(chunk);
      const std::size_t start = row.column.size();
      row.column.insert(row.column.end(), wide_.begin() + chunk.begin, wide_.begin() + chunk.end);
      for (std::size_t i = start; single && i < row.column.size(); i += 3) {
        const double entry = row.column[i + n];
        std::fill_n(&row.column[i], 3, 0.0);
        row.column[i + axis] = entry;
      }
    }
  }
}

void LowRank::factorise() {
  const auto n = static_cast<int>(rows_.size());
  DenseMatrix matrix(n, n);
  wide_.assign(problem_->space().size(), 0.0);
  for (int j = 0; j < n; ++j) {
    const Row& row = rows_[j];
    for (const ComponentSet::Chunk& chunk : row.parts)
      std::copy_n(row.part(chunk.begin), chunk.end - chunk.begin, &wide_[chunk.begin]);
    for (int i = j; i < n; ++i)
      if (const Row& other = rows_[i]; other.meets(row)) matrix(i, j) = other.along(wide_.data());
    matrix(j, j) += 1 / row.stiffness;
    for (const ComponentSet::Chunk& chunk : row.parts)
      std::fill_n(&wide_[chunk.begin], chunk.end - chunk.begin, 0.0);
  }
  if (!capacitance_.factorise(std::move(matrix))) rows_.clear();  // round-off: B alone is a preconditioner too
}

void LowRank::correct(double* d) {
  if (rows_.empty()) return;
  const Space& space = problem_->space();
  loads_.assign(rows_.size(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& components = rows_[i].components;
    if (std::any_of(components.begin(), components.end(), [&](int c) { return space.components().active(c); }))
      loads_[i] = rows_[i].along(d);
  }
  capacitance_.solve(loads_);
  space.each_component([&](std::ptrdiff_t begin, std::ptrdiff_t end, int) {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (const double* column = rows_[i].part(begin))
        for (std::ptrdiff_t k = begin; k < end; ++k) d[k] -= loads_[i] * column[k - begin];
  });
}

// x, y and z of every held vertex, which several rows of unknowns may move.
std::vector<RankOneStiffness> drag_rows(Problem& problem) {
  const Space& space = problem.space();
  std::vector<PointStiffness> points;
  problem.blocks().drags().add_points(space.rest().data(), points);
  std::stable_sort(points.begin(), points.end(),
                   [](const PointStiffness& a, const PointStiffness& b) { return a.vertex < b.vertex; });
  std::vector<RankOneStiffness> out;
  std::vector<std::pair<int, double>> weights;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto stiffness = [](const PointStiffness& p) { return (p.hessian[0] + p.hessian[2] + p.hessian[5]) / 3; };
    double total = stiffness(points[i]);
    for (; i + 1 < points.size() && points[i + 1].vertex == points[i].vertex; ++i)
      total += stiffness(points[i + 1]);
    if (!(total > 0)) continue;
    space.coordinates().weights(points[i].vertex, weights);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      RankOneStiffness& row = out.emplace_back(RankOneStiffness{{}, {}, total});
      for (const auto& [unknown, weight] : weights) {
        row.vertices.push_back(unknown);
        for (std::size_t k = 0; k < 3; ++k) row.gradient.push_back(k == axis ? weight : 0.0);
      }
    }
  }
  return out;
}

}  // namespace resilin
