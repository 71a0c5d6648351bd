#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/obstacles/obstacle_potential.h"
#include "lab/setup.h"
#include "lab/bar_scenes.h"
#include "potentials/spring.h"
#include "problem/element_sample.h"
#include "resilin/registry.h"
#include "solvers/precondition/coarse_space.h"
#include "solvers/precondition/initial_hessian.h"

namespace resilin::lab {
namespace {

constexpr double step = 0.02;
constexpr int modes = 3;

Model bar(const std::string& material = "neo_hookean") {
  return solid(beam_mesh(2), 1000, material, {{"young", 1e5}, {"poisson", 0.4}});
}

struct Space {
  OneStage stage;
  ConstantHessian hessian{"cholesky"};
  CoarseSpace coarse;
  explicit Space(Model model, const std::vector<double>& q, const std::vector<double>& v = {})
      : stage(std::move(model), q, v.empty() ? std::vector<double>(q.size(), 0.0) : v, step) {
    hessian.prepare(stage.problem());
    coarse.make(stage.problem(), hessian, modes);
  }
  // Column `column` of a component on all vertices and all axes but `axis` zero.
  std::vector<double> function(int component, int column, int axis) {
    std::vector<double> out(static_cast<std::size_t>(stage.problem().space().size()), 0.0);
    const auto& vertices = coarse.vertices(component);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      out[3 * vertices[i] + axis] = coarse.basis(component, column, static_cast<int>(i));
    return out;
  }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Rows of the free vertices.
std::vector<double> free_rows(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> out;
  for (int v = 0; v < problem.space().vertices(); ++v)
    if (problem.space().free_index()[v] >= 0) out.insert(out.end(), x.begin() + 3 * v, x.begin() + 3 * v + 3);
  return out;
}

// x . matrix y on the free vertices.
double product(const Problem& problem, const SymmetricMatrix& matrix, const std::vector<double>& x,
               const std::vector<double>& y) {
  const auto free_y = free_rows(problem, y);
  std::vector<double> my(free_y.size());
  matrix.multiply(free_y.data(), my.data());
  return dot(free_rows(problem, x), my);
}

TEST(CoarseSpace, FunctionsAreOrthonormalAndZeroOnPins) {
  Model model = bar();
  pin(model, {0, 1, 2, 3});
  const auto q = model.rest;
  Space space(std::move(model), q);
  Problem& problem = space.stage.problem();
  const SymmetricMatrix a = problem.constant().matrix();
  ASSERT_EQ(space.coarse.components(), 1);
  ASSERT_EQ(space.coarse.columns(0), 4 * modes);
  for (int i = 0; i < space.coarse.columns(0); ++i) {
    const auto phi = space.function(0, i, 0);
    for (int v = 0; v < 4; ++v) EXPECT_EQ(phi[3 * v], 0.0);
    for (int j = 0; j <= i; ++j)
      EXPECT_NEAR(product(problem, a, phi, space.function(0, j, 0)), i == j ? 1 : 0, 1e-6);  // rounded to float
  }
}

TEST(CoarseSpace, ConstantsOfAFreeBodyAreTheFirstFunction) {
  Model model = bar();
  const auto q = model.rest;
  const Space space(std::move(model), q);
  for (std::size_t i = 0; i < space.coarse.vertices(0).size(); ++i)
    ASSERT_EQ(space.coarse.basis(0, 0, static_cast<int>(i)), space.coarse.basis(0, 0, 0));
}

// Every element of a small model is in the sample.
void expect_projected_hessian(Model model, const std::vector<double>& q, const std::vector<double>& at,
                              const std::vector<double>& v = {}) {
  Space space(std::move(model), q, v);
  Problem& problem = space.stage.problem();
  Linearisation& linearised = problem.linearise(at.data());
  SymmetricMatrix matrix = linearised.pattern();
  linearised.assemble(matrix, true);
  space.coarse.linearise(problem, at.data(), ContactRows());
  for (int c = 0; c < space.coarse.components(); ++c) {
    const int n = space.coarse.columns(c);
    double largest = 0;
    for (int i = 0; i < 3 * n; ++i) largest = std::max(largest, space.coarse.coarse_hessian(c, i, i));
    for (int i = 0; i < 3 * n; ++i)
      for (int j = 0; j <= i; ++j)
        ASSERT_NEAR(space.coarse.coarse_hessian(c, i, j),
                    product(problem, matrix, space.function(c, i % n, i / n), space.function(c, j % n, j / n)),
                    1e-11 * largest)
            << c << " " << i << " " << j;
  }
}

TEST(CoarseSpace, TheCoarseHessianIsTheProjectedOne) {
  for (const char* material : {"neo_hookean", "corotated"}) {
    Model model = bar(material);
    pin(model, {0, 1, 2, 3});
    const auto q = model.rest;
    expect_projected_hessian(std::move(model), q, twisted(q, 70));
  }
}

TEST(CoarseSpace, DampingAndSpringsAndSeveralBodiesCount) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const int first =
      builder.add(Solid{.mesh = beam_mesh(2), .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.4}}}});
  builder.damp(first, {"strain_rate", {{"shear", 100}}});
  TetMesh other = beam_mesh(2);
  translate(other, {0, 3, 0});
  builder.add(Solid{.mesh = other, .material = {"corotated", {{"young", 2e4}, {"poisson", 0.3}}}, .density = 500});
  Model model = std::move(builder).model();
  const int half = model.vertex_count() / 2;
  const std::vector<int> edges = {half, half + 40, half + 1, half + 60};
  const std::vector<double> stiffness = {50, 70}, length = {0.5, 0.1};
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(stiffness, length)}});
  const auto q = model.rest;
  std::vector<double> v(q.size());
  Random random(3);
  for (double& x : v) x = random.uniform(-1, 1);
  expect_projected_hessian(std::move(model), q, twisted(q, 50), v);
}

