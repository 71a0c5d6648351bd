// Terms whose elements change: obstacles by lists of vertices that are near, and contact, whose elements solvers must be told of.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "core/stamp.h"
#include "lab/sampling.h"
#include "lab/setup.h"
#include "potentials/spring.h"
#include "resilin/registry.h"

namespace resilin::lab {
namespace {

Model above_ground(double height, int threads_of_vertices = 3) {
  Model model = solid(beam_mesh(threads_of_vertices), 1000, "neo_hookean", {});
  for (std::size_t i = 1; i < model.rest.size(); i += 3) model.rest[i] += height;
  model.terms[0].elements = Elements::tets(model.rest, model.bodies[0].tets);
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  std::vector<int> ids(static_cast<std::size_t>(model.vertex_count()));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int>(i);
  model.terms.push_back(
      {"ground", Elements::points(ids), {make_obstacle_potential(plane.make(plane.params.defaults()), 1e4)}});
  return model;
}

// k/2 min(0, y)^2 of every vertex, without any list.
double ground_energy(const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 1; i < y.size(); i += 3) sum += 0.5 * 1e4 * std::pow(std::min(0.0, y[i]), 2);
  return sum;
}

// Far away, near, through it in one leap, back again, and turned over: whatever was listed before.
TEST(Lagged, AnObstacleCountsWhereverVerticesLeap) {
  Model model = above_ground(5);
  Model alone = model;
  alone.terms.pop_back();
  const std::vector<double> rest = model.rest;
  OneStage stage(std::move(model), rest, std::vector<double>(rest.size(), 0.0), 0.02, 2);
  OneStage free(std::move(alone), rest, std::vector<double>(rest.size(), 0.0), 0.02, 1);
  Random random(5);
  std::vector<double> g(rest.size()), g_free(rest.size());
  for (const double drop : {0.0, 4.9, 5.2, 9.0, 0.0, 5.01, 5.0, 5.3, 1e6, 5.2}) {
    std::vector<double> y = rest;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.01 * random.normal() - (i % 3 == 1 ? drop : 0);
    const Evaluation with = stage.objective().evaluate(y.data(), g.data());
    const Evaluation without = free.objective().evaluate(y.data(), g_free.data());
    const double expected = ground_energy(y);
    EXPECT_NEAR(with.potential() - without.potential(), expected, 1e-12 * (without.potential() + expected)) << drop;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double force = i % 3 == 1 ? 1e4 * std::min(0.0, y[i]) : 0;
      ASSERT_NEAR(g[i] - g_free[i], force, 1e-9 * (std::abs(g_free[i]) + std::abs(force) + 1)) << drop << " " << i;
    }
    std::vector<Objective::PointStiffness> points;
    stage.objective().contacts(y.data(), points);
    std::size_t touching = 0;
    for (std::size_t i = 1; i < y.size(); i += 3) touching += y[i] < 0;
    EXPECT_EQ(points.size(), touching) << drop;
  }
}

// A resumed run lists other vertices than one that came along: it must not show.
TEST(Lagged, BitsDoNotDependOnWhatWasListedBefore) {
  const Model model = above_ground(0);
  std::vector<double> y = model.rest;
  for (std::size_t i = 1; i < y.size(); i += 3) y[i] -= 0.07;
  const auto value = [&](bool wander, int threads) {
    OneStage stage(above_ground(0), model.rest, std::vector<double>(y.size(), 0.0), 0.02, threads);
    std::vector<double> other = y, g(y.size());
    for (std::size_t i = 1; wander && i < y.size(); i += 3) other[i] -= 0.5;
    stage.objective().evaluate(other.data(), g.data());
    g.push_back(stage.objective().evaluate(y.data(), g.data()).value());
    return g;
  };
  const auto first = value(false, 1);
  EXPECT_EQ(first, value(true, 1));
  EXPECT_EQ(first, value(true, 2));
}

// Springs between given pairs, while their vertices are closer than a reach at the last refresh; how often it was asked is kept in the state.
class Magnets final : public ContactModel {
 public:
  Magnets(std::vector<int> pairs, double reach, double longest)
      : pairs_(std::move(pairs)), reach_(reach), longest_(longest) {}
  std::string name() const override { return "magnets"; }
  void stamp(Stamp& out) const override { out.add(std::span<const int>(pairs_)), out.add(reach_); }

  class Term final : public ListedTerm {
   public:
    explicit Term(const Magnets& magnets) : m_(magnets) { list({}); }
    std::span<const resilin::Term> terms() const override { return {&term_, 1}; }
    void begin(const Stage&, const Memory& memory) override {
      const auto* kept = memory.find("magnets.asked", 1);
      asked = kept != nullptr ? (*kept)[0] : 0;
    }
    void end(const double*, Memory& memory) override { memory.keep("magnets.asked", 1) = {asked}; }
    Change refresh(const double* x) override {
      ++asked;
      std::vector<int> near;
      for (std::size_t i = 0; i < m_.pairs_.size(); i += 2) {
        const double *a = x + 3 * m_.pairs_[i], *b = x + 3 * m_.pairs_[i + 1];
        if (std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < m_.reach_)
          near.insert(near.end(), {m_.pairs_[i], m_.pairs_[i + 1]});
      }
      if (near == near_) return Change::nothing;
      list(near);
      return Change::function;
    }
    bool bounds_steps() const override { return true; }
    bool clip(const double* from, double* to, std::span<const int> component, std::span<double> part,
              bool) override {
      bool clipped = false;
      for (std::size_t v = 0; v < component.size(); ++v) {
        const double* a = from + 3 * v;
        double* b = to + 3 * v;
        const double left = m_.longest_ / std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        if (!(left < 1)) continue;
        for (int k = 0; k < 3; ++k) b[k] = a[k] + left * (b[k] - a[k]);
        part[component[v]] = std::min(part[component[v]], left);
        clipped = true;
      }
      return clipped;
    }
    double asked = 0;

