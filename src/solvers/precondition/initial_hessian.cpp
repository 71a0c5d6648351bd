#include "solvers/precondition/initial_hessian.h"

#include <algorithm>

#include "simd/mat3.h"
#include "simd/polar3.h"
#include "solvers/precondition/point_hessian.h"
#include "solvers/precondition/projective_hessian.h"
#include "solvers/precondition/stiffness_fit.h"

namespace resilin {
namespace {

class ScaledIdentity final : public InitialHessian {
 public:
  bool needs_vertices() const override { return false; }
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
    problem.space().each_row([&](std::ptrdiff_t v) {
      for (std::ptrdiff_t k = 3 * v; k < 3 * v + 3; ++k) d[k] = free[v] >= 0 ? factor * r[k] : 0;
    });
  }

 private:
  double tau_ = 0, first_ = 1;  // first_: before there is a pair, the mean of the constant Hessian's diagonal
  std::uint64_t revision_ = 0;
};

// That of one point.
class AtPoint : public InitialHessian {
 public:
  explicit AtPoint(const InnerSolve& inner) : hessian_(inner) {}
  void solve(Problem& problem, const std::vector<double>&, double, const double* r, double* d) override {
    hessian_.solve(problem, r, d);
  }

 protected:
  int factorise(Problem& problem, const double* at) { return hessian_.factorise(problem, at, true) ? 1 : -1; }
  PointHessian hessian_;
};

class RestPose final : public AtPoint {
 public:
  using AtPoint::AtPoint;
  int begin(Problem& problem, const std::vector<double>&, Memory&) override {
    return hessian_.current(problem) ? 0 : factorise(problem, problem.space().rest().data());
  }
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
    for (int t = 0; t < problem.elements().term_count(); ++t)
      for (int i = 0; i < problem.elements().term(t).elements.size(); ++i) {
        const auto ids = problem.elements().term(t).elements.vertices(i);
        for (const int a : ids)
          for (const int b : ids)
            if (a != b) add_edge(problem.space().rest(), y, a, b);
      }
    problem.space().each_row([&](std::ptrdiff_t v) {
      double covariance[9];
      std::copy_n(&rotation_[9 * v], 9, covariance);
      polar3(covariance, &rotation_[9 * v]);
    });
  }
  // To the covariance of a: (y_b - y_a) (x_b - x_a)^T.
  void add_edge(const std::vector<double>& rest, const std::vector<double>& y, int a, int b) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        rotation_[9 * a + 3 * i + j] += (y[3 * b + i] - y[3 * a + i]) * (rest[3 * b + j] - rest[3 * a + j]);
  }
  void turn(int v, bool back, const double* from, double* to) const {
    double m[9], x[3];
    const double* rotation = &rotation_[9 * v];
    if (back) transpose(rotation, m);
    else std::copy_n(rotation, 9, m);
    apply(m, from + 3 * v, x);
    std::copy_n(x, 3, to + 3 * v);
  }

  RestPose rest_;
  std::vector<double> rotation_;  // 9 per vertex
};

class FrameHessian final : public AtPoint {
 public:
  FrameHessian(const InnerSolve& inner, int age) : AtPoint(inner), age_(age) {}

  // The point of an older frame is part of the state, so that a resumed run makes the same factor again.
  int begin(Problem& problem, const std::vector<double>& y, Memory& memory) override {
    if (age_ == 1) return factorise(problem, y.data());
    const std::uint64_t stamp = problem.revision().energy_at(problem.stage().tau);
    auto& point = memory.keep("quasi_newton.frame_hessian", stamp);
    auto& used = memory.keep("quasi_newton.frame_hessian_used", stamp);
    const bool fresh = point.size() != y.size() || used.size() != 1 || used[0] >= age_;
    if (fresh) point = y, used = {0};
    ++used[0];
    if (!fresh && hessian_.current(problem) && made_at_ == point) return 0;
    made_at_ = point;
    return factorise(problem, point.data());
  }

 private:
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
  return std::make_unique<ProjectiveHessian>(
      inner, fit,
      ProjectiveHessian::Options{modes, s.integer("coarse_after"), s.boolean("contact_rows"),
                                 s.boolean("interface_rows")});
}

}  // namespace resilin
