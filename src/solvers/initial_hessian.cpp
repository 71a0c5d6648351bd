#include "solvers/initial_hessian.h"

#include <algorithm>
#include <array>

#include "core/chunks.h"
#include "simd/mat3.h"
#include "simd/polar3.h"
#include "solvers/coarse_space.h"
#include "solvers/constant_hessian.h"
#include "solvers/contact_rows.h"
#include "solvers/interface_rows.h"
#include "solvers/interface_smoother.h"
#include "solvers/point_hessian.h"
#include "solvers/stiffness_fit.h"

namespace resilin {
namespace {

// The constant Hessian; with `modes`, replaced by the true one on a few smooth functions after so many iterations
// of a stage. At its first point elements may be crushed and smooth modes far from where they settle: a first step
// by A alone is better.
class Projective final : public InitialHessian {
 public:
  struct Options {
    int modes, after;
    bool contact, interfaces;
  };
  Projective(const InnerSolve& inner, const StiffnessFit& fit, Options options)
      : options_(options), fit_(fit), hessian_(inner) {}

  int begin(Problem& problem, const std::vector<double>& y, Memory& memory) override {
    fit_.update(problem, y.data(), memory);
    const int made = hessian_.prepare(problem) ? 1 : 0;
    if (!hessian_.ok()) return -1;
    // Rows of a subspace are no vertices: it is coarse itself, and none of them touches alone.
    modes_ = !problem.space().rows_are_vertices() ? 0 : options_.modes,
    by_rows_ = options_.contact && problem.space().rows_are_vertices();
    if (by_rows_) contact_.begin(problem, hessian_);
    else hessian_.hold_drags(problem);
    linearised_ = plain_ = false;
    by_interfaces_ =
        options_.interfaces && !problem.blocks().contacts().empty() && problem.space().rows_are_vertices();
    if (by_interfaces_) interfaces_.begin(problem, hessian_);
    hold_global_energies(problem, y);
    if (modes_ == 0) return made;
    const Profiler::Scope phase(problem.profiler(), Phase::coarse);
    if (!space().current(problem, modes_)) current_ = 1 - current_;  // as many as the constant Hessian keeps
    if (!space().current(problem, modes_)) space().make(problem, hessian_, modes_);
    recall(problem, memory);
    return made;
  }
  void iterate(Problem& problem, const std::vector<double>& y, int iterations) override {
    const bool touched = by_rows_ && contact_.update(problem, hessian_, y.data(), interface_rows_.rows() > 0);
    const bool linearises = modes_ > 0 && !plain_ && iterations == options_.after;
    if (modes_ > 0 && !plain_) {
      const Profiler::Scope phase(problem.profiler(), Phase::coarse);
      if (linearises) linearise(problem, y);
      else if (touched && linearised_) space().renew_contact(problem, contact_);
    }
    if (plain_) return;
    if (touched || linearises || dropped_ || (options_.interfaces && interface_rows_.outdated(problem, y.data())))
      hold_global_energies(problem, y);
    if (by_interfaces_) interfaces_.update(problem, interface_rows_.pairs(), by_rows_ ? &contact_ : nullptr);
  }
  void solve(Problem& problem, const std::vector<double>&, double, const double* r, double* d) override {
    const auto inner = [&](const double* from, double* to) {
      solve_uncoupled(problem, from, to);
      interface_rows_.correct(problem, to);
    };
    if (by_interfaces_) interfaces_.solve(problem, r, d, inner);
    else inner(r, d);
  }
  bool measures(int /*component*/, int iterations) const override {
    return iterations >= (modes_ == 0 ? 1 : options_.after);
  }
  bool takes_subspace() const override { return true; }
  // Where line searches keep cutting, the coarse level hurts (cloth that folds): it is dropped for this stage and
  // for the next 1, 2, 4, ...
  void searched(int component, bool cut) override {
    if (!linearised_ || !space().in_use(component)) return;
    int& score = score_[component];
    score = std::max(0, score + (cut ? 1 : -1));
    if (score < most_cuts) return;
    space().drop(component);
    dropped_ = true;
    const Pause pause = pauses(component);
    pause.length = std::min(std::max(1.0, 2 * pause.length), longest_pause);
    pause.left = pause.length, pause.survived = 0;
  }
  // First the coarse level, then contact and couplings: the constant Hessian alone is left.
  bool simplify(int component) override {
    if (linearised_ && space().in_use(component)) {
      space().drop(component);
      return dropped_ = true;
    }
    if (plain_) return false;
    plain_ = true, by_rows_ = by_interfaces_ = false;
    interface_rows_.clear();
    return true;
  }

