// Edits: everything that may change while a simulation runs, as a closed set of values. Posted from any thread,
// applied in order at the start of a step, logged with that step, kept in checkpoints. Each has a JSON form,
// {"edit": "drag", ...}: what a page, a file or a log holds.
//
//   simulation.post(SetParameter{"bodies[0].material.young", 2e5});
//   simulation.post(Drag{.name = "hand", .vertices = {17}, .target = {0, 1, 0}, .stiffness = 1e3});
//
// An edit that cannot be is refused with the reason, and changes nothing.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "resilin/params.h"

namespace resilin {

/// Any declared parameter by its path in the scene: material, damping, obstacles, gravity, forces, pins, step,
/// solver, integrator. Only of simulations that were built from a scene.
struct SetParameter {
  std::string path;
  Value value;
};

/// Pulls vertices towards a target, all of them by the same way: they keep their places about their middle. The
/// name is of the handle; one that holds already is moved. It stands outside of the constant Hessian: no
/// factorisation.
struct Drag {
  std::string name = "drag";
  std::vector<int> vertices = {};         // none: those that it holds already
  std::array<double, 3> target{0, 0, 0};  // of their middle [m]
  double stiffness = 1000;                // of all of them together [N/m]
  std::vector<double> offsets = {};       // xyz of each from the middle; none: as they stand
  // Shares of the stiffness, such as barycentric coordinates of a point of the surface; none: equal.
  std::vector<double> weights = {};
};
struct Release {
  std::string name = "drag";
};

/// Holds vertices where they are, or at `positions` (xyz of each).
struct PinVertices {
  std::vector<int> vertices;
  std::vector<double> positions = {};
};
/// Frees vertices of every hard pin, also of those of the scene.
struct UnpinVertices {
  std::vector<int> vertices;
};

/// Positions and velocities of all vertices (xyz each); none: as they are.
struct SetState {
  std::vector<double> positions, velocities;
};
/// The first state, at the present time.
struct Reset {};

// Abuse of a body by name; "": of all. Velocities of what is moved become zero.

/// Squashes it flat across an axis (0, 1, 2), at the height of its middle.
struct Flatten {
  std::string body;
  int axis = 1;
};
/// Every free vertex somewhere in the bounding box of the body's rest shape, moved to where its middle is.
struct Randomise {
  std::string body;
  int seed = 1;
};
/// Adds a velocity [m/s].
struct Kick {
  std::string body;
  std::array<double, 3> velocity{0, 0, 0};
};

using Edit = std::variant<SetParameter, Drag, Release, PinVertices, UnpinVertices, SetState, Reset, Flatten,
                          Randomise, Kick>;

/// Names of the JSON forms, in the order of the variant.
std::vector<std::string> edit_names();
/// {"edit": NAME, ...}: InputError at the value's place when it is no edit.
Edit read_edit(const Value& value);
Value write_edit(const Edit& edit);

/// One that was applied, or refused with the reason, at the start of the step after `step`.
struct EditRecord {
  std::int64_t step = 0;
  Edit edit;
  std::string refused = {};
};
/// With the member "step", and "refused" if it was.
Value write_record(const EditRecord& record);
EditRecord read_record(const Value& value);
/// JSON lines, without what was refused, which changed nothing; scene.h has read_edits.
std::string write_edits(const std::vector<EditRecord>& edits);

}  // namespace resilin
