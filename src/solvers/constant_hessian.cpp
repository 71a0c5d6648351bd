#include "solvers/constant_hessian.h"

#include <algorithm>
#include <cmath>

#include "core/chunks.h"
#include "core/stamp.h"

namespace resilin {

bool ConstantHessian::prepare(Problem& problem) {
  const std::uint64_t stiffness = problem.constant().stamp(), before = slots_[current_].stiffness;
  if (recall(problem, stiffness)) {
    // Fits of a subspace are those of the matrix that it made last.
    if (!problem.space().rows_are_vertices() && stiffness != before) problem.constant().matrix();
    return false;
  }
  held_.assign(problem.space().floating_components().size(), 0);
  factorise(problem, problem.constant().matrix(), stiffness);
  return true;
}

bool ConstantHessian::prepare(Problem& problem, const ElementWeights& weights) {
  Stamp stamp;
  stamp.add(problem.revision().stiffness);
  for (const auto& of_term : weights) stamp.add(std::span(of_term));
  if (recall(problem, stamp.value())) return false;
  // Obstacles have a weight though they have no stiffness: what can touch them does not float in this matrix.
  std::vector<char> touched(problem.space().vertices(), 0);
  for (const Term& term : problem.elements().model().terms)
    for (int i = 0; i < term.elements.size() && !term.elements.translation_free(); ++i)
      for (const int v : term.elements.vertices(i)) touched[v] = 1;
  held_.clear();
  for (const auto& component : problem.space().floating_components())
    held_.push_back(std::any_of(component.begin(), component.end(), [&](int v) { return touched[v] != 0; }));
  factorise(problem, problem.constant().matrix(weights), stamp.value());
  return true;
}

bool ConstantHessian::recall(const Problem& problem, std::uint64_t stiffness) {
  ++clock_;
  for (int i = 0; i < 2; ++i) {
    if (slots_[i].version > 0 && slots_[i].tau == problem.stage().tau && slots_[i].stiffness == stiffness) {
      slots_[i].age = clock_;
      current_ = i;
      return true;
    }
  }
  return false;
}

void ConstantHessian::make_blocks(const Problem& problem, std::vector<Block>& blocks) const {
  blocks.clear();
  blocks.resize(inner_.direct() ? static_cast<std::size_t>(problem.space().components().count()) : 1);
  for (int v = 0; v < problem.space().rows(); ++v) {
    if (problem.space().free_index()[v] < 0) continue;
    const int component = inner_.direct() ? problem.space().row_component()[v] : 0;
    blocks[component].component = component;
    blocks[component].vertices.push_back(v);
  }
  std::erase_if(blocks, [](const Block& block) { return block.vertices.empty(); });
  for (Block& block : blocks) {
    block.consecutive = block.vertices.back() - block.vertices.front() + 1 == std::ssize(block.vertices);
    if (!block.consecutive) block.packed.resize(3 * block.vertices.size());
  }
}

void ConstantHessian::factorise(Problem& problem, const SymmetricMatrix& matrix, std::uint64_t stiffness) {
  current_ = slots_[0].age <= slots_[1].age ? 0 : 1;
  Slot& slot = slots_[current_];
  // Where only numbers have changed, the plan of the factor (ordering, symbolic analysis) is that of before.
  const bool planned = slot.structure == problem.revision().structure;
  slot.version = 0;  // not to be recalled until it is done: it may be stopped
  if (!planned) slot.structure = 0, make_blocks(problem, slot.blocks);
  slot.positive_definite = true;
  std::vector<int> rows;
  for (Block& block : slot.blocks) {
    rows.clear();
    for (const int v : block.vertices) rows.push_back(problem.space().free_index()[v]);
    const SymmetricMatrix part = slot.blocks.size() > 1 ? matrix.submatrix(rows) : SymmetricMatrix();
    const SymmetricMatrix& own = slot.blocks.size() > 1 ? part : matrix;
    if (!planned) {
      block.solver = inner_.make(problem);
      block.solver->analyse(own);
      ++analyses_;
    }
    inner_.prepare(*block.solver, problem);
    slot.positive_definite =
        block.solver->factorise(own, problem.space().pool()).positive_definite && slot.positive_definite;
  }
  slot.structure = problem.revision().structure;
  slot.tau = problem.stage().tau;
  slot.stiffness = stiffness;
  slot.version = ++versions_;
  slot.age = clock_;
}

void ConstantHessian::solve_block(Block& block, const double* r, double* d, ThreadPool& pool) const {
  const std::ptrdiff_t first = 3 * static_cast<std::ptrdiff_t>(block.vertices[0]),
                       count = std::ssize(block.vertices);
  if (block.consecutive) return block.solver->solve(r + first, d + first, pool);
  const auto rows = [&](auto copy) {
    for_chunks(pool, 3 * count, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t i = b / 3; i < e / 3; ++i)
        copy(3 * static_cast<std::ptrdiff_t>(block.vertices[i]), block.packed.data() + 3 * i);
    });
  };
  rows([&](std::ptrdiff_t at, double* packed) { std::copy_n(r + at, 3, packed); });
  block.solver->solve(block.packed.data(), block.packed.data(), pool);
  rows([&](std::ptrdiff_t at, const double* packed) { std::copy_n(packed, 3, d + at); });
}