// What acts on a few vertices would look far too stiff to smooth functions, and A does not have it either.
TEST(CoarseSpace, ContactStaysOut) {
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  Model model = bar();
  const auto q = model.rest;
  auto at = twisted(q, 70);
  for (std::size_t i = 1; i < at.size(); i += 3) at[i] -= 10;  // deep in the ground
  std::vector<int> all(model.vertex_count());
  std::iota(all.begin(), all.end(), 0);
  Model grounded = model;
  grounded.terms.push_back(
      {"ground", Elements::points(all), {make_obstacle_potential(plane.make(plane.params.defaults()), 1e6)}});
  Space free(std::move(model), q), held(std::move(grounded), q);
  free.coarse.linearise(free.stage.problem(), at.data(), ContactRows());
  held.coarse.linearise(held.stage.problem(), at.data(), ContactRows());
  for (int i = 0; i < 3 * free.coarse.columns(0); ++i)
    for (int j = 0; j <= i; ++j)
      ASSERT_EQ(held.coarse.coarse_hessian(0, i, j), free.coarse.coarse_hessian(0, i, j));
}

// The first point of a stage may be crushed: nothing is linearised there.
TEST(CoarseSpace, TheFirstIterationIsThePapers) {
  std::vector<double> results[2][2];  // [iterations - 1][two-level]
  for (const int iterations : {1, 2})
    for (const int two_level : {0, 1}) {
      const auto q = twisted(bar().rest, 120);
      OneStage stage(bar(), q, std::vector<double>(q.size(), 0.0), step);
      const auto solver = lab::make_solver("quasi_newton", {{"coarse_modes", two_level * modes}});
      stage.solve(*solver, {.iterations = iterations, .tolerance = 0}, results[iterations - 1][two_level]);
    }
  EXPECT_EQ(results[0][0], results[0][1]);
  EXPECT_NE(results[1][0], results[1][1]);
}

TEST(CoarseSpace, ALargeTermIsSampledAndKeepsItsMeasure) {
  Model model = solid(beam_mesh(5), 1000, "neo_hookean", {});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  double all = 0, sampled = 0;
  for (int i = 0; i < model.terms[0].elements.size(); ++i) all += model.terms[0].elements.measure(i);
  const PackedTerm& packs = system.problem().elements().sample().terms[0];
  EXPECT_LT(8 * packs.packs(), model.terms[0].elements.size() / 2);
  for (int p = 0; p < packs.packs(); ++p)
    for (int l = 0; l < 8; ++l) sampled += packs.measure(p)[l];
  EXPECT_NEAR(sampled, all, 1e-12 * all);
}

// Springs of no length are as quadratic as A, and A is 1 on the functions: a sample that saw it with an error would
// not give that.
TEST(CoarseSpace, ASampleSeesTheConstantHessianExactly) {
  const TetMesh mesh = beam_mesh(5);
  Model model = solid(mesh, 1000, "corotated", {});
  model.terms.clear();
  std::vector<int> edges;
  for (std::size_t t = 0; t < mesh.tets.size(); t += 4)
    for (int a = 0; a < 3; ++a) edges.insert(edges.end(), {mesh.tets[t + a], mesh.tets[t + a + 1]});
  const std::size_t count = edges.size() / 2;
  std::vector<double> stiffness;
  Random random(1);
  for (std::size_t i = 0; i < count; ++i) stiffness.push_back(random.uniform(5e4, 5e5));
  model.terms.push_back(
      {"springs", Elements::springs(edges), {make_spring(stiffness, std::vector<double>(count, 0.0))}});
  const auto q = model.rest;
  Space space(std::move(model), q);
  Problem& problem = space.stage.problem();
  EXPECT_LT(8 * problem.elements().sample().terms[0].packs(), static_cast<int>(count) / 4);
  space.coarse.linearise(problem, q.data(), ContactRows());
  for (int i = 0; i < 3 * space.coarse.columns(0); ++i)
    for (int j = 0; j <= i; ++j)
      ASSERT_NEAR(space.coarse.coarse_hessian(0, i, j), i == j ? 1 : 0, 1e-5) << i << " " << j;
}

