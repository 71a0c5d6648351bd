#include "potentials/pin.h"

#include <array>
#include <vector>

#include "model/coefficients.h"
#include "simd/pack.h"

namespace resilin {
namespace {

class SoftPin final : public Potential {
 public:
  SoftPin(double stiffness, std::span<const double> start, Motion motion)
      : stiffness_(stiffness), start_(start.begin(), start.end()), motion_(std::move(motion)), target_(3) {
    for (std::size_t i = 0; i + 2 < start_.size(); i += 3)
      target_.add(std::array{start_[i], start_[i + 1], start_[i + 2]});
    move(0);
  }
  std::string name() const override { return "pin"; }
  Reads reads(int) const override { return Reads::coordinates; }
  void arrange(std::span<const int> slot_element) override {
    slots_.assign(slot_element.begin(), slot_element.end());
    target_.arrange(slots_);
  }
  void quadratic(int, double* matrix) const override { matrix[0] = stiffness_; }
  bool set_time(double time) override {
    if (!motion_.moves() || time == time_) return false;
    move(time);
    target_.arrange(slots_);
    return true;
  }

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack gap[3];
      const double* t = target_.pack(block.first + p);
      for (int i = 0; i < 3; ++i) gap[i] = load(block.z + (p * 3 + i) * lanes) - load(t + i * lanes);
      add(block.psi + p * lanes, 0.5 * stiffness_ * (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]));
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 3; ++i) add(block.dpsi_z + (p * 3 + i) * lanes, stiffness_ * gap[i]);
      if (block.d2psi_z != nullptr)
        for (const int diagonal : {0, 2, 5}) add(block.d2psi_z + (p * 6 + diagonal) * lanes, broadcast(stiffness_));
    }
  }
  std::unique_ptr<CompliantForm> compliant_form() const override;

  bool projects() const override { return true; }
  void project(const Block& block, double* projected) const override {
    for (int p = 0; p < block.packs; ++p)
      for (int i = 0; i < 3; ++i)
        store(projected + (p * 3 + i) * lanes, load(target_.pack(block.first + p) + i * lanes));
  }

 private:
  friend class PinForm;
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  void move(double time) {
    double velocity[3];
    for (int i = 0; i < target_.size(); ++i) motion_.at(time, &start_[3 * i], target_.element(i), velocity);
    time_ = time;
  }

  double stiffness_, time_ = 0;
  std::vector<double> start_;
  Motion motion_;
  Coefficients target_;
  std::vector<int> slots_;
};

// Three constraints c_i = z_i - t_i: linear, so that XPBD is exact on them, where |z - t| would be singular at the target.
class PinForm final : public CompliantForm {
 public:
  explicit PinForm(SoftPin pin) : pin_(std::move(pin)) {}
  int constraints() const override { return 3; }
  void arrange(std::span<const int> slot_element) override { pin_.arrange(slot_element); }
  void set_time(double time) override { pin_.set_time(time); }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p)
      for (int j = 0; j < 3; ++j) {
        const int at = p * 3 + j;
        store(out.value + at * lanes,
              load(block.z + at * lanes) - load(pin_.target_.pack(block.first + p) + j * lanes));
        store(out.stiffness + at * lanes, broadcast(pin_.stiffness_));
        for (int i = 0; i < 3; ++i) store(out.gradient + (at * 3 + i) * lanes, broadcast(i == j ? 1 : 0));
      }
  }

 private:
  SoftPin pin_;
};

std::unique_ptr<CompliantForm> SoftPin::compliant_form() const { return std::make_unique<PinForm>(*this); }

}  // namespace

std::shared_ptr<Potential> make_pin(double stiffness, std::span<const double> start, Motion motion) {
  return std::make_shared<SoftPin>(stiffness, start, std::move(motion));
}

}  // namespace resilin
