#include "solvers/interface_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace resilin {
namespace {

constexpr std::size_t patch_cuts = 2;   // an interface has up to 4 patches
constexpr std::size_t least_patch = 8;  // pairs
constexpr double renewed = 0.25;        // new rows when the number of touching pairs has changed by so much

// Cut across the longest extent of the places, in the middle; ties keep the order.
void bisect(const std::vector<std::array<double, 3>>& place, std::span<int> ids, std::size_t cuts,
            std::vector<std::span<int>>& out) {
  if (cuts == 0 || ids.size() < 2 * least_patch) return out.push_back(ids);
  std::array<double, 3> low = place[static_cast<std::size_t>(ids[0])], high = low;
  for (const int i : ids)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], place[static_cast<std::size_t>(i)][k]);
      high[k] = std::max(high[k], place[static_cast<std::size_t>(i)][k]);
    }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (high[k] - low[k] > (high[axis] - low[axis]) * (1 + 1e-9)) axis = k;
  std::sort(ids.begin(), ids.end(), [&](int a, int b) {
    const double x = place[static_cast<std::size_t>(a)][axis], y = place[static_cast<std::size_t>(b)][axis];
    return x != y ? x < y : a < b;
  });
  bisect(place, ids.first(ids.size() / 2), cuts - 1, out);
  bisect(place, ids.subspan(ids.size() / 2), cuts - 1, out);
}

// What slides would be braked.
bool in_rows(const PairStiffness& pair) { return pair.stiffness > 0 || pair.tangential > 0; }

}  // namespace

std::size_t InterfaceRows::count_rows() const {
  return static_cast<std::size_t>(std::count_if(pairs_.begin(), pairs_.end(), in_rows));
}

double InterfaceRows::Row::along(const double* d) const {
  double sum = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      sum += gradient[3 * i + k] * d[3 * static_cast<std::size_t>(vertices[i]) + k];
  return sum;
}

bool InterfaceRows::Row::meets(const Row& other) const {
  return std::any_of(components.begin(), components.end(), [&](int c) {
    return std::find(other.components.begin(), other.components.end(), c) != other.components.end();
  });
}

const double* InterfaceRows::Row::part(std::ptrdiff_t begin) const {
  const double* at = column.data();
  for (const ComponentSet::Chunk& chunk : parts) {
    if (chunk.begin == begin) return at;
    at += chunk.end - chunk.begin;
  }
  return nullptr;
}

// With the components that it touches, without pinned vertices.
void InterfaceRows::add(const Problem& problem, Row row) {
  for (std::size_t i = 0; i < row.vertices.size(); ++i) {
    row.components.push_back(problem.space().component()[static_cast<std::size_t>(row.vertices[i])]);
    if (problem.space().free_index()[static_cast<std::size_t>(row.vertices[i])] < 0)
      std::fill_n(&row.gradient[3 * i], 3, 0.0);
  }
  std::sort(row.components.begin(), row.components.end());
  row.components.erase(std::unique(row.components.begin(), row.components.end()), row.components.end());
  rows_.push_back(std::move(row));
}

void InterfaceRows::add_global_energies(Problem& problem, const double* y) {
  for (const RankOneStiffness& one : problem.linearise(y).rank_one())
    add(problem, {one.vertices, one.gradient, one.stiffness, {}, {}, {}});
}

// By the two components of each pair; a component that touches itself has none: what that lacks in A is local.
void InterfaceRows::add_interfaces(Problem& problem, const double* y) {
  pairs_ = problem.linearise(y).pairs();
  touched_ = count_rows();
  std::map<std::array<int, 2>, std::vector<int>> interfaces;
  std::vector<std::array<double, 3>> place(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PairStiffness& pair = pairs_[i];
    const int a = problem.space().component()[static_cast<std::size_t>(pair.vertices[0])],
              b = problem.space().component()[static_cast<std::size_t>(pair.vertices[3])];
    if (a == b || !in_rows(pair)) continue;
    interfaces[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(i));
    for (std::size_t k = 0; k < 3; ++k) place[i][k] = y[3 * static_cast<std::size_t>(pair.vertices[0]) + k];
  }
  std::vector<std::span<int>> patches;
  for (auto& [components, members] : interfaces) bisect(place, members, patch_cuts, patches);
  for (const auto& patch : patches) add_patch(problem, y, patch);
}

