#include "contact/obstacles/contact_forces.h"

#include <algorithm>

#include "simd/pack.h"

namespace resilin {
namespace {

// Elements that may be pushed at x, ascending.
std::vector<int> near_elements(const Potential& potential, std::span<const int> vertices, double time,
                               const double* x) {
  std::vector<double> at(3 * vertices.size()), clearance(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) std::copy_n(x + 3 * vertices[i], 3, &at[3 * i]);
  potential.clearance(time, at, clearance);
  std::vector<int> out;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (clearance[i] <= 0) out.push_back(static_cast<int>(i));
  return out;
}

}  // namespace

std::vector<ContactForce> pushes(const Potential& potential, std::span<const int> vertices, double time,
                                 const double* x) {
  std::vector<int> slots = near_elements(potential, vertices, time, x);
  const std::size_t count = slots.size();
  if (count == 0) return {};
  slots.resize((count + lanes - 1) / lanes * lanes, slots.back());
  const auto kernel = potential.pack(slots);
  kernel->set_time(time);
  std::vector<ContactForce> out;
  for (std::size_t first = 0; first < slots.size(); first += lanes) {
    alignas(64) double z[3 * lanes], psi[lanes] = {}, gradient[3 * lanes] = {}, hessian[6 * lanes] = {};
    for (std::size_t l = 0; l < lanes; ++l)
      for (std::size_t k = 0; k < 3; ++k) z[k * lanes + l] = x[3 * vertices[slots[first + l]] + k];
    Block block;
    block.rows = 1, block.packs = 1, block.first = static_cast<int>(first / lanes), block.filter = true;
    block.z = z, block.psi = psi, block.dpsi_z = gradient, block.d2psi_z = hessian;
    kernel->evaluate(block);
    for (std::size_t l = 0; l < lanes && first + l < count; ++l) {
      ContactForce push{slots[first + l], {}, {}};
      for (std::size_t k = 0; k < 3; ++k) push.gradient[k] = gradient[k * lanes + l];
      for (std::size_t k = 0; k < 6; ++k) push.stiffness[k] = hessian[k * lanes + l];
      if (push.gradient[0] != 0 || push.gradient[1] != 0 || push.gradient[2] != 0) out.push_back(push);
    }
  }
  return out;
}

}  // namespace resilin
