// The one function that every solver minimises and every report is measured with:
//
//   Phi(y) = 1/(2 tau^2) |y - target|_M^2 + V(y) + S(y; origin, v_n, tau)          [J], gradient [N]
//
// S is damping (potentials/dissipation.h), a part of the potentials to solvers and zero outside of a stage.
// It owns the parallel loop over the fixed partition: one region over parts (gather, potentials, scatter into the part's own
// copy), then one pass over vertices that sums the copies in fixed order and adds inertia. Solvers call it; it knows no
// solver, and of materials only Potential.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contact/obstacles/obstacle_culling.h"
#include "core/aligned.h"
#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"
#include "model/partition.h"
#include "objective/components.h"
#include "objective/coordinates.h"
#include "objective/evaluation.h"
#include "objective/inequalities.h"
#include "objective/listed_packs.h"
#include "objective/profiler.h"
#include "objective/revision.h"
#include "objective/subspace.h"
#include "objective/tunnel_guards.h"
#include "objective/vectors.h"
#include "potentials/evaluate.h"
#include "resilin/listed.h"
#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

class HessianAssembly;
struct ElementSample;

/// One number per element: [term][element], in the caller's order.
using ElementWeights = std::vector<std::vector<double>>;

class Objective {
 public:
  /// Packs the model's potentials; the model must outlive this. In a `subspace` its unknowns are those of that, and its elements those of its
  /// sample; null: all of them.
  Objective(const Model& model, ThreadPool& pool, Subspace* subspace = nullptr);
  /// The model has changed: whatever depends on the change is made anew, and nothing else. `terms`: they may have; false: only pins, listed
  /// terms and loads.
  void update(bool terms = true);
  ~Objective();

  const Model& model() const { return model_; }
  ThreadPool& pool() const { return pool_; }
  int vertices() const { return model_.vertex_count(); }
  /// The unknowns that it is a function of.
  const Coordinates& coordinates() const { return coordinates_; }
  std::ptrdiff_t size() const { return coordinates_.size(); }
  /// Rows of unknowns: vertices, unless they are those of a subspace.
  int rows() const { return static_cast<int>(size() / 3); }
  bool reduced() const { return subspace_ != nullptr; }
  /// The unknowns at rest.
  const std::vector<double>& rest() const { return subspace_ != nullptr ? rest_ : model_.rest; }
  /// Number of each row among the free ones, or -1 when it is a pinned vertex.
  const std::vector<int>& free_index() const { return free_index_; }
  int free_vertices() const { return free_count_; }
  /// Model::size() and total_mass(): passes over all vertices there, which an iteration cannot afford.
  double model_size() const { return model_size_; }
  double total_mass() const { return total_mass_; }
  /// Vertices by connected component, only components that nothing holds in the constant Hessian (no pin, no soft pin): there
  /// L annihilates constants and the mass-weighted mean of a step is known in closed form.
  const std::vector<std::vector<int>>& floating_components() const { return floating_; }

  /// Connected component of each vertex: 0, 1, ... in the order of their first vertices.
  const std::vector<int>& component() const { return partition_.component(); }
  /// The same of each row of unknowns.
  std::span<const int> row_component() const {
    return subspace_ != nullptr ? subspace_->row_component() : std::span<const int>(component());
  }
  const ComponentSet& components() const { return components_; }
  Vectors& vectors() const { return vectors_; }
  /// Evaluations leave out those that are not `active`, and the gradients there as they are. Until the next begin.
  void set_active(std::span<const char> active);
  /// Mass [kg] and diagonal of the rest bounding box [m] of a component.
  double component_mass(int component) const { return component_mass_[component]; }
  double component_size(int component) const { return component_size_[component]; }
  /// Of its island, what errors are relative to: the mass of all, the size of the smallest, vertices.
  struct Island {
    double mass = 0, size = 0, kinetic = 0;
    int vertices = 0;
  };
  const Island& island(int component) const { return islands_[components_.island(component)]; }

  // ---- the stage
  /// Before every solve: it also forgets what evaluations remember to be faster, so that a solve repeats to the last bit.
  void begin(const Stage& stage);
  double tau() const { return tau_; }
  /// Phi(y) and, unless null, its gradient, zero on pinned vertices. `room`: an evaluation that is not needed any more, so that nothing is allocated.
  Evaluation evaluate(const double* y, double* gradient, Evaluation room = {});
  /// The same in a subspace with forces fitted to those of all elements (subspace.h), where they are the gradient of nothing: what local steps see, for
  /// any potential. After constant_matrix. The inertia is left at zero.
  Evaluation evaluate_fitted(const double* y, double* gradient, Evaluation room = {});
  /// Where the time of a solve goes.
  Profiler& profiler() const { return profiler_; }

