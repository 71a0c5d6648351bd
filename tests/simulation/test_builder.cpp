#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/expect_input_error.h"
#include "resilin/builder.h"
#include "resilin/scene.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

using test::input_error;
using test::says;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Everything that a scene can say of a model.
const char* const text = R"({
  "step": 0.02, "gravity": [0, -9, 0.5], "solver": {"type": "quasi_newton", "iterations": 20}, "integrator": "bdf2",
  "bodies": [
    {"name": "muscle", "shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [4, 2, 2]}, "density": 900,
     "material": {"type": "neo_hookean", "young": 2e5, "poisson": 0.3},
     "regions": [{"select": {"indices": [0, 1, 2, 3, 10]}, "material": {"type": "corotated", "young": 8e5}},
                 {"select": {"indices": [40, 41]}, "material": {"young": 5e4}, "density": 2000}],
     "fibre": {"direction": [1, 0.5, 0], "stiffness": 3e5},
     "damping": ["drag", {"type": "strain_rate", "shear": 50, "separate": true}],
     "initial": {"stretch": [1.1, 1, 1], "center": [0, 0, 0], "velocity": [0.2, 0, 0]}},
    {"name": "first", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]}, "translate": [0, 0.5, 0],
     "material": {"type": "corotated", "young": [1e4, 2e4, 3e4, 4e4, 5e4]}},
    {"name": "second", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 1, 1]}, "translate": [0.5, 0.5, 0],
     "material": {"type": "corotated", "young": 3e4}},
    {"name": "cloth", "cloth": {"size": [1, 0.5], "cells": [4, 2], "stretch": 300}, "translate": [0, 1, 0],
     "damping": {"type": "dashpot", "coefficient": 0.1}},
    {"name": "net", "springs": {"vertices": [[0, 2, 0], [1, 2, 0], [1, 3, 0]], "edges": [[0, 1], [1, 2]],
     "stiffness": [100, 200], "mass": 0.3}},
    {"name": "other net", "springs": {"vertices": [[5, 2, 0], [6, 2, 0]], "edges": [[1, 0]]}}],
  "pins": [
    {"body": "muscle", "select": "x_min", "at": "rest",
     "motion": {"translate": {"direction": [0, 1, 0], "amplitude": 0.05, "frequency": 2}}},
    {"body": "cloth", "select": {"indices": [0, 4]}, "kind": "soft", "stiffness": 500},
    {"body": "net", "select": {"indices": [0]}}],
  "forces": [{"body": "muscle", "select": "x_max", "total": [0, 30, 0], "signal": {"stop": 0.1}},
             {"body": "net", "force": [1, 0, 0]},
             {"body": "cloth", "acceleration": [0, 0, 2]}],
  "obstacles": [{"type": "plane", "height": -0.3}, {"type": "plane", "height": -0.5, "stiffness": 1e4}]})";

TetMesh placed_box(const BoxOptions& options, const Vec3& at) {
  TetMesh mesh = box(options);
  translate(mesh, at);
  return mesh;
}

void add_muscle(Builder& builder) {
  const int body =
      builder.add(Solid{.name = "muscle",
                        .mesh = box({.size = {1, 0.25, 0.25}, .cells = {4, 2, 2}}),
                        .material = {"neo_hookean", {{"young", 2e5}, {"poisson", 0.3}}},
                        .density = 900,
                        .regions = {{.tets = {0, 1, 2, 3, 10}, .material = Choice("corotated", {{"young", 8e5}})},
                                    {.tets = {40, 41},
                                     .material = Choice("neo_hookean", {{"young", 5e4}, {"poisson", 0.3}}),
                                     .density = 2000}},
                        .fibre = Fibre{3e5, {{1 / std::sqrt(1.25), 0.5 / std::sqrt(1.25), 0}}}});
  builder.damp(body, "drag");
  builder.damp(body, {"strain_rate", {{"shear", 50}, {"separate", true}}});
  std::vector<double> q(builder.rest(body).begin(), builder.rest(body).end());
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] *= 1.1;
  builder.place(body, q);
  builder.launch(body, {0.2, 0, 0});
}