std::unique_ptr<InitialHessian> two_level() {
  const Values values = {{"coarse_modes", modes}, {"linear_solver", "cholesky"}};
  return make_initial_hessian(plugin<SolverPlugin>("solver", "quasi_newton", "test").params.read(Value(values)));
}

TEST(CoarseSpace, ThePreconditionerIsSymmetricAndPositive) {
  Model model = bar();
  pin(model, {5, 6});
  const auto q = model.rest;
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), step);
  const auto hessian = two_level();
  Memory memory;
  ASSERT_EQ(hessian->begin(stage.problem(), twisted(q, 60), memory), 1);
  Random random(1);
  std::vector<double> r[2], d[2];
  for (int i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < q.size(); ++k) r[i].push_back(k / 3 == 5 || k / 3 == 6 ? 0 : random.normal());
    d[i].resize(q.size());
    hessian->solve(stage.problem(), q, 0, r[i].data(), d[i].data());
    EXPECT_GT(dot(r[i], d[i]), 0);
    for (int k = 15; k < 21; ++k) EXPECT_EQ(d[i][k], 0.0);
  }
  EXPECT_NEAR(dot(r[0], d[1]), dot(r[1], d[0]), 1e-12 * dot(r[0], d[0]));
}

std::unique_ptr<Simulation> simulate(Model model, int iterations, int threads, int coarse = modes) {
  return lab::make_simulation(std::move(model), step, "quasi_newton",
                              {{"iterations", iterations}, {"tolerance", 0}, {"coarse_modes", coarse}},
                              "backward_euler", threads);
}

TEST(CoarseSpace, TheSameBitsForAnyNumberOfThreads) {
  std::uint64_t hashes[2];
  for (const int threads : {1, 2}) {
    Model model = solid(beam_mesh(4), 1000, "corotated", {});
    model.gravity = {0, -9.81, 0};
    pin(model, {0, 1, 2, 3, 4});
    const auto simulation = simulate(std::move(model), 4, threads);
    for (int i = 0; i < 10; ++i) simulation->step();
    hashes[threads - 1] = hash(simulation->state());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(CoarseSpace, MomentumStays) {
  const auto simulation = simulate(bar(), 3, 2);
  State state = simulation->state();
  state.q = twisted(state.q, 90);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = i % 3 == 0 ? 1.0 : 0.25;
  simulation->set_state(state);
  const auto before = simulation->momentum();
  for (int i = 0; i < 50; ++i) simulation->step();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation->momentum()[k], before[k], 1e-12 * std::abs(before[0]));
}

TEST(CoarseSpace, TurnsWithTheBody) {
  const auto turn = [](std::vector<double> x) {
    for (std::size_t i = 0; i < x.size(); i += 3) std::swap(x[i], x[i + 1]), x[i] = -x[i];
    return x;
  };
  Model model = bar();
  const auto start = twisted(model.rest, 120);
  std::vector<double> results[2];
  for (const bool turned : {false, true}) {
    const auto q = turned ? turn(start) : start;
    OneStage stage(bar(), q, std::vector<double>(q.size(), 0.0), step);
    const auto solver = lab::make_solver("quasi_newton", {{"coarse_modes", modes}, {"linear_solver", "cholesky"}});
    stage.solve(*solver, {.iterations = 4, .tolerance = 0}, results[turned ? 1 : 0]);
  }
  const auto expected = turn(results[0]);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(results[1][i], expected[i], 1e-10);
}

// A bar that bends under its weight: the smooth motion that A charges too much for.
TEST(CoarseSpace, NeedsFewerIterationsWhereThingsBend) {
  const std::vector<Method> methods = {{"paper", "quasi_newton", {}},
                                       {"two-level", "quasi_newton", {{"coarse_modes", 5}}}};
  const auto result = needed({.scene = "drop"}, methods, {.frames = 6, .every = 3, .repeat = 1});
  EXPECT_EQ(result[1].missed[1], 0);
  EXPECT_LT(1.5 * result[1].iterations[1], result[0].iterations[1]);
}

TEST(CoarseSpace, BelongsToTheProjectiveHessian) {
  EXPECT_THROW(lab::make_solver("quasi_newton", {{"coarse_modes", 2}, {"initial_hessian", "rest_pose"}}),
               InputError);
}

}  // namespace
}  // namespace resilin::lab
