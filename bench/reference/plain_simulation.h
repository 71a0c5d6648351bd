// The plain reference: the quasi-Newton of Liu et al. (Alg. 1 and 2) as one writes it down first. An array of
// element structs, scalar loops, Eigen's JacobiSVD and SimplicialLLT, dense vectors, one thread, double precision.
// It shares no code with the library's solvers: what it computes is checked against them in tests/bench, and
// `resilin bench` reports how much faster they are. A fair opponent: n x n matrix with three right-hand sides,
// factor kept from frame to frame, no point evaluated twice. Every material goes through the singular values, as in
// the paper and in its published code; `closed_form` spares neo-Hookean the SVD.
#pragma once
#include <memory>
#include <vector>

#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin::reference {

enum class Material { neo_hookean, corotated, arap, spline };

/// The constants that the model's potentials do not give away; uniform over the model's tets.
struct Constants {
  Material material = Material::neo_hookean;
  double young = 0, poisson = 0;  // neo_hookean, corotated, spline (preset A)
  double stiffness = 0;           // arap
  bool closed_form = false;       // neo_hookean without the SVD
};

struct Options {
  double step = 1.0 / 30;
  int iterations = 10;
  int history = 5;
  bool newton = false;  // Newton with projected element Hessians instead of L-BFGS; neo-Hookean tets only
};

/// Tets of one material, springs, pins and gravity.
class PlainSimulation {
 public:
  PlainSimulation(const Model& model, const Constants& constants, const Options& options);
  ~PlainSimulation();

  /// Positions, velocities and time.
  void set_state(const State& state);
  /// One frame of backward Euler.
  void step();
  const std::vector<double>& positions() const;
  /// Evaluations of the energy in all frames so far.
  int evaluations() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace resilin::reference