void add_others(Builder& builder) {
  const TetMesh small = placed_box({.size = {0.2, 0.2, 0.2}, .cells = {1, 1, 1}}, {0, 0.5, 0});
  const Value::List young = {1e4, 2e4, 3e4, 4e4, 5e4};
  builder.add(Solid{.name = "first", .mesh = small, .material = {"corotated", {{"young", young}}}});
  builder.add(Solid{.name = "second",
                    .mesh = placed_box({.size = {0.2, 0.2, 0.2}, .cells = {2, 1, 1}}, {0.5, 0.5, 0}),
                    .material = {"corotated", {{"young", 3e4}}}});
  Springs cloth = cloth_springs({.grid = {.nx = 5, .ny = 3, .size_x = 1, .size_y = 0.5}, .stretch = 300});
  cloth.name = "cloth";
  translate(cloth.mesh.vertices, {0, 1, 0});
  builder.damp(builder.add(cloth), {"dashpot", {{"coefficient", 0.1}}});
  builder.add(Springs{.name = "net",
                      .mesh = {{0, 2, 0, 1, 2, 0, 1, 3, 0}, {0, 1, 1, 2}, {}, {}},
                      .stiffness = std::vector<double>{100, 200},
                      .mass = 0.3});
  builder.add(Springs{.name = "other net", .mesh = {{5, 2, 0, 6, 2, 0}, {1, 0}, {}, {}}});
}

Builder everything() {
  Builder builder;
  builder.gravity({0, -9, 0.5});
  add_muscle(builder);
  add_others(builder);
  const TetMesh mesh = box({.size = {1, 0.25, 0.25}, .cells = {4, 2, 2}});
  const std::vector<int>& held = mesh.vertex_groups.at("x_min");
  MotionStep shake{MotionStep::Kind::translate, {0, 1, 0}, {0, 0, 0}, {}};
  shake.amount.constant = 0, shake.amount.amplitude = 0.05, shake.amount.frequency = 2;
  std::vector<double> at;
  for (const int v : held)
    for (int k = 0; k < 3; ++k) at.push_back(mesh.vertices[3 * static_cast<std::size_t>(v) + k]);
  builder.pin({.body = 0, .vertices = held, .motion = Motion({shake}), .at = at});
  builder.soft_pin({.body = 3, .vertices = {0, 4}}, 500);
  builder.pin({.body = 4, .vertices = {0}});
  Signal until;
  until.stop = 0.1;
  builder.force({.body = 0,
                 .vertices = mesh.vertex_groups.at("x_max"),
                 .kind = Load::Kind::total,
                 .vector = {0, 30, 0},
                 .signal = until});
  builder.force({.body = 4, .vector = {1, 0, 0}});
  builder.force({.body = 3, .kind = Load::Kind::acceleration, .vector = {0, 0, 2}});
  builder.obstacle({"plane", {{"height", -0.3}}});
  builder.obstacle({"plane", {{"height", -0.5}, {"stiffness", 1e4}}});
  return builder;
}

TEST(Builder, BuildsWhatAScenePutsTogether) {
  const Scene scene = parse_scene(text, "everything.json");
  State first;
  const Model expected = build_model(scene, first);
  const Builder builder = everything();
  const Model model = builder.model();
  EXPECT_EQ(model.rest, expected.rest);
  EXPECT_EQ(model.mass, expected.mass);
  ASSERT_EQ(model.terms.size(), expected.terms.size());
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    EXPECT_EQ(model.terms[t].name, expected.terms[t].name);
    ASSERT_EQ(model.terms[t].elements.size(), expected.terms[t].elements.size()) << model.terms[t].name;
    EXPECT_EQ(model.terms[t].elastic.size(), expected.terms[t].elastic.size());
    EXPECT_EQ(model.terms[t].damping.size(), expected.terms[t].damping.size());
  }
  EXPECT_EQ(hash(builder.state()), hash(first));

  const auto from_scene = build_simulation(scene, 1);
  const auto built = builder.simulation(
      {.step = 0.02, .solver = {"quasi_newton", {{"iterations", 20}}}, .integrator = "bdf2", .threads = 1});
  for (int i = 0; i < 10; ++i) {
    ASSERT_NE(from_scene->step().status, Status::not_finite);
    ASSERT_NE(built->step().status, Status::not_finite);
    EXPECT_EQ(hash(built->state()), hash(from_scene->state())) << "step " << i;
  }
}

