#include <gtest/gtest.h>

#include <numeric>

#include "core/expect_input_error.h"
#include "reduction/reduction.h"
#include "resilin/shapes.h"
#include "support/setup.h"

namespace resilin {
namespace {

using test::input_error;
using test::says;

Model bar(const std::string& material = "arap") {
  BoxOptions options;
  options.cells = {12, 4, 4}, options.size = {3, 1, 1}, options.pattern = BoxPattern::six;
  if (material == "arap") return setup::solid(box(options), 1000, material, {{"stiffness", 1e3}});
  return setup::solid(box(options), 1000, material, {{"young", 1e5}, {"poisson", 0.4}});
}
/// Two solids of one term, a curved shell with bending, and springs.
Model everything() {
  Builder builder;
  builder.gravity({0, 0, 0});
  BoxOptions options;
  options.cells = {8, 3, 3}, options.size = {2, 1, 1};
  builder.add(Solid{.mesh = box(options), .material = {"arap", {{"stiffness", 1e3}}}});
  options.cells = {4, 3, 3}, options.center = {0, 3, 0};
  builder.add(Solid{.mesh = box(options), .material = {"arap", {{"stiffness", 2e3}}}});
  TriangleMesh sheet = grid_sheet({.size = {2, 2}, .cells = {12, 12}, .center = {0, 0, 4}});
  for (std::size_t v = 0; v < sheet.vertices.size(); v += 3)
    sheet.vertices[v + 2] += 0.3 * sheet.vertices[v] * sheet.vertices[v];
  builder.add(Shell{.mesh = sheet, .skin = {.thickness = 0.02}});
  EdgeMesh net = grid_cloth({.nx = 10, .ny = 10, .center = {0, 0, -4}}).springs;
  builder.add(Springs{.mesh = net});
  return builder.model();
}
ReductionSettings settings(int handles, int fit_handles, int samples) {
  ReductionSettings out;
  out.handles = handles, out.fit_handles = fit_handles, out.samples = samples;
  return out;
}

std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  setup::Random random(seed);
  std::vector<double> out(n);
  for (double& x : out) x = random.normal();
  return out;
}
double norm(const std::vector<double>& a) {
  return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0));
}
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// U^T sum measure k D^T p over all elements.
std::vector<double> whole_sum(const Model& model, int t, const Reduction& reduction, const std::vector<double>& p,
                              const std::vector<double>& k, ThreadPool& pool) {
  const Elements& e = model.terms[t].elements;
  std::vector<double> force(model.rest.size(), 0.0), out(3 * static_cast<std::size_t>(reduction.rows()));
  for (int i = 0; i < e.size(); ++i)
    for (int a = 0; a < e.corners(); ++a)
      for (int r = 0; r < e.rows(); ++r)
        for (int x = 0; x < 3; ++x)
          force[3 * e.vertices(i)[a] + x] += e.measure(i) * k[i] * e.coefficients(i)[r * e.corners() + a] *
                                             p[static_cast<std::size_t>(i * e.rows() + r) * 3 + x];
  reduction.positions().pull_back(force.data(), out.data(), pool);
  return out;
}
std::vector<double> fitted_sum(const Model& model, int t, const Reduction& reduction, const std::vector<double>& p,
                               ThreadPool& pool) {
  const ReducedTerm& term = reduction.terms()[t];
  const std::size_t each = 3 * static_cast<std::size_t>(model.terms[t].elements.rows());
  AlignedVector<double> packs((term.samples.element.size() + 7) / 8 * each * 8,
                              std::numeric_limits<double>::quiet_NaN());
  for (std::size_t s = 0; s < term.samples.element.size(); ++s)
    for (std::size_t c = 0; c < each; ++c)
      packs[(s / 8 * each + c) * 8 + s % 8] = p[static_cast<std::size_t>(term.samples.element[s]) * each + c];
  std::vector<double> out(3 * static_cast<std::size_t>(reduction.rows()), 0.0);
  term.fit.add(packs.data(), out.data(), pool);
  return out;
}
std::vector<double> turned(const Model& model, int t, const std::vector<double>& p, const EdgeGraph& graph) {
  const Elements& e = model.terms[t].elements;
  std::vector<double> out(p.size());
  for (int i = 0; i < e.size(); ++i) {
    setup::Random random(
        17 + static_cast<std::uint64_t>(graph.component[e.vertices(i)[0]]));  // one map for each component
    double a[9];
    for (double& x : a) x = random.normal();
    for (std::size_t r = 0; r < static_cast<std::size_t>(e.rows()); ++r)
      for (std::size_t x = 0; x < 3; ++x) {
        const std::size_t at = (static_cast<std::size_t>(i * e.rows()) + r) * 3;
        out[at + x] = a[x] * p[at] + a[3 + x] * p[at + 1] + a[6 + x] * p[at + 2];
      }
  }
  return out;
}

