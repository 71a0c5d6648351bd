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

ObjectType scene_type() {
  return {"scene",
          "A scene: bodies, pins and forces on them, and how they are simulated. SI units.",
          {text("name", "", "name of the scene and of its output folder; default: the file's name"),
           text("description", "", "description of the scene in one or two sentences"),
           choice("up", {"y", "x", "z"},
                  "axis that points up: default direction of gravity and of the ground's normal"),
           any("gravity", "vector, or a number: magnitude along -up [m/s^2]; default 9.81"),
           number("step", "s", 1.0 / 30, positive(), "duration of a frame"),
           integer("substeps", 1, between(1, 100000), "simulation steps per frame: h = step / substeps"),
           integer("frames", 90, between(0, 100000000), "number of frames"),
           any("integrator", "name of an integrator, or {type, its parameters}; default backward_euler"),
           any("solver", "name of a solver, or {type, its parameters}; default quasi_newton"),
           required(any("bodies", "bodies that are simulated")), any("pins", "vertices that are held or moved"),
           any("forces", "external forces besides gravity"), any("obstacles", "obstacles that bodies cannot enter"),
           any("contact",
               "contact of bodies with each other and with themselves: false, true, or its parameters; default "
               "true where solver and integrator take it"),
           any("reduction", "hyper-reduction: fewer unknowns than vertices, and few elements that stand for all"),
           any("output", "what the run writes")},
          {{"gravity", {number_form, vector_form}},
           {"integrator", {{Kind::text, "integrator"}, {Kind::plugin, "integrator"}}},
           {"solver", {{Kind::text, "solver"}, {Kind::plugin, "solver"}}},
           {"bodies", {list_form("body")}},
           {"pins", {list_form("pin")}},
           {"forces", {list_form("force")}},
           {"obstacles", {list_form("obstacle")}},
           {"contact", {boolean_form, object_form("contact")}},
           {"reduction", {object_form("reduction")}},
           {"output", {object_form("output")}}},
          {}};
}

ObjectType body_type() {
  return {"body",
          "One body: a solid of tets (shape or mesh), a shell of triangles, a cloth or a net of springs.",
          {text("name", "", "name that pins and forces use; default body1, body2, ..."),
           any("shape", "a shape that Resilin makes (resilin list shape)"),
           any("cloth", "a grid of springs"),
           any("mesh",
               "a file of tets (path relative to the scene), or {surface, ...}: a surface that is filled with "
               "tets, or vertices and tets"),
           any("shell",
               "a sheet of triangles: one that Resilin makes (resilin list sheet), a file (path relative to the "
               "scene), or vertices and triangles"),
           any("springs", "springs between vertices: {mesh: a file with edges, ...}, or vertices and edges"),
           any("scale", "scale factor, or one factor per axis; applied first"),
           any("rotate", "{axis, degrees} or a list of them, applied in order after scale"),
           vector3("translate", "m", {0, 0, 0}, "translation, applied last"),
           optional(
               number("density", "kg/m^3", 1000, positive(), "mass density; default: that of the preset, or 1000")),
           any("material",
               "name of a preset, or {type, its parameters}, or {like: preset, changed parameters}; default "
               "neo_hookean"),
           any("regions", "parts with another material or density; later ones win"),
           any("fibre", "stiffness along a direction, added to the material"),
           any("potentials", "energies besides the material, on the same elements (resilin list potential)"),
           optional(field("thickness", "m", 1e-3, positive(),
                          "thickness of a shell, or one per triangle; default 1 mm")),
           optional(
               number("surface_density", "kg/m^2", 1, positive(), "mass per area of a shell, in place of density")),
           any("preset",
               "name of a sheet preset: thickness, surface_density, material and bending of a shell, where the "
               "body does not state them itself (resilin list preset)"),
           any("bending",
               "bending of a shell: name of a model, {type, its parameters} or \"none\"; default: quadratic for a "
               "sheet that is flat at rest, else dihedral"),
           optional(vector3("warp", "", {1, 0, 0},
                            "direction of the grain of a shell at rest, after the body's rotation")),
           any("skin", "a shell on the surface of a solid"),
           any("inflation", "keeps the volume that the body's closed surface encloses at a target: a balloon"),
           any("damping", "damping: {type, its parameters}, the name of a model, or a list of them"),
           any("initial", "how the first state differs from rest; a list is applied in order"),
           boolean("repair", false,
                   "true: reorient inverted rest tets instead of refusing them; of a shell: weld vertices, drop "
                   "copies and flat triangles, reorient triangles, drop unused vertices"),
           boolean("linearise", false,
                   "true: keep the corners of the higher-order elements of a file instead of refusing them")},
          {{"shape", {{Kind::plugin, "shape"}}},
           {"cloth", {object_form("cloth")}},
           {"mesh", {text_form, {Kind::object, "surface_mesh", "surface"}, object_form("mesh")}},
           {"springs", {object_form("springs")}},
           {"shell", {text_form, {Kind::plugin, "sheet", "type"}, object_form("shell")}},
           {"potentials", {list_form("potential")}},
           {"preset", {{Kind::text, "sheet preset"}}},
           {"bending", {text_form, {Kind::plugin, "bending"}}},
           {"skin", {object_form("skin")}},
           {"inflation", {object_form("inflation")}},
           {"scale", {number_form, vector_form}},
           {"rotate", {object_form("rotation"), list_form("rotation")}},
           {"material", {{Kind::text, "preset"}, {Kind::material, ""}}},
           {"regions", {list_form("region")}},
           {"fibre", {object_form("fibre")}},
           {"damping", {{Kind::text, "damping"}, {Kind::plugin, "damping"}, list_form("damping")}},
           {"initial", {object_form("initial"), list_form("initial")}}},
          {"shape", "cloth", "mesh", "springs", "shell"}};
}

