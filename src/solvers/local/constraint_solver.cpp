#include "solvers/local/constraint_solver.h"

#include <fmt/format.h>

#include <cmath>

#include "contact/impulse.h"
#include "potentials/compliant_materials.h"
#include "resilin/global_energy.h"
#include "solvers/progress/iterations.h"

namespace resilin {
namespace {

// y -> rows of 4; the fourth entries stay.
void to_rows(const Space& space, const std::vector<double>& y, AlignedVector<double>& rows) {
  space.each_row([&](std::ptrdiff_t v) { std::copy_n(&y[3 * v], 3, &rows[4 * v]); });
}

void from_rows(const Space& space, const AlignedVector<double>& rows, std::vector<double>& y) {
  space.each_row([&](std::ptrdiff_t v) { std::copy_n(&rows[4 * v], 3, &y[3 * v]); });
}

[[noreturn]] void refuse(const std::string& solver, const Potential& potential, const Term& term,
                         const std::string& why) {
  throw InputError(
      "solver", fmt::format("{} cannot take \"{}\" of term \"{}\": {}", solver, potential.name(), term.name, why));
}

// Of contact between bodies: constant forces on bodies that overlap.
bool separates(const ContactElements& contact, const Term& term) {
  return !contact.of_obstacles() && term.elements.corners() == 1;
}

}  // namespace

Params constraint_params() {
  Params params = stop_params(10);
  params.add({choice("order", {"colour", "serial"},
                     "order of the visits. colour: elements that share no vertex are visited at once; serial: in "
                     "the order of the model, on one thread")});
  return params;
}

void ConstraintSolver::check(const Problem& problem) const {
  const EnergyBlocks& blocks = problem.blocks();
  const auto refuse_friction = [&](bool has, const char* name) {
    if (!has || options_.compliant) return;
    throw InputError("solver", fmt::format("{} cannot take the friction of \"{}\": it ignores stiffness, so that "
                                           "whatever touches would stick; use xpbd, or quasi_newton or newton",
                                           options_.name, name));
  };
  refuse_friction(blocks.friction_of_obstacles(), "friction");
  refuse_friction(blocks.friction_of_bodies(), "contact");
  for (const auto& contact : blocks.contacts())
    for (const Term& term : contact->terms())
      for (const auto& potential : term.elastic)
        if (potential->compliant_form({}) == nullptr && !separates(*contact, term))
          refuse(options_.name, *potential, term,
                 "its energy is no sum of squares of constraints; use quasi_newton or newton");
  for (int t = 0; t < problem.elements().term_count(); ++t) {
    const Term& term = problem.elements().term(t);
    if (!term.damping.empty())
      refuse(options_.name, *term.damping[0], term,
             "it is damping; use the solver's own \"damping\" (xpbd), or quasi_newton or newton");
    for (const auto& potential : term.elastic)
      if (potential->compliant_form({}) == nullptr)
        refuse(options_.name, *potential, term,
               fmt::format("its energy is no sum of squares of constraints; use quasi_newton or newton, or one "
                           "that is: {}, spring, pin, fibre, plane",
                           fmt::join(compliant_materials(), ", ")));
  }
}

Visit ConstraintSolver::begin(Problem& problem, const std::vector<double>& y, const StopRule& stop) {
  const Stage& stage = problem.stage();
  const PartitionedElements& elements = problem.elements();
  const auto add_term = [&](const Term& term) { terms_.emplace_back(term, order(term)); };
  const auto mass = problem.space().vertex_mass();
  if (revision_ != problem.revision().energy || x_.size() != 4 * mass.size()) {
    terms_.clear(), function_ = 0;
    for (int t = 0; t < elements.term_count(); ++t) add_term(elements.term(t));
    x_.resize(4 * mass.size());
    for (int v = 0; v < problem.space().vertices(); ++v)
      x_[4 * v + 3] = problem.space().free_index()[v] < 0 ? 0 : 1 / mass[v];
    gradient_.resize(y.size());
    revision_ = problem.revision().energy;
  }
  if (function_ != problem.revision().function || stopping_) {
    terms_.erase(terms_.begin() + elements.term_count(), terms_.end());
    for (const Term& term : problem.blocks().drag_terms()) add_term(term);
    function_ = problem.revision().function;
  }
  stopping_ = problem.blocks().guards().any();
  if (stopping_) add_term(problem.blocks().guards().term());
  to_rows(problem.space(), y, x_);
  push_apart(problem, stage.tau);
  if (options_.damping > 0) {
    origin_.resize(x_.size());
    to_rows(problem.space(), stage.origin, origin_);
  }
  for (ConstraintTerm& term : terms_) term.begin(stage.time);
  list_contact(problem, stage.time, true);
  multipliers_.assign(problem.blocks().global_energies().size(), 0.0);
  Visit visit;
  visit.x = x_.data(), visit.origin = origin_.data();
  visit.tau = stage.tau, visit.gamma = options_.damping / stage.tau;
  visit.compliant = options_.compliant, visit.coupled = options_.coupled;
  visit.share = options_.per_iteration || options_.stiffness == 1
                    ? options_.stiffness
                    : 1 - std::pow(1 - options_.stiffness, 1.0 / stop.iterations);
  return visit;
}

// A constant force is a change of velocity before the first visit.
void ConstraintSolver::push_apart(const Problem& problem, double tau) {
  for (const auto& contact : problem.blocks().contacts())
    for (const Term& term : contact->terms()) {
      if (!separates(*contact, term)) continue;
      const auto forces = impulse_forces(term);
      for (std::size_t e = 0; e < forces.size(); ++e) {
        double* x = &x_[4 * term.elements.vertices(static_cast<int>(e))[0]];
        for (std::size_t k = 0; k < 3; ++k) x[k] += tau * tau * x[3] * forces[e][k];
      }
    }
}

// Pairs that were listed before keep their multipliers.
void ConstraintSolver::list_contact(const Problem& problem, double time, bool first) {
  if (!first && listed_ == problem.blocks().lists()) return;
  listed_ = problem.blocks().lists();
  std::vector<ConstraintTerm> before;
  before.swap(contact_);
  for (const auto& contact : problem.blocks().contacts())
    for (const Term& term : contact->terms()) {
      if (separates(*contact, term)) continue;
      contact_.emplace_back(term, order(term));
      contact_.back().begin(time);
      if (!first) contact_.back().take_multipliers(before[contact_.size() - 1]);
    }
}

// y goes to where the constraints want it, as far as contact lets it. Those see contact around y.
void ConstraintSolver::follow(Problem& problem, std::vector<double>& y) {
  wanted_.resize(y.size());
  from_rows(problem.space(), x_, wanted_);
  const LimitedStep limited = problem.limit_step(y.data(), wanted_.data(), part_);
  y.swap(wanted_);
  problem.refresh(y.data(), limited);
  list_contact(problem, problem.stage().time, false);
}

// One constraint over many vertices each; otherwise as ConstraintTerm.
void ConstraintSolver::visit_global_energies(const Problem& problem, const Visit& visit) {
  const auto energies = problem.blocks().global_energies();
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const GlobalEnergy& energy = *energies[i];
    const auto ids = energy.vertices();
    global_gradient_.resize(3 * ids.size());
    double d = -energy.constraint(visit.x, 4, global_gradient_.data()), a = 0, rate = 0;
    const double* g = global_gradient_.data();
    for (std::size_t j = 0; j < ids.size(); ++j) {
      const std::size_t at = 4 * ids[j];
      for (int k = 0; k < 3; ++k) {
        a += visit.x[at + 3] * g[3 * j + k] * g[3 * j + k];
        if (visit.gamma > 0) rate += g[3 * j + k] * (visit.x[at + k] - visit.origin[at + k]);
      }
    }
    const double alpha = visit.compliant ? 1 / (energy.stiffness() * visit.tau * visit.tau) : 0;
    d -= visit.gamma * rate + alpha * multipliers_[i];
    a = (1 + visit.gamma) * a + alpha;
    if (!(a > 0)) continue;
    d *= visit.share / a;
    if (visit.compliant) multipliers_[i] += d;
    for (std::size_t j = 0; j < ids.size(); ++j) {
      double* x = visit.x + 4 * ids[j];
      for (int k = 0; k < 3; ++k) x[k] += x[3] * g[3 * j + k] * d;
    }
  }
}