void ConstantHessian::solve_unheld(Problem& problem, const double* r, double* d) {
  constexpr std::size_t large = 2000;  // vertices: worth a solve on all threads
  auto& blocks = slots_[current_].blocks;
  const auto wanted = [&](const Block& block) {
    return !inner_.direct() || problem.space().components().active(block.component);
  };
  note_mean_steps(problem, r);  // first: r and d may be the same array
  for (Block& block : blocks)
    if (wanted(block) && (block.vertices.size() >= large || blocks.size() == 1))
      solve_block(block, r, d, problem.space().pool());
  if (blocks.size() > 1)
    problem.space().pool().parallel(static_cast<int>(blocks.size()), [&](int i) {
      if (wanted(blocks[i]) && blocks[i].vertices.size() < large) solve_block(blocks[i], r, d, serial_);
    });
  const auto& free = problem.space().free_index();
  if (problem.space().free_rows() < problem.space().rows())
    problem.space().components().each(problem.space().pool(), [&](std::ptrdiff_t b, std::ptrdiff_t e, int) {
      for (std::ptrdiff_t v = b / 3; v < e / 3; ++v)
        if (free[v] < 0) std::fill_n(d + 3 * v, 3, 0.0);
    });
  set_mean_steps(problem, d);
}

void ConstantHessian::hold_drags(Problem& problem) {
  std::vector<PointStiffness> points;
  if (!problem.elements().model().listed.empty())
    problem.blocks().drags().add_points(problem.space().rest().data(), points);
  std::vector<Held> held;
  std::vector<std::pair<int, double>> weights;
  for (const auto& point : points) {
    const double stiffness = (point.hessian[0] + point.hessian[2] + point.hessian[5]) / 3;
    problem.space().coordinates().weights(point.vertex, weights);
    if (problem.space().free_index()[weights[0].first] < 0 || !(stiffness > 0)) continue;
    const auto same = [&](const Held& h) { return h.vertex == point.vertex; };
    if (const auto twice = std::find_if(held.begin(), held.end(), same); twice != held.end()) {
      twice->stiffness += stiffness;
      continue;
    }
    held.push_back({point.vertex, problem.space().component()[point.vertex], stiffness, weights, {}});
    const auto kept = std::find_if(lagged_.begin(), lagged_.end(), same);
    if (kept != lagged_.end() && held_version_ == version()) held.back().column = std::move(kept->column);
  }
  lagged_ = std::move(held), held_version_ = version();
  if (lagged_.empty()) return;
  wide_.assign(static_cast<std::size_t>(problem.space().size()), 0.0);
  for (Held& h : lagged_) {
    if (!h.column.empty()) continue;
    for (const auto& [row, weight] : h.weights) wide_[3 * static_cast<std::size_t>(row)] = weight;
    solve_unheld(problem, wide_.data(), wide_.data());
    h.column.resize(static_cast<std::size_t>(problem.space().rows()));
    for (std::size_t v = 0; v < h.column.size(); ++v) h.column[v] = wide_[3 * v];
    std::fill(wide_.begin(), wide_.end(), 0.0);
  }
  // Dense and small: Cholesky, lower triangle.
  const std::size_t n = lagged_.size();
  capacitance_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1 / lagged_[i].stiffness : 0;
      for (const auto& [row, weight] : lagged_[i].weights) sum += weight * lagged_[j].column[row];
      for (std::size_t k = 0; k < j; ++k) sum -= capacitance_[i * n + k] * capacitance_[j * n + k];
      capacitance_[i * n + j] = i == j ? std::sqrt(sum) : sum / capacitance_[j * n + j];
    }
}

