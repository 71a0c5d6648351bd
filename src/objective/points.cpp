// Energies of single vertices that stand in no constant matrix: obstacles, and lagged terms such as handles.
#include <algorithm>
#include <numeric>

#include "objective/element_sample.h"
#include "objective/objective.h"

namespace resilin {

// Energies of single vertices that stand in no constant matrix: contact (Liu et al. 4.3).
void Objective::find_obstacles() {
  contact_terms_.clear(), contact_vertices_.clear();
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) {
    const Term& term = model_.terms[t];
    if (term.elements.corners() != 1 || term.elements.size() == 0 || term_damped_[t] != 0 || has_quadratic(term, 0))
      continue;
    contact_terms_.push_back(t);
    for (int i = 0; i < term.elements.size(); ++i) contact_vertices_.push_back(term.elements.vertices(i)[0]);
  }
  for (const Term& term : model_.lagged)
    for (int i = 0; i < term.elements.size(); ++i) contact_vertices_.push_back(term.elements.vertices(i)[0]);
  std::sort(contact_vertices_.begin(), contact_vertices_.end());
  contact_vertices_.erase(std::unique(contact_vertices_.begin(), contact_vertices_.end()), contact_vertices_.end());
  part_contacts_.resize(contact_terms_.empty() ? 0 : static_cast<std::size_t>(partition_.parts()));
}

void Objective::pack_lagged() {
  lagged_kernels_.clear();
  for (const Term& term : model_.lagged) {
    std::vector<int> slots(static_cast<std::size_t>(term.elements.size() + 7) / 8 * 8, term.elements.size() - 1);
    std::iota(slots.begin(), slots.begin() + term.elements.size(), 0);
    lagged_kernels_.emplace_back(term, slots);
  }
}

// In the order of terms and elements; one thread, for there are few.
void Objective::lagged_points(const double* y, std::vector<ContactPoint>& points) {
  points.clear();
  for (std::size_t t = 0; t < lagged_kernels_.size(); ++t) {
    const Elements& elements = model_.lagged[t].elements;
    alignas(64) double z[24], psi[8], dpsi_z[24], d2psi_z[48];
    Block block;
    block.rows = 1, block.packs = 1, block.z = z, block.psi = psi, block.dpsi_z = dpsi_z, block.d2psi_z = d2psi_z;
    for (int first = 0; first < elements.size(); first += 8) {
      const int count = std::min(8, elements.size() - first);
      for (int l = 0; l < 8; ++l)
        for (int k = 0; k < 3; ++k) z[8 * k + l] = y[3 * elements.vertices(first + std::min(l, count - 1))[0] + k];
      block.first = first / 8;
      resilin::evaluate(lagged_kernels_[t], block, 2);
      for (int l = 0; l < count; ++l) {
        const int v = elements.vertices(first + l)[0];
        if (!components_.active(component()[v])) continue;
        const double measure = elements.measure(first + l);
        ContactPoint point{v, measure * psi[l], {}, {}};
        for (int k = 0; k < 3; ++k) point.gradient[k] = measure * dpsi_z[8 * k + l];
        for (int k = 0; k < 6; ++k) point.hessian[k] = measure * d2psi_z[8 * k + l];
        points.push_back(point);
      }
    }
  }
}

// To the copies of the sweep, before they are summed.
void Objective::add_lagged(const double* y, bool gradient, Evaluation& out) {
  if (lagged_kernels_.empty()) return;
  lagged_points(y, lagged_points_);
  for (const ContactPoint& point : lagged_points_) {
    out.components[component()[point.vertex]].potential += point.energy;
    const auto rows = partition_.copies_of(point.vertex);
    for (int k = 0; k < 3 && gradient && !rows.empty(); ++k)
      f_copies_[4 * static_cast<std::size_t>(rows[0]) + k] += point.gradient[k];
  }
}

void Objective::contacts(const double* y, std::vector<ContactPoint>& points) {
  points.clear();
  if (!has_obstacles()) return;
  pool_.parallel(contact_terms_.empty() ? 0 : static_cast<int>(active_parts_.size()), [&](int i) {
    const int part = active_parts_[i];
    const auto ids = partition_.vertices(part);
    part_contacts_[part].clear();
    gather_part(part, y, x_copies_.data());
    for (const int t : contact_terms_)
      packed_[t].sweep(
          part, x_copies_.data() + static_cast<std::size_t>(partition_.offset(part)) * 4, nullptr,
          [&](SweepBlock& sweep) {
            Block& block = sweep.block;
            resilin::evaluate(kernels_[t], block, 2);
            for (int p = 0; p < block.packs; ++p)
              for (int l = 0; l < 8; ++l) {
                const double measure = sweep.measure[p * 8 + l];
                ContactPoint point{ids[packed_[t].ids(block.first + p)[l]], measure * block.psi[p * 8 + l], {}, {}};
                for (int k = 0; k < 3; ++k) point.gradient[k] = measure * block.dpsi_z[(p * 3 + k) * 8 + l];
                for (int k = 0; k < 6; ++k) point.hessian[k] = measure * block.d2psi_z[(p * 6 + k) * 8 + l];
                if (point.hessian[0] + point.hessian[2] + point.hessian[5] > 0)
                  part_contacts_[part].push_back(point);
              }
          });
  });
  if (!contact_terms_.empty())
    for (const int part : active_parts_)
      points.insert(points.end(), part_contacts_[part].begin(), part_contacts_[part].end());
  if (lagged_kernels_.empty()) return;
  lagged_points(y, lagged_points_);
  points.insert(points.end(), lagged_points_.begin(), lagged_points_.end());
  std::stable_sort(points.begin(), points.end(), [&](const ContactPoint& a, const ContactPoint& b) {
    return component()[a.vertex] < component()[b.vertex];
  });
}

}  // namespace resilin