std::vector<ObjectType> body_parts() {
  return {
      {"cloth",
       "A flat grid in the xy-plane, held together by springs between neighbours, across cells and over two cells.",
       {numbers("size", "m", {1, 1}, positive(), "edge lengths [x, y]"),
        numbers("cells", "", {20, 20}, between(1, 10000), "cells along [x, y]"),
        number("stretch", "N/m", 1000, positive(), "stiffness of springs between neighbours"),
        number("shear", "N/m", 500, positive(), "stiffness of both diagonals of each cell"),
        number("bend", "N/m", 10, positive(), "stiffness of springs to the next vertex but one"),
        number("density", "kg/m^2", 0.2, positive(), "mass per area")},
       {},
       {}},
      {"mesh",
       "Tets written into the scene.",
       {required(any("vertices", "list of [x, y, z] in metres")),
        required(any("tets", "list of four vertex ids, from 0")), any("vertex_groups", "{name: [vertex ids]}"),
        any("element_groups", "{name: [tet ids]}")},
       {{"vertices", {rows_form}}, {"tets", {rows_form}}},
       {}},
      {"shell",
       "Triangles written into the scene.",
       {required(any("vertices", "list of [x, y, z] in metres")),
        required(any("triangles", "list of three vertex ids, from 0")),
        any("vertex_groups", "{name: [vertex ids]}"), any("element_groups", "{name: [triangle ids]}")},
       {{"vertices", {rows_form}}, {"triangles", {rows_form}}},
       {}},
      {"skin",
       "A sheet on the surface of a solid, whose vertices it shares.",
       {field("thickness", "m", 1e-3, positive(), "thickness, or one per triangle of the surface"),
        number("density", "kg/m^3", 1000, positive(), "mass density"),
        any("material", "as that of a body, or \"none\"; default neo_hookean"),
        any("bending", "as that of a shell; default \"none\""),
        any("potentials", "energies besides the material (resilin list potential)"),
        vector3("warp", "", {1, 0, 0}, "direction of the grain at rest, after the body's rotation")},
       {{"material", {{Kind::text, "preset"}, {Kind::material, ""}}},
        {"bending", {text_form, {Kind::plugin, "bending"}}},
        {"potentials", {list_form("potential")}}},
       {}},
      {"inflation",
       "Energy stiffness/2 (V - target V0)^2 / V0 of the volume V that the closed surface of a solid or a shell "
       "encloses, V0 at rest.",
       {number("target", "", 1, positive(), "volume over that at rest; edit it and the body swells or shrinks"),
        number("stiffness", "Pa", 1e5, positive(),
               "pressure over relative change of volume: the bulk modulus of what is inside; default: air")},
       {},
       {}},
      {"surface_mesh",
       "A surface that is filled with tets and carried along by them: holes, edges of several sheets, intersecting "
       "parts and triangles that face inward are fine. At most one of cells, spacing and tets; default: 10000 "
       "tets.",
       {required(text("surface", "", "a file with triangles, relative to the scene's folder")),
        optional(
            integer("cells", 0, between(2, 1000), "number of lattice cells along the longest side of the surface")),
        optional(
            number("spacing", "m", 0, positive(), "edge length of the lattice cells, before the body's scale")),
        optional(integer("tets", 10000, between(10, 20000000), "number of tets wanted; about so many are made")),
        number("thicken", "m", 0, at_least(0),
               "thickness added on both sides of the surface, before the body's scale: sheets become solids"),
        choice("mesher", {"stuffing", "tetgen", "gmsh"},
               "stuffing: built in, for any surface; tetgen and gmsh are programs that must be installed and need "
               "a closed surface")},
       {},
       {}},
      {"springs",
       "Springs between vertices: those of a file, or written into the scene. Their rest lengths are the given "
       "ones.",
       {any("mesh", "a file with edges, relative to the scene's folder, in place of vertices and edges"),
        any("vertices", "list of [x, y, z] in metres"), any("edges", "list of two vertex ids, from 0"),
        field("stiffness", "N/m", 1000, positive(), "stiffness of each spring, or a list"),
        field("mass", "kg", 0.1, positive(), "mass of each vertex, or a list"),
        any("vertex_groups", "{name: [vertex ids]}")},
       {{"mesh", {text_form}}, {"vertices", {rows_form}}, {"edges", {rows_form}}},
       {"mesh", "vertices"}},
      {"rotation",
       "A rotation about an axis through the origin.",
       {required(any("axis", "x, y, z or a direction")),
        required(number("degrees", "degrees", 0, any_number(), "angle"))},
       {{"axis", {axis_form}}},
       {}},
      {"region",
       "A part of a solid: the tets whose centroids are selected.",
       {required(any("select", "which tets: by their centroids, element groups or tet ids")),
        any("material", "fields that differ from the body's material, or another material"),
        optional(number("density", "kg/m^3", 1000, positive(), "mass density of this part"))},
       {{"select", {text_form, object_form("select")}},
        {"material", {{Kind::text, "preset"}, {Kind::material, "part"}}}},
       {}},
      {"fibre",
       "Energy stiffness/2 (|F direction| - 1)^2 on top of the material.",
       {required(vector3("direction", "", {1, 0, 0}, "direction of the fibres at rest, after the body's rotation")),
        required(field("stiffness", "Pa", 1e5, positive(), "stiffness along the direction"))},
       {},
       {}},
  };
}

