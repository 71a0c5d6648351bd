// Projective dynamics (Bouaziz et al. 2014): local projections p_i of every element, then one global solve with the
// constant matrix,
//   A d = -(M/tau^2 (x - target) + sum w D^T (D x - p)),   x += d.
// Only for energies k/2 |z - p(z)|^2. Optional closed-form rigid step (docs/theory/solvers.md): the energies are
// rotation invariant, so turning each free body onto its inertial target by the mass-weighted Procrustes rotation
// minimises Phi over rigid motions.
//
// Contact is no projective energy, so a full step need not descend any more. Where a model has some, the same
// steps, with rows of what touches, go through the shared descent loop: clipped where surfaces would pass through
// each other, and shortened until Phi falls by gamma of what is expected. Projective energies alone pass that with
// gamma <= 1/2 at once: A is not less than their second derivative.
#include <fmt/format.h>

#include <cmath>

#include "geometry/rigid_step.h"
#include "potentials/evaluate.h"
#include "resilin/registry.h"
#include "resilin/solver.h"
#include "simd/pack.h"
#include "solvers/descent/descent.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/initial_hessian.h"
#include "solvers/precondition/inner_solve.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/progress/error_measure.h"
#include "solvers/progress/iterations.h"
#include "solvers/requirements.h"

namespace resilin {
namespace {

bool touches(const Problem& problem) {
  bool out = !problem.blocks().contacts().empty();
  const PartitionedElements& elements = problem.elements();
  for (int t = 0; t < elements.term_count(); ++t)
    out = out || (problem.blocks().is_obstacle(t) && elements.terms()[t].packs() > 0 &&
                  elements.term(t).elastic[0]->response() == Response::energy);
  return out;
}

// The global step as a direction of descent: d = -(A + rows of what touches)^-1 g.
class GlobalStep final : public DescentMethod {
 public:
  explicit GlobalStep(const std::string& linear) {
    Params params = initial_hessian_params();
    params.add(InnerSolve::params(linear));
    hessian_ =
        make_initial_hessian(params.read(Value(Value::Object{{"coarse_modes", 0}, {"linear_solver", linear}})));
  }
  bool begin(Problem& problem, const std::vector<double>& y, Memory& memory, int& factorisations) {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    const int made = hessian_->begin(problem, y, memory);
    factorisations = std::abs(made);
    return made >= 0;
  }
  bool direction(Problem& problem, const std::vector<double>& y, const std::vector<double>& g, int iterations,
                 std::vector<double>& d, SolveReport&) override {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    hessian_->iterate(problem, y, iterations);
    hessian_->solve(problem, y, 0, g.data(), d.data());
    problem.space().vectors().combine(-1, d.data(), {}, d.data());
    return true;
  }

 private:
  std::unique_ptr<InitialHessian> hessian_;
};

class ProjectiveDynamics final : public Solver {
 public:
  explicit ProjectiveDynamics(const Settings& s)
      : rigid_(s.boolean("rigid_step")),
        factor_(s.text("linear_solver")),
        step_with_contact_(s.text("linear_solver")),
        descent_(DescentOptions{}) {}

  void check(const Problem& problem) const override {
    refuse_hard(problem, "projective_dynamics");
    if (rigid_ && touches(problem))
      throw InputError("solver",
                       "rigid_step of projective_dynamics is the best rigid motion only where nothing touches: "
                       "leave it out, or use quasi_newton");
    for (int t = 0; t < problem.elements().term_count(); ++t) {
      const Term& term = problem.elements().term(t);
      if (problem.blocks().is_obstacle(t)) continue;
      const auto refuse = [&](const Potential& potential) {
        throw InputError("solver",
                         fmt::format("projective_dynamics cannot take \"{}\" of term \"{}\": it is no projective "
                                     "energy k/2 |z - p(z)|^2; use quasi_newton or newton, or the material arap",
                                     potential.name(), term.name));
      };
      for (const auto& potential : term.elastic)
        if (!potential->projects()) refuse(*potential);
      if (!term.damping.empty()) refuse(*term.damping[0]);
    }
  }
  bool needs_vertices() const override { return rigid_; }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) override {
    if (touches(problem)) return descend(problem, y, memory, stop);
    SolveReport report;
    {
      const Profiler::Scope phase(problem.profiler(), Phase::global);
      if (factor_.prepare(problem)) ++report.factorisations;
      drags_.set(problem, drag_rows(problem), factor_.version());
    }
    if (weight_.empty() || report.factorisations > 0) gather_weights(problem);
    gradient_.resize(y.size()), step_.resize(y.size());
    Recorder recorder(*this, problem, report);
    Iterations iterations(stop, problem, pace_, report);
    measure_.begin();
    report.status = factor_.ok() ? Status::iteration_limit : Status::not_finite;
    while (report.status == Status::iteration_limit) {
      local_step(problem, y);
      ++report.evaluations;
      report.residual = here_.gradient_norm();
      if (report.iterations == 0) report.first_residual = report.residual;
      if (recorder.on()) add_inertia(problem, y);
      recorder.record({here_.value(), here_.inertia(), here_.potential(), report.residual,
                       report.iterations > 0 ? 1.0 : 0.0, 1},
                      y);
      if (!std::isfinite(report.residual)) report.status = Status::not_finite;
      else if (iterations.balanced(report.residual) || accurate(problem, y, iterations, report))
        report.status = Status::converged;
      if (report.status != Status::iteration_limit || !iterations.go_on()) break;
      global_step(problem, y);
      ++report.iterations;
    }
    if (!recorder.on() && report.evaluations > 0) add_inertia(problem, y);
    report.objective = here_.value();
    return report;
  }

