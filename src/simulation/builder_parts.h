// What a Builder remembers until the terms are made. Private to builder*.cpp.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/obstacles/obstacle.h"
#include "potentials/added/added.h"
#include "potentials/bending/bending.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/builder.h"

namespace resilin {

/// Something registered with its checked parameters.
template <class Plugin>
struct Chosen {
  std::string type;
  const Plugin* plugin = nullptr;
  std::shared_ptr<const Settings> settings;
};

/// The sheet that a body's triangles are made of.
struct SkinPart {
  Chosen<MaterialPlugin> material;  // without a plugin: none
  Chosen<BendingPlugin> bending;    // likewise
  std::vector<Chosen<PotentialPlugin>> potentials;
  std::vector<double> thickness;  // per triangle
  std::array<double, 3> warp{1, 0, 0};
  std::shared_ptr<const MaterialPlugin> own_material;  // keeps alive what is not registered
};

/// A body besides what Model::bodies says of it.
struct BodyPart {
  bool solid = true;  // has tets
  std::optional<SkinPart> skin;
  std::optional<Inflation> inflation;
  std::vector<Chosen<PotentialPlugin>> potentials;     // of its tets
  std::vector<Chosen<MaterialPlugin>> materials;       // its own, then those of regions
  std::vector<int> material_of;                        // per tet, into `materials`
  std::vector<double> fibre_stiffness;                 // per tet, or none
  std::vector<std::array<double, 3>> fibre_direction;  // per tet, or none
  std::vector<double> stiffness, length;               // per spring
  std::vector<Chosen<DampingPlugin>> damping;
  std::shared_ptr<const MaterialPlugin> own_material;  // keeps alive what is not registered
  std::vector<std::shared_ptr<const DampingPlugin>> own_damping;
};

struct SoftPin {
  int body = 0;
  std::vector<int> vertices;  // of the body
  std::vector<double> start;
  Motion motion;
  double stiffness = 0;
};

struct ObstaclePart {
  std::string type;
  std::shared_ptr<const Obstacle> obstacle;
  std::optional<double> stiffness;  // none: that of each body
  Motion motion;
  std::shared_ptr<const Settings> settings;
  Response response = Response::energy;
};

struct Builder::Parts {
  Model model;  // without terms
  State state;
  std::vector<BodyPart> bodies;
  std::vector<SoftPin> soft_pins;
  std::vector<ObstaclePart> obstacles;
  std::optional<ContactSettings> contact;  // of bodies
  std::vector<Drag> drags;                 // complete, with ids of the model
  std::vector<int> held_by;                // per vertex: the hard pin, or -1
  std::vector<std::string> pins;           // where each hard pin was asked for

  /// The part of the body that was just added to the model.
  void take(BodyPart part);
  /// InputError unless there is such a body.
  const Body& body(int index) const;

  // The rest makes terms of the parts; `out` has the bodies. builder_terms.cpp:
  void add_solid_terms(Model& out) const;
  void add_spring_terms(Model& out) const;
  // builder_shells.cpp:
  void add_shell_terms(Model& out) const;
  void add_bending_terms(Model& out) const;
  void add_inflations(Model& out) const;
  void damp_bodies(Model& out) const;
  // builder_actors.cpp:
  void add_soft_pins(Model& out) const;
  void add_obstacles(Model& out) const;
  /// All of them.
  void add_terms(Model& out) const;
};

/// A sheet of `triangles` triangles, checked; `automatic` bending is chosen by the rest shape.
SkinPart read_skin(const Skin& skin, const TriangleMesh& mesh, const std::string& where);

void check_inflation(const Inflation& inflation, std::span<const double> vertices, std::span<const int> triangles,
                     const std::string& where);

/// Elements of one body in a term that is being made.
struct Share {
  std::size_t body = 0;
  int first = 0;
  std::vector<int> ids;
};
/// Tells the bodies of their elements in term number `term`.
void note(Model& model, int term, const std::vector<Share>& shares);
/// Damps the last term with those models of a body that can; those on vertices are added once per body. `indices`:
/// as in DampingSource.
void damp_elements(Model& model, const BodyPart& part, std::span<const int> indices,
                   const std::vector<Share>& shares);
/// Adds potentials of a body to a term that has its elements and its material.
void add_potentials(Term& term, const std::vector<Chosen<PotentialPlugin>>& potentials, const Model& model,
                    std::size_t body, std::span<const int> indices);
std::vector<Chosen<PotentialPlugin>> chosen_potentials(const std::vector<Choice>& choices, ElementKind kind,
                                                       int elements, const std::string& where);
Chosen<MaterialPlugin> chosen_material(const Choice& choice, const std::string& where, const std::string& key,
                                       int elements, const std::string& what, const MaterialPlugin* own = nullptr);
/// `what`: "tet", "triangle", "spring" or "vertex"
void check_positive(const PerElement& of, int count, const std::string& where, const std::string& key,
                    const std::string& what);
/// One value for each.
std::vector<double> each(const PerElement& of, int count);

/// The ids for BodyElements, which has none for 0, 1, 2, ...
std::vector<int> unless_in_order(const std::vector<int>& ids);
/// body "bar"
std::string place_of(const std::string& body);
/// The parameters of a choice, read at `where: key`, or those that were read already.
std::shared_ptr<const Settings> settings_of(const Choice& choice, const Params& params, const std::string& where,
                                            const std::string& key);
/// Lists of parameters must have one entry per element.
void check_lengths(const Params& params, const Settings& settings, int count, const std::string& what);

}  // namespace resilin
