// Bodies that tests and experiments build again and again: a solid from a mesh and a material, the beam, and what
// is added to a model that is there already.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "resilin/builder.h"
#include "resilin/mesh.h"

namespace resilin::setup {

using resilin::Values;

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
/// Another material on all tets of term `term`.
void set_material(Model& model, int term, const std::string& material, const Values& params);
/// The fibre term kappa/2 (|F d| - 1)^2 on all tets of term `term`.
void add_fibre(Model& model, int term, double stiffness, const std::array<double, 3>& direction);

/// S-BEAM, the beam of many experiments: 4 x 1 x 1 m, PD strain, twisted linearly along x.
TetMesh beam_mesh(int cells_across);
std::vector<double> twisted(const std::vector<double>& rest, double degrees);

/// Largest |coordinate| of all vertices.
double largest_coordinate(const std::vector<double>& q);
/// Tets of the first body that are turned over, or flat.
int inverted_tets(const Model& model, const std::vector<double>& q);

}  // namespace resilin::setup
