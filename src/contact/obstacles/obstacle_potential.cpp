#include "contact/obstacles/obstacle_potential.h"

#include <algorithm>
#include <limits>

#include "contact/obstacles/distances.h"
#include "core/aligned.h"
#include "core/stamp.h"

namespace resilin {
namespace {

// ---- an obstacle where it stands

constexpr int most_steps = 8;     // to the border: distances of some regions are no more than nearly exact
constexpr double arrived = 1e-6;  // of the first depth

class Placed {
 public:
  Placed(std::shared_ptr<const Obstacle> obstacle, Motion motion, std::size_t slots)
      : obstacle_(std::move(obstacle)), motion_(std::move(motion)), pose_(pose_at(motion_, 0)) {
    if (obstacle_->searches()) known_.resize((slots + lanes - 1) / lanes);
  }

  void set_time(double time) {
    if (!motion_.moves() || time == time_) return;
    pose_ = pose_at(motion_, time), time_ = time;
  }

  // As Obstacle::measure, in the world; `pack`: number of these points among those that it was made for.
  void measure(const double* x, int derivatives, int pack, Distances& out) const {
    if (!motion_.places()) return measure_own(x, derivatives, pack, out);
    alignas(64) double own[3 * lanes];
    to_own(pose_, x, own);
    measure_own(own, derivatives, pack, out);
    if (derivatives > 0) turn_normal(out.normal);
    if (derivatives > 1) turn_curvature(out.curvature);
  }

  // Kernel::project: of points inside the nearest ones outside.
  void nearest(const Block& block, double* projected) const {
    std::copy_n(block.z, block.packs * 3 * lanes, projected);
    for (int p = 0; p < block.packs; ++p) {
      double* z = projected + p * 3 * lanes;
      Pack first = {};
      for (int step = 0; step < most_steps; ++step) {
        Distances at;
        measure(z, 1, block.first + p, at);
        const Pack depth = min(at.value, 0.0);
        if (step == 0) first = depth;
        if (!any(depth < arrived * first)) break;
        for (int i = 0; i < 3; ++i) store(z + i * lanes, load(z + i * lanes) - depth * at.normal[i]);
      }
    }
  }

  void lower_bound(const double* x, double* out) const {
    if (!motion_.places()) return obstacle_->lower_bound(x, out);
    alignas(64) double own[3 * lanes];
    to_own(pose_, x, own);
    obstacle_->lower_bound(own, out);
  }

 private:
  void measure_own(const double* x, int derivatives, int pack, Distances& out) const {
    if (static_cast<std::size_t>(pack) >= known_.size()) obstacle_->measure(x, derivatives, out);
    else obstacle_->measure_near(x, derivatives, out, known_[pack]);
  }
  void turn_normal(Pack n[3]) const {
    const double* r = pose_.turn;
    const Pack own[3] = {n[0], n[1], n[2]};
    for (int i = 0; i < 3; ++i) n[i] = r[3 * i] * own[0] + r[3 * i + 1] * own[1] + r[3 * i + 2] * own[2];
  }
  // R H R^T
  void turn_curvature(Pack h[6]) const {
    const double* r = pose_.turn;
    const Pack own[3][3] = {{h[0], h[1], h[3]}, {h[1], h[2], h[4]}, {h[3], h[4], h[5]}};
    Pack half[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        half[i][j] = r[3 * i] * own[0][j] + r[3 * i + 1] * own[1][j] + r[3 * i + 2] * own[2][j];
    for (int i = 0, at = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j, ++at)
        h[at] = half[i][0] * r[3 * j] + half[i][1] * r[3 * j + 1] + half[i][2] * r[3 * j + 2];
  }

  std::shared_ptr<const Obstacle> obstacle_;
  Motion motion_;
  Pose pose_;
  double time_ = 0;
  mutable AlignedVector<NearFaces> known_;  // by pack: each is measured by one thread at a time
};

// ---- kernel

// What is left of h when only its negative eigenvalues count: times the depth, which is negative, they are what the
// second derivative of psi keeps when it is filtered. h has no part along n, so the other two are those of a 2 x 2
// matrix m + b with b without trace.
void keep_negative(const Pack n[3], Pack h[6]) {
  const Pack trace = h[0] + h[2] + h[5], mean = 0.5 * trace;
  Pack b[6], squares = {};
  for (int i = 0, at = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j, ++at) {
      b[at] = h[at] - mean * ((i == j ? 1.0 : 0.0) - n[i] * n[j]);
      squares += (i == j ? 0.5 : 1.0) * (b[at] * b[at]);  // |b|^2/2 is the square of its eigenvalue
    }
  const Pack radius = sqrt(squares);
  const Pack high = min(mean + radius, 0.0), low = min(mean - radius, 0.0);
  const Mask some = radius > 0.0;
  const Pack level = 0.5 * (high + low), part = select(some, 0.5 * (high - low) / select(some, radius, 1.0), 0.0);
  for (int i = 0, at = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j, ++at) h[at] = level * ((i == j ? 1.0 : 0.0) - n[i] * n[j]) + part * b[at];
}

// Without stiffness: no energy, but an inequality, or what is done after a stage.
class ObstacleKernel final : public Kernel {
 public:
  ObstacleKernel(Placed placed, double stiffness) : placed_(std::move(placed)), stiffness_(stiffness) {}
  void set_time(double time) override { placed_.set_time(time); }
  void project(const Block& block, double* projected) const override { placed_.nearest(block, projected); }

