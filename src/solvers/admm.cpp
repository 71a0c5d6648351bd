// ADMM (Brown et al. 2018, Section 3.2; Overby et al. 2017) with weights chosen from the body's stiffness and
// accelerated by Anderson's method:
//   local step    z_i = argmin psi_i(z) V_i + w_i^2/2 |z - v_i|^2,  u = v - z
//   global step   x = argmin 1/(2 tau^2) |x - target|_M^2 + sum w_i^2/2 |D_i x - z_i + u_i|^2,   as A d = -g
//   residual      r = D x - z;  T = v + r is the v of plain ADMM
//   acceleration  v = T - sum theta_j dT_j once four iterations are done; if |r| then is not within 1.5 of the
//                 largest of the last three, the step is undone and v = T is tried
//   rescue        where weights of the rule are too small for what a material does far from rest, Phi ends up above
//                 its start: after twenty iterations of that, w is doubled for this and all later stages and the
//                 stage begins again
//   contact       between bodies has no elements in A, since those come and go: it is part of the global step, x =
//                 argmin of the above + C(x), found by a few steps along -(A + rows of what touches)^-1 g, clipped
//                 where surfaces would pass through each other and shortened until that function falls
//                 (docs/decisions/0016_contact_in_admm.md)
// v = D x + u is all that one iteration hands to the next, so ADMM is a fixed-point iteration in v alone. Norms are
// weighted by w^2. At a fixed point D x = z and w^2 u = V dpsi/dz, so grad Phi(x) = 0. A is factorised once for a
// step size and never again.
#include <algorithm>
#include <cmath>

#include "contact/friction/friction.h"
#include "potentials/prox.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/solver.h"
#include "simd/pack.h"
#include "solvers/descent/rigid_start.h"
#include "solvers/local/admm_weights.h"
#include "solvers/local/anderson.h"
#include "solvers/local/contact_step.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/progress/error_measure.h"
#include "solvers/progress/iterations.h"

namespace resilin {
namespace {

constexpr int plain_iterations = 3;  // before acceleration begins
constexpr double trust = 1.5;        // |r| may grow by this factor over the last three
constexpr int patience = 20;         // iterations after which Phi should be below its start
constexpr int most_rescues = 4;

class Admm final : public Solver {
 public:
  explicit Admm(const Settings& s)
      : factor_(s.has("weight") ? s.number("weight") : 0),
        residual_tolerance_(s.number("residual_tolerance")),
        by_residuals_(s.has("residual_tolerance")),
        factor_of_a_(s.text("linear_solver")),
        anderson_(s.integer("acceleration")) {}

  // Local steps know the friction of obstacles, and no impulse.
  void check(const Problem& problem) const override {
    for (const auto& contact : problem.blocks().contacts())
      for (const Term& term : contact->terms())
        for (const auto& potential : term.elastic)
          if (contact->of_obstacles() && dynamic_cast<const Friction*>(potential.get()) == nullptr)
            throw InputError("solver", "admm cannot take \"" + potential->name() +
                                           "\": it has no local step of it; use quasi_newton or newton");
  }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) override {
    SolveReport report;
    prepare(problem, remembered_rescues(problem, memory), report);
    take_friction(problem);
    Recorder recorder(*this, problem, report);
    find_start(problem, y);
    begin(problem, y);
    double value = evaluate(problem, y, report);
    const double first_value = value;
    int waited = 0;
    report.first_residual = report.residual;
    const auto record = [&](int evaluations) {
      recorder.record({value, here_.inertia(), here_.potential(), report.residual,
                       report.iterations > 0 ? 1.0 : 0.0, evaluations, 0, here_.infeasibility},
                      y);
    };
    record(1);
    Iterations iterations(stop, problem, pace_, report);
    measure_.begin();
    report.status =
        factor_of_a_.ok() && std::isfinite(report.residual) ? Status::iteration_limit : Status::not_finite;
    while (report.status == Status::iteration_limit) {
      if (iterations.balanced(report.residual) || accurate(problem, y, iterations, report))
        report.status = Status::converged;
      else if (residuals_small()) report.status = by_residuals_ ? Status::converged : Status::stalled;
      if (report.status != Status::iteration_limit || !iterations.go_on()) break;
      local_step(problem, y);
      global_step(problem, y, report);
      const int before = report.evaluations;
      value = evaluate(problem, y, report);
      ++report.iterations;
      if (trusted(problem, y)) {
        accept(problem, y, report.iterations);
        if (coupled_) problem.refresh(y.data(), std::exchange(contact_.limited, {}));
      } else value = undo(problem, y, report);
      waited = value > first_value + here_.round_off() ? waited + 1 : 0;
      if ((!std::isfinite(report.residual) || waited >= patience) && rescue(problem, y, memory, report))
        value = evaluate(problem, y, report), waited = 0;
      if (!std::isfinite(report.residual)) report.status = Status::not_finite;
      record(report.evaluations - before);
    }
    report.objective = value, report.infeasibility = here_.infeasibility;
    return report;
  }

