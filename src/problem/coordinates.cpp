#include "problem/coordinates.h"

#include <algorithm>

namespace resilin {

void VertexCoordinates::lift(const double* q, double* x) const { std::copy_n(q, size(), x); }

void VertexCoordinates::pull_back(const double* force, double* g) const { std::copy_n(force, size(), g); }

void VertexCoordinates::inertia(const double* a, double* p) const {
  for (std::size_t v = 0; v < model_.mass.size(); ++v)
    for (std::size_t i = 3 * v; i < 3 * v + 3; ++i) p[i] = model_.mass[v] * a[i];
}

void VertexCoordinates::solve_inertia(const double* p, double* a) const {
  for (std::size_t v = 0; v < model_.mass.size(); ++v)
    for (std::size_t i = 3 * v; i < 3 * v + 3; ++i) a[i] = p[i] * (1 / model_.mass[v]);
}

void VertexCoordinates::prescribe(double time, double* q, double* v) const {
  for (const Pin& pin : model_.pins)
    for (std::size_t i = 0; i < pin.vertices.size(); ++i) {
      const int id = pin.vertices[i];
      pin.motion.at(time, &pin.start[3 * i], q + 3 * id, v + 3 * id);
    }
}

}  // namespace resilin
