// What tests of solvers, problems and simulations begin with: bodies, one stage of a step, random numbers that
// repeat, and what is measured at the end. None of it needs the laboratory.
#pragma once
#include <utility>

#include "setup/bodies.h"
#include "setup/one_stage.h"
#include "setup/random.h"
#include "setup/solvers.h"
#include "support/measures.h"

namespace resilin::test {

using namespace setup;

/// The stage of a body that is twisted and let go.
inline OneStage released(Model model, double degrees, double h, int threads = 0) {
  const auto q = twisted(model.rest, degrees);
  return OneStage(std::move(model), q, h, threads);
}

}  // namespace resilin::test