void ConstantHessian::solve(Problem& problem, const double* r, double* d) {
  solve_unheld(problem, r, d);
  const std::size_t n = lagged_.size();
  if (n == 0) return;
  pulls_.assign(3 * n, 0.0);
  for (int axis = 0; axis < 3; ++axis) {
    double* p = pulls_.data() + axis * n;
    for (std::size_t i = 0; i < n; ++i) {
      const bool active = problem.space().components().active(lagged_[i].component);
      double sum = 0;
      for (const auto& [row, weight] : lagged_[i].weights) sum += active ? weight * d[3 * row + axis] : 0;
      for (std::size_t k = 0; k < i; ++k) sum -= capacitance_[i * n + k] * p[k];
      p[i] = sum / capacitance_[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) p[i] -= capacitance_[k * n + i] * p[k];
      p[i] /= capacitance_[i * n + i];
    }
  }
  problem.space().components().each(problem.space().pool(), [&](std::ptrdiff_t b, std::ptrdiff_t e, int c) {
    for (std::size_t i = 0; i < n; ++i) {
      if (lagged_[i].component != c) continue;
      for (std::ptrdiff_t v = b / 3; v < e / 3; ++v)
        for (int k = 0; k < 3; ++k) d[3 * v + k] -= lagged_[i].column[v] * pulls_[k * n + i];
    }
  });
}

// sum m d = tau^2 sum r over a floating component.
void ConstantHessian::note_mean_steps(Problem& problem, const double* r) {
  const double tau2 = problem.stage().tau * problem.stage().tau;
  mean_.assign(3 * problem.space().floating_components().size(), 0.0);
  double* wanted = mean_.data();
  for (const auto& component : problem.space().floating_components()) {
    if (!problem.space().components().active(problem.space().component()[component[0]])) {
      wanted += 3;
      continue;
    }
    const auto sums = sum_chunks<3>(problem.space().pool(), std::ssize(component), sums_,
                                    [&](std::ptrdiff_t b, std::ptrdiff_t e) {
                                      std::array<double, 3> sum{};
                                      for (std::ptrdiff_t i = b; i < e; ++i)
                                        for (int k = 0; k < 3; ++k) sum[k] += r[3 * component[i] + k];
                                      return sum;
                                    });
    for (const double sum : sums) *wanted++ = tau2 * sum;
  }
}

void ConstantHessian::set_mean_steps(Problem& problem, double* d) {
  const auto mass = problem.space().coordinates().vertex_mass();
  const double* wanted = mean_.data();
  for (std::size_t f = 0; f < held_.size(); ++f, wanted += 3) {
    const auto& component = problem.space().floating_components()[f];
    if (held_[f] != 0 || !problem.space().components().active(problem.space().component()[component[0]])) continue;
    const auto sums = sum_chunks<4>(problem.space().pool(), std::ssize(component), sums_,
                                    [&](std::ptrdiff_t b, std::ptrdiff_t e) {
                                      std::array<double, 4> sum{};
                                      for (std::ptrdiff_t i = b; i < e; ++i) {
                                        const int v = component[i];
                                        for (int k = 0; k < 3; ++k) sum[k] += mass[v] * d[3 * v + k];
                                        sum[3] += mass[v];
                                      }
                                      return sum;
                                    });
    for_chunks(problem.space().pool(), std::ssize(component), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t i = b; i < e; ++i)
        for (int k = 0; k < 3; ++k) d[3 * component[i] + k] += (wanted[k] - sums[k]) / sums[3];
    });
  }
}

}  // namespace resilin