  // Outside of hard obstacles, and where contact lets the guess be reached from the rigid motion of its island.
  void find_start(Problem& problem, std::vector<double>& y) {
    problem.blocks().inequalities().project(Response::hard, y.data());
    coupled_ = problem.blocks().contact() != nullptr;
    if (limits_steps(problem)) rigid_.find(problem, y, rigid_start_);
    start_ = y;
    advance_start(problem, y);
  }
  void advance_start(Problem& problem, std::vector<double>& y) {
    y = start_;
    problem.advance_start(rigid_start_.data(), y.data());
    if (coupled_) problem.refresh(y.data(), {});
  }

  bool accurate(Problem& problem, const std::vector<double>& y, const Iterations& iterations, SolveReport& report) {
    if (!iterations.by_error() || report.iterations == 0) return false;
    return measure_.accurate(problem, y, gradient_, here_, iterations, report);
  }

  // Everything of a term that its local step reads; slots as in its PackedTerm.
  struct Local {
    Prox method;
    std::size_t first;                                     // of its numbers in z_, v_, ...
    AlignedVector<double> weight, stiffness, norm_weight;  // w^2/V, k, w^2 (zero in padding)
    AlignedVector<double> factor;                          // of searches in coordinates, kept for a stage
    std::vector<char> known;                               // by pack
    TermKernels rubbing;  // of an obstacle with friction or barriers: all of it, for a stage
    bool rubs = false;
  };

  // Friction of an obstacle is one more potential of its elements: the local step shrinks the tangential part
  // (X25), with the limit of the stage. So are half spaces along the step. Then all solvers minimise the same
  // objective.
  void take_friction(const Problem& problem) {
    const PartitionedElements& elements = problem.elements();
    for (Local& local : locals_) local.rubs = false;
    if (problem.blocks().contacts().empty() && !problem.blocks().guards().any()) return;
    std::vector<std::vector<FrictionContact>> rubbing(locals_.size());
    std::vector<std::vector<HalfSpace>> stopping(locals_.size());
    const auto put = [&](const auto& one, auto& by_term) {
      by_term[one.term].resize(elements.term(one.term).elements.size());
      by_term[one.term][one.element] = one;
    };
    for (const auto& block : problem.blocks().contacts())
      for (const Term& term : block->terms())
        for (const auto& potential : term.elastic)
          if (const auto* friction = dynamic_cast<const Friction*>(potential.get()))
            for (const FrictionContact& contact : friction->contacts())
              if (contact.term >= 0) put(contact, rubbing);
    for (const HalfSpace& space : problem.blocks().guards().half_spaces().spaces()) put(space, stopping);
    for (std::size_t t = 0; t < locals_.size(); ++t) {
      locals_[t].rubs = !rubbing[t].empty() || !stopping[t].empty();
      if (!locals_[t].rubs) continue;
      Term both = elements.term(static_cast<int>(t));
      if (!rubbing[t].empty())
        both.elastic.push_back(std::make_shared<Friction>(ElementKind::point, std::move(rubbing[t])));
      if (!stopping[t].empty()) both.elastic.push_back(std::make_shared<HalfSpaces>(std::move(stopping[t])));
      locals_[t].rubbing = TermKernels(both, problem.elements().terms()[t].slot_element());
      locals_[t].rubbing.set_time(problem.stage().time);
    }
  }