TEST(Builder, ModelsOfOneBuilderAreEqual) {
  Builder builder = everything();
  const Model copy = builder.model(), moved = std::move(builder).model();
  EXPECT_EQ(copy.rest, moved.rest);
  ASSERT_EQ(copy.terms.size(), moved.terms.size());
  for (std::size_t b = 0; b < copy.bodies.size(); ++b)
    EXPECT_EQ(copy.bodies[b].elements.size(), moved.bodies[b].elements.size());
}

// ---- bodies and their elements
// ---------------------------------------------------------------------------------------

std::vector<int> corners_of(const Body& body, ElementKind kind, int id) {
  if (kind == ElementKind::point) return {body.first_vertex + id};
  const std::vector<int>& all = kind == ElementKind::tet        ? body.tets
                                : kind == ElementKind::triangle ? body.triangles
                                                                : body.edges;
  const int n = shape_of(kind).corners;
  return {all.begin() + n * id, all.begin() + n * id + n};
}

// Elements that stand for several of the body's own.
bool bends(ElementKind kind) {
  return kind == ElementKind::hinge || kind == ElementKind::dihedral || kind == ElementKind::fan8 ||
         kind == ElementKind::fan16 || kind == ElementKind::sided8 || kind == ElementKind::sided16;
}

// Every element of every term is of one body, and is what that body says it is.
void expect_owned(const Model& model) {
  std::vector<std::vector<int>> owners;
  for (const Term& term : model.terms) owners.emplace_back(term.elements.size(), 0);
  for (const Body& body : model.bodies)
    for (const BodyElements& of : body.elements) {
      const Elements& elements = model.terms[of.term].elements;
      for (int i = 0; i < of.count; ++i) {
        ++owners[of.term][of.first + i];
        const auto is = elements.vertices(of.first + i);
        if (bends(elements.kind()))
          for (const int v : is) EXPECT_TRUE(v >= body.first_vertex && v < body.first_vertex + body.vertex_count);
        else EXPECT_EQ(std::vector<int>(is.begin(), is.end()), corners_of(body, elements.kind(), of.id(i)));
      }
    }
  for (const auto& of_term : owners)
    for (const int count : of_term) EXPECT_EQ(count, 1);
}

TEST(Builder, BodiesOfTheGalleryKnowTheirElements) {
  for (const auto& [name, description] : gallery()) {
    SCOPED_TRACE(name);
    State ignored;
    expect_owned(build_model(load_scene(name), ignored));
  }
}

TEST(Builder, BodiesKnowTheirElementsInEveryTerm) {
  const Model model = everything().model();
  expect_owned(model);
  const Body& muscle = model.bodies[0];
  const auto named = [&](const std::string& name) {
    std::vector<BodyElements> out;
    for (const BodyElements& e : muscle.elements)
      if (model.terms[e.term].name == name) out.push_back(e);
    return out;
  };
  ASSERT_EQ(named("corotated with fibres of muscle").size(), 1u);
  EXPECT_EQ(named("corotated with fibres of muscle")[0].ids, (std::vector<int>{0, 1, 2, 3, 10}));
  ASSERT_EQ(named("strain_rate of corotated with fibres of muscle").size(), 1u);
  EXPECT_EQ(named("strain_rate of corotated with fibres of muscle")[0].count, 5);
  ASSERT_EQ(named("drag").size(), 1u);
  EXPECT_TRUE(named("drag")[0].ids.empty()) << "all vertices, in order";
  EXPECT_EQ(named("plane").size(), 2u);
  const Body& second = model.bodies[2];
  EXPECT_EQ(second.elements[0].first, 5) << "after the tets of the first body";
  EXPECT_TRUE(second.elements[0].ids.empty());
}