  void evaluate(Block& block) const override {
    const int derivatives = block.d2psi_z != nullptr ? 2 : block.dpsi_z != nullptr ? 1 : 0;
    for (int p = 0; p < block.packs && stiffness_ > 0; ++p) {
      Distances at;
      placed_.measure(block.z + p * 3 * lanes, derivatives, block.first + p, at);
      if (!any(at.value < 0.0)) continue;
      const Pack depth = min(at.value, 0.0);
      add(block.psi + p * lanes, 0.5 * stiffness_ * depth * depth);
      for (int i = 0; derivatives > 0 && i < 3; ++i)
        add(block.dpsi_z + (p * 3 + i) * lanes, stiffness_ * at.normal[i] * depth);
      if (derivatives == 2) add_curvature(at, depth, block.filter, block.d2psi_z + p * 6 * lanes);
    }
  }

 private:
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  void add_curvature(Distances& at, Pack depth, bool filter, double* to) const {
    if (filter) keep_negative(at.normal, at.curvature);
    const Pack k = select(at.value < 0.0, stiffness_, Pack{});
    for (int i = 0, n = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j, ++n)
        add(to + n * lanes, k * (at.normal[i] * at.normal[j]) + k * depth * at.curvature[n]);
  }

  Placed placed_;
  double stiffness_;
};

class ObstacleForm final : public CompliantForm {
 public:
  ObstacleForm(Placed placed, double stiffness) : placed_(std::move(placed)), stiffness_(stiffness) {}
  int constraints() const override { return 1; }
  bool one_sided() const override { return true; }
  void set_time(double time) override { placed_.set_time(time); }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      Distances at;
      placed_.measure(block.z + p * 3 * lanes, 1, block.first + p, at);
      store(out.value + p * lanes, at.value);
      store(out.stiffness + p * lanes, broadcast(stiffness_));
      for (int i = 0; i < 3; ++i) store(out.gradient + (p * 3 + i) * lanes, at.normal[i]);
    }
  }

 private:
  Placed placed_;
  double stiffness_;
};

}  // namespace

// ---- potential

ObstaclePotential::ObstaclePotential(std::shared_ptr<const Obstacle> obstacle, double stiffness, Motion motion,
                                     Response response)
    : obstacle_(std::move(obstacle)), stiffness_(stiffness), motion_(std::move(motion)), response_(response) {}

void ObstaclePotential::stamp(Stamp& out) const {
  obstacle_->stamp(out), out.add(stiffness_), motion_.stamp(out);
  if (response_ != Response::energy) out.add(static_cast<int>(response_));
}

std::unique_ptr<Kernel> ObstaclePotential::pack(std::span<const int> slots) const {
  return std::make_unique<ObstacleKernel>(Placed(obstacle_, motion_, slots.size()),
                                          response_ == Response::energy ? stiffness_ : 0);
}

std::unique_ptr<CompliantForm> ObstaclePotential::compliant_form(std::span<const int> slots) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double k = response_ == Response::energy ? stiffness_ : response_ == Response::hard ? infinite : 0;
  return std::make_unique<ObstacleForm>(Placed(obstacle_, motion_, slots.size()), k);
}

void ObstaclePotential::clearance(double time, std::span<const double> x, std::span<double> out) const {
  Placed placed(obstacle_, motion_, 0);
  placed.set_time(time);
  for (std::size_t first = 0; first < out.size(); first += lanes) {
    alignas(64) double z[3 * lanes];
    const std::size_t count = std::min<std::size_t>(lanes, out.size() - first);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t k = 0; k < 3; ++k) z[k * lanes + lane] = x[3 * (first + std::min(lane, count - 1)) + k];
    alignas(64) double least[lanes];
    placed.lower_bound(z, least);
    for (std::size_t lane = 0; lane < count; ++lane) out[first + lane] = std::max(0.0, least[lane]);
  }
}

void ObstaclePotential::carry(double from, double to, double* x) const {
  if (!motion_.moves()) return;
  const Vec3 by = moved(motion_, x, from, to);
  for (std::size_t k = 0; k < 3; ++k) x[k] += by[k];
}

std::shared_ptr<const Potential> make_obstacle_potential(std::shared_ptr<const Obstacle> obstacle, double stiffness,
                                                         Motion motion, Response response) {
  return std::make_shared<ObstaclePotential>(std::move(obstacle), stiffness, std::move(motion), response);
}

}  // namespace resilin
