// Settings of hyper-reduction (Brandt et al. 2018): how many unknowns, how rich the space of projections, how many
// elements are evaluated. Read from "reduction" of a scene or filled by a host program.
#pragma once
#include <optional>
#include <string>

#include "resilin/params.h"

namespace resilin {

/// How hands (drags) and obstacles act on a reduced body: by their energies, or by the state that inertia would
/// carry it to (Brandt et al. Appendix A).
enum class Interaction { energy, target };

struct ReductionSettings {
  int handles = 120;          // of the position subspace; each has up to four rows of unknowns
  int fit_handles = 60;       // of the projection subspaces: the first of the handles
  int samples = 1000;         // elements evaluated of each term
  double radius = 2;          // of a handle's support over the largest distance of a vertex to its nearest handle
  double fit_fraction = 0.5;  // of the principal components of projections that are kept
  int seed = 1;               // where the first handle stands
  Interaction interaction = Interaction::energy;
  // With Interaction::target, of a vertex that would enter an obstacle: the part of its normal velocity that is
  // thrown back, and of its tangential velocity that is lost.
  double repulsion = 0, friction = 0;

  bool operator==(const ReductionSettings&) const = default;
};

/// Keeps what is computed before the first step, as bytes, between simulations of the same model with the same
/// settings. `reduction_file(path)` of resilin/io.h is one.
class ReductionStore {
 public:
  virtual ~ReductionStore() = default;
  /// Its name in errors.
  virtual std::string where() const = 0;
  /// Nothing when it has none yet; then what was computed is saved.
  virtual std::optional<std::string> load() const = 0;
  virtual void save(const std::string& bytes) const = 0;
};

Params reduction_params();
ReductionSettings reduction_settings(const Settings& settings);
/// Throws InputError naming the first field that is out of range.
void validate(const ReductionSettings& settings, const std::string& where = "reduction");

}  // namespace resilin
