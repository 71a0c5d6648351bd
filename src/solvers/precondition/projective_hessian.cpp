#include "solvers/precondition/projective_hessian.h"

#include <algorithm>
#include <cmath>

#include "solvers/precondition/interface_rows.h"

namespace resilin {
namespace {

constexpr double most_of_budget = 0.25;  // that a linearisation may take
constexpr double longest_pause = 16;     // stages
constexpr int most_cuts = 3;
constexpr double renewed = 0.25;  // rows of interfaces are set anew when so many pairs have come or gone

}  // namespace

ProjectiveHessian::ProjectiveHessian(const InnerSolve& inner, const StiffnessFit& fit, Options options)
    : options_(options),
      fit_(fit),
      factor_(inner),
      drags_(factor_),
      obstacles_(factor_),
      interfaces_(coarse_),
      on_pairs_(interfaces_, factor_) {}

// At the first point of a stage elements may be crushed and smooth modes far from where they settle: a first step
// without the coarse level is better.
int ProjectiveHessian::begin(Problem& problem, const std::vector<double>& y, Memory& memory) {
  fit_.update(problem, y.data(), memory);
  const int made = factor_.prepare(problem) ? 1 : 0;
  if (!factor_.ok()) return -1;
  // Rows of unknowns without a mass are no vertices: they are coarse themselves, and none of them touches alone.
  const bool vertices = !problem.space().vertex_mass().empty();
  modes_ = vertices ? options_.modes : 0;
  by_rows_ = vertices && options_.contact;
  by_interfaces_ = vertices && options_.interfaces && !problem.blocks().contacts().empty();
  plain_ = false;
  if (by_rows_) obstacles_.begin(problem);
  else drags_.set(problem, drag_rows(problem), factor_.version());
  coarse_.begin(problem, by_rows_ ? static_cast<Operator&>(obstacles_) : drags_, factor_, modes_);
  on_pairs_.begin(problem);
  set_interfaces(problem, y);
  if (modes_ > 0) recall_pauses(problem, memory);
  return made;
}

void ProjectiveHessian::iterate(Problem& problem, const std::vector<double>& y, int iterations) {
  const bool touched = by_rows_ && obstacles_.update(y.data(), interfaces_.rows() > 0);
  if (plain_) return;
  const bool linearises = modes_ > 0 && iterations == options_.after;
  if (modes_ > 0) {
    const Profiler::Scope phase(problem.profiler(), Phase::coarse);
    if (linearises) linearise(problem, y);
    else if (touched) coarse_.renew_contact(obstacles_);
  }
  bool outdated = touched || linearises || dropped_;
  if (by_interfaces_) {
    const auto now = static_cast<double>(count_in_rows(problem.linearise(y.data()).pairs()));
    const auto before = static_cast<double>(pairs_in_rows_);
    outdated = outdated || std::abs(now - before) > renewed * std::max(now, before);
  }
  if (outdated) set_interfaces(problem, y);
  if (by_interfaces_) on_pairs_.update(problem.linearise(y.data()).pairs(), by_rows_ ? &obstacles_ : nullptr);
}

void ProjectiveHessian::set_interfaces(Problem& problem, const std::vector<double>& y) {
  std::vector<RankOneStiffness> rows = problem.linearise(y.data()).rank_one();
  if (by_interfaces_) {
    const std::vector<PairStiffness>& pairs = problem.linearise(y.data()).pairs();
    pairs_in_rows_ = count_in_rows(pairs);
    add_interface_rows(problem, y.data(), pairs, rows);
  }
  interfaces_.set(problem, std::move(rows));
  dropped_ = false;
}

// Unless it would take more of the budget than the iterations that it saves.
void ProjectiveHessian::linearise(Problem& problem, const std::vector<double>& y) {
  if (cost_ > most_of_budget * problem.budget().left()) {
    cost_ *= 0.9;  // an old measurement: one hiccup of the machine must not switch the coarse level off for ever
    return;
  }
  const double before = problem.profiler().seconds();
  coarse_.linearise(y.data(), obstacles_);
  cost_ = problem.profiler().seconds() - before;
  for (int c = 0; c < problem.space().components().count(); ++c) {
    if (!problem.space().components().active(c)) continue;
    const Pause of = pause(c);
    if (of.left > 0) {
      coarse_.drop(c);
      of.left -= 1;
      continue;
    }
    if (of.survived > 0) of.length = 0;
    of.survived = 1;
  }
}

// Where line searches keep cutting, the coarse level hurts (cloth that folds): it is dropped for this stage and for
// the next 1, 2, 4, ...
void ProjectiveHessian::searched(int component, bool cut) {
  if (!coarse_.in_use(component)) return;
  int& score = score_[component];
  score = std::max(0, score + (cut ? 1 : -1));
  if (score < most_cuts) return;
  coarse_.drop(component);
  dropped_ = true;
  const Pause of = pause(component);
  of.length = std::min(std::max(1.0, 2 * of.length), longest_pause);
  of.left = of.length, of.survived = 0;
}

// First the coarse level, then contact and interfaces: the constant Hessian alone is left.
bool ProjectiveHessian::simplify(int component) {
  if (coarse_.in_use(component)) {
    coarse_.drop(component);
    return dropped_ = true;
  }
  if (plain_) return false;
  plain_ = true, by_rows_ = by_interfaces_ = false;
  obstacles_.leave_out();
  drags_.clear();
  interfaces_.clear();
  on_pairs_.leave_out();
  return true;
}

ProjectiveHessian::Pause ProjectiveHessian::pause(int component) {
  double* numbers = &(*kept_)[3 * component];
  return {numbers[0], numbers[1], numbers[2]};
}

void ProjectiveHessian::recall_pauses(const Problem& problem, Memory& memory) {
  const std::size_t count = problem.space().components().count();
  kept_ = &memory.keep("quasi_newton.coarse_pause", problem.revision().structure);
  if (kept_->size() != 3 * count) kept_->assign(3 * count, 0.0);
  score_.assign(count, 0);
}

}  // namespace resilin
