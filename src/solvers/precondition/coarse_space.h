// The second level of two-level quasi-Newton (docs/theory/two_level.md). The constant Hessian A charges k |dF|^2
// for local rotations, the true Hessian almost nothing: smooth bending and turning are its slow modes. On a few
// smooth functions Z with Z^T A Z = 1 the true Hessian is taken instead, once per stage and from a sample of the
// elements:
//
//   H_c = Z^T (M/tau^2) Z + sum over sampled elements of weight P_t^T [d2psi]+ P_t,    P_t = D_t Z
//   d   = A^-1 r + Z (H_c^-1 - 1) Z^T r                                                symmetric positive definite
//
// Where contact rows stand in A' (obstacle_level.h) they are added on the coarse space too, W = Z^T (A' - A) Z, so
// that they drop out of the difference of the two levels:  d = A'^-1 r + Z ((H_c + W)^-1 - (1 + W)^-1) Z^T r,
// again positive definite. Components do not couple: each has its own Z and H_c. All sums run in fixed order.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/aligned.h"
#include "problem/problem.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/obstacle_level.h"
#include "solvers/precondition/operator.h"

namespace resilin {

/// The functions that a coarse space is made of, one set per connected component: its lowest modes, A z = lambda
/// M/tau^2 z with A the constant Hessian, times 1 and the three rest coordinates, so that stretching, turning and
/// bending on that scale are all in the span. Zero on pinned vertices, A-orthonormal.
struct CoarseBasis {
  std::vector<int> vertices;                // the free ones of the component
  std::vector<std::vector<double>> column;  // [column][place in vertices]
  bool floating = false;                    // nothing holds it in A: then column 0 is constant
};

/// By component; those with fewer than 16 free vertices per mode get fewer modes, or none. `factor`: of A.
std::vector<CoarseBasis> coarse_basis(Problem& problem, Factor& factor, int modes);

class CoarseSpace {
 public:
  bool current(const Problem& problem, int modes) const {
    return modes_ == modes && tau_ == problem.stage().tau && revision_ == problem.constant().stamp();
  }
  /// Makes the functions; `factor` is that of A.
  void make(Problem& problem, Factor& factor, int modes);
  /// H_c at y on active components, with the rows of contact. Where it is not positive definite (not finite) a
  /// component does without correction.
  void linearise(Problem& problem, const double* y, const ObstacleLevel& obstacles);
  /// The rows of contact are others now.
  void renew_contact(const Problem& problem, const ObstacleLevel& obstacles);
  /// Whether a component has a correction.
  bool in_use(int component) const { return component_[component].use; }
  void drop(int component) { component_[component].use = false; }
  /// Notes the difference of the two levels for Z^T r, in which the mean step of an isolated component is zero: A's
  /// is exact there.
  void restrict(Problem& problem, const double* r);
  /// d += Z times that.
  void add_correction(Problem& problem, double* d) const;

  // For tests.
  int components() const { return static_cast<int>(component_.size()); }
  int columns(int component) const { return component_[component].columns; }
  const std::vector<int>& vertices(int component) const { return component_[component].vertices; }
  /// By place in vertices().
  double basis(int component, int column, int place) const;
  /// H_c of the last linearise, lower triangle; row 3 blocks of columns(): x, y, z.
  double coarse_hessian(int component, int row, int column) const;

 private:
  struct Component {
    int columns = 0, padded = 0;  // padded: to a multiple of 8
    std::vector<int> vertices;
    // Float: it only shapes the search direction. Twice, each in the order in which it is read.
    AlignedVector<float> basis;                  // [padded / 8][vertices][8 columns]
    AlignedVector<float> basis_packs;            // [vertices / 8, rounded up][columns][8 vertices]
    std::vector<double> moment;                  // sum m basis of a floating component, else empty
    std::vector<double> inertia;                 // Z^T (M/tau^2) Z, columns^2
    std::vector<double> hessian, factor;         // (3 columns)^2, column-major, lower triangle
    bool touches = false, anew = false;          // else W = 0; else W is that of the last time
    std::vector<ObstacleLevel::Point> touching;  // of which W was made
    std::vector<double> contact, fine;           // W and the factor of 1 + W
    std::array<double, 9> unhindered;            // projects on the directions in which the mean step is A's
    AlignedVector<double> coefficient;           // [3][padded]
    std::vector<int> groups;                     // of sampled elements
    bool use = false, factor_exists = false, fine_exists = false;
    int size() const { return 3 * columns; }
  };
  struct Chunk {  // of vertices: the unit of parallel work
    int component, begin, end;
    std::size_t sums;  // where its [3][padded] stand in sums_
  };
  struct Group {             // of sampled elements, in step with the sample
    std::size_t rows, sums;  // where its P_t ([slot][R][padded]) and its blocks of H_c ([6][columns][padded]) stand
  };
  void set_basis(Problem& problem, std::vector<CoarseBasis> parts);
  void set_moments(const Problem& problem);
  void set_groups(Problem& problem);
  void set_rows(const ElementSample& sample, int group, const Problem& problem);
  void calibrate(Problem& problem);
  void sum_quadratic(Problem& problem);
  void assemble(int component, int block);
  void factorise(Component& component) const;
  void factorise_fine(Component& component) const;
  void assemble_contact(Component& component, int block) const;
  void correct(Component& component) const;

  int modes_ = -1;
  double tau_ = 0;
  std::uint64_t revision_ = 0;
  std::vector<Component> component_;
  std::vector<int> place_;  // of a vertex in its component
  std::vector<Chunk> chunks_;
  std::vector<Group> groups_;
  AlignedVector<double> rows_, group_sums_, sums_;
};

/// The coarse space as an operator around the operator B inside: d = B r + Z (H_c^-1 - 1) Z^T r. Until it is
/// linearised, and for components that drop it, it is B.
class Coarse final : public Operator {
 public:
  /// A stage begins. `modes` of each body; 0: none. `inner` must stay until the next begin.
  void begin(Problem& problem, Operator& inner, Factor& factor, int modes);
  /// Takes the true Hessian at y, and the contacts of `obstacles`.
  void linearise(const double* y, const ObstacleLevel& obstacles);
  /// Contacts are others now.
  void renew_contact(const ObstacleLevel& obstacles);
  bool linearised() const { return linearised_; }
  bool in_use(int component) const { return linearised_ && space().in_use(component); }
  void drop(int component) { space().drop(component); }
  void apply(const double* r, double* d) override;

 private:
  CoarseSpace& space() { return spaces_[current_]; }
  const CoarseSpace& space() const { return spaces_[current_]; }

  Problem* problem_ = nullptr;
  Operator* inner_ = nullptr;
  std::array<CoarseSpace, 2> spaces_;  // as many as factors are kept
  std::size_t current_ = 0;
  bool linearised_ = false;
};

}  // namespace resilin