TEST(Reduction, StiffnessIsTheGalerkinProjection) {
  ThreadPool pool(2);
  const Model model = everything();
  ASSERT_GE(model.terms.size(), 4u);
  const Reduction reduction(model, settings(30, 12, 40), pool);
  ASSERT_EQ(reduction.terms().size(), model.terms.size());
  const auto q = noise(3 * static_cast<std::size_t>(reduction.rows()), 3);
  std::vector<double> x(model.rest.size()), wanted(q.size()), found(q.size());
  reduction.positions().lift(q.data(), x.data(), pool);
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    const Elements& e = model.terms[t].elements;
    std::vector<double> force(x.size(), 0.0);
    double size = 0;  // of what is summed
    for (int i = 0; i < e.size(); ++i) {
      double stiff[9] = {}, one[9];
      for (const auto& potential : model.terms[t].elastic) {
        potential->quadratic(i, 1, one);
        for (int s = 0; s < e.rows() * e.rows(); ++s) stiff[s] += one[s];
      }
      for (int a = 0; a < e.corners(); ++a)
        for (int b = 0; b < e.corners(); ++b) {
          double sum = 0;
          for (int r = 0; r < e.rows(); ++r)
            for (int s = 0; s < e.rows(); ++s)
              sum += e.coefficients(i)[r * e.corners() + a] * stiff[r * e.rows() + s] *
                     e.coefficients(i)[s * e.corners() + b];
          for (int c = 0; c < 3; ++c)
            force[3 * e.vertices(i)[a] + c] += e.measure(i) * sum * x[3 * e.vertices(i)[b] + c];
          size = std::max(size, std::abs(e.measure(i) * sum));
        }
    }
    reduction.positions().pull_back(force.data(), wanted.data(), pool);
    reduction.terms()[t].stiffness.multiply(q.data(), found.data());
    EXPECT_GT(norm(wanted), 0);
    EXPECT_LE(difference(wanted, found), 1e-11 * (norm(wanted) + size * norm(x))) << model.terms[t].name;
    EXPECT_EQ(reduction.terms()[t].stiffness.column, reduction.mass().column);  // values may be added
  }
  reduction.positions().mass().multiply(q.data(), wanted.data());
  reduction.mass().multiply(q.data(), found.data());
  EXPECT_LE(difference(wanted, found), 1e-14 * norm(wanted));
}

// X35: the rest state and any affine image of each component are fitted exactly, so that bodies at rest stay there.
TEST(Reduction, AffineImagesOfTheRestStateAreFittedExactly) {
  ThreadPool pool(2);
  for (const Model& model : {everything(), bar(), bar("neo_hookean")}) {
    const Reduction reduction(model, settings(30, 12, 60), pool);
    const EdgeGraph graph = edge_graph(model);
    for (int t = 0; t < std::ssize(model.terms); ++t) {
      if (reduction.terms()[t].fit.empty()) continue;
      const RestProjections rest = rest_projections(model, t, pool);
      const auto p = turned(model, t, rest.p, graph);
      const auto wanted = whole_sum(model, t, reduction, p, rest.k, pool);
      const auto found = fitted_sum(model, t, reduction, p, pool);
      EXPECT_GT(norm(wanted), 0);
      EXPECT_LE(difference(wanted, found), 1e-9 * norm(wanted)) << model.terms[t].name;
    }
  }
}