void ConstraintSolver::measure(Problem& problem, const std::vector<double>& y, SolveReport& report) {
  const Profiler::Scope pause(problem.profiler(), Phase::paused);
  here_ = problem.evaluate(y.data(), gradient_.data(), std::move(here_));
  ++report.evaluations;
  report.residual = here_.gradient_norm();
  report.objective = here_.value(), report.infeasibility = here_.infeasibility;
}

// The residual is measured at both ends only, unless somebody watches: an evaluation costs as much as an iteration.
SolveReport ConstraintSolver::minimise(Problem& problem, std::vector<double>& y, Memory&, const StopRule& stop) {
  SolveReport report;
  Recorder recorder(*this, problem, report);
  const bool bounded = limits_steps(problem);
  wanted_ = y;
  if (bounded) {
    rigid_.find(problem, y, rigid_start_);
    problem.advance_start(rigid_start_.data(), y.data());
    problem.refresh(y.data(), {});
  }
  const Visit visit = begin(problem, wanted_, stop);
  const auto record = [&](double step_length) {
    measure(problem, y, report);
    recorder.record({report.objective, here_.inertia(), here_.potential(), report.residual, step_length, 0, 0,
                     here_.infeasibility},
                    y);
  };
  record(0);
  report.first_residual = report.residual;
  Iterations iterations(stop, problem, pace_, report);
  report.status =
      iterations.balanced(report.residual) && stop.gradient == 0 ? Status::converged : Status::iteration_limit;
  if (!std::isfinite(report.residual)) report.status = Status::not_finite;
  if (report.status == Status::iteration_limit) iterations.go_on();
  while (report.status == Status::iteration_limit && report.iterations < stop.iterations) {
    {
      const Profiler::Scope phase(problem.profiler(), Phase::local);
      for (ConstraintTerm& term : terms_) term.iterate(problem.space(), visit);
      visit_global_energies(problem, visit);
      for (ConstraintTerm& term : contact_) term.iterate(problem.space(), visit);
      if (bounded) follow(problem, y);
    }
    ++report.iterations;
    if (iterations.go_on() && !tracing && !observe) continue;
    if (!bounded) from_rows(problem.space(), x_, y);
    record(1);
  }
  if (!std::isfinite(report.residual)) report.status = Status::not_finite;
  if (report.status != Status::iteration_limit && report.status != Status::time_limit) return report;
  bool accurate = iterations.balanced(report.residual);
  if (iterations.by_error()) {
    const Profiler::Scope pause(problem.profiler(), Phase::paused);
    measure_.begin();
    accurate = measure_.accurate(problem, y, gradient_, here_, iterations, report) || accurate;
  }
  if (accurate) report.status = Status::converged;
  return report;
}

}  // namespace resilin
