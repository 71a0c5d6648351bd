#include "contact/impulse.h"

#include "core/stamp.h"
#include "geometry/vec3.h"
#include "model/coefficients.h"
#include "simd/pack.h"

namespace resilin {
namespace {

class ImpulseKernel final : public Kernel {
 public:
  ImpulseKernel(const std::vector<Vec3>& force, const std::vector<Vec3>& start, std::span<const int> slot_element) {
    Coefficients numbers(6);
    for (std::size_t i = 0; i < force.size(); ++i) numbers.add(force[i]), numbers.add(start[i]);
    numbers_ = numbers.pack(slot_element);
  }
  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const double* at = numbers_.pack(block.first + p);
      for (int k = 0; k < 3; ++k) {
        const Pack force = load(at + k * lanes);
        add(block.psi + p * lanes, force * (load(at + (3 + k) * lanes) - load(block.z + (p * 3 + k) * lanes)));
        if (block.dpsi_z != nullptr) add(block.dpsi_z + (p * 3 + k) * lanes, -force);
      }
    }
  }

 private:
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  PackedCoefficients numbers_;  // force, start
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