TEST(Reduction, StressFreeMaterialsProjectTheRestStateOntoItself) {
  ThreadPool pool(2);
  for (const char* material : {"arap", "neo_hookean"}) {
    const Model model = bar(material);
    const RestProjections rest = rest_projections(model, 0, pool);
    for (std::size_t i = 0; i < rest.p.size(); ++i) EXPECT_NEAR(rest.p[i], i % 9 % 4 == 0 ? 1 : 0, 1e-12);
    for (const double k : rest.k) EXPECT_GT(k, 0);
  }
}

TEST(Reduction, AFlatSheetHasNoCurvatureToFitButConstantsOfHandles) {
  ThreadPool pool(2);
  TriangleMesh sheet = grid_sheet({.size = {2, 2}, .cells = {20, 20}});
  rotate(sheet.vertices, {1, 2, 3}, 40);
  Builder builder;
  builder.add(Shell{.mesh = sheet, .skin = {.thickness = 0.02, .bending = {"mean_curvature", {}}}});
  const Model model = builder.model();
  ASSERT_EQ(model.terms.size(), 2u);
  const RestProjections rest = rest_projections(model, 1, pool);
  for (const double p : rest.p) EXPECT_EQ(p, 0);
  const Reduction reduction(model, settings(12, 12, 60), pool);
  EXPECT_EQ(reduction.terms()[1].fit.components(), 12);
  EXPECT_EQ(reduction.rows(), 36);
  const RestProjections membrane = rest_projections(model, 0, pool);
  EXPECT_GT(norm(membrane.p), 1);
}

// Whatever the samples say, internal forces have no resultant.
TEST(Reduction, FittedForcesHaveNoResultant) {
  ThreadPool pool(2);
  const Model model = everything();
  const Reduction reduction(model, settings(30, 12, 60), pool);
  const std::vector<double> ones(model.rest.size(), 1.0);
  std::vector<double> shift(3 * static_cast<std::size_t>(reduction.rows()));
  reduction.positions().project(model.mass, ones.data(), shift.data(), pool);
  for (int t = 0; t < std::ssize(model.terms); ++t) {
    if (reduction.terms()[t].fit.empty()) continue;
    const auto p =
        noise(static_cast<std::size_t>(model.terms[t].elements.size() * model.terms[t].elements.rows()) * 3, 4);
    const auto r = fitted_sum(model, t, reduction, p, pool);
    double sum[3] = {};
    for (std::size_t i = 0; i < r.size(); ++i) sum[i % 3] += shift[i] * r[i];
    for (const double each : sum) EXPECT_LE(std::abs(each), 1e-10 * norm(r)) << model.terms[t].name;
  }
}