void InterfaceRows::add_patch(const Problem& problem, const double*, std::span<const int> members) {
  add_mean(problem, members, nullptr);
  std::array<double, 3> normal{};
  double tangential = 0;
  for (const int i : members) {
    const PairStiffness& pair = pairs_[static_cast<std::size_t>(i)];
    // Pairs may look at the interface from either side.
    const double sign =
        normal[0] * pair.normal[0] + normal[1] * pair.normal[1] + normal[2] * pair.normal[2] < 0 ? -1 : 1;
    for (std::size_t k = 0; k < 3; ++k) normal[k] += sign * pair.stiffness * pair.normal[k];
    tangential += pair.tangential;
  }
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  if (!(tangential > 0) || !(length > 0)) return;
  for (double& n : normal) n /= length;
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(normal[k]) < std::abs(normal[least])) least = k;
  std::array<double, 3> first{}, second;
  for (std::size_t k = 0; k < 3; ++k) first[k] = (k == least ? 1.0 : 0.0) - normal[least] * normal[k];
  const double size = std::hypot(first[0], first[1], first[2]);
  for (double& t : first) t /= size;
  for (std::size_t k = 0; k < 3; ++k)
    second[k] = normal[(k + 1) % 3] * first[(k + 2) % 3] - normal[(k + 2) % 3] * first[(k + 1) % 3];
  add_mean(problem, members, &first);
  add_mean(problem, members, &second);
}