  // How often the weights were doubled, in the state: a resumed run goes on with the same bits.
  static double& remembered_rescues(const Problem& problem, Memory& memory) {
    // Pairs of tau and their number: the stages of an integrator may alternate between two.
    auto& rescues = memory.keep("admm.rescues", problem.revision().energy);
    for (std::size_t i = 0; i + 1 < rescues.size(); i += 2)
      if (rescues[i] == problem.stage().tau) return rescues[i + 1];
    constexpr std::size_t most = 8;
    if (rescues.size() >= 2 * most) rescues.clear();
    rescues.insert(rescues.end(), {problem.stage().tau, 0.0});
    return rescues.back();
  }

  void prepare(Problem& problem, double rescues, SolveReport& report) {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    if (tau_ != problem.stage().tau || revision_ != problem.revision().energy || rescues_ != rescues ||
        locals_.empty()) {
      weights_ = admm_weights(problem, factor_);
      for (auto& of_term : weights_)
        for (double& w : of_term) w *= std::pow(4, rescues);
      arrange(problem);
      tau_ = problem.stage().tau, revision_ = problem.revision().energy, rescues_ = rescues;
    }
    if (factor_of_a_.prepare(problem, weights_)) ++report.factorisations;
    drags_.set(problem, drag_rows(problem), factor_of_a_.version());
  }

  void arrange(const Problem& problem) {
    locals_.clear(), locals_.resize(problem.elements().terms().size());
    std::size_t size = 0;
    for (std::size_t t = 0; t < locals_.size(); ++t) {
      const Term& term = problem.elements().term(static_cast<int>(t));
      const PackedTerm& packed = problem.elements().terms()[t];
      Local& local = locals_[t];
      local.method = prox_method(term);
      local.first = size;
      size += packed.slot_element().size() * 3 * packed.rows();
      if (local.method == Prox::coordinates)
        local.factor.resize(packed.slot_element().size() * prox_factor(packed.rows())),
            local.known.resize(packed.packs());
      for (std::size_t i = 0; i < packed.slot_element().size(); ++i) {
        const int element = packed.slot_element()[i];
        local.weight.push_back(weights_[t][element]);
        local.stiffness.push_back(declared_stiffness(term, element, problem.stage().tau));
        local.norm_weight.push_back(weights_[t][element] * packed.measure(static_cast<int>(i / lanes))[i % lanes]);
      }
    }
    for (auto* a : {&z_, &v_, &r_, &t_, &last_r_}) a->resize(size);
    dr_.resize(anderson_.window()), dt_.resize(anderson_.window());
    for (int j = 0; j < anderson_.window(); ++j) dr_[j].resize(size), dt_[j].resize(size);
    sums_.resize(problem.elements().partition().parts() * (2 * Anderson::most + 2));
  }

  // z = v = D x, u = 0.
  void begin(Problem& problem, const std::vector<double>& y) {
    gradient_.resize(y.size()), step_.resize(y.size());
    safe_ = y;
    anderson_.clear();
    accelerated_ = stored_ = follows_ = false;
    recent_.fill(0);
    primal_ = dual_ = size_ = 0;
    for (Local& local : locals_) std::fill(local.known.begin(), local.known.end(), 0);
    problem.elements().sweep_coordinates(y.data(), [&](int t, int, SweepBlock& sweep) {
      const auto [at, count] = range(t, sweep.block);
      std::copy_n(sweep.block.z, count, &z_[at]);
      std::copy_n(sweep.block.z, count, &t_[at]);
    });
  }

