// Building a model in C++: everything that a scene can say. Bodies first, then what holds, pushes and damps them;
// ids are those of a body's own mesh. Scenes, tests and host programs use it; it finds materials, damping models,
// obstacles, integrators and solvers by their registered names.
//
//   Builder builder;
//   const int bar = builder.add(Solid{.mesh = mesh, .material = {"neo_hookean", {{"young", 1e5}, {"poisson",
//   0.45}}}});
//   builder.pin({.body = bar, .vertices = mesh.vertex_groups.at("x_min")});
//   auto simulation = builder.simulation({.step = 1.0 / 60, .solver = {"quasi_newton", {{"iterations", 10}}}});
//   simulation->step();
//
// What is wrong throws InputError that names the body, the key and the tet or vertex: from the call that says it,
// which then changes nothing, or, where parameters do not go together, from model().
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "resilin/contact.h"
#include "resilin/edit.h"
#include "resilin/embedding.h"
#include "resilin/mesh.h"
#include "resilin/model.h"
#include "resilin/params.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"

namespace resilin {

struct DampingPlugin;
struct MaterialPlugin;

/// Parameter values by name; unknown names and values out of range throw InputError.
using Values = Value::Object;

/// Something registered, by its name, with its parameters: "arap", or {"neo_hookean", {{"young", 1e5}}}.
struct Choice {
  Choice(const char* name, Values values = {}) : type(name), params(std::move(values)) {}
  Choice(std::string name, Values values = {}) : type(std::move(name)), params(std::move(values)) {}
  std::string type;
  Values params;
  std::shared_ptr<const Settings> checked = {};  // in place of `params`, where somebody read them already: a scene
};

/// One number for all elements, or one for each.
struct PerElement {
  PerElement(double one) : values{one} {}
  PerElement(std::vector<double> each) : values(std::move(each)) {}
  double at(int i) const { return values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)]; }
  std::vector<double> values;
};

// ---- bodies
// -------------------------------------------------------------------------------------------------------

/// A mesh with what follows from it. Bodies may share it, and a changed body keeps it: nothing is computed again.
struct SolidShape {
  TetMesh mesh;
  std::vector<int> triangles;  // its boundary
  Embedding embedded = {};     // a surface that it carries, or none
};
/// `surface`: that it carries, or none. Nothing is checked: see validate() of a mesh.
std::shared_ptr<const SolidShape> solid_shape(TetMesh mesh, TriangleMesh surface = {});

/// Tets of a solid that differ from the rest of it; later regions win.
struct Region {
  std::vector<int> tets;
  std::optional<Choice> material = {};
  std::optional<double> density = {};  // [kg/m^3]
};

/// Energy stiffness/2 (|F direction| - 1)^2 on top of the material.
struct Fibre {
  PerElement stiffness;                          // [Pa]
  std::vector<std::array<double, 3>> direction;  // at rest: one, or one per tet
};

/// A sheet: what triangles are made of.
struct Skin {
  PerElement thickness = 1e-3;      // [m]
  Choice material = "neo_hookean";  // "none": only its potentials and bending
  PerElement density = 1000;        // [kg/m^3]
  Choice bending = "automatic";     // "none"; automatic: quadratic when it is flat at rest, else dihedral
  std::vector<Choice> potentials = {};
  std::array<double, 3> warp{1, 0, 0};                  // direction of the grain at rest
  std::shared_ptr<const MaterialPlugin> own = nullptr;  // as Solid::own
};

/// What is inside a closed surface: energy stiffness/2 (V - target V0)^2 / V0 of the volume V that it encloses, V0
/// at rest.
struct Inflation {
  double target = 1;       // of V/V0
  double stiffness = 1e5;  // pressure over relative change of volume [Pa]: that of air
};

struct Solid {
  std::string name = {};  // none: "body1", "body2", ...
  TetMesh mesh = {};
  TriangleMesh surface = {};                          // that it carries, drawn and written in place of its own
  std::shared_ptr<const SolidShape> shape = nullptr;  // in place of both, checked by whoever made it
  Choice material = "neo_hookean";                    // a parameter may be a list with one number per tet
  std::shared_ptr<const MaterialPlugin> own =
      nullptr;                // what `material` names, where it is not registered: one that a host made
  PerElement density = 1000;  // [kg/m^3]
  std::vector<Region> regions = {};
  std::optional<Fibre> fibre = {};
  std::vector<Choice> potentials = {};  // besides the material (resilin list potential)
  std::optional<Skin> skin = {};        // on its surface, whose triangles it then is simulated with too
  std::optional<Inflation> inflation = {};
};