TEST(Builder, ASurfaceIsCarried) {
  const TetMesh cage = box({.size = {1, 1, 1}, .cells = {2, 2, 2}});
  const TriangleMesh surface{{0, 0, 0, 0.2, 0, 0, 0, 0.2, 0}, {0, 1, 2}, {}, {}};
  const auto shape = solid_shape(cage, surface);
  Builder builder;
  builder.add(Solid{.mesh = cage, .surface = surface});
  builder.add(Solid{.shape = shape});
  const Model model = builder.model();
  for (const Body& body : model.bodies) {
    EXPECT_EQ(body.embedded.vertex_count(), 3);
    EXPECT_EQ(body.triangles.size(), boundary_triangles(cage).size());
  }
  EXPECT_EQ(model.bodies[0].name, "body1");
  EXPECT_EQ(model.bodies[1].name, "body2");
  EXPECT_EQ(with_embedded(model).bodies[0].elements.size(), 0u) << "what is drawn has no terms";
}

TEST(Builder, ReadsOneValuePerTet) {
  const TetMesh mesh = box({});
  Value::List stiffness;
  std::vector<double> density;
  for (int i = 0; i < mesh.tet_count(); ++i) stiffness.push_back(1e4 * (i + 1)), density.push_back(100 + i);
  Builder builder;
  builder.add(Solid{.mesh = mesh, .material = {"arap", {{"stiffness", stiffness}}}, .density = density});
  const Model model = builder.model();
  double first[9], last[9];
  model.terms[0].elastic[0]->quadratic(0, 1, first);
  model.terms[0].elastic[0]->quadratic(mesh.tet_count() - 1, 1, last);
  EXPECT_NEAR(last[0] / first[0], mesh.tet_count(), 1e-9);
  EXPECT_EQ(model.mass, lumped_masses(mesh, density));
}

TEST(Builder, SpringsHaveTheLengthsThatAreAskedFor) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Springs{.mesh = {{0, 0, 0, 1, 0, 0}, {0, 1}, {}, {}}, .stiffness = 8, .mass = 1, .length = {0.5}});
  EXPECT_NEAR(builder.simulation()->energy().elastic, 1, 1e-14);
}

// ---- first states and handles
// ----------------------------------------------------------------------------------------

TEST(Builder, PinsHoldVerticesWhereTheyStandAlsoWhenTheBodyIsPlacedLater) {
  const TetMesh mesh = box({});
  Builder builder;
  builder.add(Solid{.mesh = mesh});
  builder.pin({.vertices = {0}});
  std::vector<double> q(mesh.vertices);
  for (double& x : q) x += 1;
  builder.place(0, q);
  builder.pin({.vertices = {1}});
  builder.launch(0, {0, 3, 0});
  const State state = builder.state();
  EXPECT_EQ(state.q[0], mesh.vertices[0]);
  EXPECT_EQ(state.q[3], mesh.vertices[3] + 1);
  EXPECT_EQ(state.v[1], 0) << "it is pinned";
  EXPECT_EQ(state.v[7], 3);
}

TEST(Builder, HandlesCanBeMovedAndReleased) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Solid{.mesh = box({})});
  const int body = builder.add(Solid{.mesh = placed_box({}, {5, 0, 0})});
  builder.drag(body, {.name = "hand", .vertices = {0, 1}, .target = {5, 1, 0}, .stiffness = 10});
  const Model model = builder.model();
  ASSERT_EQ(model.listed.size(), 1u);
  EXPECT_EQ(model.listed[0].elements.vertices(0)[0], model.bodies[1].first_vertex);
  const auto simulation = builder.simulation();
  simulation->step();
  EXPECT_GT(simulation->momentum()[1], 0);
  simulation->post(Drag{.name = "hand", .target = {5, -1, 0}, .stiffness = 10});
  simulation->post(Release{"hand"});
  for (const EditRecord& edit : simulation->step().edits) EXPECT_EQ(edit.refused, "");
  EXPECT_TRUE(simulation->model().listed.empty());
}

// ---- errors
// ----------------------------------------------------------------------------------------------------------

Builder one_box() {
  Builder builder;
  builder.add(Solid{.name = "box", .mesh = box({})});
  return builder;
}

void refuses(const Solid& solid, const std::string& words) {
  Builder builder;
  says(input_error([&] { builder.add(solid); }), words);
  EXPECT_EQ(builder.body_count(), 0) << "nothing was added";
}