 private:
  CoarseSpace& space() { return spaces_[current_]; }
  // At y, and with what stands for the rest of the Hessian now.
  void hold_global_energies(Problem& problem, const std::vector<double>& y) {
    interface_rows_.update(problem, y.data(), options_.interfaces,
                           [&](const double* r, double* d) { solve_uncoupled(problem, r, d); });
    dropped_ = false;
  }
  void solve_uncoupled(Problem& problem, const double* r, double* d) {
    if (linearised_) {
      const Profiler::Scope phase(problem.profiler(), Phase::coarse);
      space().restrict(problem, r);  // first: r and d may be the same array
    }
    if (by_rows_) contact_.solve(problem, hessian_, r, d);
    else hessian_.solve(problem, r, d);
    if (!linearised_) return;
    const Profiler::Scope phase(problem.profiler(), Phase::coarse);
    space().add_correction(problem, d);
  }
  // Stages for which the coarse level of a component stays off, how many that were last time, and whether it was on
  // since without being dropped. In the state, for resumed runs.
  struct Pause {
    double &left, &length, &survived;
  };
  Pause pauses(int component) {
    double* numbers = kept_->data() + 3 * static_cast<std::size_t>(component);
    return {numbers[0], numbers[1], numbers[2]};
  }
  void recall(const Problem& problem, Memory& memory) {
    const auto count = static_cast<std::size_t>(problem.space().components().count());
    kept_ = &memory.keep("quasi_newton.coarse_pause", problem.revision().structure);
    if (kept_->size() != 3 * count) kept_->assign(3 * count, 0.0);
    score_.assign(count, 0);
  }
  /// Unless it would take more of the budget than the iterations that it saves.
  void linearise(Problem& problem, const std::vector<double>& y) {
    if (cost_ > most_of_budget * problem.budget().left()) {
      cost_ *= 0.9;  // an old measurement: one hiccup of the machine must not switch the coarse level off for ever
      return;
    }
    const double before = problem.profiler().seconds();
    space().linearise(problem, y.data(), contact_);
    cost_ = problem.profiler().seconds() - before;
    linearised_ = true;
    for (int c = 0; c < space().components(); ++c) {
      if (!problem.space().components().active(c)) continue;
      const Pause pause = pauses(c);
      if (pause.left > 0) {
        space().drop(c);
        pause.left -= 1;
        continue;
      }
      if (pause.survived > 0) pause.length = 0;
      pause.survived = 1;
    }
  }
  static constexpr double most_of_budget = 0.25, longest_pause = 16;
  static constexpr int most_cuts = 3;

  Options options_;
  int modes_ = 0;                                 // of the stage
  bool by_rows_ = false, by_interfaces_ = false;  // contact with obstacles, of bodies
  double cost_ = 0;                               // seconds of the last linearise
  bool linearised_ = false, dropped_ = false;     // dropped: a coarse level, since couplings were held
  bool plain_ = false;                            // the constant Hessian alone, until the next stage
  StiffnessFit fit_;
  ConstantHessian hessian_;
  ContactRows contact_;
  InterfaceRows interface_rows_;
  InterfaceSmoother interfaces_;
  int current_ = 0;
  std::array<CoarseSpace, 2> spaces_;
  std::vector<double>* kept_ = nullptr;
  std::vector<int> score_;  // by component, of this stage
};

class ScaledIdentity final : public InitialHessian {
 public:
  bool takes_subspace() const override { return true; }
  int begin(Problem& problem, const std::vector<double>&, Memory&) override {
    if (tau_ == problem.stage().tau && revision_ == problem.revision().energy) return 0;
    const SymmetricMatrix a = problem.constant().matrix();
    double trace = 0;
    for (int i = 0; i < a.size(); ++i) trace += a.value[a.start[i + 1] - 1];
    first_ = a.size() > 0 ? a.size() / trace : 1;
    tau_ = problem.stage().tau, revision_ = problem.revision().energy;
    return 0;
  }
  void solve(Problem& problem, const std::vector<double>&, double scale, const double* r, double* d) override {
    const double factor = scale > 0 ? scale : first_;
    const auto& free = problem.space().free_index();
    for_chunks(problem.space().pool(), problem.space().size(), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t v = b / 3; v < e / 3; ++v)
        for (std::ptrdiff_t k = 3 * v; k < 3 * v + 3; ++k) d[k] = free[v] >= 0 ? factor * r[k] : 0;
    });
  }

 private:
  double tau_ = 0, first_ = 1;  // first_: before there is a pair, the mean of the constant Hessian's diagonal
  std::uint64_t revision_ = 0;
};

class RestPose final : public InitialHessian {
 public:
  explicit RestPose(const InnerSolve& inner) : hessian_(inner) {}
  int begin(Problem& problem, const std::vector<double>&, Memory&) override {
    if (hessian_.current(problem)) return 0;
    return hessian_.factorise(problem, problem.elements().model().rest.data(), true) ? 1 : -1;
  }
  void solve(Problem& problem, const std::vector<double>&, double, const double* r, double* d) override {
    hessian_.solve(problem, r, d);
  }

 private:
  PointHessian hessian_;
};

// A0 = R K R^T with K of the rest pose and R the rotations of the vertices, those nearest to how their edges have
// turned.
class WarpedRestPose final : public InitialHessian {
 public:
  explicit WarpedRestPose(const InnerSolve& inner) : rest_(inner) {}
  int begin(Problem& problem, const std::vector<double>& y, Memory& memory) override {
    rotation_.resize(3 * y.size());
    find_rotations(problem, y);
    return rest_.begin(problem, y, memory);
  }
  void solve(Problem& problem, const std::vector<double>& y, double scale, const double* r, double* d) override {
    for (int v = 0; v < problem.space().vertices(); ++v) turn(v, true, r, d);
    rest_.solve(problem, y, scale, d, d);
    for (int v = 0; v < problem.space().vertices(); ++v) turn(v, false, d, d);
  }

