// What experiments build again and again: a solid from a mesh and a material, solvers as a paper means them,
// motions, a beam, random numbers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "lab/study.h"
#include "resilin/builder.h"
#include "resilin/mesh.h"

namespace resilin::lab {

using resilin::make_integrator;
using resilin::Values;

/// What a paper means by a solver: its "method" is "paper" unless `params` say otherwise. Experiments reproduce
/// papers.
Values as_published(const std::string& solver, Values params);
std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params = {});
std::unique_ptr<Simulation> make_simulation(Model model, double step, const std::string& solver,
                                            const Values& solver_params = {},
                                            const std::string& integrator = "backward_euler", int threads = 0);

/// One body, no gravity.
Model solid(const TetMesh& mesh, double density, const std::string& material, const Values& params);
/// Hard pins at the vertices' rest positions, in a model that is there already.
void pin(Model& model, std::vector<int> vertices, Motion motion = {});
/// The vertices for which `inside` holds, of positions x.
template <class Predicate>
std::vector<int> vertices_where(const std::vector<double>& x, Predicate inside) {
  std::vector<int> out;
  for (std::size_t v = 0; v < x.size() / 3; ++v)
    if (inside(&x[3 * v])) out.push_back(static_cast<int>(v));
  return out;
}
/// About the start, at full speed from the first frame on.
MotionStep shake(const Vec3& direction, double amplitude, double frequency);
/// About an axis through the origin at a steady rate: by this angle in 1000 s.
MotionStep turn_steadily(const Vec3& axis, double angle);
/// Damps a term of a model that is there already.
void add_damping(Model& model, int term, const std::string& type, const Values& params = {});
/// `params` with the double factor, for solvers that let one choose: where the last digits count.
Values with_double_factor(const std::string& solver, Values params);
/// Solvers that take PD strain and no neo-Hookean solid: projective_dynamics and pbd.
bool wants_strain(const std::string& solver);
/// Another material on all tets of term `term`.
void set_material(Model& model, int term, const std::string& material, const Values& params);
/// The fibre term kappa/2 (|F d| - 1)^2 on all tets of term `term`.
void add_fibre(Model& model, int term, double stiffness, const std::array<double, 3>& direction);

/// Largest |coordinate| of all vertices.
double largest_coordinate(const std::vector<double>& q);
/// Tets of the first body that are turned over, or flat.
int inverted_tets(const Model& model, const std::vector<double>& q);

/// S-BEAM, the beam of many experiments: 4 x 1 x 1 m, PD strain, twisted linearly along x.
TetMesh beam_mesh(int cells_across);
std::vector<double> twisted(const std::vector<double>& rest, double degrees);

/// Uniform pseudo-random numbers that are the same on every machine.
class Random {
 public:
  // Not a multiple of the increment of bits(): then neighbouring seeds would give the same numbers, shifted by one.
  explicit Random(std::uint64_t seed) : state_(seed * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du) {}
  std::uint64_t bits();
  double uniform(double low = 0, double high = 1);
  double normal();
  /// Row-major rotation, uniform.
  void rotation(double r[9]);

 private:
  std::uint64_t state_;
};

}  // namespace resilin::lab