TEST(BuilderErrors, Solids) {
  const TetMesh mesh = box({});
  refuses({.name = "bar", .mesh = mesh, .material = "rubber_duck"}, "body \"bar\": material");
  refuses({.name = "bar", .mesh = mesh, .material = {"arap", {{"stifness", 1}}}}, "body \"bar\": material");
  refuses({.name = "bar", .mesh = mesh, .material = {"arap", {{"stiffness", -1}}}},
          "body \"bar\": material.stiffness");
  refuses({.name = "bar", .mesh = mesh, .material = {"arap", {{"stiffness", not_a_number}}}},
          "body \"bar\": material.stiffness");
  refuses({.name = "bar", .mesh = mesh, .material = {"arap", {{"stiffness", Value::List{1, 2}}}}},
          "body \"bar\": material.stiffness: a list of 2 values");
  refuses({.name = "bar", .mesh = mesh, .density = 0}, "body \"bar\": density");
  std::vector<double> density(static_cast<std::size_t>(mesh.tet_count()), 1000);
  density[3] = not_a_number;
  refuses({.name = "bar", .mesh = mesh, .density = density}, "body \"bar\": density: nan of tet 3");
  density.pop_back();
  refuses({.name = "bar", .mesh = mesh, .density = density}, "a list of");
  refuses({.name = "bar", .mesh = mesh, .regions = {{.tets = {999}, .density = 1.0}}},
          "body \"bar\": regions[0]: names tet 999");
  refuses({.name = "bar", .mesh = mesh, .regions = {{.tets = {0}, .material = "duck"}}}, "regions[0].material");
  refuses({.name = "bar", .mesh = mesh, .regions = {{.tets = {0}, .density = -1.0}}}, "regions[0].density");
  refuses({.name = "bar", .mesh = mesh, .fibre = Fibre{-1, {{1, 0, 0}}}}, "body \"bar\": fibre.stiffness");
  refuses({.name = "bar", .mesh = mesh, .fibre = Fibre{1, {{0, 0, 0}}}}, "body \"bar\": fibre.direction");
  refuses({.name = "bar", .mesh = mesh, .fibre = Fibre{1, {{1, 0, 0}, {1, 0, 0}}}}, "2 directions");
  TetMesh broken = mesh;
  std::swap(broken.tets[0], broken.tets[1]);
  refuses({.name = "bar", .mesh = broken}, "tet 0");
  broken.vertices[4] = not_a_number;
  refuses({.name = "bar", .mesh = broken}, "body \"bar\"");
  Builder twice = one_box();
  says(input_error([&] { twice.add(Solid{.name = "box", .mesh = mesh}); }), "another body has this name already");
}

void refuses_net(const Springs& springs, const std::string& words) {
  Builder builder;
  says(input_error([&] { builder.add(springs); }), words);
}

TEST(BuilderErrors, Nets) {
  const EdgeMesh two{{0, 0, 0, 1, 0, 0}, {0, 1}, {}, {}};
  refuses_net({.name = "net"}, "body \"net\"");
  refuses_net({.name = "net", .mesh = {two.vertices, {0, 2}, {}, {}}}, "spring 0 joins 0 and 2");
  refuses_net({.name = "net", .mesh = {{0, 0, 0, not_a_number, 0, 0}, {0, 1}, {}, {}}}, "body \"net\": vertices");
  refuses_net({.name = "net", .mesh = two, .stiffness = std::vector<double>{1, 2}},
              "body \"net\": stiffness: a list of 2 values");
  refuses_net({.name = "net", .mesh = two, .mass = std::vector<double>{1, 0}}, "body \"net\": mass: 0 of vertex 1");
  refuses_net({.name = "net", .mesh = two, .length = {1, 1}}, "body \"net\": length");
  refuses_net({.name = "net", .mesh = two, .triangles = {0, 1, 2}}, "body \"net\": triangles");
}

template <class Run>
void refused(Run&& run, const std::string& words) {
  Builder builder = one_box();
  says(input_error([&] { run(builder); }), words);
}