// Rotations that vary smoothly over the bar, as projections of a bent one do.
std::vector<double> bent_projections(const Model& model) {
  const Elements& e = model.terms[0].elements;
  std::vector<double> p(9 * static_cast<std::size_t>(e.size()), 0.0);
  for (int i = 0; i < e.size(); ++i) {
    double x = 0;
    for (const int v : e.vertices(i)) x += model.rest[3 * v] / 4;
    const double angle = 1.5 * std::sin(2.5 * x), c = std::cos(angle), s = std::sin(angle);
    const double turn[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
    std::copy_n(turn, 9, &p[9 * static_cast<std::size_t>(i)]);
  }
  return p;
}

TEST(Reduction, SmoothFieldsAreFittedBetterWithMoreHandles) {
  ThreadPool pool(2);
  const Model model = bar();
  const auto p = bent_projections(model);
  const RestProjections rest = rest_projections(model, 0, pool);
  std::vector<double> error;
  for (const int handles : {5, 12, 40}) {
    const Reduction reduction(model, settings(40, handles, 300), pool);
    const auto wanted = whole_sum(model, 0, reduction, p, rest.k, pool);
    error.push_back(difference(wanted, fitted_sum(model, 0, reduction, p, pool)) / norm(wanted));
    EXPECT_LE(reduction.terms()[0].fit.components(), 2 * handles);
  }
  EXPECT_LT(error[0], 1);
  EXPECT_LT(error[1], 0.75 * error[0]);
  EXPECT_LT(error[2], 0.5 * error[1]);
}

TEST(Reduction, FewSamplesLeaveOutWhatTheyCannotSee) {
  ThreadPool pool(2);
  const Model model = bar();
  const auto p = bent_projections(model);
  const RestProjections rest = rest_projections(model, 0, pool);
  for (const int samples : {1, 5, 20}) {
    const Reduction reduction(model, settings(40, 40, samples), pool);
    const ProjectionFit& fit = reduction.terms()[0].fit;
    EXPECT_GT(fit.components_left_out(), 0);
    EXPECT_LE(fit.components(), 3 * samples);
    const auto found = fitted_sum(model, 0, reduction, p, pool);
    EXPECT_LT(norm(found), 3 * norm(whole_sum(model, 0, reduction, p, rest.k, pool)));
  }
}

TEST(Reduction, SmallTermsAndPointsAreEvaluatedWhole) {
  ThreadPool pool(1);
  Model model = bar();
  std::vector<int> all(model.mass.size());
  std::iota(all.begin(), all.end(), 0);
  model.terms.push_back({"held", Elements::points(all), {}});
  const Reduction reduction(model, settings(20, 10, 100), pool);
  EXPECT_EQ(reduction.terms()[0].samples.element.size(), 100u);
  EXPECT_FALSE(reduction.terms()[0].fit.empty());
  EXPECT_EQ(reduction.terms()[1].samples.element.size(), all.size());
  EXPECT_TRUE(reduction.terms()[1].fit.empty());
  const Reduction whole(model, settings(20, 10, 100000), pool);
  EXPECT_TRUE(whole.terms()[0].fit.empty());
  EXPECT_EQ(std::ssize(whole.terms()[0].samples.element), model.terms[0].elements.size());
}

TEST(Reduction, TheSameBitsForAnyNumberOfThreadsAndFromAFile) {
  const Model model = everything();
  const ReductionSettings chosen = settings(30, 12, 60);
  std::vector<std::string> bytes;
  for (const int threads : {1, 2, 3}) {
    ThreadPool pool(threads);
    bytes.push_back(Reduction(model, chosen, pool).encode());
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(bytes[0], bytes[2]);
  ThreadPool pool(2);
  const Reduction made(model, chosen, pool), read = Reduction::decode(bytes[0], model, chosen, "file", pool);
  EXPECT_EQ(read.encode(), bytes[0]);
  EXPECT_EQ(read.stamp(), made.stamp());
  const RestProjections rest = rest_projections(model, 0, pool);
  EXPECT_EQ(fitted_sum(model, 0, made, rest.p, pool), fitted_sum(model, 0, read, rest.p, pool));
  std::vector<double> a(3 * static_cast<std::size_t>(made.rows())), b(a);
  made.positions().project(model.mass, model.rest.data(), a.data(), pool);
  read.positions().project(model.mass, model.rest.data(), b.data(), pool);
  EXPECT_EQ(a, b);
}

TEST(Reduction, AFileOfAnotherModelOrOtherSettingsIsRefused) {
  ThreadPool pool(1);
  const Model model = bar();
  const ReductionSettings chosen = settings(10, 5, 20);
  const std::string bytes = Reduction(model, chosen, pool).encode();
  Model moved = model, stiffer = setup::solid(TetMesh{model.rest, model.bodies[0].tets, {}, {}}, 1000, "arap",
                                              {{"stiffness", 2e3}});
  moved.rest[7] += 1e-9;
  const auto refused = [&](const Model& other, const ReductionSettings& s) {
    return says(input_error([&] { Reduction::decode(bytes, other, s, "bar.reduction", pool); }), "another mesh");
  };
  EXPECT_TRUE(refused(moved, chosen));
  EXPECT_TRUE(refused(stiffer, chosen));
  EXPECT_TRUE(refused(everything(), chosen));
  EXPECT_TRUE(refused(model, settings(11, 5, 20)));
  EXPECT_TRUE(refused(model, settings(10, 5, 21)));
  EXPECT_EQ(input_error([&] { Reduction::decode(bytes, moved, chosen, "bar.reduction", pool); }).where(),
            "bar.reduction");
}

// Any length, any flipped bits: an InputError that says what to do, and nothing else.
TEST(Reduction, FuzzedFilesAreRefusedWithARemedy) {
  ThreadPool pool(1);
  const Model model = bar();
  const ReductionSettings chosen = settings(6, 3, 10);
  const std::string bytes = Reduction(model, chosen, pool).encode();
  setup::Random random(7);
  for (int i = 0; i < 400; ++i) {
    std::string changed = bytes;
    if (i % 2 == 0) changed.resize(random.bits() % bytes.size());
    for (int flips = i % 2 == 0 ? i % 4 : 1 + i % 5; flips > 0 && !changed.empty(); --flips)
      changed[random.bits() % (i % 3 == 0 ? std::min<std::size_t>(48, changed.size()) : changed.size())] ^=
          static_cast<char>(1 + random.bits() % 255);
    if (changed == bytes) continue;
    const InputError error = input_error([&] { Reduction::decode(changed, model, chosen, "bar.reduction", pool); });
    EXPECT_EQ(error.where(), "bar.reduction");
    EXPECT_TRUE(says(error, "name another file")) << error.what();
  }
}

TEST(Reduction, ModesOfSnapshotsShowWhatHandlesCannot) {
  ThreadPool pool(2);
  const Model model = everything();
  std::vector<double> shape = model.rest;
  for (std::size_t i = 0; i < shape.size(); ++i)
    shape[i] += 0.05 * std::sin((40.0 + 9.0 * (i % 3)) * model.rest[i / 3 * 3 + 1] + 1.0 * (i % 3));
  const ReductionSettings chosen = settings(8, 4, 30);
  const Reduction plain(model, chosen, pool), rich(model, chosen, {shape}, 12, pool);
  const auto lost = [&](const Reduction& reduction) {
    std::vector<double> q(3 * static_cast<std::size_t>(reduction.rows())), x(shape.size());
    reduction.positions().project(model.mass, shape.data(), q.data(), pool);
    reduction.positions().lift(q.data(), x.data(), pool);
    return difference(x, shape) / norm(shape);
  };
  EXPECT_GT(lost(plain), 1e-3);
  EXPECT_LT(lost(rich), 1e-11);  // three functions of each of four components
  EXPECT_GT(rich.rows(), plain.rows() + 8);
  EXPECT_LE(rich.rows(), plain.rows() + 12);  // a part that keeps all its vertices lacks nothing
  EXPECT_EQ(Reduction(model, chosen, {shape}, 2, pool).rows(), plain.rows() + 2);
  const std::string bytes = rich.encode();
  EXPECT_EQ(Reduction::decode(bytes, model, chosen, "file", pool).encode(), bytes);
  // Translations are where they were: forces that modes feel move nothing as a whole.
  const auto subspace =
      make_subspace(std::make_unique<Reduction>(model, chosen, Snapshots{shape}, 12, pool), model, pool);
  std::vector<double> q(static_cast<std::size_t>(subspace->size())), x(shape.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = subspace->translation()[i / 3];
  subspace->lift(q.data(), x.data());
  for (const double each : x) EXPECT_NEAR(each, 1, 1e-11);
  shape.pop_back();
  EXPECT_TRUE(says(input_error([&] { Reduction(model, chosen, {shape}, 2, pool); }), "a frame has"));
}

TEST(Reduction, StoresAreReadWrittenAndChecked) {
  struct Kept final : ReductionStore {
    mutable std::optional<std::string> bytes;
    mutable int saved = 0;
    std::string where() const override { return "kept"; }
    std::optional<std::string> load() const override { return bytes; }
    void save(const std::string& made) const override { bytes = made, ++saved; }
  };
  ThreadPool pool(1);
  const Model model = bar();
  const ReductionSettings chosen = settings(6, 3, 10);
  const Kept kept;
  const auto first = load_reduction(model, chosen, &kept, pool),
             second = load_reduction(model, chosen, &kept, pool);
  EXPECT_EQ(kept.saved, 1);
  EXPECT_EQ(first->encode(), second->encode());
  EXPECT_EQ(second->seconds().total(), 0);
  EXPECT_EQ(load_reduction(model, chosen, nullptr, pool)->encode(), first->encode());
  EXPECT_TRUE(says(input_error([&] { load_reduction(model, settings(7, 3, 10), &kept, pool); }), "another mesh"));
}

TEST(Reduction, DamagedFilesAreRefused) {
  ThreadPool pool(1);
  const Model model = bar();
  const ReductionSettings chosen = settings(6, 3, 10);
  const std::string bytes = Reduction(model, chosen, pool).encode();
  const auto decode = [&](const std::string& text) { Reduction::decode(text, model, chosen, "file", pool); };
  EXPECT_NO_THROW(decode(bytes));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{11}, std::size_t{30}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(decode(bytes.substr(0, size)), InputError) << size;
  EXPECT_THROW(decode(bytes + "x"), InputError);
  for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 200) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_THROW(decode(changed), InputError) << at;
  }
}

TEST(Reduction, BadInputIsNamed) {
  ThreadPool pool(1);
  const Model model = bar();
  const auto made = [&](const Model& m, const ReductionSettings& s) {
    return input_error([&] { Reduction(m, s, pool); });
  };
  EXPECT_TRUE(says(made(model, settings(326, 60, 10)), "326 handles are more than the model's 325 vertices"));
  EXPECT_TRUE(says(made(model, settings(0, 1, 10)), "handles"));
  EXPECT_TRUE(says(made(model, settings(10, 0, 10)), "fit_handles"));
  EXPECT_TRUE(says(made(model, settings(10, 11, 10)), "11 are more than the 10 handles"));
  EXPECT_TRUE(says(made(model, settings(10, 5, 0)), "samples"));
  EXPECT_TRUE(
      says(made(everything(), settings(3, 2, 10)), "3 handles are fewer than the model's 4 connected components"));
  ReductionSettings odd = settings(10, 5, 10);
  odd.radius = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(made(model, odd), "radius"));
  odd.radius = 2, odd.fit_fraction = 0;
  EXPECT_TRUE(says(made(model, odd), "fit_fraction"));
  Model broken = model;
  broken.rest[10] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(made(broken, settings(10, 5, 10)), "vertex 3 is not finite"));
  EXPECT_THROW(Reduction(Model(), settings(1, 1, 1), pool), InputError);
}

TEST(Reduction, SettingsAreReadFromScenes) {
  const Settings given = reduction_params().read(Value::Object{{"handles", 40}, {"samples", 77}});
  const ReductionSettings s = reduction_settings(given);
  EXPECT_EQ(s.handles, 40);
  EXPECT_EQ(s.fit_handles, 40);  // not stated: no more than handles
  EXPECT_EQ(s.samples, 77);
  EXPECT_EQ(reduction_settings(reduction_params().defaults()), ReductionSettings());
  EXPECT_THROW(reduction_params().read(Value::Object{{"handels", 40}}), InputError);
  EXPECT_THROW(reduction_settings(reduction_params().read(Value::Object{{"handles", 40}, {"fit_handles", 60}})),
               InputError);
}

}  // namespace
}  // namespace resilin
