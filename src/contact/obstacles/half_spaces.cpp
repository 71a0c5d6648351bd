#include "contact/obstacles/half_spaces.h"

#include "core/aligned.h"
#include "core/stamp.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr int numbers = 7;  // of a half space: point, normal, stiffness

class PackedSpaces {
 public:
  PackedSpaces(const std::vector<HalfSpace>& spaces, std::span<const int> slot_element)
      : numbers_(numbers * slot_element.size()) {
    for (std::size_t slot = 0; slot < slot_element.size(); ++slot) {
      const HalfSpace& s = spaces[slot_element[slot]];
      const double of[numbers] = {s.point[0],  s.point[1],  s.point[2], s.normal[0],
                                  s.normal[1], s.normal[2], s.stiffness};
      for (std::size_t i = 0; i < numbers; ++i)
        numbers_[(slot / lanes * numbers + i) * lanes + slot % lanes] = of[i];
    }
  }
  struct At {
    Pack height = {}, normal[3], stiffness;
  };
  At at(const Block& block, int pack) const {
    const double* of = numbers_.data() + static_cast<std::size_t>(block.first + pack) * numbers * lanes;
    At out;
    for (int i = 0; i < 3; ++i) {
      out.normal[i] = load(of + (3 + i) * lanes);
      out.height += out.normal[i] * (load(block.z + (pack * 3 + i) * lanes) - load(of + i * lanes));
    }
    out.stiffness = load(of + 6 * lanes);
    return out;
  }

 private:
  AlignedVector<double> numbers_;  // [pack][numbers][8]
};

class HalfSpaceKernel final : public Kernel {
 public:
  explicit HalfSpaceKernel(PackedSpaces spaces) : spaces_(std::move(spaces)) {}
  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const auto at = spaces_.at(block, p);
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
  PackedSpaces spaces_;
};

class HalfSpaceForm final : public CompliantForm {
 public:
  explicit HalfSpaceForm(PackedSpaces spaces) : spaces_(std::move(spaces)) {}
  int constraints() const override { return 1; }
  bool one_sided() const override { return true; }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      const auto at = spaces_.at(block, p);
      store(out.value + p * lanes, at.height);
      store(out.stiffness + p * lanes, at.stiffness);
      for (int i = 0; i < 3; ++i) store(out.gradient + (p * 3 + i) * lanes, at.normal[i]);
    }
  }

 private:
  PackedSpaces spaces_;
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
  return std::make_unique<HalfSpaceKernel>(PackedSpaces(spaces_, slot_element));
}

std::unique_ptr<CompliantForm> HalfSpaces::compliant_form(std::span<const int> slot_element) const {
  return std::make_unique<HalfSpaceForm>(PackedSpaces(spaces_, slot_element));
}

}  // namespace resilin
