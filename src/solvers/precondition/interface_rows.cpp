#include "solvers/precondition/interface_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/bisection.h"

namespace resilin {
namespace {

constexpr std::size_t patch_cuts = 2;   // an interface has up to 4 patches
constexpr std::size_t least_patch = 8;  // pairs

using Pairs = std::span<const PairStiffness>;
using Axis = std::array<double, 3>;

bool in_rows(const PairStiffness& pair) { return pair.stiffness > 0 || pair.tangential > 0; }

int side_of(const Problem& problem, int vertex) { return problem.space().component()[vertex]; }

// Halves of equal number across the longest extent of the places.
void cut(const std::vector<Axis>& place, std::span<int> ids, std::size_t cuts, std::vector<std::span<int>>& out) {
  if (cuts == 0 || ids.size() < 2 * least_patch) return out.push_back(ids);
  sort_along_longest(
      ids, [&](int i) -> const Axis& { return place[static_cast<std::size_t>(i)]; },
      [](int a, int b) { return a < b; });
  cut(place, ids.first(ids.size() / 2), cuts - 1, out);
  cut(place, ids.subspan(ids.size() / 2), cuts - 1, out);
}

// sum k times the square of the mean row; along the normals of the pairs, or along an axis where they stick.
void add_mean(const Problem& problem, Pairs pairs, std::span<const int> members, const Axis* axis,
              std::vector<RankOneStiffness>& rows) {
  std::map<int, Axis> sum;
  double total = 0;
  const int side = side_of(problem, pairs[static_cast<std::size_t>(members[0])].vertices[0]);
  for (const int i : members) {
    const PairStiffness& pair = pairs[static_cast<std::size_t>(i)];
    const double k = axis == nullptr ? pair.stiffness : pair.tangential;
    const Axis& direction = axis == nullptr ? pair.normal : *axis;
    // As seen from one side; along a normal both signs agree, since it turns with the side.
    const bool turned = axis != nullptr && side_of(problem, pair.vertices[0]) != side;
    for (std::size_t v = 0; v < 4; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        sum[pair.vertices[v]][c] += (turned ? -k : k) * pair.weight[v] * direction[c];
    total += k;
  }
  if (!(total > 0)) return;
  RankOneStiffness row{{}, {}, total};
  for (const auto& [vertex, g] : sum) {
    row.vertices.push_back(vertex);
    for (const double value : g) row.gradient.push_back(value / total);
  }
  rows.push_back(std::move(row));
}

// Two unit vectors across n and each other.
std::array<Axis, 2> tangents(const Axis& n) {
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(n[k]) < std::abs(n[least])) least = k;
  std::array<Axis, 2> out{};
  for (std::size_t k = 0; k < 3; ++k) out[0][k] = (k == least ? 1.0 : 0.0) - n[least] * n[k];
  const double size = std::hypot(out[0][0], out[0][1], out[0][2]);
  for (double& t : out[0]) t /= size;
  for (std::size_t k = 0; k < 3; ++k)
    out[1][k] = n[(k + 1) % 3] * out[0][(k + 2) % 3] - n[(k + 2) % 3] * out[0][(k + 1) % 3];
  return out;
}

void add_patch(const Problem& problem, Pairs pairs, std::span<const int> members,
               std::vector<RankOneStiffness>& rows) {
  add_mean(problem, pairs, members, nullptr, rows);
  Axis normal{};
  double tangential = 0;
  for (const int i : members) {
    const PairStiffness& pair = pairs[static_cast<std::size_t>(i)];
    // Pairs may look at the interface from either side.
    const double sign =
        normal[0] * pair.normal[0] + normal[1] * pair.normal[1] + normal[2] * pair.normal[2] < 0 ? -1 : 1;
    for (std::size_t k = 0; k < 3; ++k) normal[k] += sign * pair.stiffness * pair.normal[k];
    tangential += pair.tangential;
  }
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  if (!(tangential > 0) || !(length > 0)) return;
  for (double& n : normal) n /= length;
  for (const Axis& tangent : tangents(normal)) add_mean(problem, pairs, members, &tangent, rows);
}

}  // namespace

std::size_t count_in_rows(std::span<const PairStiffness> pairs) {
  return static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), in_rows));
}

// A component that touches itself has no rows: what that lacks in A is local.
void add_interface_rows(const Problem& problem, const double* y, std::span<const PairStiffness> pairs,
                        std::vector<RankOneStiffness>& rows) {
  std::map<std::array<int, 2>, std::vector<int>> interfaces;
  std::vector<Axis> place(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const PairStiffness& pair = pairs[i];
    const int a = side_of(problem, pair.vertices[0]), b = side_of(problem, pair.vertices[3]);
    if (a == b || !in_rows(pair)) continue;
    interfaces[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(i));
    for (std::size_t k = 0; k < 3; ++k) place[i][k] = y[3 * pair.vertices[0] + k];
  }
  std::vector<std::span<int>> patches;
  for (auto& [components, members] : interfaces) cut(place, members, patch_cuts, patches);
  for (const auto& patch : patches) add_patch(problem, pairs, patch, rows);
}

}  // namespace resilin
