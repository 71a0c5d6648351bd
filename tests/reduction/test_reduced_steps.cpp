// Algorithm 2 of Brandt et al., written plainly on a Reduction: what all parts together must keep.
#include <gtest/gtest.h>

#include "linear/supernodal_cholesky.h"
#include "reduction/reduction.h"
#include "resilin/shapes.h"
#include "simd/polar3.h"
#include "support/setup.h"

namespace resilin {
namespace {

using test::largest_difference;

class Body {
 public:
  Body(int samples, ThreadPool& pool, double step = 0.02) : model_(make()), pool_(pool), step_(step) {
    ReductionSettings settings;
    settings.handles = 30, settings.fit_handles = 30, settings.samples = samples;
    reduction_ = std::make_unique<Reduction>(model_, settings, pool);
    SymmetricMatrix a = reduction_->mass();
    for (std::size_t i = 0; i < a.value.size(); ++i)
      a.value[i] = a.value[i] / (step * step) + reduction_->terms()[0].stiffness.value[i];
    solver_.analyse(a);
    EXPECT_TRUE(solver_.factorise(a, pool).positive_definite);
    rest_ = rest_projections(model_, 0, pool);
    q = projected(model_.rest), v.assign(q.size(), 0.0), gravity.assign(q.size(), 0.0);
  }

  std::vector<double> projected(const std::vector<double>& x) const {
    std::vector<double> out(3 * static_cast<std::size_t>(reduction_->rows()));
    reduction_->positions().project(model_.mass, x.data(), out.data(), pool_);
    return out;
  }
  std::vector<double> positions() const {
    std::vector<double> x(model_.rest.size());
    reduction_->positions().lift(q.data(), x.data(), pool_);
    return x;
  }
  void step(int iterations) {
    const std::size_t n = q.size();
    std::vector<double> target(n), inertia(n), right(n), next(n);
    for (std::size_t i = 0; i < n; ++i) target[i] = q[i] + step_ * v[i] + step_ * step_ * gravity[i];
    reduction_->mass().multiply(target.data(), inertia.data());
    next = target;
    for (int k = 0; k < iterations; ++k) {
      right = forces(next);
      for (std::size_t i = 0; i < n; ++i) right[i] += inertia[i] / (step_ * step_);
      solver_.solve(right.data(), next.data(), pool_);
    }
    for (std::size_t i = 0; i < n; ++i) v[i] = (next[i] - q[i]) / step_;
    q = next;
  }
  const Model& model() const { return model_; }

  std::vector<double> q, v, gravity;

 private:
  static Model make() {
    BoxOptions options;
    options.cells = {12, 4, 4}, options.size = {3, 1, 1}, options.pattern = BoxPattern::six;
    return setup::solid(box(options), 1000, "arap", {{"stiffness", 1e5}});
  }
  void project(int element, const double* x, double* p) const {
    const Elements& e = model_.terms[0].elements;
    Pack z[9] = {}, r[9];
    for (int row = 0; row < 3; ++row)
      for (int a = 0; a < 4; ++a)
        for (int c = 0; c < 3; ++c)
          z[3 * row + c] += broadcast(e.coefficients(element)[4 * row + a] * x[3 * e.vertices(element)[a] + c]);
    polar3(z, r);
    for (int c = 0; c < 9; ++c) p[c] = r[c][0];
  }
  // U^T S^T p, fitted or whole.
  std::vector<double> forces(const std::vector<double>& at) const {
    const ReducedTerm& term = reduction_->terms()[0];
    const Elements& e = model_.terms[0].elements;
    std::vector<double> x(model_.rest.size()), force(x.size(), 0.0), out(at.size(), 0.0);
    reduction_->positions().lift(at.data(), x.data(), pool_);
    AlignedVector<double> packs((term.samples.element.size() + 7) / 8 * 72, 0.0);
    for (std::size_t s = 0; s < term.samples.element.size(); ++s) {
      const int i = term.samples.element[s];
      double p[9];
      project(i, x.data(), p);
      for (std::size_t c = 0; c < 9; ++c) packs[(s / 8 * 9 + c) * 8 + s % 8] = p[c];
      for (int a = 0; a < 4 && term.fit.empty(); ++a)
        for (int c = 0; c < 9; ++c)
          force[3 * e.vertices(i)[a] + c % 3] +=
              e.measure(i) * rest_.k[i] * e.coefficients(i)[4 * (c / 3) + a] * p[c];
    }
    if (term.fit.empty()) reduction_->positions().pull_back(force.data(), out.data(), pool_);
    else term.fit.add(packs.data(), out.data(), pool_);
    return out;
  }

