#include "solvers/precondition/mean_step.h"

namespace resilin {

void MeanStep::note(const Problem& problem, const double* r) {
  const double tau2 = problem.stage().tau * problem.stage().tau;
  wanted_.assign(groups_.size(), {});
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!wanted(problem, groups_[g])) continue;
    const auto vertices = groups_[g].vertices;
    wanted_[g] = problem.space().sum<3>(std::ssize(vertices), scratch_, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      std::array<double, 3> sum{};
      for (std::ptrdiff_t i = b; i < e; ++i)
        for (std::size_t k = 0; k < 3; ++k) sum[k] += r[3 * vertices[i] + k];
      return sum;
    });
    for (double& sum : wanted_[g]) sum *= tau2;
  }
}

void MeanStep::correct(const Problem& problem, double* d) {
  const auto mass = problem.space().vertex_mass();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (!wanted(problem, group)) continue;
    const std::ptrdiff_t count = std::ssize(group.vertices);
    const auto sums = problem.space().sum<4>(count, scratch_, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      std::array<double, 4> sum{};
      for (std::ptrdiff_t i = b; i < e; ++i) {
        const int v = group.vertices[i];
        for (std::size_t k = 0; k < 3; ++k) sum[k] += mass[v] * d[3 * v + k];
        sum[3] += mass[v];
      }
      return sum;
    });
    double gap[3], shift[3];
    for (std::size_t k = 0; k < 3; ++k) gap[k] = (wanted_[g][k] - sums[k]) / sums[3];
    for (std::size_t k = 0; k < 3; ++k)
      shift[k] = group.along[3 * k] * gap[0] + group.along[3 * k + 1] * gap[1] + group.along[3 * k + 2] * gap[2];
    problem.space().chunks(count, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t i = b; i < e; ++i)
        for (int k = 0; k < 3; ++k) d[3 * group.vertices[i] + k] += shift[k];
    });
  }
}

std::vector<std::vector<int>> free_islands(const Space& space, std::span<const char> held) {
  const ComponentSet& components = space.components();
  std::vector<int> free(components.count(), 0), all = free;  // components by island
  for (const auto& component : space.floating_components())
    if (const int c = space.component()[component[0]]; held[c] == 0) ++free[components.island(c)];
  for (const int island : components.islands()) ++all[island];
  std::vector<std::vector<int>> members(all.size());
  for (int v = 0; v < space.vertices(); ++v)
    if (const int of = components.island(space.component()[v]); free[of] == all[of]) members[of].push_back(v);
  std::erase_if(members, [](const std::vector<int>& vertices) { return vertices.empty(); });
  return members;
}

}  // namespace resilin