  /// Obstacles at y: the vertices of active components that feel one. They stand in no constant matrix, so solvers that want their
  /// stiffness ask for it.
  struct PointStiffness {
    int vertex;
    double energy, gradient[3], hessian[6];  // lower triangle, row by row
  };
  bool has_obstacles() const { return !contact_vertices_.empty(); }
  /// A term of points that stands in no constant matrix.
  bool is_obstacle(int term) const { return is_obstacle_[term] != 0; }
  /// Obstacles that are no energy. With hard ones the gradient of evaluate is zero where Phi is least under the inequalities.
  const Inequalities& inequalities() const { return inequalities_; }
  /// Vertices that can touch one or are held by a listed term, ascending.
  const std::vector<int>& contact_vertices() const { return contact_vertices_; }
  /// Of handles (Model::listed) alone, at y.
  void listed_points(const double* y, std::vector<PointStiffness>& points);
  /// Of handles and of contact on points: what stands in no term of the model.
  void added_points(const double* y, std::vector<PointStiffness>& points);

  // ---- contact (Model::contact): elements that change while a stage is solved
  /// A stage begins, or has ended, with what the state remembers of it.
  bool has_contact() const { return !contact_.empty(); }
  void recall(const Stage& stage, const Memory& memory);
  /// Components that touch are islands again, after begin.
  void rejoin() { join_touching(); }
  void remember(const double* y, Memory& memory);
  /// False: something came near on the way to y that contact had left out. It counts now: the stage must be solved again.
  bool settled(const Stage& stage, const double* y, const Memory& memory);
  /// Between bodies when the last stage ended, infinite when none were near each other [m].
  double smallest_gap() const;
  /// The deepest vertex of each component in an obstacle at y [m].
  std::vector<double> obstacle_depths(const double* y);
  /// Bodies that pass through each other, or through themselves.
  std::vector<std::array<int, 2>> overlapping() const;
  /// Obstacles along the step: between a stage's begin and its end, half spaces where vertices would fly through. The end puts back those that
  /// have passed at y; true when there were some.
  void begin_guards(const Stage& stage) {
    if (subspace_ == nullptr) guards_.begin(stage, obstacle_terms_, free_index_);
  }
  bool end_guards(const Stage& stage, double* y) {
    return subspace_ == nullptr && guards_.end(stage, obstacle_terms_, free_index_, y);
  }
  const TunnelGuards& guards() const { return guards_; }
  /// Solvers call it at every new iterate. True: Phi is another function now, and what is known of the old one does not hold.
  bool refresh(const double* y);
  /// Counts those changes.
  std::uint64_t contact_version() const { return contact_version_; }
  /// What Model::contact[i] is made of now.
  std::span<const Term> contact_terms(int i) const { return contact_[i].listed->terms(); }
  /// What touches at y of active components, pair by pair.
  void touching_pairs(const double* y, std::vector<PairStiffness>& pairs) const;
  /// Whether contact shortens steps.
  bool bounds_steps() const;
  /// A stage would start at y: moves it to where contact lets it come from `from`, a rigid motion of each island from where the step began.
  /// True: steps may begin at y only; false: at `from` as well.
  bool reach(const double* from, double* y);
  /// Shortens the steps of vertices from `from` to `to` where contact wants it; true when it had to. part[c] is the least part that a
  /// vertex of component c has left, 1 where none was shortened; `alike`: all of its vertices do.
  bool clip(const double* from, double* to, std::vector<double>& part, bool alike = false);
  void contacts(const double* y, std::vector<PointStiffness>& points);
  /// Counts how often elements of contact were listed.
  std::uint64_t contact_lists() const { return contact_lists_; }

  /// Runs `op(term, part, block)` on every block; what it leaves in dpsi_z is scattered, and inertia and listed terms are added, but for contact on
  /// points, which is part of what obstacles do: the skeleton of evaluate and of the local steps of solvers. The potentials that it returns are those of the listed terms only.
  Evaluation sweep(const double* y, double* gradient, FunctionRef<void(int, int, SweepBlock&)> op,
                   Evaluation room = {});
  /// In a subspace a sweep with a gradient is fitted and leaves out the energy of inertia, a product that iterations do not need: adds it.
  void measure_inertia(const double* y, Evaluation& out);
  /// For operations that read z alone: damped terms are spared the coordinates of their origin, nothing is scattered.
  void sweep_coordinates(const double* y, FunctionRef<void(int, int, SweepBlock&)> op) {
    sweep(y, nullptr, nullptr, Besides::nothing, op, ignored_);
  }

