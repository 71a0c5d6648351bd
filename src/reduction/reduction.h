// Everything that hyper-reduction computes before the first step (Brandt et al. 2018; docs/theory/reduction.md):
// the position subspace, the reduced matrices by term, samples and fits. Made once for a model, or read from a
// file. The simulation steps with it; it knows no time step and no state.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"
#include "reduction/position_subspace.h"
#include "reduction/projection_fit.h"
#include "reduction/snapshot_modes.h"
#include "resilin/model.h"
#include "resilin/reduction.h"

namespace resilin {

class ReducedSums;
class Subspace;

struct ReducedTerm {
  /// U^T (sum measure D^T Q D) U of the elastic potentials, all with the pattern of Reduction::mass.
  SymmetricMatrix stiffness;
  /// The elements that are evaluated; `measure` is for sums over them that stand for sums over all.
  ElementSamples samples;
  /// Empty when all elements are samples: then nothing is left to fit.
  ProjectionFit fit;
};

class Reduction {
 public:
  /// Throws InputError: more handles than vertices, fewer than connected components, numbers that are not finite.
  Reduction(const Model& model, const ReductionSettings& settings, ThreadPool& pool);
  /// With up to `modes` columns besides, of what the handles cannot show of frames of a full run.
  Reduction(const Model& model, const ReductionSettings& settings, const Snapshots& snapshots, int modes,
            ThreadPool& pool);

  const ReductionSettings& settings() const { return settings_; }
  const PositionSubspace& positions() const { return positions_; }
  int rows() const { return positions_.rows(); }
  /// Vertices that are handles, in the order of their choice; all of them in parts that have no more than four for
  /// each. Then the peaks of modes.
  const std::vector<int>& handles() const { return handles_; }
  int fit_handles() const { return fit_handles_; }
  /// Of the handles of the fits, by vertex.
  const HandleWeights& fit_weights() const { return fit_weights_; }
  /// U^T M U on a pattern that holds all terms.
  const SymmetricMatrix& mass() const { return mass_; }
  /// One for each of the model's.
  const std::vector<ReducedTerm>& terms() const { return terms_; }
  /// What it was made of: mesh, masses, stiffness, potentials and settings.
  std::uint64_t stamp() const { return stamp_; }

  /// Seconds of each part of the set-up; zero when it was read.
  struct Seconds {
    double graph = 0, handles = 0, weights = 0, positions = 0, stiffness = 0, samples = 0, fit = 0;
    double total() const { return graph + handles + weights + positions + stiffness + samples + fit; }
  };
  const Seconds& seconds() const { return seconds_; }

  /// As bytes, for a file, and back. Throws InputError naming `where`: damaged, of another version, or made for
  /// another model or settings.
  std::string encode() const;
  static Reduction decode(std::string_view bytes, const Model& model, const ReductionSettings& settings,
                          const std::string& where, ThreadPool& pool);

 private:
  friend class ReductionFile;
  struct Supports;
  Reduction() = default;
  Supports spread_handles(const EdgeGraph& graph, ThreadPool& pool);
  void add_modes(const Model& model, const Snapshots& snapshots, int modes, const std::vector<int>& component,
                 const HandleWeights& weights, ThreadPool& pool);
  void add_matrices(const Model& model, const ReducedSums& sums);
  void add_fit(const Model& model, std::size_t term, const EdgeGraph& graph, const Supports& supports,
               const ReducedSums& sums, ThreadPool& pool);

  ReductionSettings settings_;
  std::uint64_t stamp_ = 0;
  std::vector<int> handles_;
  int fit_handles_ = 0;
  HandleWeights fit_weights_;
  PositionSubspace positions_;
  SymmetricMatrix mass_;
  std::vector<ReducedTerm> terms_;
  Seconds seconds_;
};

/// What the store has, or what is computed and then saved there; no store: computed.
std::unique_ptr<const Reduction> load_reduction(const Model& model, const ReductionSettings& settings,
                                                const ReductionStore* store, ThreadPool& pool);

/// The reduction as a DynamicSystem sees it: unknowns are rows of the position subspace, elements are samples,
/// local steps are fitted. The pool must outlive it.
std::unique_ptr<Subspace> make_subspace(std::unique_ptr<const Reduction> reduction, const Model& model,
                                        ThreadPool& pool);

/// Of the model's mesh, masses, stiffness and potentials, and of the settings.
std::uint64_t reduction_stamp(const Model& model, const ReductionSettings& settings);

}  // namespace resilin
