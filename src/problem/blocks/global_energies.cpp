#include "problem/blocks/global_energies.h"

#include "resilin/global_energy.h"

namespace resilin {

void GlobalEnergies::evaluate(const double* y, Assembly* forces, std::span<double> energies) {
  for (const auto& energy : model_.global_energies) {
    const auto ids = energy->vertices();
    const int component = space_.component()[ids[0]];
    if (!space_.components().active(component)) continue;
    gradient_.resize(3 * ids.size());
    const double k = energy->stiffness(),
                 c = energy->constraint(y, 3, forces != nullptr ? gradient_.data() : nullptr);
    energies[component] += 0.5 * k * c * c;
    for (std::size_t i = 0; forces != nullptr && i < ids.size(); ++i) forces->add(ids[i], &gradient_[3 * i], k * c);
  }
}

void GlobalEnergies::add_rank_one(const double* y, std::vector<RankOneStiffness>& rows) {
  for (const auto& energy : model_.global_energies) {
    const auto ids = energy->vertices();
    if (!space_.components().active(space_.component()[ids[0]])) continue;
    RankOneStiffness row{{ids.begin(), ids.end()}, std::vector<double>(3 * ids.size()), energy->stiffness()};
    energy->constraint(y, 3, row.gradient.data());
    rows.push_back(std::move(row));
  }
}

void GlobalEnergies::multiply(const double* y, const double* p, Assembly& forces) {
  for (const auto& energy : model_.global_energies) {
    const auto ids = energy->vertices();
    gradient_.resize(3 * ids.size());
    const double k = energy->stiffness(), c = energy->constraint(y, 3, gradient_.data());
    double along = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) along += gradient_[3 * i + axis] * p[3 * ids[i] + axis];
    for (std::size_t i = 0; i < ids.size(); ++i) forces.add(ids[i], &gradient_[3 * i], k * along);
    energy->curvature(y, [&](int v, int w, const std::array<double, 9>& block) {
      const double *of_v = p + 3 * v, *of_w = p + 3 * w;
      double on_v[3] = {}, on_w[3] = {};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          on_v[i] += k * c * block[3 * i + j] * of_w[j], on_w[j] += k * c * block[3 * i + j] * of_v[i];
      forces.add(v, on_v), forces.add(w, on_w);
    });
  }
}

}  // namespace resilin