std::vector<ObjectType> initial_types() {
  return {
      {"initial",
       "The first state, made from the rest shape in this order: collapse, randomise, flatten, mirror, stretch, "
       "twist, rotate, translate, then velocity and spin. The rest shape stays as it is.",
       {optional(vector3("center", "m", {0, 0, 0}, "centre of these changes; default: centre of mass")),
        any("collapse", "true: all vertices start in the center; or [x, y, z]: they start in this point"),
        any("randomise", "random positions or displacements"), any("flatten", "squeeze along an axis"),
        any("mirror", "mirror along an axis: all tets start inverted"),
        vector3("stretch", "", {1, 1, 1}, "factors along x, y and z"),
        any("twist", "twist about an axis, linearly along it"), any("rotate", "{axis, degrees} or a list of them"),
        vector3("translate", "m", {0, 0, 0}, "displacement"),
        vector3("velocity", "m/s", {0, 0, 0}, "velocity of all vertices"), any("spin", "velocity of a rotation")},
       {{"collapse", {boolean_form, vector_form}},
        {"randomise", {object_form("randomise")}},
        {"flatten", {object_form("flatten")}},
        {"mirror", {object_form("mirror")}},
        {"twist", {object_form("rotation")}},
        {"rotate", {object_form("rotation"), list_form("rotation")}},
        {"spin", {object_form("spin")}}},
       {}},
      {"randomise",
       "Random positions. Equal seeds give equal positions.",
       {integer("seed", 1, between(0, 2147483647), "seed of the random numbers"),
        optional(number("amplitude", "m", 0, positive(),
                        "largest displacement of each coordinate, uniformly distributed")),
        optional(number("box", "", 1, positive(),
                        "positions are uniformly distributed in the bounding box times this"))},
       {},
       {"amplitude", "box"}},
      {"flatten",
       "Squeezed towards the plane through the center.",
       {required(any("axis", "x, y, z or a direction")),
        number("factor", "", 0, any_number(), "factor on the extent; 0: flat")},
       {{"axis", {axis_form}}},
       {}},
      {"mirror",
       "Mirrored by the plane through the center: every tet is inverted.",
       {required(any("axis", "x, y, z or a direction"))},
       {{"axis", {axis_form}}},
       {}},
      {"spin",
       "A rotation about an axis through the center.",
       {required(any("axis", "x, y, z or a direction")),
        optional(number("rate", "rad/s", 0, any_number(), "angular velocity")),
        optional(number("revolutions", "1/s", 0, any_number(), "revolutions per second")),
        optional(vector3("center", "m", {0, 0, 0}, "a point of the axis; default: centre of mass"))},
       {{"axis", {axis_form}}},
       {"rate", "revolutions"}},
  };
}

