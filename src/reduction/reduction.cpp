#include "reduction/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/stamp.h"
#include "core/stopwatch.h"
#include "problem/revision.h"
#include "reduction/reduced_sums.h"
#include "resilin/errors.h"
#include "resilin/watch.h"

namespace resilin {
namespace {

void check_counts(const ReductionSettings& settings, const EdgeGraph& graph) {
  if (settings.handles > graph.size())
    throw InputError("reduction.handles", fmt::format("{} handles are more than the model's {} vertices",
                                                      settings.handles, graph.size()));
  if (settings.handles < graph.components)
    throw InputError(
        "reduction.handles",
        fmt::format("{} handles are fewer than the model's {} connected components, each of which needs one",
                    settings.handles, graph.components));
}

std::vector<double> scaled(std::vector<double> cover, double factor) {
  for (double& distance : cover) distance *= factor;
  return cover;
}

}  // namespace

Params reduction_params() {
  return {
      integer("handles", 120, at_least(1), "handles of the position subspace; each has up to 12 unknowns"),
      integer("fit_handles", 60, at_least(1), "how many of the handles carry the projection subspaces"),
      integer("samples", 1000, at_least(1), "elements that are evaluated, of each term"),
      number("radius", "", 2, between(1, 100),
             "radius of a handle's support over the largest distance of a vertex to its nearest handle"),
      number("fit_fraction", "", 0.5, {0, 1, true, false},
             "part of the principal components of projections that is kept"),
      integer("seed", 1, any_number(), "number that chooses the first handle"),
      choice("interaction", {"energy", "target"},
             "how hands and obstacles act. energy: by springs, at each iteration; target: by the state that "
             "inertia would carry the body to, once per step"),
      number("repulsion", "", 0, between(0, 1),
             "part of the normal velocity that an obstacle throws back; with interaction target"),
      number("friction", "", 0, between(0, 1),
             "part of the tangential velocity that is lost at an obstacle; with interaction target"),
  };
}

ReductionSettings reduction_settings(const Settings& s) {
  ReductionSettings out{s.integer("handles"), s.integer("fit_handles"), s.integer("samples"),
                        s.number("radius"),   s.number("fit_fraction"), s.integer("seed")};
  if (s.text("interaction") == "target") out.interaction = Interaction::target;
  out.repulsion = s.number("repulsion"), out.friction = s.number("friction");
  for (const char* factor : {"repulsion", "friction"})
    if (s.has(factor) && out.interaction == Interaction::energy)
      s.value(factor).fail("is a factor of interaction \"target\": leave it out, or set that");
  // A fit cannot have more handles than the subspace: few handles mean few of the fit, unless both are given.
  if (!s.has("fit_handles")) out.fit_handles = std::min(out.fit_handles, out.handles);
  validate(out, s.where().empty() ? "reduction" : s.where());
  return out;
}

void validate(const ReductionSettings& settings, const std::string& where) {
  const auto refuse = [&](const char* field, const std::string& problem) {
    throw InputError(where + "." + field, problem);
  };
  for (const auto& [field, value] : {std::pair{"handles", settings.handles},
                                     {"fit_handles", settings.fit_handles},
                                     {"samples", settings.samples}})
    if (value < 1) refuse(field, fmt::format("{} must be at least 1", value));
  if (settings.fit_handles > settings.handles)
    refuse("fit_handles", fmt::format("{} are more than the {} handles", settings.fit_handles, settings.handles));
  if (!(settings.radius >= 1) || !std::isfinite(settings.radius))
    refuse("radius", fmt::format("{} must be at least 1", settings.radius));
  for (const auto& [field, value] : {std::pair{"repulsion", settings.repulsion}, {"friction", settings.friction}})
    if (!(value >= 0 && value <= 1)) refuse(field, fmt::format("{} must be in [0, 1]", value));
  if (!(settings.fit_fraction > 0 && settings.fit_fraction <= 1))
    refuse("fit_fraction", fmt::format("{} must be in (0, 1]", settings.fit_fraction));
}

std::uint64_t reduction_stamp(const Model& model, const ReductionSettings& settings) {
  const TermStamps terms = stamp_terms(model);
  Stamp stamp;
  for (const std::uint64_t each : {terms.connectivity, terms.geometry, terms.stiffness, terms.potentials})
    stamp.add(each);
  stamp.add(settings.handles), stamp.add(settings.fit_handles), stamp.add(settings.samples);
  stamp.add(settings.radius), stamp.add(settings.fit_fraction), stamp.add(settings.seed);
  return stamp.value();
}

/// The handles that move each vertex, for positions and for fits.
struct Reduction::Supports {
  HandleWeights weights;
  std::vector<int> fit_component;  // of each handle of the fits
};

Reduction::Reduction(const Model& model, const ReductionSettings& settings, ThreadPool& pool)
    : Reduction(model, settings, {}, 0, pool) {}

Reduction::Reduction(const Model& model, const ReductionSettings& settings, const Snapshots& snapshots, int modes,
                     ThreadPool& pool)
    : settings_(settings) {
  validate(settings);
  model.validate();
  Stopwatch clock;
  stamp_ = reduction_stamp(model, settings);
  const EdgeGraph graph = edge_graph(model);
  check_counts(settings, graph);
  seconds_.graph = clock.lap();
  const Supports supports = spread_handles(graph, pool);
  clock.lap();
  positions_ = PositionSubspace(model.rest, model.mass, supports.weights, static_cast<int>(handles_.size()), pool);
  if (modes > 0) add_modes(model, snapshots, modes, graph.component, supports.weights, pool);
  seconds_.positions = clock.lap();
  const ReducedSums sums(positions_, pool);
  add_matrices(model, sums);
  seconds_.stiffness = clock.lap();
  for (std::size_t t = 0; t < model.terms.size(); ++t) add_fit(model, t, graph, supports, sums, pool);
}

void Reduction::add_modes(const Model& model, const Snapshots& snapshots, int modes,
                          const std::vector<int>& component, const HandleWeights& weights, ThreadPool& pool) {
  for (const auto& snapshot : snapshots)
    if (snapshot.size() != model.rest.size())
      throw InputError("reduction.snapshots", fmt::format("a frame has {} vertices, and the model has {}",
                                                          snapshot.size() / 3, model.vertex_count()));
  const auto found = snapshot_modes(positions_, model.mass, component, snapshots, modes, pool);
  const int plain = static_cast<int>(handles_.size());
  for (const SnapshotMode& mode : found) handles_.push_back(mode.peak);
  positions_ = PositionSubspace(model.rest, model.mass, with_modes(weights, plain, found),
                                static_cast<int>(handles_.size()), pool, static_cast<int>(found.size()));
}

Reduction::Supports Reduction::spread_handles(const EdgeGraph& graph, ThreadPool& pool) {
  watch_begin("reduction: handles");
  Stopwatch clock;
  FurthestVertices spread(graph, settings_.seed);
  fit_handles_ = std::max(settings_.fit_handles, graph.components);
  spread.extend(fit_handles_);
  const std::vector<double> fit_radius = scaled(spread.radius_of_covering(), settings_.radius);
  spread.extend(settings_.handles);
  spread.complete(4);  // a part with no more vertices than rows is not worth reducing
  handles_ = spread.chosen();
  seconds_.handles = clock.lap();
  // The fit's handles have supports of their own: those that they have among all are narrower, and the fit of bends
  // is then three times worse.
  const auto first = std::span(handles_).first(fit_handles_);
  Supports out{handle_weights(graph, handles_, scaled(spread.radius_of_covering(), settings_.radius), pool), {}};
  fit_weights_ = handle_weights(graph, first, fit_radius, pool);
  for (const int v : first) out.fit_component.push_back(graph.component[v]);
  seconds_.weights = clock.lap();
  return out;
}

void Reduction::add_matrices(const Model& model, const ReducedSums& sums) {
  watch_begin("reduction: matrices");
  std::vector<HandlePairs> pairs = {sums.mass(model.mass)};
  for (const Term& term : model.terms) {
    watch_check();
    pairs.push_back(sums.stiffness(
        term.elements, [&](int i, double* q) { add_quadratic(term.elastic, term.elements.rows(), i, q); }));
  }
  std::vector<const HandlePairs*> all;
  for (const HandlePairs& each : pairs) all.push_back(&each);
  std::vector<SymmetricMatrix> matrices = symmetric_matrix(positions_, all);
  mass_ = std::move(matrices[0]);
  for (std::size_t t = 0; t < model.terms.size(); ++t) terms_.push_back({std::move(matrices[t + 1]), {}, {}});
}

void Reduction::add_fit(const Model& model, std::size_t t, const EdgeGraph& graph, const Supports& supports,
                        const ReducedSums& sums, ThreadPool& pool) {
  watch_begin(fmt::format("reduction: fit of {}", model.terms[t].name));
  Stopwatch clock;
  const Elements& elements = model.terms[t].elements;
  // Positions of points are no shape: there is nothing to fit in them, and all are evaluated.
  const int count = elements.translation_free() ? settings_.samples : elements.size();
  const auto first = std::span(handles_).first(fit_handles_);
  ReducedTerm& term = terms_[t];
  term.samples = furthest_elements(graph, elements, first, count);
  seconds_.samples += clock.lap();
  if (std::ssize(term.samples.element) == elements.size()) return;
  term.fit = ProjectionFit(elements, rest_projections(model, static_cast<int>(t), pool), term.samples,
                           {fit_weights_, supports.fit_component, graph.components, settings_.fit_fraction}, sums);
  seconds_.fit += clock.lap();
}

}  // namespace resilin
