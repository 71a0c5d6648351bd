// The recipe of TR-BDF2, which is also the first step of BDF2.
#pragma once
#include "resilin/integrator.h"

namespace resilin {

/// 2 - sqrt 2: both stages have the same tau, so that one factorisation serves both.
inline constexpr double tr_bdf2_best_gamma = 0.58578643762690495;
StepRecipe tr_bdf2_recipe(double h, double gamma = tr_bdf2_best_gamma);

}  // namespace resilin
