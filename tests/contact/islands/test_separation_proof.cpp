// The proof that nothing came near: it may doubt, and never be wrong; and it does not doubt where bodies move and
// bend as usual.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/islands/separation_proof.h"
#include "contact/narrow_phase/closest_points.h"
#include "resilin/builder.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

struct Bodies {
  Model model;
  ContactSurface surface = contact_surface(model);
  PairList list{{}, model, surface, {}};
  SeparationProof apart{surface, model, list};
  ThreadPool pool{1};

  std::vector<BodyPair> near(const std::vector<double>& from, const std::vector<double>& to) {
    SeparationProof::Near out;
    apart.find(from.data(), to.data(), 1, true, true, pool, out);
    return out.pairs;
  }
  // Who really pushes at x.
  std::vector<BodyPair> pushed(const std::vector<double>& x) {
    PairFinder finder(surface, model.rest.data());
    std::vector<ContactPair> pairs;
    EXPECT_TRUE(finder.find(x.data(), list.full_radius(), pool, pairs));
    std::vector<BodyPair> out;
    for (const ContactPair& pair : pairs) {
      const int a = surface.body[static_cast<std::size_t>(pair.vertices[0])],
                b = surface.body[static_cast<std::size_t>(pair.vertices[3])];
      if (pair.distance < list.own_radius(pair, list.full_radius()))
        out.push_back({std::min(a, b), std::max(a, b)});
    }
    return out;
  }
};

Model bars() {
  Builder builder;
  for (int i = 0; i < 2; ++i) {
    TetMesh mesh = box({.size = {0.6, 0.08, 0.08}, .cells = {24, 3, 3}});
    for (std::size_t k = 2; k < mesh.vertices.size(); k += 3) mesh.vertices[k] += 0.2 * i;
    builder.add(Solid{.mesh = mesh});
  }
  return std::move(builder).model();
}

// Turned about y by `angle` in all, bent to an arc, twisted and pressed along x.
std::vector<double> formed(const Model& model, double angle, double bend, double twist, double stretch,
                           double lift) {
  std::vector<double> x = model.rest;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const double part = x[i], phi = twist * part, y0 = x[i + 1], z0 = x[i + 2] - (x[i + 2] > 0.1 ? 0.2 : 0);
    double y = y0 * std::cos(phi) - z0 * std::sin(phi);
    const double z = y0 * std::sin(phi) + z0 * std::cos(phi) + (x[i + 2] - z0);
    double along = stretch * part;
    if (bend > 0) {
      const double arc = along * bend, radius = 1 / bend - y;
      along = radius * std::sin(arc), y = 1 / bend - radius * std::cos(arc);
    }
    x[i] = along * std::cos(angle) + z * std::sin(angle), x[i + 1] = y + lift;
    x[i + 2] = z * std::cos(angle) - along * std::sin(angle);
  }
  return x;
}

TEST(SeparationProof, NeverWrong) {
  Bodies bodies{bars()};
  int doubted = 0, near = 0, sure = 0;
  for (const double bend : {0.0, 3.0, 9.0, 10.4})
    for (const double twist : {0.0, 8.0, 40.0})
      for (const double stretch : {1.0, 0.6, 0.3}) {
        const std::vector<double> x = formed(bodies.model, 0.3, bend, twist, stretch, 0);
        const std::vector<BodyPair> said = bodies.near(x, x), pushed = bodies.pushed(x);
        for (const BodyPair& pair : pushed)
          EXPECT_TRUE(std::binary_search(said.begin(), said.end(), pair)) << bend << " " << twist << " " << stretch;
        (pushed.empty() ? said.empty() ? sure : doubted : near) += 1;
      }
  EXPECT_GT(near, 3);
  EXPECT_GT(sure, 10);
  EXPECT_LT(doubted, 5);
}

TEST(SeparationProof, UsualMotionsAreNoReasonToDoubt) {
  Bodies bodies{bars()};
  const std::vector<double> rest = bodies.model.rest;
  EXPECT_TRUE(bodies.near(rest, formed(bodies.model, 0.1, 0, 0, 1, 2)).empty());  // turning, and far in a step
  EXPECT_TRUE(
      bodies.near(formed(bodies.model, 1, 2, 0, 1, 0), formed(bodies.model, 1.05, 2.2, 0.5, 1.02, 0.1)).empty());
  // One falls past the other in a step, and neither end of it says so.
  std::vector<double> from = rest, to = rest;
  for (std::size_t i = 0; i < rest.size() / 2; i += 3)
    from[i + 1] += 1, from[i + 2] += 0.2, to[i + 1] -= 1, to[i + 2] += 0.2;
  const std::vector<BodyPair> past = bodies.near(from, to);
  EXPECT_EQ(std::count(past.begin(), past.end(), BodyPair{0, 1}), 1);
}

}  // namespace
}  // namespace resilin