  std::array<std::size_t, 2> range(int t, const Block& block) const {
    const std::size_t pack = 3 * block.rows * lanes;
    return {locals_[t].first + block.first * pack, block.packs * pack};
  }

  double evaluate(Problem& problem, const std::vector<double>& y, SolveReport& report) {
    here_ = problem.evaluate(y.data(), gradient_.data(), std::move(here_));
    ++report.evaluations;
    report.residual = here_.gradient_norm();
    return here_.value();
  }

  // Boyd et al. 2011, Section 3.3: primal |D x - z| and dual |z - z_before|, relative to |z|: strains, for solids.
  bool residuals_small() const { return size_ > 0 && std::max(primal_, dual_) <= residual_tolerance_ * size_; }

  // v from T and the pairs, z = prox(v), and the gradient of the augmented objective in x.
  void local_step(Problem& problem, const std::vector<double>& y) {
    const Profiler::Scope phase(problem.profiler(), Phase::local);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    const auto step = [&](int t, int part, SweepBlock& sweep) {
      Local& local = locals_[t];
      const Block& block = sweep.block;
      const auto [at, count] = range(t, block);
      const std::size_t slot = block.first * lanes;
      alignas(64) double before[block_packs * 9 * lanes], dx[block_packs * 9 * lanes],
          v_change[block_packs * 9 * lanes];
      extrapolate(at, count, v_change);
      std::copy_n(&z_[at], count, before);
      std::copy_n(block.z, count, dx);
      prox(local.rubs ? local.rubbing : problem.elements().kernels(t), local.method, block,
           {&v_[at], &local.weight[slot], &local.stiffness[slot], &z_[at],
            local.factor.empty() ? nullptr : &local.factor[slot * prox_factor(block.rows)],
            local.known.empty() ? nullptr : &local.known[block.first], follows_ ? v_change : nullptr});
      Pack moved = {}, size = {};
      const std::size_t components = 3 * block.rows;
      for (int p = 0; p < block.packs; ++p) {
        const Pack w = load(&local.weight[slot + p * lanes]), norm = load(&local.norm_weight[slot + p * lanes]);
        for (std::size_t i = p * components; i < (p + 1) * components; ++i) {
          const Pack z = load(&z_[at + i * lanes]), change = z - load(before + i * lanes);
          moved += norm * change * change;
          size += norm * z * z;
          store(block.dpsi_z + i * lanes, w * (load(dx + i * lanes) - 2.0 * z + load(&v_[at + i * lanes])));
        }
      }
      sums_[2 * part] += sum(moved), sums_[2 * part + 1] += sum(size);
    };
    augmented_ = problem.sweep(y.data(), gradient_.data(), step, std::move(augmented_));
    follows_ = true;
    const auto total = add_parts<2>(problem);
    dual_ = std::sqrt(total[0]), size_ = std::sqrt(total[1]);
  }

  void extrapolate(std::size_t at, std::size_t count, double* v_change) {
    for (std::size_t i = at; i < at + count; i += lanes) {
      Pack v = load(&t_[i]);
      if (accelerated_)
        for (int j = 0; j < anderson_.size(); ++j) v -= theta_[j] * load(&dt_[j][i]);
      store(v_change + (i - at), v - load(&v_[i]));
      store(&v_[i], v);
    }
  }

  void global_step(Problem& problem, std::vector<double>& y, SolveReport& report) {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    if (coupled_) {
      const auto function = [&](const std::vector<double>& x, std::vector<double>& g) {
        return augmented(problem, x, g);
      };
      report.line_searches += contact_.run(problem, function, y);
      return;
    }
    with_global_.set(problem, problem.linearise(y.data()).rank_one());
    with_global_.apply(gradient_.data(), step_.data());
    problem.space().vectors().add(y.data(), -1, step_.data(), y.data());
  }

