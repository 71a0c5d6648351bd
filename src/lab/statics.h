// Problems without time, for experiments with closed forms: equilibrium grad V = load on the same Objective as
// everything else, meshes without symmetry, loads on faces and mean stresses.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/mesh.h"
#include "resilin/shapes.h"

namespace resilin::lab {

/// A box whose vertices are moved at random by up to `amount` cells (in [0, 0.25]): inner ones anywhere, those of
/// the surface within it. Faces stay flat, tets positive, and no symmetry is left.
TetMesh distorted_box(const BoxOptions& options, double amount, std::uint64_t seed);
std::array<int, 3> cubic_cells(const Vec3& size,
                               int across);       // cells as cubic as possible, `across` along the shortest side
BoxPattern box_pattern(const std::string& name);  // "five", "six" or "bcc"

/// Adds the consistent load of a traction [Pa] per rest area on the boundary triangles between vertices of `face`.
void add_traction(const TetMesh& mesh, const std::string& face, const Vec3& traction, std::vector<double>& load);
/// Rest area of that face.
double face_area(const TetMesh& mesh, const std::string& face);

/// y = F X, F row-major.
std::vector<double> affine(const std::vector<double>& rest, const double f[9]);

class Statics {
 public:
  explicit Statics(Model model, int threads = 0);

  DynamicSystem& system() { return *system_; }
  const Model& model() const { return *model_; }
  /// V, and its gradient on all vertices: at pins the reactions.
  double energy(const std::vector<double>& y, std::vector<double>* gradient = nullptr);

  struct Result {
    // |grad V - load| of the free vertices over the largest seen, or over |load| when that is larger.
    double residual = 0;
    int iterations = 0;
  };
  /// Newton from y on grad V(y) = load, down to round-off. Pinned vertices stay where y has them.
  Result equilibrium(const std::vector<double>& load, std::vector<double>& y, int iterations = 60);

  /// The exact Hessian at y is positive definite on the free vertices.
  bool stable(const std::vector<double>& y);

  /// First Piola stress averaged over the rest volume, sum_i (dV/dx_i) X_i^T / volume (row-major): exact for any
  /// field.
  std::array<double, 9> mean_stress(const std::vector<double>& y);

 private:
  double residual(const std::vector<double>& load, const std::vector<double>& y, std::vector<double>& r,
                  double& merit);

  std::unique_ptr<Model> model_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<DynamicSystem> system_;
};

}  // namespace resilin::lab
