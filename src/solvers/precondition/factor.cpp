#include "solvers/precondition/factor.h"

#include <algorithm>

#include "core/stamp.h"

namespace resilin {

bool Factor::prepare(Problem& problem) {
  const std::uint64_t stiffness = problem.constant().stamp();
  const bool known = recall(problem, stiffness);
  if (known) problem.constant().restore();
  else factorise(problem.constant().matrix(), stiffness);
  find_mean_steps([](const std::vector<int>&) { return false; });
  return !known;
}

bool Factor::prepare(Problem& problem, const ElementWeights& weights) {
  Stamp stamp;
  stamp.add(problem.revision().stiffness);
  for (const auto& of_term : weights) stamp.add(std::span(of_term));
  const bool known = recall(problem, stamp.value());
  if (!known) factorise(problem.constant().matrix(weights), stamp.value());
  // Obstacles have a weight though they have no stiffness: vertices that can touch them do not float in this
  // matrix.
  touched_.assign(problem.space().vertices(), 0);
  for (const int v : problem.elements().held_vertices()) touched_[v] = 1;
  find_mean_steps([&](const std::vector<int>& component) {
    return std::any_of(component.begin(), component.end(), [&](int v) { return touched_[v] != 0; });
  });
  return !known;
}

void Factor::find_mean_steps(FunctionRef<bool(const std::vector<int>&)> held) {
  std::vector<MeanStep::Group> groups;
  for (const auto& component : problem_->space().floating_components())
    if (!held(component)) groups.push_back({component, problem_->space().component()[component[0]]});
  mean_step_.set(std::move(groups));
}

bool Factor::recall(Problem& problem, std::uint64_t stiffness) {
  problem_ = &problem;
  ++clock_;
  for (int i = 0; i < 2; ++i) {
    Slot& slot = slots_[i];
    if (slot.version == 0 || slot.tau != problem.stage().tau || slot.stiffness != stiffness) continue;
    slot.age = clock_, current_ = i;
    return true;
  }
  return false;
}

void Factor::make_blocks(std::vector<Block>& blocks) const {
  const Space& space = problem_->space();
  blocks.clear();
  blocks.resize(inner_.direct() ? space.components().count() : 1);
  for (int row = 0; row < space.rows(); ++row) {
    if (space.free_index()[row] < 0) continue;
    const int component = inner_.direct() ? space.row_component()[row] : 0;
    Block& block = blocks[component];
    block.component = component;
    block.rows.push_back(row);
  }
  std::erase_if(blocks, [](const Block& block) { return block.rows.empty(); });
  for (Block& block : blocks) {
    block.consecutive = block.rows.back() - block.rows.front() + 1 == std::ssize(block.rows);
    if (!block.consecutive) block.packed.resize(3 * block.rows.size());
  }
}

void Factor::factorise(const SymmetricMatrix& matrix, std::uint64_t stiffness) {
  const Space& space = problem_->space();
  current_ = slots_[0].age <= slots_[1].age ? 0 : 1;
  Slot& slot = slots_[current_];
  // Where only numbers have changed, the plan of the factor (ordering, symbolic analysis) is that of before.
  const std::uint64_t structure = problem_->revision().structure;
  const bool planned = slot.structure == structure;
  slot.version = 0;  // not to be recalled until it is done: it may be stopped
  if (!planned) slot.structure = 0, make_blocks(slot.blocks);
  slot.positive_definite = true;
  std::vector<int> rows;
  for (Block& block : slot.blocks) {
    rows.clear();
    for (const int row : block.rows) rows.push_back(space.free_index()[row]);
    const SymmetricMatrix part = slot.blocks.size() > 1 ? matrix.submatrix(rows) : SymmetricMatrix();
    const SymmetricMatrix& own = slot.blocks.size() > 1 ? part : matrix;
    if (!planned) {
      block.solver = inner_.make(*problem_);
      block.solver->analyse(own);
      ++analyses_;
    }
    inner_.prepare(*block.solver, *problem_);
    slot.positive_definite = space.factorise(*block.solver, own).positive_definite && slot.positive_definite;
  }
  slot.structure = structure;
  slot.tau = problem_->stage().tau;
  slot.stiffness = stiffness;
  slot.version = ++versions_;
  slot.age = clock_;
}

const NeighbourMatrix& Factor::neighbours() {
  if (neighbours_of_ != version()) neighbours_ = neighbour_matrix(*problem_), neighbours_of_ = version();
  return neighbours_;
}

// `alone`: on the calling thread.
void Factor::solve_block(Block& block, const double* r, double* d, bool alone) const {
  const Space& space = problem_->space();
  const std::ptrdiff_t count = std::ssize(block.rows), first = 3 * static_cast<std::ptrdiff_t>(block.rows[0]);
  if (block.consecutive) return space.solve(*block.solver, r + first, d + first, alone);
  const auto each = [&](auto copy) {
    const auto run = [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t i = b / 3; i < e / 3; ++i)
        copy(3 * static_cast<std::ptrdiff_t>(block.rows[i]), block.packed.data() + 3 * i);
    };
    if (alone) run(0, 3 * count);
    else space.chunks(3 * count, run);
  };
  each([&](std::ptrdiff_t at, double* packed) { std::copy_n(r + at, 3, packed); });
  space.solve(*block.solver, block.packed.data(), block.packed.data(), alone);
  each([&](std::ptrdiff_t at, const double* packed) { std::copy_n(packed, 3, d + at); });
}

void Factor::apply(const double* r, double* d) {
  constexpr std::size_t large = 2000;  // rows: worth a solve on all threads
  const Space& space = problem_->space();
  auto& blocks = slots_[current_].blocks;
  const auto wanted = [&](const Block& block) {
    return !inner_.direct() || space.components().active(block.component);
  };
  mean_step_.note(*problem_, r);
  for (Block& block : blocks)
    if (wanted(block) && (block.rows.size() >= large || blocks.size() == 1)) solve_block(block, r, d, false);
  if (blocks.size() > 1)
    space.parallel(static_cast<int>(blocks.size()), [&](int i) {
      Block& block = blocks[i];
      if (wanted(block) && block.rows.size() < large) solve_block(block, r, d, true);
    });
  const auto& free = space.free_index();
  if (space.free_rows() < space.rows())
    space.each_component([&](std::ptrdiff_t b, std::ptrdiff_t e, int) {
      for (std::ptrdiff_t row = b / 3; row < e / 3; ++row)
        if (free[row] < 0) std::fill_n(d + 3 * row, 3, 0.0);
    });
  mean_step_.correct(*problem_, d);
}

}  // namespace resilin