  // Inertia, contact and w^2/2 |D x - z + u|^2 for the z and u = v - z of the last local step.
  double augmented(Problem& problem, const std::vector<double>& y, std::vector<double>& gradient) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    const auto spring = [&](int t, int part, SweepBlock& sweep) {
      const Local& local = locals_[t];
      const Block& block = sweep.block;
      const std::size_t at = range(t, block)[0], components = 3 * block.rows;
      Pack energy = {};
      for (int p = 0; p < block.packs; ++p) {
        const std::size_t slot = (block.first + p) * lanes;
        const Pack w = load(&local.weight[slot]), norm = load(&local.norm_weight[slot]);
        for (std::size_t i = p * components * lanes; i < (p + 1) * components * lanes; i += lanes) {
          const Pack gap = load(block.z + i) - 2.0 * load(&z_[at + i]) + load(&v_[at + i]);
          energy += 0.5 * norm * gap * gap;
          store(block.dpsi_z + i, w * gap);
        }
      }
      sums_[part] += sum(energy);
    };
    augmented_ = problem.sweep(y.data(), gradient.data(), spring, std::move(augmented_));
    return augmented_.value() + add_parts<1>(problem)[0];
  }

  // r = D x - z and its norm; whether that is small enough for an accelerated step.
  bool trusted(Problem& problem, const std::vector<double>& y) {
    const Profiler::Scope phase(problem.profiler(), Phase::history);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    problem.elements().sweep_coordinates(y.data(), [&](int t, int part, SweepBlock& sweep) {
      const std::size_t at = range(t, sweep.block)[0], components = 3 * sweep.block.rows;
      Pack squares = {};
      for (int p = 0; p < sweep.block.packs; ++p) {
        const Pack norm = load(&locals_[t].norm_weight[(sweep.block.first + p) * lanes]);
        for (std::size_t i = p * components * lanes; i < (p + 1) * components * lanes; i += lanes) {
          const Pack r = load(sweep.block.z + i) - load(&z_[at + i]);
          store(&r_[at + i], r);
          squares += norm * r * r;
        }
      }
      sums_[part] += sum(squares);
    });
    primal_ = std::sqrt(add_parts<1>(problem)[0]);
    return !accelerated_ || primal_ <= trust * *std::max_element(recent_.begin(), recent_.end());
  }

  double undo(Problem& problem, std::vector<double>& y, SolveReport& report) {
    y = safe_;
    z_ = t_;  // the next local search begins there, not at what went wrong
    anderson_.clear();
    follows_ = accelerated_ = false;
    return evaluate(problem, y, report);
  }

  // Doubles w and goes back to the start of the stage; false when w was chosen by hand or doubled often enough.
  bool rescue(Problem& problem, std::vector<double>& y, Memory& memory, SolveReport& report) {
    double& rescues = remembered_rescues(problem, memory);
    if (factor_ > 0 || rescues >= most_rescues) return false;
    rescues += 1;
    prepare(problem, rescues, report);
    take_friction(problem);
    advance_start(problem, y);
    begin(problem, y);
    return factor_of_a_.ok();
  }

  // T = v + r is kept; from the fourth iteration on with a new pair and new coefficients.
  void accept(Problem& problem, const std::vector<double>& y, int iterations) {
    const Profiler::Scope phase(problem.profiler(), Phase::history);
    safe_ = y;
    accelerated_ = false;
    const bool storing = iterations > plain_iterations && anderson_.window() > 0;
    const int slot = storing && stored_ ? anderson_.push() : -1;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    problem.space().parallel(problem.elements().partition().parts(), [&](int part) {
      for (std::size_t t = 0; t < locals_.size(); ++t)
        add_pairs(problem.elements().terms()[t], locals_[t], part, slot);
    });
    if (!storing) return;
    std::rotate(recent_.begin(), recent_.begin() + 1, recent_.end());
    recent_.back() = primal_;
    stored_ = true;
    if (slot < 0 && anderson_.size() == 0) return;
    const auto total = add_parts<2 * Anderson::most>(problem);
    if (slot >= 0) anderson_.set_products(slot, std::span(total).first(Anderson::most));
    accelerated_ = anderson_.coefficients(std::span(total).last(Anderson::most), theta_);
  }

