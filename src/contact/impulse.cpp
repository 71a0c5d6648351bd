#include "contact/impulse.h"

#include "core/aligned.h"
#include "core/stamp.h"
#include "geometry/vec3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

class ImpulseKernel final : public Kernel {
 public:
  ImpulseKernel(const std::vector<Vec3>& force, const std::vector<Vec3>& start, std::span<const int> slot_element)
      : numbers_(6 * slot_element.size()) {
    for (std::size_t slot = 0; slot < slot_element.size(); ++slot)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto element = static_cast<std::size_t>(slot_element[slot]);
        numbers_[(slot / lanes * 6 + k) * lanes + slot % lanes] = force[element][k];
        numbers_[(slot / lanes * 6 + 3 + k) * lanes + slot % lanes] = start[element][k];
      }
  }
  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const double* at = numbers_.data() + static_cast<std::size_t>(block.first + p) * 6 * lanes;
      for (int k = 0; k < 3; ++k) {
        const Pack force = load(at + k * lanes);
        add(block.psi + p * lanes, force * (load(at + (3 + k) * lanes) - load(block.z + (p * 3 + k) * lanes)));
        if (block.dpsi_z != nullptr) add(block.dpsi_z + (p * 3 + k) * lanes, -force);
      }
    }
  }

 private:
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  AlignedVector<double> numbers_;  // [pack][6][8]
};

class Impulse final : public Potential {
 public:
  Impulse(std::string name, std::vector<Vec3> force, std::vector<Vec3> start)
      : name_(std::move(name)), force_(std::move(force)), start_(std::move(start)) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return ElementKind::point; }
  void stamp(Stamp& out) const override {
    out.add(name());
    for (std::size_t i = 0; i < force_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) out.add(force_[i][k]), out.add(start_[i][k]);
  }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<ImpulseKernel>(force_, start_, slot_element);
  }
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int, double, double* matrix) const override { matrix[0] = 0; }
  std::span<const Vec3> forces() const { return force_; }

 private:
  std::string name_;
  std::vector<Vec3> force_, start_;
};

}  // namespace

Term impulse_term(const std::string& name, const std::vector<int>& vertices, std::vector<Vec3> force,
                  std::vector<Vec3> start) {
  return {name, Elements::points(vertices), {std::make_shared<Impulse>(name, std::move(force), std::move(start))}};
}

std::span<const Vec3> impulse_forces(const Term& term) {
  const auto* impulse = term.elastic.empty() ? nullptr : dynamic_cast<const Impulse*>(term.elastic[0].get());
  return impulse != nullptr ? impulse->forces() : std::span<const Vec3>{};
}

}  // namespace resilin
