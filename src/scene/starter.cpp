// What `resilin new NAME` writes: a scene that runs as it is and shows where things go.
#include <algorithm>
#include <cctype>

#include "resilin/errors.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

constexpr const char* before_name =
    R"(// A scene of Resilin. Comments are allowed, units are SI, keys are strict: a misspelt one is an error.
// `resilin schema` prints what is allowed, `resilin list` the shapes, materials, integrators and solvers.
{
  "name": ")";

constexpr const char* after_name = R"(",
  "description": "A rubber ball with a stiff core falls on the ground beside a bar that is held at one end.",

  // y points up: gravity is [0, -9.81, 0]. "gravity": 0 turns it off, a vector aims it elsewhere.
  "up": "y",
  "gravity": 9.81,

  // Frames of 1/60 s. More substeps make each frame more accurate; h = step / substeps.
  "step": 0.016666666666666666,
  "substeps": 1,
  "frames": 120,

  // tr_bdf2 keeps more energy than backward_euler at twice the cost. newton is a slow reference for quasi_newton.
  "integrator": "backward_euler",
  "solver": { "type": "quasi_newton" },

  "bodies": [
    {
      "name": "ball",
      // Also: box, cylinder, torus, metaballs; or "cloth", or "mesh" with vertices and tets.
      "shape": { "type": "sphere", "radius": 0.25, "spacing": 0.08 },
      // "scale", "rotate" and "translate" place the rest shape, in this order.
      "translate": [0, 0.7, 0],
      "density": 1000,
      // Or the name of a preset: "rubber", "gel", "foam", "muscle"; or { "like": "rubber", "young": 1e6 }.
      "material": { "type": "neo_hookean", "young": 5e4, "poisson": 0.4 },
      // Tets whose centroids are selected get other parameters.
      "regions": [{ "select": { "sphere": { "center": [0, 0.7, 0], "radius": 0.12 } }, "material": { "young": 2e5 } }],
      // The first state: velocity [m/s], spin, stretch, twist, flatten, mirror, randomise, collapse, rotate,
      // translate.
      "initial": { "velocity": [0.3, 0, 0], "spin": { "axis": "z", "revolutions": -0.5 } }
    },
    {
      "name": "bar",
      "shape": { "type": "box", "size": [0.8, 0.1, 0.1], "cells": [16, 2, 2] },
      "translate": [1.2, 0.5, 0],
      "material": "gel"
    }
  ],

  // Hard pins hold vertices exactly; { "kind": "soft", "stiffness": 1000 } holds them by springs. Vertices are
  // selected by box, sphere, plane, side, group, indices or nearest point, combined by any, every and not.
  "pins": [
    {
      "body": "bar",
      "select": { "side": "x+" },
      "motion": [{ "rotate": { "axis": "x", "amplitude": 30, "frequency": 0.5 } }]
    }
  ],

  // A gust of wind on the bar, from 1.0 s to 1.2 s.
  "forces": [{ "body": "bar", "acceleration": [0, 0, 5], "signal": { "start": 1.0, "stop": 1.2 } }],

  // The ground; its normal points up.
  "obstacles": [{ "type": "plane", "height": 0 }],

  "output": { "every": 1, "formats": ["vtu"] }
}
)";

}  // namespace

std::string starter_scene(const std::string& name) {
  const bool plain = !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
  });
  if (!plain)
    throw InputError("name", "\"" + name + "\" is the name of a folder too: letters, digits, _ and - are allowed");
  return before_name + name + after_name;
}

}  // namespace resilin