  // The new pair and its inner products with all pairs, and theirs with r, for the packs of one part.
  void add_pairs(const PackedTerm& term, const Local& local, int part, int slot) {
    const std::size_t count = 3 * term.rows() * lanes;
    const int pairs = anderson_.size();
    Pack with_pair[Anderson::most] = {}, with_r[Anderson::most] = {};
    for (int pack = term.first_pack(part); pack < term.first_pack(part + 1); ++pack) {
      const Pack norm = load(&local.norm_weight[pack * lanes]);
      for (std::size_t i = local.first + pack * count; i < local.first + (pack + 1) * count; i += lanes) {
        const Pack r = load(&r_[i]), t = load(&v_[i]) + r;
        if (slot >= 0) {
          const Pack dr = r - load(&last_r_[i]);
          store(&dr_[slot][i], dr);
          store(&dt_[slot][i], t - load(&t_[i]));
          for (int j = 0; j < pairs; ++j) {
            const Pack other = norm * load(&dr_[j][i]);
            with_pair[j] += other * dr, with_r[j] += other * r;
          }
        }
        store(&last_r_[i], r), store(&t_[i], t);
      }
    }
    double* sums = &sums_[part * 2 * Anderson::most];
    for (int j = 0; j < pairs; ++j) sums[j] += sum(with_pair[j]), sums[Anderson::most + j] += sum(with_r[j]);
  }

  // K sums of all parts, in the order of parts.
  template <std::size_t K>
  std::array<double, K> add_parts(const Problem& problem) const {
    std::array<double, K> total{};
    for (int part = 0; part < problem.elements().partition().parts(); ++part)
      for (std::size_t k = 0; k < K; ++k) total[k] += sums_[part * K + k];
    return total;
  }

  double factor_, residual_tolerance_;  // factor_: c, 0 means by the rule
  bool by_residuals_;                   // they are wanted so small; else they are as small as rounding lets them be
  Factor factor_of_a_;
  LowRank drags_{factor_of_a_}, with_global_{drags_};
  Anderson anderson_;
  Pace pace_;
  ErrorMeasure measure_;

  // For one tau and revision.
  double tau_ = 0, rescues_ = 0;
  std::uint64_t revision_ = 0;
  ElementWeights weights_;
  std::vector<Local> locals_;

  // Of a stage. t_: T of the last accepted iteration, what plain ADMM would go on from.
  AlignedVector<double> z_, v_, r_, t_, last_r_;
  std::vector<AlignedVector<double>> dr_, dt_;  // by slot of anderson_
  std::array<double, Anderson::most> theta_{};
  std::array<double, 3> recent_{};  // |r| of the last accepted iterations
  bool accelerated_ = false, stored_ = false;
  bool follows_ = false;  // z_ is the local minimiser for v_
  double primal_ = 0, dual_ = 0, size_ = 0;
  std::vector<double> gradient_, step_, start_, safe_, sums_;
  bool coupled_ = false;  // bodies may touch
  ContactStep contact_{drags_};
  RigidStart rigid_;
  std::vector<double> rigid_start_;
  Evaluation here_, augmented_;
};

}  // namespace

SolverPlugin solver_admm() {
  Params params = stop_params(300);
  params.add({optional(number(
                  "weight", "", 0, positive(),
                  "factor c of the weights c sqrt(k V); chosen from stiffness, size and time step when not given")),
              integer("acceleration", 6, between(0, Anderson::most),
                      "number of differences that Anderson acceleration keeps; 0: plain ADMM"),
              number("residual_tolerance", "", 1e-13, between(0, 1),
                     "stop also when the primal and the dual residual, relative to |z|, are below this"),
              text("linear_solver", "cholesky_float", "linear solver of the global step (resilin list linear)")});
  return {
      "ADMM (Brown et al. 2018) with Anderson acceleration: minimises every element by itself, then solves with "
      "one constant matrix. Takes any energy.",
      params, [](const Settings& s) { return std::make_unique<Admm>(s); }};
}

}  // namespace resilin