/// A cloth, a membrane or a thin-walled body: triangles that may have a boundary.
struct Shell {
  std::string name = {};
  TriangleMesh mesh = {};
  Skin skin = {};
  std::optional<Inflation> inflation = {};  // of a closed one: a balloon
};

/// A net of springs k/2 (|x_b - x_a| - length)^2.
struct Springs {
  std::string name = {};
  EdgeMesh mesh = {};
  PerElement stiffness = 1000;      // [N/m]
  PerElement mass = 0.1;            // of each vertex [kg]
  std::vector<double> length = {};  // at rest [m]; none: as they stand
  std::vector<int> triangles = {};  // to draw
};

/// A cloth as a net: springs between neighbours (stretch), across cells (shear) and over two cells (bend).
struct ClothNet {
  ClothOptions grid = {};
  double stretch = 1000, shear = 500, bend = 10;  // [N/m]
  double density = 0.2;                           // [kg/m^2]
};
Springs cloth_springs(const ClothNet& cloth);

// ---- what acts on them
// ----------------------------------------------------------------------------------------------

/// Vertices of a body that are held and follow a motion.
struct Hold {
  int body = 0;
  std::vector<int> vertices;
  Motion motion = {};
  std::vector<double> at = {};  // xyz of each at time 0; none: where they stand now, so place() comes first
  std::string where = {};       // for messages
};

/// A force on vertices of a body, scaled by a signal.
struct Load {
  /// On each vertex [N]; on all of them together, shared by mass [N]; per mass [m/s^2].
  enum class Kind { force, total, acceleration };
  int body = 0;
  std::vector<int> vertices = {};  // none: all
  Kind kind = Kind::force;
  std::array<double, 3> vector{0, 0, 0};
  Signal signal = {};
};

/// How a model is simulated.
struct SimulationChoice {
  double step = 1.0 / 30;  // h [s]
  Choice solver = "quasi_newton";
  Choice integrator = "backward_euler";
  int threads = 0;                                             // 0: all cores this process may use
  std::optional<ReductionSettings> reduction = {};             // none: unknowns are vertices
  std::shared_ptr<const ReductionStore> reduction_store = {};  // none: it is computed every time
};

class Builder {
 public:
  Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;
  ~Builder();

  /// Its index: in the order in which they were added.
  int add(const Solid& solid);
  int add(const Shell& shell);
  int add(const Springs& springs);

  /// On its elements, or on its vertices: as the model is. Lists have one number for each of them.
  /// `own`: what it names, where it is not registered.
  void damp(int body, const Choice& damping, std::shared_ptr<const DampingPlugin> own = nullptr);
  /// Exactly. No vertex can be held twice.
  void pin(const Hold& hold);
  /// By springs of that stiffness [N/m] on each.
  void soft_pin(const Hold& hold, double stiffness);
  /// A handle, as if it had been posted; `vertices` are those of the body.
  void drag(int body, Drag drag);
  void force(const Load& load);
  /// Keeps all bodies out; as stiff as each of them unless its "stiffness" is stated. `motion` takes it from its
  /// own frame to where it stands.
  void obstacle(const Choice& obstacle, Motion motion = {});
  /// Of all bodies with each other and with themselves; else they pass through each other.
  void contact(const ContactSettings& contact);
  /// [m/s^2]; else 9.81 along -y.
  void gravity(const std::array<double, 3>& acceleration);

  /// The first state of a body, xyz of each vertex: where it stands, and how fast it is.
  void place(int body, std::span<const double> positions);
  void launch(int body, std::span<const double> velocities);
  /// All of it.
  void launch(int body, const std::array<double, 3>& velocity);

  int body_count() const;
  std::span<const double> rest(int body) const;
  std::span<const double> masses(int body) const;
  std::span<const double> positions(int body) const;
  std::span<const double> velocities(int body) const;

  /// Terms in this order: solids by material, shells by material, bending, springs, damping of vertices, soft pins,
  /// obstacles.
  Model model() const&;
  Model model() &&;  // of a builder that is not needed any more
  State state() const;
  std::unique_ptr<Simulation> simulation(const SimulationChoice& choice = {}) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// ---- by name
// ----------------------------------------------------------------------------------------------------------

std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params = {});
std::unique_ptr<Integrator> make_integrator(const std::string& name, const Values& params = {});
/// Of a model that was made in another way, or changed by hand.
std::unique_ptr<Simulation> make_simulation(Model model, const SimulationChoice& choice);

}  // namespace resilin
