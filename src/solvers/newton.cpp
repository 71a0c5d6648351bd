// Newton's method with a direct solve and Armijo line search: the reference for every other solver. Element Hessians are
// projected to positive semidefinite (Teran et al. 2005); `hessian = exact_first` tries the true one and projects only when it is
// not positive definite, which converges quadratically near the minimum.
#include <algorithm>

#include "linear/linear_solver.h"
#include "resilin/registry.h"
#include "resilin/solver.h"
#include "solvers/descent.h"

namespace resilin {
namespace {

class Method final : public DescentMethod {
 public:
  Method(bool exact_first, std::string linear) : exact_first_(exact_first), linear_(std::move(linear)) {}

  bool direction(Objective& objective, const std::vector<double>& y, const std::vector<double>& g, std::vector<double>& d,
                 SolveReport& report) override {
    const PhaseTimer timer(report.phases.global);
    if (!solver_ || revision_ != objective.revision()) {
      matrix_ = objective.hessian_pattern();
      solver_ = plugin<LinearSolverPlugin>("linear solver", linear_, "solver").make();
      solver_->analyse(matrix_);
      revision_ = objective.revision();
      packed_.resize(static_cast<std::size_t>(matrix_.size()) * 3);
      find_isolated_components(objective);
    }
    if (!(exact_first_ && factorise(objective, y, false, report)) && !factorise(objective, y, true, report)) {
      report.status = Status::not_finite;
      return false;
    }
    const auto& free = objective.free_index();
    for (int v = 0; v < objective.vertices(); ++v)
      for (int k = 0; free[v] >= 0 && k < 3; ++k) packed_[3 * free[v] + k] = -g[3 * v + k];
    solver_->solve(packed_.data(), packed_.data(), objective.pool());
    for (int v = 0; v < objective.vertices(); ++v)
      for (int k = 0; k < 3; ++k) d[3 * v + k] = free[v] >= 0 ? packed_[3 * free[v] + k] : 0;
    set_mean_steps(objective, g, d);
    return true;
  }

 private:
  bool factorise(Objective& objective, const std::vector<double>& y, bool filter, SolveReport& report) {
    objective.hessian(y.data(), matrix_, filter);
    ++report.factorisations;
    return solver_->factorise(matrix_, objective.pool()).positive_definite;
  }

  // Floating components that no obstacle can touch: contact counts in this Hessian, so there the mean step is not known in advance.
  void find_isolated_components(const Objective& objective) {
    std::vector<char> touched(static_cast<std::size_t>(objective.vertices()), 0);
    for (const Term& term : objective.model().terms)
      for (int i = 0; !term.elements.translation_free() && i < term.elements.size(); ++i)
        for (const int v : term.elements.vertices(i)) touched[v] = 1;
    isolated_ = objective.floating_components();
    std::erase_if(isolated_, [&](const auto& c) { return std::any_of(c.begin(), c.end(), [&](int v) { return touched[v] != 0; }); });
  }

  // sum m d = -tau^2 sum g, because 1^T H = 1^T M/tau^2 there: the momentum stays whatever the precision of the solve (E81).
  void set_mean_steps(const Objective& objective, const std::vector<double>& g, std::vector<double>& d) const {
    const double tau2 = objective.tau() * objective.tau();
    const auto& mass = objective.model().mass;
    for (const auto& component : isolated_)
      for (int k = 0; k < 3; ++k) {
        double gap = 0, total = 0;
        for (const int v : component) gap -= tau2 * g[3 * v + k] + mass[v] * d[3 * v + k], total += mass[v];
        for (const int v : component) d[3 * v + k] += gap / total;
      }
  }

  bool exact_first_;
  std::string linear_;
  std::unique_ptr<LinearSolver> solver_;
  SymmetricMatrix matrix_;
  std::uint64_t revision_ = 0;
  std::vector<double> packed_;
  std::vector<std::vector<int>> isolated_;
};

class Newton final : public Solver {
 public:
  explicit Newton(const Settings& s) : method_(s.text("hessian") == "exact_first", s.text("linear_solver")) {
    search_.enabled = s.boolean("line_search");
    search_.gamma = s.number("gamma");
  }
  SolveReport solve(Objective& objective, const Stage& stage, std::vector<double>& y, Memory&, const StopRule& stop) override {
    return descend(objective, stage, y, stop, search_, method_, work_, *this);
  }

 private:
  Method method_;
  LineSearch search_;
  DescentWorkspace work_;
};

}  // namespace

SolverPlugin solver_newton() {
  Params params = stop_params();
  params.add({choice("hessian", {"filtered", "exact_first"}, "element Hessians projected to positive semidefinite, or only if needed"),
              boolean("line_search", true, "Armijo backtracking"),
              number("gamma", "", 0.3, {0, 0.5, true, false}, "sufficient decrease of the Armijo condition"),
              text("linear_solver", "cholesky", "registered linear solver")});
  return {"Newton's method with a direct solve: slow and exact, the reference.", params,
          [](const Settings& s) { return std::make_unique<Newton>(s); }};
}

}  // namespace resilin
