#include "scene/format.h"

#include <cassert>

#include "resilin/reduction.h"

namespace resilin {
namespace {

using Kind = Form::Kind;

Form object_form(const char* type) { return {Kind::object, type}; }
Form list_form(const char* type) { return {Kind::list, type}; }
const Form number_form{Kind::number, ""}, boolean_form{Kind::boolean, ""}, text_form{Kind::text, ""},
    vector_form{Kind::vector3, ""}, axis_form{Kind::axis, ""}, rows_form{Kind::rows, ""};

std::vector<Form> one_or_more(const char* type) { return {object_form(type), list_form(type)}; }
std::vector<Form> named(const char* kind) { return {{Kind::text, kind}, {Kind::plugin, kind}}; }

// A field, with what may stand under it when its type is `any`.
struct Field {
  Field(Param p, std::vector<Form> f = {}) : param(std::move(p)), forms(std::move(f)) {}
  Param param;
  std::vector<Form> forms;
};
Field any_of(const char* name, std::vector<Form> forms, const char* doc) {
  return {any(name, doc), std::move(forms)};
}
Field required_of(const char* name, std::vector<Form> forms, const char* doc) {
  return {required(any(name, doc)), std::move(forms)};
}

ObjectType object(const char* name, const char* doc, const std::vector<Field>& fields,
                  std::vector<std::string> exactly_one = {}) {
  ObjectType type{name, doc, {}, {}, std::move(exactly_one)};
  for (const Field& field : fields) {
    type.params.add({field.param});
    if (!field.forms.empty()) type.slots.push_back({field.param.name, field.forms});
  }
  return type;
}

ObjectType scene_type() {
  return object(
      "scene", "A scene: bodies, pins and forces on them, and how they are simulated. SI units.",
      {text("name", "", "name of the scene and of its output folder; default: the file's name"),
       text("description", "", "description of the scene in one or two sentences"),
       choice("up", {"y", "x", "z"},
              "axis that points up: default direction of gravity and of the ground's normal"),
       any_of("gravity", {number_form, vector_form},
              "vector, or a number: magnitude along -up [m/s^2]; default 9.81"),
       number("step", "s", 1.0 / 30, positive(), "duration of a frame"),
       integer("substeps", 1, between(1, 100000), "simulation steps per frame: h = step / substeps"),
       integer("frames", 90, between(0, 100000000), "number of frames"),
       any_of("integrator", named("integrator"),
              "name of an integrator, or {type, its parameters}; default backward_euler"),
       any_of("solver", named("solver"), "name of a solver, or {type, its parameters}; default quasi_newton"),
       required_of("bodies", {list_form("body")}, "bodies that are simulated"),
       any_of("pins", {list_form("pin")}, "vertices that are held or moved"),
       any_of("forces", {list_form("force")}, "external forces besides gravity"),
       any_of("obstacles", {list_form("obstacle")}, "obstacles that bodies cannot enter"),
       any_of("contact", {boolean_form, object_form("contact")},
              "contact of bodies with each other and with themselves: false, true, or its parameters; default true "
              "where solver and integrator take it"),
       any_of("reduction", {object_form("reduction")},
              "hyper-reduction: fewer unknowns than vertices, and few elements that stand for all"),
       any_of("output", {object_form("output")}, "what the run writes")});
}

ObjectType body_type() {
  return object(
      "body", "One body: a solid of tets (shape or mesh), a shell of triangles, a cloth or a net of springs.",
      {text("name", "", "name that pins and forces use; default body1, body2, ..."),
       any_of("shape", {{Kind::plugin, "shape"}}, "a shape that Resilin makes (resilin list shape)"),
       any_of("cloth", {object_form("cloth")}, "a grid of springs"),
       any_of("mesh", {text_form, {Kind::object, "surface_mesh", "surface"}, object_form("mesh")},
              "a file of tets (path relative to the scene), or {surface, ...}: a surface that is filled with tets, "
              "or vertices and tets"),
       any_of("shell", {text_form, {Kind::plugin, "sheet", "type"}, object_form("shell")},
              "a sheet of triangles: one that Resilin makes (resilin list sheet), a file (path relative to the "
              "scene), or vertices and triangles"),
       any_of("springs", {object_form("springs")},
              "springs between vertices: {mesh: a file with edges, ...}, or vertices and edges"),
       any_of("scale", {number_form, vector_form}, "scale factor, or one factor per axis; applied first"),
       any_of("rotate", one_or_more("rotation"), "{axis, degrees} or a list of them, applied in order after scale"),
       vector3("translate", "m", {0, 0, 0}, "translation, applied last"),
       optional(
           number("density", "kg/m^3", 1000, positive(), "mass density; default: that of the preset, or 1000")),
       any_of("material", {{Kind::text, "preset"}, {Kind::material, ""}},
              "name of a preset, or {type, its parameters}, or {like: preset, changed parameters}; default "
              "neo_hookean"),
       any_of("regions", {list_form("region")}, "parts with another material or density; later ones win"),
       any_of("fibre", {object_form("fibre")}, "stiffness along a direction, added to the material"),
       any_of("potentials", {list_form("potential")},
              "energies besides the material, on the same elements (resilin list potential)"),
       optional(
           field("thickness", "m", 1e-3, positive(), "thickness of a shell, or one per triangle; default 1 mm")),
       optional(
           number("surface_density", "kg/m^2", 1, positive(), "mass per area of a shell, in place of density")),
       any_of("preset", {{Kind::text, "sheet preset"}},
              "name of a sheet preset: thickness, surface_density, material and bending of a shell, where the body "
              "does not state them itself (resilin list preset)"),
       any_of("bending", {text_form, {Kind::plugin, "bending"}},
              "bending of a shell: name of a model, {type, its parameters} or \"none\"; default: quadratic for a "
              "sheet that is flat at rest, else dihedral"),
       optional(
           vector3("warp", "", {1, 0, 0}, "direction of the grain of a shell at rest, after the body's rotation")),
       any_of("skin", {object_form("skin")}, "a shell on the surface of a solid"),
       any_of("inflation", {object_form("inflation")},
              "keeps the volume that the body's closed surface encloses at a target: a balloon"),
       any_of("damping", {{Kind::text, "damping"}, {Kind::plugin, "damping"}, list_form("damping")},
              "damping: {type, its parameters}, the name of a model, or a list of them"),
       any_of("initial", one_or_more("initial"),
              "how the first state differs from rest; a list is applied in order"),
       boolean("repair", false,
               "true: reorient inverted rest tets instead of refusing them; of a shell: weld vertices, drop copies "
               "and flat triangles, reorient triangles, drop unused vertices"),
       boolean("linearise", false,
               "true: keep the corners of the higher-order elements of a file instead of refusing them")},
      {"shape", "cloth", "mesh", "springs", "shell"});
}

std::vector<ObjectType> body_parts() {
  return {
      object("cloth",
             "A flat grid in the xy-plane, held together by springs between neighbours, across cells and over two "
             "cells.",
             {numbers("size", "m", {1, 1}, positive(), "edge lengths [x, y]"),
              numbers("cells", "", {20, 20}, between(1, 10000), "cells along [x, y]"),
              number("stretch", "N/m", 1000, positive(), "stiffness of springs between neighbours"),
              number("shear", "N/m", 500, positive(), "stiffness of both diagonals of each cell"),
              number("bend", "N/m", 10, positive(), "stiffness of springs to the next vertex but one"),
              number("density", "kg/m^2", 0.2, positive(), "mass per area")}),
      object("mesh", "Tets written into the scene.",
             {required_of("vertices", {rows_form}, "list of [x, y, z] in metres"),
              required_of("tets", {rows_form}, "list of four vertex ids, from 0"),
              any("vertex_groups", "{name: [vertex ids]}"), any("element_groups", "{name: [tet ids]}")}),
      object("shell", "Triangles written into the scene.",
             {required_of("vertices", {rows_form}, "list of [x, y, z] in metres"),
              required_of("triangles", {rows_form}, "list of three vertex ids, from 0"),
              any("vertex_groups", "{name: [vertex ids]}"), any("element_groups", "{name: [triangle ids]}")}),
      object(
          "skin", "A sheet on the surface of a solid, whose vertices it shares.",
          {field("thickness", "m", 1e-3, positive(), "thickness, or one per triangle of the surface"),
           number("density", "kg/m^3", 1000, positive(), "mass density"),
           any_of("material", {{Kind::text, "preset"}, {Kind::material, ""}},
                  "as that of a body, or \"none\"; default neo_hookean"),
           any_of("bending", {text_form, {Kind::plugin, "bending"}}, "as that of a shell; default \"none\""),
           any_of("potentials", {list_form("potential")}, "energies besides the material (resilin list potential)"),
           vector3("warp", "", {1, 0, 0}, "direction of the grain at rest, after the body's rotation")}),
      object(
          "inflation",
          "Energy stiffness/2 (V - target V0)^2 / V0 of the volume V that the closed surface of a solid or a shell "
          "encloses, V0 at rest.",
          {number("target", "", 1, positive(), "volume over that at rest; edit it and the body swells or shrinks"),
           number("stiffness", "Pa", 1e5, positive(),
                  "pressure over relative change of volume: the bulk modulus of what is inside; default: air")}),
      object(
          "surface_mesh",
          "A surface that is filled with tets and carried along by them: holes, edges of several sheets, "
          "intersecting parts and triangles that face inward are fine. At most one of cells, spacing and tets; "
          "default: 10000 tets.",
          {required(text("surface", "", "a file with triangles, relative to the scene's folder")),
           optional(integer("cells", 0, between(2, 1000),
                            "number of lattice cells along the longest side of the surface")),
           optional(
               number("spacing", "m", 0, positive(), "edge length of the lattice cells, before the body's scale")),
           optional(integer("tets", 10000, between(10, 20000000), "number of tets wanted; about so many are made")),
           number("thicken", "m", 0, at_least(0),
                  "thickness added on both sides of the surface, before the body's scale: sheets become solids"),
           choice("mesher", {"stuffing", "tetgen", "gmsh"},
                  "stuffing: built in, for any surface; tetgen and gmsh are programs that must be installed and "
                  "need a closed surface")}),
      object("springs",
             "Springs between vertices: those of a file, or written into the scene. Their rest lengths are the "
             "given ones.",
             {any_of("mesh", {text_form},
                     "a file with edges, relative to the scene's folder, in place of vertices and edges"),
              any_of("vertices", {rows_form}, "list of [x, y, z] in metres"),
              any_of("edges", {rows_form}, "list of two vertex ids, from 0"),
              field("stiffness", "N/m", 1000, positive(), "stiffness of each spring, or a list"),
              field("mass", "kg", 0.1, positive(), "mass of each vertex, or a list"),
              any("vertex_groups", "{name: [vertex ids]}")},
             {"mesh", "vertices"}),
      object("rotation", "A rotation about an axis through the origin.",
             {required_of("axis", {axis_form}, "x, y, z or a direction"),
              required(number("degrees", "degrees", 0, any_number(), "angle"))}),
      object("region", "A part of a solid: the tets whose centroids are selected.",
             {required_of("select", {text_form, object_form("select")},
                          "which tets: by their centroids, element groups or tet ids"),
              any_of("material", {{Kind::text, "preset"}, {Kind::material, "part"}},
                     "fields that differ from the body's material, or another material"),
              optional(number("density", "kg/m^3", 1000, positive(), "mass density of this part"))}),
      object("fibre", "Energy stiffness/2 (|F direction| - 1)^2 on top of the material.",
             {required(vector3("direction", "", {1, 0, 0},
                               "direction of the fibres at rest, after the body's rotation")),
              required(field("stiffness", "Pa", 1e5, positive(), "stiffness along the direction"))}),
  };
}

std::vector<ObjectType> initial_types() {
  return {
      object("initial",
             "The first state, made from the rest shape in this order: collapse, randomise, flatten, mirror, "
             "stretch, twist, rotate, translate, then velocity and spin. The rest shape stays as it is.",
             {optional(vector3("center", "m", {0, 0, 0}, "centre of these changes; default: centre of mass")),
              any_of("collapse", {boolean_form, vector_form},
                     "true: all vertices start in the center; or [x, y, z]: they start in this point"),
              any_of("randomise", {object_form("randomise")}, "random positions or displacements"),
              any_of("flatten", {object_form("flatten")}, "squeeze along an axis"),
              any_of("mirror", {object_form("mirror")}, "mirror along an axis: all tets start inverted"),
              vector3("stretch", "", {1, 1, 1}, "factors along x, y and z"),
              any_of("twist", {object_form("rotation")}, "twist about an axis, linearly along it"),
              any_of("rotate", one_or_more("rotation"), "{axis, degrees} or a list of them"),
              vector3("translate", "m", {0, 0, 0}, "displacement"),
              vector3("velocity", "m/s", {0, 0, 0}, "velocity of all vertices"),
              any_of("spin", {object_form("spin")}, "velocity of a rotation")}),
      object("randomise", "Random positions. Equal seeds give equal positions.",
             {integer("seed", 1, between(0, 2147483647), "seed of the random numbers"),
              optional(number("amplitude", "m", 0, positive(),
                              "largest displacement of each coordinate, uniformly distributed")),
              optional(number("box", "", 1, positive(),
                              "positions are uniformly distributed in the bounding box times this"))},
             {"amplitude", "box"}),
      object("flatten", "Squeezed towards the plane through the center.",
             {required_of("axis", {axis_form}, "x, y, z or a direction"),
              number("factor", "", 0, any_number(), "factor on the extent; 0: flat")}),
      object("mirror", "Mirrored by the plane through the center: every tet is inverted.",
             {required_of("axis", {axis_form}, "x, y, z or a direction")}),
      object("spin", "A rotation about an axis through the center.",
             {required_of("axis", {axis_form}, "x, y, z or a direction"),
              optional(number("rate", "rad/s", 0, any_number(), "angular velocity")),
              optional(number("revolutions", "1/s", 0, any_number(), "revolutions per second")),
              optional(vector3("center", "m", {0, 0, 0}, "a point of the axis; default: centre of mass"))},
             {"rate", "revolutions"}),
  };
}

std::vector<ObjectType> selection_types() {
  return {
      object("select",
             "Which vertices (of regions: which tets), in rest space after the body's transform. A bare text is a "
             "group's name.",
             {any_of("box", {rows_form}, "[lower corner, upper corner]"),
              any_of("sphere", {object_form("sphere")}, "{center, radius}"),
              any_of("plane", {object_form("plane")}, "{point, normal}: the half space on the normal's side"),
              text("group", "", "a group of the mesh, such as x_min of a box"),
              any_of("indices", {rows_form}, "list of ids"),
              optional(vector3("nearest", "m", {0, 0, 0}, "the vertex or tet nearest to this point")),
              boolean("all", true, "everything"),
              choice("side", {"x-", "x+", "y-", "y+", "z-", "z+"}, "one end of the body"),
              optional(number("tolerance", "m", 0, at_least(0),
                              "thickness of that end; default: 1e-6 of the body's diagonal")),
              any_of("any", {list_form("select")}, "list: in any of these selections"),
              any_of("every", {list_form("select")}, "list: in every one of these selections"),
              any_of("not", {text_form, object_form("select")}, "all but these")},
             {"box", "sphere", "plane", "group", "indices", "nearest", "all", "side", "any", "every", "not"}),
      object("sphere", "A ball.",
             {required(vector3("center", "m", {0, 0, 0}, "its middle")),
              required(number("radius", "m", 1, positive(), "its radius"))}),
      object("plane", "A half space.",
             {required(vector3("point", "m", {0, 0, 0}, "a point of the plane")),
              required(vector3("normal", "", {0, 1, 0}, "towards the selected side"))}),
  };
}

std::vector<ObjectType> motion_types() {
  const auto timing = [](std::vector<Field> fields) {
    fields.insert(fields.end(),
                  {optional(number("amplitude", "", 0, any_number(),
                                   "amplitude of a sine, in metres or degrees; give a frequency too")),
                   optional(number("frequency", "Hz", 1, positive(), "frequency of the sine")),
                   optional(points("keyframes", "[time, metres or degrees], linear in between")),
                   optional(number("start", "s", 0, any_number(), "time at which the motion begins")),
                   optional(number("stop", "s", 0, any_number(),
                                   "time at which the motion ends; what moved then stays where it is"))});
    return fields;
  };
  return {
      object("motion_step", "One step of a motion; each is applied after the ones before it.",
             {any_of("translate", {object_form("translation")}, "motion along a direction"),
              any_of("rotate", {object_form("turning")}, "rotation about an axis")},
             {"translate", "rotate"}),
      object("translation", "Motion along a direction.",
             timing({required(vector3("direction", "", {1, 0, 0}, "its length does not matter")),
                     optional(number("speed", "m/s", 0, any_number(), "constant speed"))}),
             {"speed", "amplitude", "keyframes"}),
      object(
          "turning", "Rotation about an axis.",
          timing({required_of("axis", {axis_form}, "x, y, z or a direction"),
                  optional(vector3(
                      "center", "m", {0, 0, 0},
                      "a point of the axis; default: the middle of the pinned vertices, or of the obstacle")),
                  optional(number("speed_degrees", "degrees/s", 0, any_number(), "constant speed")),
                  optional(number("degrees_per_frame", "degrees", 0, any_number(), "constant speed, per frame"))}),
          {"speed_degrees", "degrees_per_frame", "amplitude", "keyframes"}),
      object("signal",
             "A factor that depends on time: constant + amplitude sin(2 pi frequency t + phase), or keyframes; 0 "
             "outside of start..stop.",
             {optional(number("constant", "", 1, any_number(), "default 1, or 0 with an amplitude")),
              optional(number("amplitude", "", 0, any_number(), "amplitude of a sine; give a frequency too")),
              optional(number("frequency", "Hz", 1, positive(), "frequency of the sine")),
              number("phase", "degrees", 0, any_number(), "phase of the sine"),
              optional(points("keyframes", "[time, factor], linear in between")),
              optional(number("start", "s", 0, any_number(), "the factor is zero before this time")),
              optional(number("stop", "s", 0, any_number(), "the factor is zero after this time"))}),
  };
}

std::vector<ObjectType> actor_types() {
  return {
      object(
          "pin", "Vertices that are held, or moved.",
          {text("body", "", "which body; may be left out when there is one"),
           required_of("select", {text_form, object_form("select")}, "which vertices"),
           choice("kind", {"hard", "soft"}, "hard: vertices follow the pin exactly; soft: springs pull them to it"),
           optional(number("stiffness", "N/m", 0, positive(), "spring stiffness of a soft pin, for each vertex")),
           choice("at", {"initial", "rest"},
                  "where vertices are held at first. initial: where they start; rest: at their rest positions"),
           any_of("motion", one_or_more("motion_step"), "one step or a list of them")}),
      object(
          "placement", "Where an obstacle stands, and how it moves: from its own frame, in this order.",
          {any_of("rotate", one_or_more("rotation"),
                  "{axis, degrees} or a list of them, about the origin of the obstacle"),
           vector3("translate", "m", {0, 0, 0}, "translation, applied after rotate"),
           any_of(
               "motion", one_or_more("motion_step"),
               "one step or a list of them, as those of pins; turns about the obstacle unless a center is named")}),
      object("force", "An external force.",
             {text("body", "", "which body; may be left out when there is one"),
              any_of("select", {text_form, object_form("select")}, "which vertices; default: all"),
              optional(vector3("force", "N", {0, 0, 0}, "force on each vertex")),
              optional(vector3("total", "N", {0, 0, 0},
                               "total force, shared by the vertices in proportion to their masses")),
              optional(vector3("acceleration", "m/s^2", {0, 0, 0}, "acceleration of each vertex, like gravity")),
              any_of("signal", {object_form("signal")}, "factor that depends on time")},
             {"force", "total", "acceleration"}),
      object(
          "contact", "Contact of bodies with each other and with themselves: no surface passes through another.",
          {optional(
               number("radius", "m", 0, positive(),
                      "distance at which surfaces begin to push; default: by the size of triangles and bodies")),
           optional(number("stiffness", "N/m", 0, positive(),
                           "stiffness of a touching vertex; default: by the stiffness and the weight of bodies")),
           number("friction", "", 0, at_least(0), "coefficient of Coulomb friction"),
           boolean("between", true, "true: bodies touch each other"),
           boolean("self", true, "true: bodies touch themselves"),
           any_of("pairs", {list_form("contact_pair")},
                  "pairs of bodies with a coefficient of friction of their own")}),
      object("contact_pair", "Two bodies and the coefficient of friction between them.",
             {required(text("first", "", "name of a body")),
              required(text("second", "", "name of a body, or the same one")),
              number("friction", "", 0, at_least(0), "coefficient of Coulomb friction")}),
      {"reduction",
       "Hyper-reduction (Brandt et al. 2018): affine maps of handles move all vertices, and sampled elements stand "
       "for all. With projective_dynamics or quasi_newton.",
       reduction_params().add({optional(text("file", "",
                                             "a file, relative to the scene, that keeps what is computed before "
                                             "the first step: read when it exists, written when it does not"))}),
       {},
       {}},
      object("output", "What is written.",
             {integer("every", 1, between(1, 1000000), "write every n-th frame"),
              any_of("formats", {list_form("text")}, "list of formats; default [\"vtu\"]")}),
  };
}

std::vector<ObjectType> all_types() {
  std::vector<ObjectType> types = {scene_type(), body_type()};
  for (auto part : {body_parts(), initial_types(), selection_types(), motion_types(), actor_types()})
    types.insert(types.end(), part.begin(), part.end());
  return types;
}

}  // namespace

const Slot* ObjectType::slot(const std::string& key) const {
  for (const Slot& s : slots)
    if (s.key == key) return &s;
  return nullptr;
}

const std::vector<ObjectType>& object_types() {
  static const std::vector<ObjectType> types = all_types();
  return types;
}

const ObjectType& object_type(const std::string& name) {
  for (const ObjectType& type : object_types())
    if (type.name == name) return type;
  assert(false && "an object type that was not declared");
  return object_types().front();
}

}  // namespace resilin