TEST(BuilderErrors, WhatActs) {
  refused([](Builder& b) { b.pin({.body = 1, .vertices = {0}}); }, "there is no body 1");
  refused([](Builder& b) { b.pin({.vertices = {}}); }, "body \"box\": pin: names no vertices");
  refused([](Builder& b) { b.pin({.vertices = {100}}); }, "body \"box\": pin: names vertex 100");
  refused([](Builder& b) { b.pin({.vertices = {1, 1}}); }, "names vertex 1 twice");
  refused([](Builder& b) { b.pin({.vertices = {1}, .at = {0, 0}}); }, "has 2 numbers in place of 3");
  refused(
      [](Builder& b) {
        b.pin({.vertices = {1, 2}});
        b.pin({.vertices = {2}, .where = "here"});
      },
      "here: vertex 2 is pinned already by body \"box\": pin");
  refused([](Builder& b) { b.soft_pin({.vertices = {1}}, 0); }, "body \"box\": soft pin: its stiffness is 0");
  refused([](Builder& b) { b.drag(0, {.name = "hand", .vertices = {-1}}); }, "body \"box\": drag \"hand\"");
  refused([](Builder& b) { b.force({.vertices = {99}}); }, "body \"box\": force: names vertex 99");
  refused([](Builder& b) { b.force({.vector = {0, not_a_number, 0}}); }, "body \"box\": force");
  refused([](Builder& b) { b.force({.signal = {.amplitude = not_a_number, .keyframes = {}}}); },
          "force: its signal");
  refused([](Builder& b) { b.force({.signal = {.keyframes = {{1, 0}, {0, 1}}}}); }, "must ascend: 0 follows 1");
  MotionStep step;
  step.direction = {1, 0, 0}, step.amount.constant = not_a_number;
  refused([&](Builder& b) { b.pin({.vertices = {0}, .motion = Motion({step})}); }, "pin: motion at time 0");
  refused([](Builder& b) { b.obstacle("lake"); }, "obstacle 1");
  refused([](Builder& b) { b.obstacle({"plane", {{"stiffness", -1}}}); }, "obstacle 1: stiffness");
  refused([](Builder& b) { b.damp(0, "honey"); }, "body \"box\": damping");
  refused([](Builder& b) { b.damp(0, {"drag", {{"thickness", 1}}}); }, "body \"box\": damping");
  refused([](Builder& b) { b.damp(0, "dashpot"), b.model(); }, "body \"box\": damping: dashpot damps springs");
  refused([](Builder& b) { b.gravity({0, not_a_number, 0}); }, "gravity");
  refused([](Builder& b) { b.place(0, std::vector<double>{1}); }, "body \"box\": positions: has 1 numbers");
  refused([](Builder& b) { b.launch(0, {not_a_number, 0, 0}); }, "body \"box\": velocity");
  refused([](Builder& b) { b.simulation({.solver = "magic"}); }, "solver");
  refused([](Builder& b) { b.simulation({.solver = {"newton", {{"iterations", -5}}}}); }, "solver: iterations");
  refused([](Builder& b) { b.simulation({.integrator = "magic"}); }, "integrator");
}

TEST(BuilderErrors, ListsOfDampingHaveOneNumberForEachElement) {
  const auto with = [](Value::List list) {
    Builder builder = one_box();
    builder.damp(0, {"strain_rate", {{"shear", Value(std::move(list))}}});
    return builder.model();
  };
  const int tets = box({}).tet_count();
  EXPECT_NO_THROW(with(Value::List(static_cast<std::size_t>(tets), 1.0)));
  says(input_error([&] { with(Value::List(static_cast<std::size_t>(tets) + 1, 1.0)); }),
       "body \"box\": damping.shear: a list of");
}

TEST(ModelErrors, ElementsOfBodiesMustBeThere) {
  const auto broken = [](auto&& change) {
    Model model = one_box().model();
    change(model.bodies[0].elements[0]);
    return input_error([&] { model.validate(); });
  };
  says(broken([](BodyElements& e) { e.term = 1; }), "body \"box\" has elements in term 1");
  says(broken([](BodyElements& e) { e.first = 1; }), "from 1 on");
  says(broken([](BodyElements& e) { e.count = 1000; }), "has 1000 elements");
  says(broken([](BodyElements& e) { e.ids = {0}; }), "names 1 of its");
  says(broken([](BodyElements& e) { e.count = 1, e.ids = {1000}; }), "names tet 1000");
}

}  // namespace
}  // namespace resilin
