// Hyper-reduction (Brandt et al. 2018): fewer unknowns than vertices, and a few elements that stand for all.
#pragma once

namespace resilin {

struct ReductionOptions {
  int handles = 120;
  int fit_handles = 60;
  int samples = 1000;
};

}  // namespace resilin