  // ---- second derivatives
  /// d2 Phi / dy2 on the free vertices, 3 x 3 blocks; positive definite when filtered.
  void hessian(const double* y, SymmetricMatrix& matrix, bool filter);
  /// A pattern for hessian().
  SymmetricMatrix hessian_pattern() const { return pattern(3); }
  /// M/tau^2 + sum measure D^T Q D on the free vertices: the constant Hessian of Liu et al.
  SymmetricMatrix constant_matrix() const;
  /// What an element has there: the R x R matrices of its potentials, each times its scale.
  void element_stiffness(int term, int element, double* q) const;
  /// M/tau^2 + sum measure w_i D^T D on the free vertices, weights[term][element] per unit of measure: the global step of ADMM.
  SymmetricMatrix constant_matrix(const ElementWeights& weights) const;

  /// Elastic potentials of all terms, in order.
  int potentials() const { return static_cast<int>(scale_.size()); }
  /// Eq. 11 of Liu et al. on the stretches of the sample at y, by potential; zero for those that have nothing to fit.
  const std::vector<StretchSums>& sum_stretches(const double* y);
  /// Scales what the potentials have in the constant Hessian, until the next begin.
  void scale_stiffness(const std::vector<double>& by_potential);

  /// A fixed sample of the elements, made when first asked for; it depends on the model only.
  const ElementSample& sample();
  /// Runs `op(group, block)` on every block of the sample at y. Nothing is scattered.
  void sweep_sample(const double* y, FunctionRef<void(int, SweepBlock&)> op);

  // ---- independent of the stage
  /// V(q) and, unless null, its gradient on ALL vertices.
  double potential_energy(const double* q, double* gradient);
  /// dR/dv(q, v) of all damping on ALL vertices (unless null), and the power [W] that each model takes out, by name.
  void damping(const double* q, const double* v, double* gradient,
               std::vector<std::pair<std::string, double>>* power);
  /// -M^-1 (grad V(q) + dR/dv(q, v)).
  void acceleration(double time, const double* q, const double* v, double* a);
  bool damped() const { return damped_; }
  void external(double time, double* a) const;
  void set_time(double time);

  const std::vector<PackedTerm>& terms() const { return packed_; }
  /// Of a term, in the order of its packs.
  const TermKernels& kernels(int term) const { return kernels_[term]; }
  const Partition& partition() const { return partition_; }
  /// Of the model as it is now.
  const Revision& revision() const { return revision_; }
  /// revision().stiffness with the scales of the constant Hessian, which are the solver's.
  std::uint64_t stiffness_revision() const { return stiffness_revision_; }

 private:
  friend class HessianAssembly;
  SymmetricMatrix pattern(int block) const;
  SymmetricMatrix constant_matrix_in_subspace() const;
  SymmetricMatrix constant_matrix_with(FunctionRef<void(int term, int element, double* q)> stiffness) const;
  void plan_constant_matrix() const;
  void lay_out(bool first);
  void pack_kernels();
  void number_free_vertices();
  void find_floating_components();
  void find_obstacles();
  void pack_listed(std::uint64_t energy);
  void pack_times();
  struct Contact;
  void pack(Contact& contact);
  void cover(const double* y);
  template <class Each>
  void each_packs(Each&& each);
  void add_listed(const double* y, bool gradient, bool obstacles, Evaluation& out);
  void add_global_energies(const double* y, bool gradient, Evaluation& out);
  void add_packs(const Term& term, ListedPacks& packs, const double* y, bool gradient, Evaluation& out);
  void collect_points(const Term& term, ListedPacks& packs, const double* y, std::vector<PointStiffness>& points);
  void collect_contact(const double* y, std::vector<PointStiffness>& points);
  void measure_components();
  void measure_islands();
  bool join_touching();
  double* guess(int term, int pack);
  void gather_part(int part, const double* y, double* copies) const;
  void gather_all(const double* y, AlignedVector<double>& copies);
  /// Besides the terms of the partition: nothing, handles, contact and couplings, or these and obstacles, which then are left out of the partition.
  enum class Besides { nothing, listed, listed_and_obstacles };
  Evaluation evaluate(const double* y, double* gradient, bool fitted, Evaluation room);
  void sweep(const double* y, double* gradient, const Rates* rates, Besides besides,
             FunctionRef<void(int, int, SweepBlock&)> op, Evaluation& out, bool fitted = false);
  Rates stage_rates() const {
    return {origin_copies_.data(), velocity_copies_.empty() ? nullptr : velocity_copies_.data(), tau_};
  }
  void reduce(const double* y, double* gradient, Evaluation& out);
  void reduce_in_subspace(const double* y, double* gradient, Evaluation& out);
  void reduce_fitted(const double* y, double* gradient, Evaluation& out);
  void add_scattered(bool fitted);
  void keep_projections(int term, const SweepBlock& sweep);
  void hold_pins();
  void number_samples();
  bool scatters(bool fitted) const;
  void clear_finished();
  void note_stiffness() const;
  void find_accelerations();
  void reduce_inequalities(const double* y, double* gradient, Evaluation& out);

