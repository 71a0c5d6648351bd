// The energies of many vertices at once (resilin/global_energy.h): k/2 c(x)^2 of one constraint each, such as an
// enclosed volume.
#pragma once
#include <vector>

#include "problem/energy_block.h"

namespace resilin {

class GlobalEnergies final : public EnergyBlock {
 public:
  GlobalEnergies(const Space& space, const Model& model) : space_(space), model_(model) {}
  void evaluate(const double* y, Assembly* forces, std::span<double> energies) override;
  void add_rank_one(const double* y, std::vector<RankOneStiffness>& rows) override;
  /// Adds (k grad c grad c^T + k c d2c) p at y.
  void multiply(const double* y, const double* p, Assembly& forces);

 private:
  const Space& space_;
  const Model& model_;
  std::vector<double> gradient_;
};

}  // namespace resilin