std::vector<ObjectType> selection_types() {
  return {
      {"select",
       "Which vertices (of regions: which tets), in rest space after the body's transform. A bare text is a "
       "group's name.",
       {any("box", "[lower corner, upper corner]"), any("sphere", "{center, radius}"),
        any("plane", "{point, normal}: the half space on the normal's side"),
        text("group", "", "a group of the mesh, such as x_min of a box"), any("indices", "list of ids"),
        optional(vector3("nearest", "m", {0, 0, 0}, "the vertex or tet nearest to this point")),
        boolean("all", true, "everything"),
        choice("side", {"x-", "x+", "y-", "y+", "z-", "z+"}, "one end of the body"),
        optional(number("tolerance", "m", 0, at_least(0),
                        "thickness of that end; default: 1e-6 of the body's diagonal")),
        any("any", "list: in any of these selections"), any("every", "list: in every one of these selections"),
        any("not", "all but these")},
       {{"box", {rows_form}},
        {"sphere", {object_form("sphere")}},
        {"plane", {object_form("plane")}},
        {"indices", {rows_form}},
        {"any", {list_form("select")}},
        {"every", {list_form("select")}},
        {"not", {text_form, object_form("select")}}},
       {"box", "sphere", "plane", "group", "indices", "nearest", "all", "side", "any", "every", "not"}},
      {"sphere",
       "A ball.",
       {required(vector3("center", "m", {0, 0, 0}, "its middle")),
        required(number("radius", "m", 1, positive(), "its radius"))},
       {},
       {}},
      {"plane",
       "A half space.",
       {required(vector3("point", "m", {0, 0, 0}, "a point of the plane")),
        required(vector3("normal", "", {0, 1, 0}, "towards the selected side"))},
       {},
       {}},
  };
}

std::vector<ObjectType> motion_types() {
  const auto timing = [](Params params) {
    return params.add({optional(number("amplitude", "", 0, any_number(),
                                       "amplitude of a sine, in metres or degrees; give a frequency too")),
                       optional(number("frequency", "Hz", 1, positive(), "frequency of the sine")),
                       optional(points("keyframes", "[time, metres or degrees], linear in between")),
                       optional(number("start", "s", 0, any_number(), "time at which the motion begins")),
                       optional(number("stop", "s", 0, any_number(),
                                       "time at which the motion ends; what moved then stays where it is"))});
  };
  return {
      {"motion_step",
       "One step of a motion; each is applied after the ones before it.",
       {any("translate", "motion along a direction"), any("rotate", "rotation about an axis")},
       {{"translate", {object_form("translation")}}, {"rotate", {object_form("turning")}}},
       {"translate", "rotate"}},
      {"translation",
       "Motion along a direction.",
       timing({required(vector3("direction", "", {1, 0, 0}, "its length does not matter")),
               optional(number("speed", "m/s", 0, any_number(), "constant speed"))}),
       {},
       {"speed", "amplitude", "keyframes"}},
      {"turning",
       "Rotation about an axis.",
       timing({required(any("axis", "x, y, z or a direction")),
               optional(
                   vector3("center", "m", {0, 0, 0},
                           "a point of the axis; default: the middle of the pinned vertices, or of the obstacle")),
               optional(number("speed_degrees", "degrees/s", 0, any_number(), "constant speed")),
               optional(number("degrees_per_frame", "degrees", 0, any_number(), "constant speed, per frame"))}),
       {{"axis", {axis_form}}},
       {"speed_degrees", "degrees_per_frame", "amplitude", "keyframes"}},
      {"signal",
       "A factor that depends on time: constant + amplitude sin(2 pi frequency t + phase), or keyframes; 0 outside "
       "of start..stop.",
       {optional(number("constant", "", 1, any_number(), "default 1, or 0 with an amplitude")),
        optional(number("amplitude", "", 0, any_number(), "amplitude of a sine; give a frequency too")),
        optional(number("frequency", "Hz", 1, positive(), "frequency of the sine")),
        number("phase", "degrees", 0, any_number(), "phase of the sine"),
        optional(points("keyframes", "[time, factor], linear in between")),
        optional(number("start", "s", 0, any_number(), "the factor is zero before this time")),
        optional(number("stop", "s", 0, any_number(), "the factor is zero after this time"))},
       {},
       {}},
  };
}