// sum k times the square of the mean row; along the normals of the pairs, or along an axis where they stick.
void InterfaceRows::add_mean(const Problem& problem, std::span<const int> members,
                             const std::array<double, 3>* axis) {
  std::map<int, std::array<double, 3>> sum;
  double total = 0;
  const PairStiffness& first = pairs_[static_cast<std::size_t>(members[0])];
  const int side = problem.space().component()[static_cast<std::size_t>(first.vertices[0])];
  for (const int i : members) {
    const PairStiffness& pair = pairs_[static_cast<std::size_t>(i)];
    const double k = axis == nullptr ? pair.stiffness : pair.tangential;
    const std::array<double, 3>& direction = axis == nullptr ? pair.normal : *axis;
    // As seen from one side; along a normal both signs agree, since it turns with the side.
    const bool turned =
        axis != nullptr && problem.space().component()[static_cast<std::size_t>(pair.vertices[0])] != side;
    for (std::size_t v = 0; v < 4; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        sum[pair.vertices[v]][c] += (turned ? -k : k) * pair.weight[v] * direction[c];
    total += k;
  }
  if (!(total > 0)) return;
  Row row{{}, {}, total, {}, {}, {}};
  for (const auto& [vertex, g] : sum) {
    row.vertices.push_back(vertex);
    for (const double value : g) row.gradient.push_back(value / total);
  }
  add(problem, std::move(row));
}

// Rows without a common component have their columns solved for at once.
void InterfaceRows::make_columns(const Problem& problem, Solve solve) {
  std::vector<char> made(rows_.size(), 0);
  std::vector<std::size_t> together;
  const auto size = static_cast<std::size_t>(problem.space().size());
  for (std::size_t first = 0; first < rows_.size(); ++first) {
    if (made[first] != 0) continue;
    together.clear();
    for (std::size_t i = first; i < rows_.size(); ++i)
      if (made[i] == 0 &&
          std::none_of(together.begin(), together.end(), [&](std::size_t j) { return rows_[i].meets(rows_[j]); }))
        together.push_back(i), made[i] = 1;
    load_.assign(size, 0.0);
    for (const std::size_t i : together)
      for (std::size_t v = 0; v < rows_[i].vertices.size(); ++v)
        std::copy_n(&rows_[i].gradient[3 * v], 3, &load_[3 * static_cast<std::size_t>(rows_[i].vertices[v])]);
    solve(load_.data(), load_.data());
    for (const std::size_t i : together) {
      Row& row = rows_[i];
      for (const ComponentSet::Chunk& chunk : problem.space().components().chunks()) {
        if (!std::binary_search(row.components.begin(), row.components.end(), chunk.component)) continue;
        row.parts.push_back(chunk);
        row.column.insert(row.column.end(), load_.begin() + chunk.begin, load_.begin() + chunk.end);
      }
    }
  }
}

void InterfaceRows::factorise(std::size_t size) {
  const std::size_t n = rows_.size();
  factor_.assign(n * n, 0.0), first_.resize(n);
  load_.assign(size, 0.0);
  for (std::size_t j = 0; j < n; ++j) {  // G^T B G
    const Row& row = rows_[j];
    for (const ComponentSet::Chunk& chunk : row.parts)
      std::copy_n(row.part(chunk.begin), chunk.end - chunk.begin, &load_[static_cast<std::size_t>(chunk.begin)]);
    for (std::size_t i = j; i < n; ++i)
      if (rows_[i].meets(row)) factor_[i * n + j] = rows_[i].along(load_.data());
    for (const ComponentSet::Chunk& chunk : row.parts)
      std::fill_n(&load_[static_cast<std::size_t>(chunk.begin)], chunk.end - chunk.begin, 0.0);
  }
  for (std::size_t i = 0; i < n; ++i) {
    double* a = &factor_[i * n];
    first_[i] = static_cast<std::size_t>(std::find_if(a, a + i, [](double x) { return x != 0; }) - a);
    a[i] += 1 / rows_[i].stiffness;
    for (std::size_t j = first_[i]; j <= i; ++j) {
      const double* b = &factor_[j * n];
      double sum = a[j];
      for (std::size_t k = std::max(first_[i], first_[j]); k < j; ++k) sum -= a[k] * b[k];
      a[j] = i == j ? std::sqrt(sum) : sum / b[j];
    }
  }
}

void InterfaceRows::update(Problem& problem, const double* y, bool interfaces, Solve solve) {
  rows_.clear();
  add_global_energies(problem, y);
  if (interfaces && !problem.blocks().contacts().empty()) add_interfaces(problem, y);
  if (rows_.empty()) return;
  make_columns(problem, solve);
  factorise(static_cast<std::size_t>(problem.space().size()));
}

bool InterfaceRows::outdated(Problem& problem, const double* y) {
  if (problem.blocks().contacts().empty()) return false;
  pairs_ = problem.linearise(y).pairs();
  const double now = static_cast<double>(count_rows()), before = static_cast<double>(touched_);
  return std::abs(now - before) > renewed * std::max(now, before);
}

void InterfaceRows::solve(Problem& problem, const double* y, const double* r, double* d, Solve solve) {
  update(problem, y, true, solve);
  solve(r, d);
  correct(problem, d);
}

void InterfaceRows::correct(const Problem& problem, double* d) {
  const std::size_t n = rows_.size();
  if (n == 0) return;
  pulls_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const bool active = std::any_of(rows_[i].components.begin(), rows_[i].components.end(),
                                    [&](int c) { return problem.space().components().active(c); });
    double sum = active ? rows_[i].along(d) : 0;
    for (std::size_t k = first_[i]; k < i; ++k) sum -= factor_[i * n + k] * pulls_[k];
    pulls_[i] = sum / factor_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    pulls_[i] /= factor_[i * n + i];
    for (std::size_t k = first_[i]; k < i; ++k) pulls_[k] -= factor_[i * n + k] * pulls_[i];
  }
  problem.space().components().each(problem.space().pool(), [&](std::ptrdiff_t begin, std::ptrdiff_t end, int) {
    for (std::size_t i = 0; i < n; ++i)
      if (const double* column = rows_[i].part(begin))
        for (std::ptrdiff_t k = begin; k < end; ++k) d[k] -= pulls_[i] * column[k - begin];
  });
}

}  // namespace resilin
