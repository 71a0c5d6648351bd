#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "model/packed_term.h"
#include "model/partition.h"
#include "resilin/errors.h"
#include "resilin/model.h"
#include "resilin/shapes.h"
#include "support/setup.h"

namespace resilin {
namespace {

TEST(Elements, TetsGiveTheTransposedDeformationGradient) {
  const TetMesh mesh =
      box({.size = {1, 2, 3}, .cells = {2, 2, 2}, .pattern = BoxPattern::six, .center = {0, 0, 0}});
  const Elements elements = Elements::tets(mesh.vertices, mesh.tets);
  const double f[9] = {1.1, 0.2, -0.3, 0.05, 0.9, 0.4, -0.2, 0.1, 1.3};  // row-major F
  double volume = 0;
  for (int e = 0; e < elements.size(); ++e) {
    volume += elements.measure(e);
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) {
        double z = 0;
        for (int a = 0; a < 4; ++a) {
          const double* x = &mesh.vertices[3 * elements.vertices(e)[a]];
          z += elements.coefficients(e)[4 * r + a] *
               (f[3 * k] * x[0] + f[3 * k + 1] * x[1] + f[3 * k + 2] * x[2] + 0.7);
        }
        EXPECT_NEAR(z, f[3 * k + r], 1e-13);
      }
  }
  EXPECT_NEAR(volume, 6, 1e-12);
}

TEST(Model, ValidateNamesWhatIsWrong) {
  Model model;
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0});
  model.mass = {1, 0};
  EXPECT_THROW(model.validate(), InputError);
  model.mass = {1, 1};
  EXPECT_NO_THROW(model.validate());
  model.pins.push_back({{7}, {0, 0, 0}, {}});
  try {
    model.validate();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find('7'), std::string::npos);
  }
}

// A kernel of the wrong kind would write nine numbers where there is room for three.
TEST(Model, ValidateRefusesAPotentialOnElementsThatItDoesNotFit) {
  Model model = setup::solid(setup::beam_mesh(1), 1000, "neo_hookean", {});
  model.terms.push_back({"net", Elements::springs(std::array{0, 1}), {model.terms[0].elastic[0]}});
  try {
    model.validate();
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    for (const char* word : {"neo_hookean", "net", "tet", "edge"})
      EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

TEST(Motion, VelocityIsTheDerivativeOfPosition) {
  MotionStep turn{MotionStep::Kind::rotate, {1, 2, 0.5}, {0.1, 0, -0.2}, {}};
  turn.amount = {.constant = 0.3, .amplitude = 0.8, .frequency = 1.5, .phase = 0.2, .keyframes = {}};
  MotionStep move{MotionStep::Kind::translate, {0.5, -1, 2}, {0, 0, 0}, {}};
  move.amount.keyframes = {{0, 0}, {1, 2}, {3, -1}};
  const Motion motion({turn, move, turn});
  const double x0[3] = {0.3, -0.4, 0.9}, h = 1e-6;
  for (const double t : {0.1, 0.7, 1.9, 2.6}) {
    double x[3], v[3], plus[3], minus[3], ignored[3];
    motion.at(t, x0, x, v);
    motion.at(t + h, x0, plus, ignored);
    motion.at(t - h, x0, minus, ignored);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(v[k], (plus[k] - minus[k]) / (2 * h), 1e-7);
  }
}

TEST(Motion, AQuarterTurnIsAQuarterTurn) {
  MotionStep turn{MotionStep::Kind::rotate, {0, 0, 5}, {1, 0, 0}, {}};
  turn.amount.constant = std::numbers::pi / 2;
  const double x0[3] = {2, 0, 3};
  double x[3], v[3];
  Motion({turn}).at(0, x0, x, v);
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 1, 1e-15);
  EXPECT_NEAR(x[2], 3, 1e-15);
}

TEST(Signal, IsZeroOutsideItsWindow) {
  Signal signal;
  signal.start = 1;
  signal.stop = 2;
  EXPECT_EQ(signal.at(0.5), 0);
  EXPECT_EQ(signal.at(1.5), 1);
  EXPECT_EQ(signal.at(2.5), 0);
}

TEST(Partition, EveryElementAndVertexIsThereOnceAndCopiesAgree) {
  Model model = setup::solid(setup::beam_mesh(6), 1000, "arap", {});
  const Partition partition(model);
  ASSERT_GT(partition.parts(), 2);
  std::vector<int> seen(model.terms[0].elements.size(), 0);
  for (int part = 0; part < partition.parts(); ++part) {
    const auto vertices = partition.vertices(part);
    EXPECT_TRUE(std::is_sorted(vertices.begin(), vertices.end()));
    for (const int e : partition.elements(0, part)) {
      ++seen[e];
      for (const int v : model.terms[0].elements.vertices(e))
        EXPECT_TRUE(std::binary_search(vertices.begin(), vertices.end(), v));
    }
  }
  for (const int count : seen) EXPECT_EQ(count, 1);
  int copies = 0;
  for (int v = 0; v < model.vertex_count(); ++v) copies += static_cast<int>(partition.copies_of(v).size());
  EXPECT_EQ(copies, partition.copies());
}

TEST(PackedTerm, PaddingCarriesNoMeasure) {
  Model model = setup::solid(setup::beam_mesh(1), 1000, "arap", {});
  const Partition partition(model);
  const PackedTerm term(model, 0, partition);
  double total = 0;
  for (int pack = 0; pack < term.packs(); ++pack)
    for (int l = 0; l < 8; ++l) total += term.measure(pack)[l];
  EXPECT_NEAR(total, 4, 1e-12);
}

}  // namespace
}  // namespace resilin
