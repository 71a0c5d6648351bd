// A body leaves an obstacle with e times the speed with which it came, and what rests stays at rest.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/restitution.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "setup/slope.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

SlopeOptions thrown(double e, double drop) {
  SlopeOptions o;
  o.friction = 0.3, o.restitution = e, o.drop = drop, o.young = 1e7, o.cells = {2, 1, 2}, o.step = 1.0 / 240;
  o.threads = 1;
  return o;
}

double bounce(Slope& slope, double drop) {
  const double start = slope.height();
  double top = 0, lowest = start;
  for (int i = 0; i < 150; ++i) {
    slope.advance();
    lowest = std::min(lowest, slope.height());
    if (lowest < start - 0.9 * drop) top = std::max(top, slope.height() - (start - drop));
  }
  return std::sqrt(top / drop);
}

TEST(Restitution, ABodyBouncesAsHighAsIsAskedFor) {
  for (const double e : {0.3, 0.8}) {
    Slope slope(thrown(e, 0.3));
    EXPECT_NEAR(bounce(slope, 0.3), e, 0.03) << e;
  }
}

TEST(Restitution, WhatRestsDoesNotHop) {
  Slope slope(thrown(0.9, 0));
  for (int i = 0; i < 60; ++i) slope.advance();
  const double at_rest = slope.height();
  for (int i = 0; i < 60; ++i) {
    slope.advance();
    EXPECT_NEAR(slope.height(), at_rest, 1e-9);
  }
}

// In the middle of a bounce.
TEST(Restitution, GoesOnWithTheSameBits) {
  Slope whole(thrown(0.8, 0.05));
  std::vector<State> states;
  for (int i = 0; i < 40; ++i) {
    whole.advance();
    states.push_back(whole.simulation().state());
  }
  for (const std::size_t at : {22u, 24u, 25u, 26u, 27u, 28u}) {
    Checkpoint saved;
    saved.state = states[at];
    Slope again(thrown(0.8, 0.05));
    again.simulation().set_state(decode_checkpoint(encode_checkpoint(saved), "memory").state);
    for (std::size_t i = at + 1; i < states.size(); ++i) again.advance();
    EXPECT_EQ(hash(again.simulation().state()), hash(states.back())) << at;
  }
}

TEST(Restitution, WhoCannotTakeItIsNamed) {
  EXPECT_THROW(check_contact(ObstacleRestitution{0, 1.5}), InputError);
  EXPECT_THROW(check_contact(ObstacleRestitution{0, std::nan("")}), InputError);
  for (const char* integrator : {"bdf2", "tr_bdf2", "runge_kutta4"}) {
    SlopeOptions o = thrown(0.5, 0.1);
    o.integrator = integrator;
    EXPECT_THROW(Slope{o}, InputError) << integrator;
  }
  for (const char* solver : {"admm", "xpbd"}) {
    SlopeOptions o = thrown(0.5, 0.1);
    o.solver = solver;
    EXPECT_THROW(Slope{o}, InputError) << solver;
  }
}

}  // namespace
}  // namespace resilin::test
