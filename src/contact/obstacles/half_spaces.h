// A half space for each vertex: psi(z) = k/2 min(0, n . (z - p))^2. What stops vertices that would fly through an
// obstacle within a step, where Phi with the obstacle alone is lowest behind it (vertex_sweeps.h).
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "resilin/potential.h"

namespace resilin {

struct HalfSpace {
  std::array<double, 3> point{}, normal{0, 0, 1};  // p [m], n
  double stiffness = 0;                            // k [N/m]
  int term = -1, element = -1;                     // the obstacle, in Model::terms, and the element there
};

class HalfSpaces final : public Potential {
 public:
  /// One for each element.
  explicit HalfSpaces(std::vector<HalfSpace> spaces) : spaces_(std::move(spaces)) {}
  const std::vector<HalfSpace>& spaces() const { return spaces_; }

  std::string name() const override { return "half space"; }
  ElementKind kind() const override { return ElementKind::point; }
  void stamp(Stamp& out) const override;
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override;
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int, double, double* matrix) const override { matrix[0] = 0; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override;

 private:
  std::vector<HalfSpace> spaces_;
};

}  // namespace resilin