   private:
    void list(std::vector<int> near) {
      near_ = std::move(near);
      const std::vector<double> k(near_.size() / 2, 500.0), length(k.size(), 0.05);
      term_ = {"magnets", Elements::springs(near_), {make_spring(k, length)}};
    }
    const Magnets& m_;
    std::vector<int> near_;
    resilin::Term term_;
  };
  std::unique_ptr<ListedTerm> make(const Model&, ThreadPool&) const override {
    return std::make_unique<Term>(*this);
  }

 private:
  std::vector<int> pairs_;
  double reach_, longest_;
};

struct Drawn {
  Model model;
  std::vector<int> pairs;
};
Drawn magnetic(double reach, double longest = 1) {
  Drawn out{solid(beam_mesh(3), 1000, "neo_hookean", {{"young", 1e4}, {"poisson", 0.3}}), {}};
  const int n = out.model.vertex_count();
  for (int i = 0; i < 10; ++i) out.pairs.insert(out.pairs.end(), {i, n - 1 - i});
  out.model.contact.push_back(std::make_shared<Magnets>(out.pairs, reach, longest));
  return out;
}

TEST(Lagged, GradientMatchesEnergyAndChangesAreCounted) {
  Drawn drawn = magnetic(1e9);
  auto y = twisted(drawn.model.rest, 20);
  const auto v = std::vector<double>(y.size(), 0.0);
  OneStage stage(std::move(drawn.model), y, v, 0.02, 2);
  Objective& o = stage.objective();
  const double before = o.evaluate(y.data(), nullptr).value();
  const std::uint64_t version = o.contact_version();
  EXPECT_TRUE(o.refresh(y.data()));
  EXPECT_EQ(o.contact_version(), version + 1);
  EXPECT_FALSE(o.refresh(y.data()));
  EXPECT_EQ(o.contact_version(), version + 1);
  std::vector<double> g(y.size());
  EXPECT_GT(o.evaluate(y.data(), g.data()).value(), before);
  for (const int id : {drawn.pairs[0], drawn.pairs[1], drawn.pairs[7]})
    for (int k = 0; k < 3; ++k) {
      const std::size_t i = 3 * static_cast<std::size_t>(id) + k;
      const double e = 1e-6, x = y[i];
      y[i] = x + e;
      const double up = o.evaluate(y.data(), nullptr).value();
      y[i] = x - e;
      const double down = o.evaluate(y.data(), nullptr).value();
      y[i] = x;
      EXPECT_NEAR((up - down) / (2 * e), g[i], 1e-5 * (std::abs(g[i]) + 1)) << id << " " << k;
    }
}

// The same springs as terms of the model.
TEST(Lagged, SolversEndAtTheMinimumOfTheFunctionAsItIs) {
  for (const char* solver : {"quasi_newton", "newton", "chebyshev"}) {
    Drawn drawn = magnetic(1e9), plain = magnetic(1e9);
    plain.model.contact.clear();
    const std::vector<double> k(plain.pairs.size() / 2, 500.0), length(k.size(), 0.05);
    plain.model.terms.push_back({"springs", Elements::springs(plain.pairs), {make_spring(k, length)}});
    const auto q = twisted(drawn.model.rest, 20), v = std::vector<double>(q.size(), 0.0);
    OneStage stage(std::move(drawn.model), q, v, 0.02, 1), same(std::move(plain.model), q, v, 0.02, 1);
    std::vector<double> y, reference;
    same.minimum(reference, 1e-10);
    const auto made = make_solver(solver, {});
    const SolveReport report = stage.solve(*made, {.iterations = 2000, .gradient = 1e-8}, y);
    EXPECT_EQ(report.status, Status::converged) << solver;
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], reference[i], 1e-6) << solver;
  }
}

TEST(Lagged, StepsStayWithinTheirBoundAndWhatIsLaggedIsInTheState) {
  constexpr double longest = 1e-3;
  Drawn drawn = magnetic(1e9, longest);
  const auto q = twisted(drawn.model.rest, 20), v = std::vector<double>(q.size(), 0.0);
  OneStage stage(std::move(drawn.model), q, v, 0.02, 1);
  for (const char* search : {"armijo", "strong_wolfe"}) {
    const auto solver = make_solver("quasi_newton", {{"search", search}});
    std::vector<double> y = stage.stage().guess, last;
    double farthest = 0;
    solver->observe = [&](const std::vector<double>& at, const IterationRecord&) {
      for (std::size_t i = 0; i < last.size(); i += 3)
        farthest =
            std::max(farthest, std::hypot(at[i] - last[i], at[i + 1] - last[i + 1], at[i + 2] - last[i + 2]));
      last = at;
    };
    Memory memory;
    memory.keep("magnets.asked", 1) = {100};
    stage.objective().begin(stage.stage());
    const SolveReport report = solver->solve(stage.objective(), stage.stage(), y, memory, {.iterations = 8});
    EXPECT_GT(report.iterations, 2) << search;
    EXPECT_LE(farthest, longest * (1 + 1e-12)) << search;
    EXPECT_GT(farthest, 0.99 * longest) << search;
    EXPECT_GT((*memory.find("magnets.asked", 1))[0], 100) << search;
  }
}

}  // namespace
}  // namespace resilin::lab
