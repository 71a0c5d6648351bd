// Where a space of vertices and a subspace differ for the elements: positions of the elements' copies of vertices
// from unknowns, and the gradient by unknowns from forces on these copies. Sums run in fixed order, so that they do
// not depend on the thread count.
#pragma once
#include <vector>

#include "core/aligned.h"
#include "model/packed_term.h"
#include "problem/evaluation.h"
#include "problem/space.h"

namespace resilin {

/// The inertia of a stage: 1/(2 tau^2) |y - target|_M^2.
struct Inertia {
  const double* target;
  double tau;
};

class Assembly {
 public:
  virtual ~Assembly() = default;
  /// Positions y are evaluated next.
  virtual void begin(const double* y) = 0;
  /// Positions of the copies of a part, in rows of 4; the fourth entries stay. From several threads.
  virtual void gather(int part, double* rows) const = 0;
  /// Whether forces of a term are fitted to those of all elements (Brandt et al. 2018): `fit` takes them, and
  /// nothing is scattered.
  virtual bool fits(int /*term*/) const { return false; }
  virtual void fit(int /*term*/, const SweepBlock& /*block*/) {}
  /// Whether forces of some terms are scattered to the copies.
  virtual bool scatters() const { return true; }
  /// Adds `scale` times the gradient of an element outside of the partition, before reduce.
  virtual void add(int vertex, const double gradient[3], double scale = 1) = 0;
  /// The gradient (unless null) by unknowns from all copies, with inertia (unless null: then it is that of the
  /// potentials on ALL rows, also on pinned ones). Sets inertia, gradient_square and cancelled of every component.
  virtual void reduce(const Inertia* inertia, double* gradient, Evaluation& out) = 0;

  /// Parts have so many copies of vertices, all together.
  virtual void lay_out(int copies);

  /// Rows of 4 for the copies of all parts; a sweep leaves forces there.
  AlignedVector<double> positions, forces;

 protected:
  /// Inertia, gradient_square and cancelled of every component, in this order.
  static void take_sums(const std::vector<double>& sums, Evaluation& out);
};

/// Unknowns are the vertices.
class VertexAssembly final : public Assembly {
 public:
  VertexAssembly(const Model& model, const Partition& partition, const Space& space)
      : model_(model), partition_(partition), space_(space) {}
  void begin(const double* y) override { y_ = y; }
  void gather(int part, double* rows) const override {
    space_.coordinates().lift(partition_.vertices(part), y_, rows);
  }
  void add(int vertex, const double gradient[3], double scale) override;
  void reduce(const Inertia* inertia, double* gradient, Evaluation& out) override;

 private:
  const Model& model_;
  const Partition& partition_;
  const Space& space_;
  const double* y_ = nullptr;
  std::vector<double> sums_, scratch_;
};

/// Unknowns are rows of a subspace, elements those of its sample.
class SubspaceAssembly : public Assembly {
 public:
  SubspaceAssembly(const Partition& partition, const Space& space, Subspace& subspace)
      : subspace_(subspace), partition_(partition), space_(space) {}
  void lay_out(int copies) override;
  void begin(const double* y) override;
  void gather(int part, double* rows) const override {
    subspace_.lift_listed(partition_.offset(part), partition_.offset(part + 1), rows);
  }
  void add(int vertex, const double gradient[3], double scale) override;
  void reduce(const Inertia* inertia, double* gradient, Evaluation& out) override;

 protected:
  void add_forces();
  void clear_finished();

  Subspace& subspace_;
  const Partition& partition_;
  const Space& space_;
  const double* y_ = nullptr;
  std::vector<double> pulled_;  // gradient by unknowns

 private:
  std::vector<int> vertices_;               // of elements outside of the partition
  std::vector<double> gradient_of_vertex_;  // in rows of 4
  std::vector<double> momentum_, gap_, sums_, scratch_;
};

}  // namespace resilin