 private:
  void find_rotations(const Problem& problem, const std::vector<double>& y) {
    std::fill(rotation_.begin(), rotation_.end(), 0.0);
    for (const Term& term : problem.elements().model().terms)
      for (int i = 0; i < term.elements.size(); ++i) {
        const auto ids = term.elements.vertices(i);
        for (const int a : ids)
          for (const int b : ids)
            if (a != b) add_edge(problem.elements().model().rest, y, a, b);
      }
    for_chunks(problem.space().pool(), problem.space().size(), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t k = b; k < e; k += 3) {
        double covariance[9];
        std::copy_n(&rotation_[3 * k], 9, covariance);
        polar3(covariance, &rotation_[3 * k]);
      }
    });
  }
  // To the covariance of a: (y_b - y_a) (x_b - x_a)^T.
  void add_edge(const std::vector<double>& rest, const std::vector<double>& y, int a, int b) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        rotation_[9 * static_cast<std::size_t>(a) + 3 * i + j] +=
            (y[3 * b + i] - y[3 * a + i]) * (rest[3 * b + j] - rest[3 * a + j]);
  }
  void turn(int v, bool back, const double* from, double* to) const {
    double m[9], x[3];
    const double* rotation = &rotation_[9 * static_cast<std::size_t>(v)];
    if (back) transpose(rotation, m);
    else std::copy_n(rotation, 9, m);
    apply(m, from + 3 * v, x);
    std::copy_n(x, 3, to + 3 * v);
  }

  RestPose rest_;
  std::vector<double> rotation_;  // 9 per vertex
};

class FrameHessian final : public InitialHessian {
 public:
  FrameHessian(const InnerSolve& inner, int age) : hessian_(inner), age_(age) {}

  // The point of an older frame is part of the state, so that a resumed run makes the same factor again.
  int begin(Problem& problem, const std::vector<double>& y, Memory& memory) override {
    if (age_ == 1) return hessian_.factorise(problem, y.data(), true) ? 1 : -1;
    const std::uint64_t stamp = problem.revision().energy_at(problem.stage().tau);
    auto& point = memory.keep("quasi_newton.frame_hessian", stamp);
    auto& used = memory.keep("quasi_newton.frame_hessian_used", stamp);
    const bool fresh = point.size() != y.size() || used.size() != 1 || used[0] >= age_;
    if (fresh) point = y, used = {0};
    ++used[0];
    if (!fresh && hessian_.current(problem) && made_at_ == point) return 0;
    made_at_ = point;
    return hessian_.factorise(problem, point.data(), true) ? 1 : -1;
  }
  void solve(Problem& problem, const std::vector<double>&, double, const double* r, double* d) override {
    hessian_.solve(problem, r, d);
  }

 private:
  PointHessian hessian_;
  int age_;
  std::vector<double> made_at_;
};

}  // namespace

Params initial_hessian_params() {
  Params params = {
      choice("initial_hessian", {"projective", "scaled_identity", "rest_pose", "warped_rest_pose", "frame_hessian"},
             "first Hessian of L-BFGS; all but projective are for comparisons"),
      integer("hessian_age", 1, between(1, 1000), "number of frames for which a frame_hessian is kept"),
      integer("coarse_modes", 5, between(0, 16),
              "number of smooth modes of each body on which the true Hessian replaces the constant one; 0: one "
              "level, as in Liu et al. 2017"),
      integer("coarse_after", 1, between(0, 1000),
              "number of iterations of a stage after which the true Hessian is taken on these modes"),
      boolean("contact_rows", true,
              "true: contact with obstacles is part of the constant Hessian (without a new factorisation)"),
      boolean("interface_rows", true, "true: contact between bodies is part of it too")};
  return params.add(StiffnessFit::params());
}

std::unique_ptr<InitialHessian> make_initial_hessian(const Settings& s) {
  const std::string kind = s.text("initial_hessian");
  const InnerSolve inner(s);
  const int modes = s.integer("coarse_modes");
  const StiffnessFit fit(s);
  if (s.has("coarse_modes") && modes > 0 && kind != "projective")
    s.value("coarse_modes").fail("only with initial_hessian projective");
  if (fit.on() && kind != "projective") s.value("stiffness").fail("only with initial_hessian projective");
  if (kind == "scaled_identity") return std::make_unique<ScaledIdentity>();
  if (kind == "rest_pose") return std::make_unique<RestPose>(inner);
  if (kind == "warped_rest_pose") return std::make_unique<WarpedRestPose>(inner);
  if (kind == "frame_hessian") return std::make_unique<FrameHessian>(inner, s.integer("hessian_age"));
  return std::make_unique<Projective>(inner, fit,
                                      Projective::Options{modes, s.integer("coarse_after"),
                                                          s.boolean("contact_rows"), s.boolean("interface_rows")});
}

}  // namespace resilin