  Model model_;
  ThreadPool& pool_;
  double step_;
  std::unique_ptr<Reduction> reduction_;
  SupernodalCholesky<double> solver_;
  RestProjections rest_;
};

std::vector<double> turned(std::vector<double> x) {
  rotate(x, {1, 2, -1}, 70);
  return x;
}

TEST(ReducedSteps, ABodyAtRestStaysThereTurnedOrNot) {
  ThreadPool pool(1);
  for (const bool turn : {false, true}) {
    Body body(200, pool);
    const auto start = turn ? turned(body.model().rest) : body.model().rest;
    body.q = body.projected(start);
    for (int i = 0; i < 50; ++i) body.step(3);
    EXPECT_LE(largest_difference(body.positions(), start), 1e-9);
  }
}

TEST(ReducedSteps, FreeFallIsExact) {
  ThreadPool pool(1);
  Body body(200, pool);
  std::vector<double> g(body.model().rest.size(), 0.0);
  for (std::size_t i = 1; i < g.size(); i += 3) g[i] = -9.81;
  body.gravity = body.projected(g);
  for (int i = 0; i < 30; ++i) body.step(3);
  auto wanted = body.model().rest;
  for (std::size_t i = 1; i < wanted.size(); i += 3) wanted[i] -= 9.81 * 0.02 * 0.02 * 30 * 31 / 2;
  EXPECT_LE(largest_difference(body.positions(), wanted), 1e-9);
}

// A bar that was bent and twisted and is let go: with a sixth of the elements it moves as with all.
TEST(ReducedSteps, SamplesMoveItNearlyAsAllElementsDo) {
  ThreadPool pool(1);
  Body fitted(200, pool), whole(100000, pool);
  auto start = fitted.model().rest;
  for (std::size_t i = 0; i < start.size(); i += 3) {
    const double angle = 0.5 * start[i], y = start[i + 1], z = start[i + 2];
    start[i + 1] = std::cos(angle) * y - std::sin(angle) * z + 0.1 * start[i] * start[i];
    start[i + 2] = std::sin(angle) * y + std::cos(angle) * z;
  }
  fitted.q = whole.q = fitted.projected(start);
  double moved = 0, apart = 0;
  for (int i = 0; i < 15; ++i) {
    fitted.step(10), whole.step(10);
    moved = std::max(moved, largest_difference(whole.positions(), start));
    apart = std::max(apart, largest_difference(whole.positions(), fitted.positions()));
  }
  EXPECT_GT(moved, 0.2);
  EXPECT_LT(apart, 0.1 * moved);
}

// No shape stops it: flattened to a plane it comes back.
TEST(ReducedSteps, AFlattenedBodyRecovers) {
  ThreadPool pool(1);
  Body body(200, pool);
  auto flat = body.model().rest;
  for (std::size_t i = 2; i < flat.size(); i += 3) flat[i] = 0;
  body.q = body.projected(flat);
  for (int i = 0; i < 100; ++i) body.step(8);
  const TetMesh mesh{body.positions(), body.model().bodies[0].tets, {}, {}};
  EXPECT_NEAR(total_volume(mesh), 3, 0.06);
}

}  // namespace
}  // namespace resilin
