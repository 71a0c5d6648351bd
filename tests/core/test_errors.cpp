#include <gtest/gtest.h>

#include <string>

#include "resilin/errors.h"

namespace resilin {
namespace {

TEST(InputError, KeepsPlaceAndProblemApart) {
  const InputError error("scene.json: bodies[0].density", "-1 is out of range");
  EXPECT_EQ(error.where(), "scene.json: bodies[0].density");
  EXPECT_EQ(error.problem(), "-1 is out of range");
  EXPECT_STREQ(error.what(), "scene.json: bodies[0].density: -1 is out of range");
}

TEST(InputError, WithoutAPlaceIsTheProblemAlone) {
  EXPECT_STREQ(InputError("", "no such scene").what(), "no such scene");
}

TEST(InputError, IsCaughtAsARuntimeError) { EXPECT_THROW(throw InputError("a", "b"), std::runtime_error); }

TEST(Status, EveryValueHasItsOwnName) {
  EXPECT_STREQ(name(Status::converged), "converged");
  EXPECT_STREQ(name(Status::iteration_limit), "iteration_limit");
  EXPECT_STREQ(name(Status::time_limit), "time_limit");
  EXPECT_STREQ(name(Status::stalled), "stalled");
  EXPECT_STREQ(name(Status::not_finite), "not_finite");
  EXPECT_STREQ(name(Status::cancelled), "cancelled");
}

}  // namespace
}  // namespace resilin