std::vector<ObjectType> actor_types() {
  return {
      {"pin",
       "Vertices that are held, or moved.",
       {text("body", "", "which body; may be left out when there is one"),
        required(any("select", "which vertices")),
        choice("kind", {"hard", "soft"}, "hard: vertices follow the pin exactly; soft: springs pull them to it"),
        optional(number("stiffness", "N/m", 0, positive(), "spring stiffness of a soft pin, for each vertex")),
        choice("at", {"initial", "rest"},
               "where vertices are held at first. initial: where they start; rest: at their rest positions"),
        any("motion", "one step or a list of them")},
       {{"select", {text_form, object_form("select")}},
        {"motion", {object_form("motion_step"), list_form("motion_step")}}},
       {}},
      {"placement",
       "Where an obstacle stands, and how it moves: from its own frame, in this order.",
       {any("rotate", "{axis, degrees} or a list of them, about the origin of the obstacle"),
        vector3("translate", "m", {0, 0, 0}, "translation, applied after rotate"),
        any("motion",
            "one step or a list of them, as those of pins; turns about the obstacle unless a center is named")},
       {{"rotate", {object_form("rotation"), list_form("rotation")}},
        {"motion", {object_form("motion_step"), list_form("motion_step")}}},
       {}},
      {"force",
       "An external force.",
       {text("body", "", "which body; may be left out when there is one"),
        any("select", "which vertices; default: all"),
        optional(vector3("force", "N", {0, 0, 0}, "force on each vertex")),
        optional(
            vector3("total", "N", {0, 0, 0}, "total force, shared by the vertices in proportion to their masses")),
        optional(vector3("acceleration", "m/s^2", {0, 0, 0}, "acceleration of each vertex, like gravity")),
        any("signal", "factor that depends on time")},
       {{"select", {text_form, object_form("select")}}, {"signal", {object_form("signal")}}},
       {"force", "total", "acceleration"}},
      {"contact",
       "Contact of bodies with each other and with themselves: no surface passes through another.",
       {optional(number("radius", "m", 0, positive(),
                        "distance at which surfaces begin to push; default: by the size of triangles and bodies")),
        optional(number("stiffness", "N/m", 0, positive(),
                        "stiffness of a touching vertex; default: by the stiffness and the weight of bodies")),
        number("friction", "", 0, at_least(0), "coefficient of Coulomb friction"),
        boolean("between", true, "true: bodies touch each other"),
        boolean("self", true, "true: bodies touch themselves"),
        any("pairs", "pairs of bodies with a coefficient of friction of their own")},
       {{"pairs", {list_form("contact_pair")}}},
       {}},
      {"contact_pair",
       "Two bodies and the coefficient of friction between them.",
       {required(text("first", "", "name of a body")),
        required(text("second", "", "name of a body, or the same one")),
        number("friction", "", 0, at_least(0), "coefficient of Coulomb friction")},
       {},
       {}},
      {"reduction",
       "Hyper-reduction (Brandt et al. 2018): affine maps of handles move all vertices, and sampled elements stand "
       "for all. With projective_dynamics or quasi_newton.",
       reduction_params().add({optional(text("file", "",
                                             "a file, relative to the scene, that keeps what is computed before "
                                             "the first step: read when it exists, written when it does not"))}),
       {},
       {}},
      {"output",
       "What is written.",
       {integer("every", 1, between(1, 1000000), "write every n-th frame"),
        any("formats", "list of formats; default [\"vtu\"]")},
       {{"formats", {list_form("text")}}},
       {}},
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
