// What tests of solvers, problems and simulations begin with: bodies, one stage of a step, random numbers that
// repeat, and what is measured at the end. None of it needs the laboratory.
#pragma once
#include "setup/bodies.h"
#include "setup/one_stage.h"
#include "setup/random.h"
#include "setup/solvers.h"
#include "support/measures.h"

namespace resilin::test {

using namespace setup;

}  // namespace resilin::test
