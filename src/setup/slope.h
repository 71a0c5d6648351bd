// A block on a slope, for experiments with friction: either the plane is inclined, or gravity is. In both cases the
// plane has an upward normal n and a direction e down the slope, and what is measured is measured along these.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "resilin/builder.h"
#include "setup/cone.h"

namespace resilin::setup {

struct SlopeOptions {
  double angle = 0;            // of the slope [rad]
  bool inclined_plane = true;  // false: the plane is level, and gravity is inclined
  double friction = 0.5;       // mu
  std::array<double, 3> size{0.1, 0.05, 0.1};
  std::array<int, 3> cells{6, 3, 6};
  double young = 1e6, density = 1000;
  double stiffness = 1;  // of the contact at a vertex, over young times the length of a cell
  double speed = 0;      // down the slope at the start [m/s]
  // Seconds for which nothing pulls the block down the slope, and seconds in which gravity then grows to do so: at
  // once it would be a blow.
  double settle = 0, ramp = 0;
  double drop = 0;          // height above the plane at the start [m]
  double restitution = -1;  // of the plane; negative: none
  bool settled = false;     // it starts as two seconds of rest without friction have left it
  double step = 1.0 / 60;
  Choice solver = "quasi_newton";
  std::string integrator = "backward_euler";
  int threads = 0;
};

class Slope {
 public:
  explicit Slope(const SlopeOptions& options);

  Simulation& simulation() { return *simulation_; }
  StepReport advance();
  /// Sum of normal forces, over the weight along n.
  double carried() const;
  /// Of the middle of mass, along e [m], [m/s].
  double travel() const { return along(simulation_->positions()) - start_; }
  double speed() const { return along(simulation_->velocities()); }
  /// Of the middle of mass, along n [m].
  double height() const { return along(simulation_->positions(), normal_); }
  /// Over all steps so far.
  const ConeExcess& excess() const { return watch_->excess(); }
  const std::array<double, 3>& downhill() const { return downhill_; }
  const std::array<double, 3>& normal() const { return normal_; }
  double gravity() const { return 9.81; }

 private:
  double along(const std::vector<double>& x) const { return along(x, downhill_); }
  double along(const std::vector<double>& x, const std::array<double, 3>& direction) const;
  double force(const double* x) const;

  SlopeOptions options_;
  std::array<double, 3> normal_, downhill_;
  double contact_ = 0, start_ = 0;  // stiffness [N/m]
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ConeWatch> watch_;
};

}  // namespace resilin::setup
