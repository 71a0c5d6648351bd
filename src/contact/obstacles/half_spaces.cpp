#include "contact/obstacles/half_spaces.h"

#include "core/stamp.h"
#include "model/coefficients.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// Of a half space: point, normal, stiffness.
PackedCoefficients packed(const std::vector<HalfSpace>& spaces, std::span<const int> slot_element) {
  Coefficients out(7);
  for (const auto& [p, n, stiffness, term, element] : spaces)
    out.add(std::array{p[0], p[1], p[2], n[0], n[1], n[2], stiffness});
  return out.pack(slot_element);
}

struct At {
  Pack height = {}, normal[3], stiffness;
  At(const double* of, const double* z) : stiffness(load(of + 6 * lanes)) {
    for (int i = 0; i < 3; ++i) {
      normal[i] = load(of + (3 + i) * lanes);
      height += normal[i] * (load(z + i * lanes) - load(of + i * lanes));
    }
  }
};

class HalfSpaceKernel final : public Kernel {
 public:
  explicit HalfSpaceKernel(PackedCoefficients spaces) : spaces_(std::move(spaces)) {}
  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const At at(spaces_.pack(block.first + p), block.z + p * 3 * lanes);
      const Pack depth = min(at.height, 0.0), k = select(at.height < 0.0, at.stiffness, Pack{});
      add(block.psi + p * lanes, 0.5 * k * depth * depth);
      for (int i = 0; block.dpsi_z != nullptr && i < 3; ++i)
        add(block.dpsi_z + (p * 3 + i) * lanes, k * depth * at.normal[i]);
      for (int i = 0, h = 0; block.d2psi_z != nullptr && i < 3; ++i)
        for (int j = 0; j <= i; ++j, ++h) add(block.d2psi_z + (p * 6 + h) * lanes, k * at.normal[i] * at.normal[j]);
    }
  }

 private:
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  PackedCoefficients spaces_;
};

class HalfSpaceForm final : public CompliantForm {
 public:
  explicit HalfSpaceForm(PackedCoefficients spaces) : spaces_(std::move(spaces)) {}
  int constraints() const override { return 1; }
  bool one_sided() const override { return true; }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      const At at(spaces_.pack(block.first + p), block.z + p * 3 * lanes);
      store(out.value + p * lanes, at.height);
      store(out.stiffness + p * lanes, at.stiffness);
      for (int i = 0; i < 3; ++i) store(out.gradient + (p * 3 + i) * lanes, at.normal[i]);
    }
  }

 private:
  PackedCoefficients spaces_;
};

}  // namespace

void HalfSpaces::stamp(Stamp& out) const {
  out.add(name());
  for (const HalfSpace& s : spaces_) {
    for (std::size_t i = 0; i < 3; ++i) out.add(s.point[i]), out.add(s.normal[i]);
    out.add(s.stiffness);
  }
}

std::unique_ptr<Kernel> HalfSpaces::pack(std::span<const int> slot_element) const {
  return std::make_unique<HalfSpaceKernel>(packed(spaces_, slot_element));
}

std::unique_ptr<CompliantForm> HalfSpaces::compliant_form(std::span<const int> slot_element) const {
  return std::make_unique<HalfSpaceForm>(packed(spaces_, slot_element));
}

}  // namespace resilin
