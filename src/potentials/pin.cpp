#include "potentials/pin.h"

#include <vector>

#include "core/aligned.h"
#include "core/stamp.h"
#include "simd/pack.h"

namespace resilin {
namespace {

struct Targets {
  double stiffness;
  std::vector<double> start;  // xyz of each at time 0
  Motion motion;
};

class PinKernel final : public Kernel {
 public:
  PinKernel(const Targets& targets, std::span<const int> slot_element)
      : targets_(targets), slots_(slot_element.begin(), slot_element.end()), at_(3 * slots_.size()) {
    move(0);
  }
  void set_time(double time) override {
    if (targets_.motion.moves() && time != time_) move(time);
  }

  void evaluate(Block& block) const override {
    const double k = targets_.stiffness;
    for (int p = 0; p < block.packs; ++p) {
      Pack gap[3];
      const double* t = target(block.first + p);
      for (int i = 0; i < 3; ++i) gap[i] = load(block.z + (p * 3 + i) * lanes) - load(t + i * lanes);
      add(block.psi + p * lanes, 0.5 * k * (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]));
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 3; ++i) add(block.dpsi_z + (p * 3 + i) * lanes, k * gap[i]);
      if (block.d2psi_z != nullptr)
        for (const int diagonal : {0, 2, 5}) add(block.d2psi_z + (p * 6 + diagonal) * lanes, broadcast(k));
    }
  }
  void project(const Block& block, double* projected) const override {
    for (int p = 0; p < block.packs; ++p)
      for (int i = 0; i < 3; ++i) store(projected + (p * 3 + i) * lanes, load(target(block.first + p) + i * lanes));
  }

  /// [3][8]
  const double* target(int pack) const { return at_.data() + static_cast<std::size_t>(pack) * 3 * lanes; }
  double stiffness() const { return targets_.stiffness; }

 private:
  void move(double time) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      double x[3], velocity[3];
      targets_.motion.at(time, &targets_.start[3 * slots_[slot]], x, velocity);
      for (int i = 0; i < 3; ++i) at_[(slot / lanes * 3 + i) * lanes + slot % lanes] = x[i];
    }
    time_ = time;
  }

  Targets targets_;
  std::vector<int> slots_;
  AlignedVector<double> at_;
  double time_ = 0;
};

// Three constraints c_i = z_i - t_i: linear, so that XPBD is exact on them, where |z - t| would be singular at the
// target.
class PinForm final : public CompliantForm {
 public:
  PinForm(const Targets& targets, std::span<const int> slot_element) : pin_(targets, slot_element) {}
  int constraints() const override { return 3; }
  void set_time(double time) override { pin_.set_time(time); }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p)
      for (int j = 0; j < 3; ++j) {
        const int at = p * 3 + j;
        store(out.value + at * lanes, load(block.z + at * lanes) - load(pin_.target(block.first + p) + j * lanes));
        store(out.stiffness + at * lanes, broadcast(pin_.stiffness()));
        for (int i = 0; i < 3; ++i) store(out.gradient + (at * 3 + i) * lanes, broadcast(i == j ? 1 : 0));
      }
  }

 private:
  PinKernel pin_;
};

class SoftPin final : public Potential {
 public:
  explicit SoftPin(Targets targets) : targets_(std::move(targets)) {}
  std::string name() const override { return "pin"; }
  ElementKind kind() const override { return ElementKind::point; }
  void stamp(Stamp& out) const override {
    out.add(name()), out.add(targets_.stiffness), out.add(std::span<const double>(targets_.start));
    targets_.motion.stamp(out);
  }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<PinKernel>(targets_, slot_element);
  }
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int, double, double* matrix) const override { matrix[0] = targets_.stiffness; }
  bool projects() const override { return true; }
  bool moves() const override { return targets_.motion.moves(); }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    return std::make_unique<PinForm>(targets_, slot_element);
  }

 private:
  Targets targets_;
};

}  // namespace

std::shared_ptr<const Potential> make_pin(double stiffness, std::span<const double> start, Motion motion) {
  return std::make_shared<SoftPin>(Targets{stiffness, {start.begin(), start.end()}, std::move(motion)});
}

}  // namespace resilin