  SolveReport descend(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) {
    SolveReport report;
    int factorisations = 0;
    if (step_with_contact_.begin(problem, y, memory, factorisations))
      report = descent_.run(problem, y, stop, step_with_contact_, *this);
    else report.status = Status::not_finite;
    report.factorisations += factorisations;
    return report;
  }

  // The coarse level is taken at the first point that is measured: not at the start.
  bool accurate(Problem& problem, const std::vector<double>& y, const Iterations& iterations, SolveReport& report) {
    if (!iterations.by_error() || report.iterations == 0) return false;
    return measure_.accurate(problem, y, gradient_, here_, iterations, report);
  }

  // Fitted forces are evaluated without the energy of inertia, a product that iterations do not need.
  void add_inertia(Problem& problem, const std::vector<double>& y) {
    const Stage& stage = problem.stage();
    if (problem.fitted() != nullptr)
      problem.fitted()->add_inertia(y.data(), {stage.target.data(), stage.tau}, here_);
  }

  // w of every slot: the projective energies have Q = w 1.
  void gather_weights(const Problem& problem) {
    weight_.assign(problem.elements().terms().size(), {});
    for (std::size_t t = 0; t < problem.elements().terms().size(); ++t) {
      const Term& term = problem.elements().term(static_cast<int>(t));
      std::vector<double> q(term.elements.rows() * term.elements.rows());
      for (const auto& potential : term.elastic) {
        weight_[t].emplace_back();
        for (const int element : problem.elements().terms()[t].slot_element()) {
          potential->quadratic(element, problem.stage().tau, q.data());
          weight_[t].back().push_back(q[0]);
        }
      }
    }
  }

  // gradient = M/tau^2 (y - target) + sum measure D^T w (z - p); also the energy sum measure w/2 |z - p|^2.
  void local_step(Problem& problem, const std::vector<double>& y) {
    const Profiler::Scope phase(problem.profiler(), Phase::local);
    part_energy_.assign(problem.elements().partition().parts(), 0.0);
    const auto project = [&](int t, int part, SweepBlock& sweep) {
      Block& block = sweep.block;
      const int components = 3 * block.rows;
      const TermKernels& kernels = problem.elements().kernels(t);
      decompose(kernels, block, 1);
      alignas(64) double projected[block_packs * 9 * lanes];
      std::fill_n(block.dpsi_z, block.packs * components * lanes, 0.0);
      Pack energy = {};
      for (std::size_t i = 0; i < kernels.elastic().size(); ++i) {
        kernels.elastic()[i]->project(block, projected);
        const double* w = &weight_[t][i][block.first * lanes];
        for (int p = 0; p < block.packs; ++p) {
          const Pack measure = load(sweep.measure + p * lanes), weight = load(w + p * lanes);
          for (int c = 0; c < components; ++c) {
            const int at = (p * components + c) * lanes;
            const Pack gap = load(block.z + at) - load(projected + at);
            store(block.dpsi_z + at, load(block.dpsi_z + at) + weight * gap);
            energy += 0.5 * measure * weight * gap * gap;
          }
        }
      }
      part_energy_[part] += sum(energy);
    };
    here_ = problem.sweep(y.data(), gradient_.data(), project, std::move(here_));
    for (int part = 0; part < problem.elements().partition().parts(); ++part)
      here_.of(problem.elements().partition().component_of_part(part)).potential += part_energy_[part];
  }

  void global_step(Problem& problem, std::vector<double>& y) {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    with_global_.set(problem, problem.linearise(y.data()).rank_one());
    with_global_.apply(gradient_.data(), step_.data());
    problem.space().vectors().add(y.data(), -1, step_.data(), y.data());
    if (rigid_)
      for (const auto& component : problem.space().floating_components())
        rigid_step(problem.space().vertex_mass(), component, problem.stage().target, y);
  }

  bool rigid_;
  Factor factor_;
  LowRank drags_{factor_}, with_global_{drags_};
  Pace pace_;
  ErrorMeasure measure_;
  GlobalStep step_with_contact_;
  Descent descent_;
  std::vector<std::vector<AlignedVector<double>>> weight_;  // [term][potential][slot]
  std::vector<double> gradient_, step_, part_energy_;
  Evaluation here_;
};

}  // namespace

SolverPlugin solver_projective_dynamics() {
  Params params = stop_params(300);
  params.add(
      {boolean("rigid_step", false,
               "true: after each global step, turn free bodies rigidly to where inertia alone would carry them"),
       text("linear_solver", "cholesky_float", "linear solver of the global step (resilin list linear)")});
  return {
      "Projective dynamics (Bouaziz et al. 2014): projects every element, then solves with one constant matrix. "
      "Takes arap, springs and soft pins only, and contact.",
      params, [](const Settings& s) { return std::make_unique<ProjectiveDynamics>(s); }};
}

}  // namespace resilin