  const Model& model_;
  ThreadPool& pool_;
  Subspace* subspace_;  // null: unknowns are vertices
  Partition partition_;
  std::vector<PackedTerm> packed_;
  std::vector<TermKernels> kernels_;      // by term
  std::vector<std::uint64_t> packed_of_;  // stamps of the potentials that they were made of
  std::vector<int> free_index_;
  int free_count_ = 0;
  VertexCoordinates vertices_;
  const Coordinates& coordinates_;
  ComponentSet components_;
  mutable HostVectors vectors_;
  std::vector<int> active_parts_;
  std::vector<std::vector<int>> floating_;
  std::vector<double> component_mass_, component_size_, stiffness_scale_;
  std::vector<int> component_vertices_;
  std::vector<int> contact_vertices_;
  struct Obstacle {
    int term;
    ObstacleCulling nearby;
    ListedPacks packs;
  };
  struct Contact {
    std::unique_ptr<ListedTerm> listed;
    std::vector<ListedPacks> packs;  // of its terms
  };
  std::vector<ListedPacks> handles_;  // of Model::listed
  std::vector<Obstacle> obstacles_;
  std::vector<int> obstacle_terms_;
  TunnelGuards guards_;
  std::vector<char> is_obstacle_;  // by term
  std::vector<Contact> contact_;
  std::uint64_t contact_lists_ = 0;
  Inequalities inequalities_;
  std::uint64_t contact_of_ = 0, contact_version_ = 0;  // stamp of the models that they were made of
  Revision revision_;
  TermStamps stamps_;
  std::uint64_t stiffness_revision_ = 0;
  double model_size_ = 0, total_mass_ = 0;
  std::vector<int> first_potential_;                    // by term
  std::vector<double> scale_;                           // of the stiffness, by potential
  std::vector<StretchSums> stretch_sums_, group_sums_;  // by potential; by group of the sample and potential

  double time_ = 0, tau_ = 1;
  mutable Profiler profiler_;
  Evaluation ignored_;
  std::vector<double> kinetic_;  // by component, when the stage's step began [J]
  std::vector<Island> islands_;  // by component, of those that lead
  std::vector<double> squares_;  // of reduce_inequalities, by component
  std::vector<double> sums_;     // of reduce, by component: inertia, |gradient|^2, scale of its round-off
  bool with_inertia_ = true;
  std::vector<double> target_;
  AlignedVector<double> x_copies_, f_copies_;  // rows of 4 for all parts
  // The same for damping, of the stage; and velocities outside of stages.
  AlignedVector<double> origin_copies_, velocity_copies_, rate_copies_;
  // Rotations of the last evaluation in this stage, by term: where potentials read them they start the next search.
  std::vector<AlignedVector<double>> guess_;
  bool guesses_cold_ = true;
  bool damped_ = false;
  std::vector<char> term_damped_;
  std::vector<double> damping_gradient_, rate_gradient_;
  std::vector<double> part_energy_, scratch_, global_gradient_;
  std::unique_ptr<HessianAssembly> assembly_;
  // The pattern of the constant Hessian and, by term, where the entries of an element stand in it: [element][a >= b], -1 when pinned.
  mutable std::uint64_t planned_structure_ = 0;
  mutable SymmetricMatrix constant_pattern_;
  mutable std::vector<std::vector<int>> constant_slots_;
  mutable std::vector<int> diagonal_slots_;
  std::unique_ptr<ElementSample> sample_;

  // ---- in a subspace
  std::vector<Term> pin_terms_;         // pins, as springs: a subspace cannot follow them exactly
  std::vector<ListedPacks> pin_packs_;  // of these
  std::vector<int> loose_;              // vertices of listed terms that push, and their gradients in rows of 4
  std::vector<double> loose_gradient_;
  std::vector<double> momentum_, gap_, pulled_;
  // Of a term that fits, by pack, in the last constant matrix: 1/k, and Q/k unless that is 1 everywhere. [packs][8], [packs][R R][8].
  struct SampleStiffness {
    AlignedVector<double> over_k, q;
  };
  mutable std::vector<SampleStiffness> sample_stiffness_;
  mutable bool fit_begun_ = false;          // for this stage and this constant matrix
  std::vector<double> rest_, gravity_;      // unknowns at rest; their accelerations
  std::vector<std::vector<double>> force_;  // the same of each external force, with a signal of 1
};

}  // namespace resilin
