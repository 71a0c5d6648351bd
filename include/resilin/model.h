// What is simulated, as data: elements (the constant linear maps D_i), the potentials on them, masses, pins and
// external forces. Built by a scene or by a host program, read by the Objective. It knows no step size, no state
// and no solver.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "resilin/contact.h"
#include "resilin/embedding.h"
#include "resilin/mesh.h"
#include "resilin/motion.h"
#include "resilin/potential.h"

namespace resilin {

class GlobalEnergy;

/// The maps D_i as data: element i couples `corners` vertices by R x corners coefficients, z_r = sum_a c_ra x_a,
/// and weighs `measure` (volume, area, length, or 1).
class Elements {
 public:
  explicit Elements(ElementKind kind = ElementKind::tet) : kind_(kind) {}
  void add(std::span<const int> vertices, std::span<const double> coefficients, double measure);
  /// Those of another, of the same kind.
  void append(const Elements& other);

  int size() const { return static_cast<int>(measure_.size()); }
  ElementKind kind() const { return kind_; }
  int rows() const { return shape_of(kind_).rows; }
  int corners() const { return shape_of(kind_).corners; }
  /// Constants are in the kernel of D_i: coefficients of a row sum to zero.
  bool translation_free() const { return shape_of(kind_).translation_free; }
  std::span<const int> vertices(int i) const {
    const auto count = static_cast<std::size_t>(corners());
    return {&vertices_[static_cast<std::size_t>(i) * count], count};
  }
  std::span<const double> coefficients(int i) const {
    const auto count = static_cast<std::size_t>(corners()) * rows();
    return {&coefficients_[static_cast<std::size_t>(i) * count], count};
  }
  double measure(int i) const { return measure_[i]; }

  /// Deformation gradients of tets: z = F^T, measure = volume. `tets` index into `rest` (xyz per vertex).
  static Elements tets(std::span<const double> rest, std::span<const int> tets);
  /// The same of triangles: z = F^T is 2 x 3, measure = area times thickness. Row 0 is the direction in the sheet
  /// that is nearest to `warp`, which only materials with a grain see. One thickness [m] and one warp, or one for
  /// each.
  static Elements triangles(std::span<const double> rest, std::span<const int> triangles,
                            std::span<const double> thickness, std::span<const std::array<double, 3>> warp = {});
  /// Edge vectors z = x_b - x_a, measure 1.
  static Elements springs(std::span<const int> edges);
  /// Positions z = x_a, measure 1.
  static Elements points(std::span<const int> vertices);

 private:
  ElementKind kind_;
  std::vector<int> vertices_;
  std::vector<double> coefficients_, measure_;
};

/// Elements with the potentials on them: one gather, one SVD and one scatter for all of them.
struct Term {
  std::string name;
  Elements elements;
  std::vector<std::shared_ptr<const Potential>> elastic;
  std::vector<std::shared_ptr<const Dissipation>> damping = {};
};

/// The elements of a body in one term: `count` of them, from `first` on.
struct BodyElements {
  int term = 0;  // in Model::terms
  int first = 0, count = 0;
  /// Which of the body's tets, triangles, edges or vertices (by the kind of the term's elements) they are; empty:
  /// the first `count`, in order.
  std::vector<int> ids = {};
  int id(int i) const { return ids.empty() ? i : ids[static_cast<std::size_t>(i)]; }
};

/// A label on a range of vertices, with what is needed to draw and write it.
struct Body {
  std::string name;
  int first_vertex = 0, vertex_count = 0;
  int end_vertex() const { return first_vertex + vertex_count; }
  std::vector<int> tets, triangles,
      edges;                // vertex ids of the model; triangles are a shell, or the surface of the tets
  Embedding embedded = {};  // drawn and written in place of `triangles`, bound to `tets`; empty: none
  std::vector<BodyElements> elements = {};  // in every term that acts on it; filled by the Builder
};

/// Vertices that follow a prescribed motion exactly: their degrees of freedom are removed.
struct Pin {
  std::vector<int> vertices;
  std::vector<double> start;  // xyz of each at time 0
  Motion motion;
};

/// A force [N] on each of some vertices, or an acceleration [m/s^2] when `per_mass`, scaled by a signal.
struct ExternalForce {
  std::vector<int> vertices;  // empty: all
  std::array<double, 3> vector{0, 0, 0};
  bool per_mass = false;
  Signal signal;
};

class Model {
 public:
  /// Adds vertices at rest positions (xyz); returns the id of the first.
  int add_vertices(std::span<const double> rest);
  int vertex_count() const { return static_cast<int>(mass.size()); }
  int element_count() const;
  /// Largest extent of the rest shape: the length that tolerances are relative to.
  double size() const;
  double total_mass() const;
  /// Throws InputError when a vertex has no mass, an index is out of range or a number is not finite.
  void validate() const;

  std::vector<double> rest, mass;  // 3n, n [kg]
  std::vector<Term> terms;
  /// Terms of points that come, go and move while it runs (drags): they stand outside of the partition and of the
  /// constant Hessian, so that a change costs no factorisation.
  std::vector<Term> listed;
  /// Contact of bodies; none: they pass through each other.
  std::optional<ContactSettings> contact;
  std::vector<ObstacleFriction> friction;
  std::vector<ObstacleRestitution> restitution;
  /// Energies of many vertices at once (resilin/coupling.h).
  std::vector<std::shared_ptr<const GlobalEnergy>> global_energies;
  std::vector<Body> bodies;
  std::vector<Pin> pins;
  std::vector<ExternalForce> forces;
  std::array<double, 3> gravity{0, -9.81, 0};
};

/// Adds a body of tets: vertices, lumped masses from the density (one, or one per tet), surface; no term yet.
/// `surface`: boundary_triangles(mesh), if they are known already. Returns its index in model.bodies.
int add_tet_body(Model& model, const std::string& name, const TetMesh& mesh, std::span<const double> density,
                 std::span<const int> surface = {});

/// Adds a body of triangles, likewise; `thickness` [m] and `density` [kg/m^3]: one, or one per triangle.
int add_shell_body(Model& model, const std::string& name, const TriangleMesh& mesh,
                   std::span<const double> thickness, std::span<const double> density);

/// A third of each triangle's mass to each of its vertices (ids of the model).
void add_skin_mass(Model& model, std::span<const int> triangles, std::span<const double> thickness,
                   std::span<const double> density);

// ---- as drawn and written ------------------------------------------------------------------------------------

/// The model with its embedded surfaces: their vertices follow its own, body after body, and they are the triangles
/// of their bodies. Rest shape and bodies only: it cannot be simulated.
Model with_embedded(const Model& model);
/// The same for values per vertex (positions, velocities), `components` each.
std::vector<double> with_embedded(const Model& model, std::span<const double> values, int components = 3);

}  // namespace resilin
