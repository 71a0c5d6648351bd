// The unknowns of a stage, and the vertices that they move: x = lift(q), linear, so that velocities and
// accelerations lift in the same way. Integrators and solvers see unknowns only; elements see copies of vertices.
// Unknowns come in rows of xyz: the vertices themselves, or rows of a subspace (subspace.h), each of which moves
// many vertices alike in x, y and z.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "resilin/model.h"

namespace resilin {

class Coordinates {
 public:
  virtual ~Coordinates() = default;
  /// Unknowns.
  virtual std::ptrdiff_t size() const = 0;
  /// xyz of all vertices.
  virtual void lift(const double* q, double* x) const = 0;
  /// Of some vertices, in rows of 4; the fourth entries stay.
  virtual void lift(std::span<const int> vertices, const double* q, double* rows) const = 0;
  /// Forces on vertices to forces on unknowns: the transpose of lift.
  virtual void pull_back(const double* force, double* g) const = 0;
  /// Of some vertices, in rows of 4, added to g.
  virtual void pull_back(std::span<const int> vertices, const double* rows, double* g) const = 0;
  /// The rows of unknowns that a vertex follows, and their weights.
  virtual void weights(int vertex, std::vector<std::pair<int, double>>& out) const = 0;
  /// p = M a and a = M^-1 p; both arrays may be the same.
  virtual void inertia(const double* a, double* p) const = 0;
  virtual void solve_inertia(const double* p, double* a) const = 0;
  /// Puts what is pinned where `time` wants it, with its velocity.
  virtual void prescribe(double time, double* q, double* v) const = 0;
  virtual bool prescribed(std::ptrdiff_t unknown) const = 0;
  /// Masses where unknowns are vertices; else empty, and what works vertex by vertex (rigid starts, contact rows)
  /// stands back.
  virtual std::span<const double> vertex_mass() const = 0;
};

/// The identity.
class VertexCoordinates final : public Coordinates {
 public:
  /// `free_index`: number of each vertex among the free ones, -1 when pinned. Both must outlive this.
  VertexCoordinates(const Model& model, const std::vector<int>& free_index) : model_(model), free_(free_index) {}

  std::ptrdiff_t size() const override { return std::ssize(model_.rest); }
  void lift(const double* q, double* x) const override;
  void lift(std::span<const int> vertices, const double* q, double* rows) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l)
      for (int k = 0; k < 3; ++k) rows[4 * l + k] = q[3 * vertices[l] + k];
  }
  void pull_back(const double* force, double* g) const override;
  void pull_back(std::span<const int> vertices, const double* rows, double* g) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l)
      for (int k = 0; k < 3; ++k) g[3 * vertices[l] + k] += rows[4 * l + k];
  }
  void weights(int vertex, std::vector<std::pair<int, double>>& out) const override { out = {{vertex, 1.0}}; }
  void inertia(const double* a, double* p) const override;
  void solve_inertia(const double* p, double* a) const override;
  void prescribe(double time, double* q, double* v) const override;
  bool prescribed(std::ptrdiff_t unknown) const override { return free_[unknown / 3] < 0; }
  std::span<const double> vertex_mass() const override { return model_.mass; }

 private:
  const Model& model_;
  const std::vector<int>& free_;
};

}  // namespace resilin
