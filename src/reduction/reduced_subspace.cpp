// A Reduction as a Subspace.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/stamp.h"
#include "model/components.h"
#include "problem/subspace.h"
#include "reduction/moved_target.h"
#include "reduction/reduced_sums.h"
#include "reduction/reduction.h"
#include "reduction/wide_product.h"

namespace resilin {
namespace {

constexpr double same = 1e-9;  // relative difference of two stiffnesses that are one

// Of an element: sum of the diagonal of Q, sum of squares of Q.
struct Stiffness {
  double trace, square;
  bool operator==(const Stiffness&) const = default;
  /// Q = trace/R 1.
  bool plain(int rows) const { return std::abs(rows * square - trace * trace) <= same * trace * trace; }
};

Stiffness measure(const double* q, int rows) {
  Stiffness out{0, 0};
  for (int r = 0; r < rows; ++r) out.trace += q[r * (rows + 1)];
  for (int s = 0; s < rows * rows; ++s) out.square += q[s] * q[s];
  return out;
}

std::uint64_t stamp_of(const Elements& elements) {
  Stamp stamp;
  stamp.add(static_cast<int>(elements.kind())), stamp.add(elements.size());
  for (int i = 0; i < elements.size(); ++i) {
    for (const int v : elements.vertices(i)) stamp.add(v);
    for (const double c : elements.coefficients(i)) stamp.add(c);
    stamp.add(elements.measure(i));
  }
  return stamp.value();
}

class ReducedSubspace final : public Subspace {
 public:
  ReducedSubspace(std::unique_ptr<const Reduction> reduction, const Model& model, ThreadPool& pool)
      : reduction_(std::move(reduction)), positions_(reduction_->positions()), pool_(pool) {
    for (const Term& term : model.terms) stamps_.push_back(stamp_of(term.elements));
    terms_.resize(model.terms.size());
    mass_ = model.mass;
    inertia_ = WideProduct(positions_.mass());
    if (reduction_->settings().interaction == Interaction::target)
      moved_ = std::make_unique<MovedTarget>(positions_, mass_, reduction_->mass(), reduction_->settings(), pool);
    find_translation(model);
    update(model, pool);
    for (std::size_t t = 0; t < terms_.size(); ++t) note_stiffness(t);
  }

  std::ptrdiff_t size() const override { return 3 * static_cast<std::ptrdiff_t>(positions_.rows()); }
  void lift(const double* q, double* x) const override { positions_.lift(q, x, pool_); }
  void lift(std::span<const int> vertices, const double* q, double* rows) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l) {
      std::fill_n(rows + 4 * l, 3, 0.0);
      positions_.each_weight(vertices[l], [&](int row, double w) {
        for (int k = 0; k < 3; ++k) rows[4 * l + k] += w * q[3 * row + k];
      });
    }
  }
  void pull_back(const double* force, double* g) const override { positions_.pull_back(force, g, pool_); }
  void pull_back(std::span<const int> vertices, const double* rows, double* g) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l)
      positions_.each_weight(vertices[l], [&](int row, double w) {
        for (int k = 0; k < 3; ++k) g[3 * row + k] += w * rows[4 * l + k];
      });
  }
  void weights(int vertex, std::vector<std::pair<int, double>>& out) const override {
    out.clear();
    positions_.each_weight(vertex, [&](int row, double w) { out.emplace_back(row, w); });
  }
  void inertia(const double* a, double* p) const override { inertia_.multiply(a, p, pool_); }
  void solve_inertia(const double* p, double* a) const override { positions_.solve_mass(p, a, pool_); }
  void prescribe(double, double*, double*) const override {}
  bool prescribed(std::ptrdiff_t) const override { return false; }
  std::span<const double> vertex_mass() const override { return {}; }

  // Terms with other elements than those that it was made for (constraints that came while it runs) are evaluated
  // whole.
  void update(const Model& model, ThreadPool&) override {
    model_ = &model;
    const std::vector<int> component = connected_components(model);
    component_.assign(positions_.rows(), 0);
    for (int a = 0; a < positions_.handles(); ++a)
      for (int k = 0; k < 4; ++k)
        if (const int row = positions_.row(a, k); row >= 0) component_[row] = component[reduction_->handles()[a]];
    find_origins();
    sample_.terms.assign(model.terms.size(), {});
    std::vector<char> met(model.vertex_count(), 0);
    for (std::size_t t = 0; t < model.terms.size(); ++t)
      if (model.terms[t].elements.translation_free()) take_samples(model.terms[t].elements, t, met);
    for (std::size_t t = 0; t < model.terms.size(); ++t)
      if (!model.terms[t].elements.translation_free()) take_points(model.terms[t], t, met);
    if (!moved_) return;
    std::vector<int> sampled;
    for (int v = 0; v < model.vertex_count(); ++v)
      if (met[v] != 0) sampled.push_back(v);
    moved_->update(model, sampled);
  }
  bool moves_target() const override { return moved_ != nullptr; }
  void move_target(Stage& stage) override {
    if (moved_) moved_->move(*model_, stage);
  }
  std::span<const int> row_component() const override { return component_; }
  std::span<const double> translation() const override { return translation_; }
  void project(const double* x, double* q) const override { positions_.project(mass_, x, q, pool_); }

  const SampledElements& sample() const override { return sample_; }
  void list(std::span<const int> vertices) override { listed_ = PartialLift(positions_, vertices); }
  void begin_lift(const double* q) override { listed_.begin(q); }
  void lift_listed(int first, int last, double* rows) const override { listed_.lift_part(first, last, rows); }
  void pull_back_listed(const double* rows, double* g, ThreadPool& pool) const override {
    listed_.add_pull_back(rows, g, pool);
  }

  SymmetricMatrix constant_matrix(double tau, Subspace::Stiffness stiffness, ThreadPool& pool) override {
    SymmetricMatrix out = reduction_->mass();
    for (double& value : out.value) value /= tau * tau;
    std::vector<int> others;
    for (int t = 0; t < std::ssize(origin_); ++t) {
      if (origin_[t] < 0) others.push_back(t);
      else find_scale(t, stiffness, pool), add(stiffness_of(origin_[t]), terms_[origin_[t]].scale, out);
    }
    products_.clear();
    return others.empty() ? out : with_others(out, others, stiffness);
  }

  bool fits(int term) const override {
    return origin_[term] >= 0 && !reduction_->terms()[origin_[term]].fit.empty();
  }
  void arrange(int term, std::span<const int> places) override {
    Changed& changed = terms_[origin_[term]];
    ProjectionFit next = reduction_->terms()[origin_[term]].fit.arranged(places);
    if (changed.stiffness) next.adopt(changed.fit);
    changed.fit = std::move(next);
  }
  void take_projections(int term, int pack, const double* p) override { terms_[origin_[term]].fit.take(pack, p); }
  // A (q - target) + L target is as exact as inertia and L q by themselves, and one product in place of two.
  void begin_fitted(double tau, const double* target, ThreadPool& pool) override {
    gap_.resize(size()), product_.resize(size()), at_target_.resize(size());
    target_.assign(target, target + size());
    if (products_.size() > 1 && products_[1].tau == tau) std::swap(products_[0], products_[1]);
    if (products_.empty() || products_[0].tau != tau) add_products(tau);
    products_[0].stiffness.multiply(target, at_target_.data(), pool);
    list_jobs();
  }
  void fitted_gradient(const double* q, double* g, ThreadPool& pool) override {
    for (std::size_t i = 0; i < gap_.size(); ++i) gap_[i] = q[i] - target_[i];
    const WideProduct& whole = products_[0].whole;
    pool.parallel(static_cast<int>(first_jobs_.size()), [&](int i) {
      const Job& job = first_jobs_[i];
      if (job.term < 0) whole.multiply_part(job.part, gap_.data(), product_.data());
      else terms_[job.term].fit.sum_columns(job.part);
    });
    pool.parallel(static_cast<int>(second_jobs_.size()), [&](int i) {
      const Job& job = second_jobs_[i];
      terms_[job.term].fit.sum_components(job.part);
    });
    const int rows = positions_.rows();
    pool.parallel(ProjectionFit::row_parts(rows), [&](int part) {
      const int end = 3 * ProjectionFit::row_begin(rows, part + 1);
      for (int i = 3 * ProjectionFit::row_begin(rows, part); i < end; ++i) g[i] = product_[i] + at_target_[i];
      for (const int of : fitted_) terms_[of].fit.add_rows(part, -terms_[of].scale, g);
    });
  }

 private:
  // What a term has become since the reduction was made.
  struct Changed {
    double scale = 1;
    std::vector<resilin::Stiffness> first, now;  // of elements: as precomputed; that `stiffness` was made for
    std::unique_ptr<SymmetricMatrix> stiffness;  // in place of that of the reduction, where no scale leads to it
    Elastic elastic;                             // that the reduction was made of
    ProjectionFit fit;                           // with samples as they stand in packs
  };

  // Of the terms that fit: sum of scaled L, and with M/tau^2. Two, since an integrator may alternate between two
  // steps.
  struct Products {
    double tau;
    WideProduct stiffness, whole;
  };
  // A part of the first or second region of fitted_gradient; of no term: of the product.
  struct Job {
    int term, part;  // term: of the reduction
  };

  void add_products(double tau) {
    SymmetricMatrix sum = reduction_->mass();
    sum.clear();
    for (const int of : fitted_) add(stiffness_of(of), terms_[of].scale, sum);
    Products products{tau, WideProduct(sum), {}};
    for (std::size_t i = 0; i < sum.value.size(); ++i) sum.value[i] += reduction_->mass().value[i] / (tau * tau);
    products.whole = WideProduct(sum);
    products_.insert(products_.begin(), std::move(products));
    if (products_.size() > 2) products_.pop_back();
  }
  void list_jobs() {
    first_jobs_.clear(), second_jobs_.clear();
    for (int part = 0; !products_.empty() && part < products_[0].whole.parts(); ++part)
      first_jobs_.push_back({-1, part});
    for (const int of : fitted_) {
      for (int part = 0; part < terms_[of].fit.column_parts(); ++part) first_jobs_.push_back({of, part});
      for (int part = 0; part < terms_[of].fit.component_parts(); ++part) second_jobs_.push_back({of, part});
    }
  }
  static void add(const SymmetricMatrix& matrix, double scale, SymmetricMatrix& to) {
    for (std::size_t i = 0; i < matrix.value.size(); ++i) to.value[i] += scale * matrix.value[i];
  }

  // The term of the reduction that each of the model's is, by its elements.
  void find_origins() {
    origin_.assign(model_->terms.size(), -1), fitted_.clear();
    std::vector<char> taken(stamps_.size(), 0);
    for (std::size_t t = 0; t < origin_.size(); ++t) {
      const std::uint64_t stamp = stamp_of(model_->terms[t].elements);
      for (std::size_t of = 0; of < stamps_.size() && origin_[t] < 0; ++of)
        if (taken[of] == 0 && stamps_[of] == stamp) origin_[t] = static_cast<int>(of), taken[of] = 1;
      if (fits(static_cast<int>(t))) fitted_.push_back(origin_[t]);
    }
  }
  SymmetricMatrix with_others(const SymmetricMatrix& matrix, std::span<const int> terms,
                              Subspace::Stiffness stiffness) const;

  const SymmetricMatrix& stiffness_of(int t) const {
    return terms_[t].stiffness ? *terms_[t].stiffness : reduction_->terms()[t].stiffness;
  }

  // Weights sum to one: no modes of snapshots are among them.
  bool plain() const {
    for (int v = 0; v < positions_.vertices(); ++v) {
      double sum = 0;
      for (const double w : positions_.weights_of(v)) sum += w;
      if (!(std::abs(sum - 1) < 1e-9)) return false;
    }
    return true;
  }

  void find_translation(const Model& model) {
    translation_.assign(positions_.rows(), 0.0);
    bool all = plain();
    for (int a = 0; a < positions_.handles(); ++a)
      if (const int row = positions_.row(a, 0); row >= 0) translation_[row] = 1;
      else all = false;
    if (all) return;  // weights sum to one
    const std::vector<double> ones(model.rest.size(), 1.0);
    std::vector<double> q(size());
    project(ones.data(), q.data());
    for (std::size_t row = 0; row < translation_.size(); ++row) translation_[row] = q[3 * row];
  }

  static void take_all(const Elements& elements, SampledElements::OfTerm& to, std::vector<char>& met) {
    for (int i = 0; i < elements.size(); ++i) {
      to.elements.push_back(i), to.factor.push_back(1), to.place.push_back(i);
      for (const int v : elements.vertices(i)) met[v] = 1;
    }
  }
  void take_samples(const Elements& elements, std::size_t t, std::vector<char>& met) {
    SampledElements::OfTerm& to = sample_.terms[t];
    if (origin_[t] < 0) return take_all(elements, to, met);
    const ElementSamples& samples = reduction_->terms()[origin_[t]].samples;
    std::vector<int> order(samples.element.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return samples.element[a] < samples.element[b]; });
    for (const int i : order) {
      to.elements.push_back(samples.element[i]);
      to.factor.push_back(samples.measure[i] / elements.measure(samples.element[i]));
      to.place.push_back(i);
      for (const int v : elements.vertices(samples.element[i])) met[v] = 1;
    }
  }

  // All that hold (pins); of those that stand in no constant matrix (obstacles) the vertices that are lifted
  // anyway, each for as many.
  void take_points(const Term& term, std::size_t t, const std::vector<char>& met) {
    SampledElements::OfTerm& to = sample_.terms[t];
    double q = 0;
    for (const auto& potential : term.elastic) {
      double one[9];
      if (term.elements.size() > 0) potential->quadratic(0, 1, one), q += one[0];
    }
    if (q == 0 && moved_) return;  // it moves the target
    int counted = 0;
    for (int i = 0; i < term.elements.size(); ++i) counted += met[term.elements.vertices(i)[0]];
    for (int i = 0; i < term.elements.size(); ++i) {
      if (q == 0 && counted > 0 && met[term.elements.vertices(i)[0]] == 0) continue;
      to.place.push_back(static_cast<int>(to.elements.size()));
      to.elements.push_back(i);
      to.factor.push_back(q == 0 && counted > 0 ? static_cast<double>(term.elements.size()) / counted : 1);
    }
  }

  // As the reduction has it.
  void note_stiffness(std::size_t t) {
    const Term& term = model_->terms[t];
    for (int i = 0; i < term.elements.size(); ++i) {
      double q[9] = {};
      add_quadratic(term.elastic, term.elements.rows(), i, q);
      terms_[t].first.push_back(measure(q, term.elements.rows()));
    }
    terms_[t].elastic = term.elastic;
  }
  // How the stiffness of a term is to that of the reduction: one number, or else its matrix and its fit are made
  // anew. It depends on the model alone and not on what it was in between, as in a run that was resumed.
  void find_scale(int t, Subspace::Stiffness stiffness, ThreadPool& pool) {
    const Elements& elements = model_->terms[t].elements;
    Changed& term = terms_[origin_[t]];
    const int rows = elements.rows();
    double q[9], scale = -1;
    bool uniform = true;
    std::vector<resilin::Stiffness> now;
    for (int i = 0; i < elements.size(); ++i) {
      stiffness(t, i, q);
      const auto& [trace, square] = now.emplace_back(measure(q, rows));
      const auto& before = term.first[i];
      if (scale < 0 && before.trace > 0) scale = trace / before.trace;
      uniform = uniform && std::abs(trace - std::max(0.0, scale) * before.trace) <= same * trace &&
                std::abs(square - scale * scale * before.square) <= same * square;
    }
    term.scale = uniform && scale >= 0 ? scale : 1;
    if (uniform && term.stiffness) {
      term.stiffness.reset();
      if (fits(t)) term.fit.adopt(reduction_->terms()[origin_[t]].fit);
    } else if (!uniform && !(term.stiffness && now == term.now)) {
      term.now = std::move(now);
      make_anew(t, stiffness, pool);
    }
  }
  void make_anew(int t, Subspace::Stiffness stiffness, ThreadPool& pool);
  void change_fit(int t, double factor, std::span<const double> more, std::span<const int> members,
                  ThreadPool& pool);

  std::unique_ptr<const Reduction> reduction_;
  const PositionSubspace& positions_;
  ThreadPool& pool_;
  const Model* model_ = nullptr;
  std::vector<int> component_;
  std::vector<double> mass_, translation_;
  SampledElements sample_;
  std::unique_ptr<ReducedSums> sums_;  // made when first needed
  PartialLift listed_;
  WideProduct inertia_;
  std::unique_ptr<MovedTarget> moved_;  // null: hands and obstacles have energies
  std::vector<std::uint64_t> stamps_;   // of the elements of the reduction's terms
  std::vector<Changed> terms_;          // by these
  std::vector<int> origin_;             // by the model's terms: which of these, -1: it came later
  std::vector<int> fitted_;             // those of them that are there and have a fit
  std::vector<Products> products_;      // the first is in use
  std::vector<Job> first_jobs_, second_jobs_;
  std::vector<double> target_, at_target_, gap_, product_;  // at_target_: L target
};

// Most elements change by one factor; sums run over the others only. Where Q is no multiple of 1, L is summed from
// all.
void ReducedSubspace::make_anew(int t, Subspace::Stiffness stiffness, ThreadPool& pool) {
  const Elements& elements = model_->terms[t].elements;
  Changed& term = terms_[origin_[t]];
  const int rows = elements.rows();
  std::vector<double> ratio, more(term.now.size(), 0.0);
  bool plain = true;
  for (std::size_t i = 0; i < term.now.size(); ++i) {
    plain = plain && term.now[i].plain(rows) && term.first[i].plain(rows);
    if (term.first[i].trace > 0) ratio.push_back(term.now[i].trace / term.first[i].trace);
  }
  const auto middle = ratio.begin() + std::ssize(ratio) / 2;
  if (!ratio.empty()) std::nth_element(ratio.begin(), middle, ratio.end());
  const double factor = ratio.empty() ? 0 : *middle;
  std::vector<int> members;
  for (std::size_t i = 0; i < term.now.size(); ++i) {
    const double gap = term.now[i].trace - factor * term.first[i].trace;
    if (std::abs(gap) <= same * term.now[i].trace) continue;
    more[i] = gap / rows, members.push_back(static_cast<int>(i));
  }
  if (!sums_) sums_ = std::make_unique<ReducedSums>(positions_, pool);
  auto matrix = std::make_unique<SymmetricMatrix>(reduction_->mass());  // the pattern is that of all terms
  matrix->clear();
  if (plain) {
    set_values(positions_,
               sums_->stiffness(
                   elements,
                   [&](int i, double* q) {
                     for (int r = 0; r < rows; ++r) q[r * (rows + 1)] = more[i];
                   },
                   members),
               *matrix);
    const SymmetricMatrix& before = reduction_->terms()[origin_[t]].stiffness;
    for (std::size_t i = 0; i < matrix->value.size(); ++i) matrix->value[i] += factor * before.value[i];
  } else {
    set_values(positions_, sums_->stiffness(elements, [&](int i, double* q) { stiffness(t, i, q); }), *matrix);
  }
  term.stiffness = std::move(matrix);
  if (fits(t)) change_fit(t, factor, more, members, pool);
}

void ReducedSubspace::change_fit(int t, double factor, std::span<const double> more, std::span<const int> members,
                                 ThreadPool& pool) {
  ProjectionFit& fit = terms_[origin_[t]].fit;
  RestProjections rest = rest_projections(*model_, t, terms_[origin_[t]].elastic, members, pool);
  if (fit.shapeless()) std::fill(rest.p.begin(), rest.p.end(), 0.0);
  const FittedElements fitted{model_->terms[t].elements,
                              reduction_->fit_weights(),
                              reduction_->fit_handles(),
                              rest.p,
                              more,
                              fit.constant()};
  fit.adopt(reduction_->terms()[origin_[t]].fit, factor, fitted, members, *sums_);
}

// Terms that came later reach handles that had nothing in common: the pattern grows.
SymmetricMatrix ReducedSubspace::with_others(const SymmetricMatrix& matrix, std::span<const int> terms,
                                             Subspace::Stiffness stiffness) const {
  std::vector<int> offset = {0}, members;
  for (int row = 0; row < matrix.size(); ++row)
    for (int s = matrix.start[row]; s < matrix.start[row + 1]; ++s) {
      members.insert(members.end(), {row, matrix.column[s]});
      offset.push_back(static_cast<int>(members.size()));
    }
  struct Entry {
    std::map<int, std::array<double, 3>> rows;  // (D U) of an element by row of unknowns
    double q[9];
    double measure;
    int size;
  };
  std::vector<Entry> entries;
  for (const int t : terms) {
    const Elements& elements = model_->terms[t].elements;
    for (int i = 0; i < elements.size(); ++i) {
      Entry entry{{}, {}, elements.measure(i), elements.rows()};
      stiffness(t, i, entry.q);
      if (std::all_of(entry.q, entry.q + entry.size * entry.size, [](double q) { return q == 0; })) continue;
      for (int a = 0; a < elements.corners(); ++a)
        positions_.each_weight(elements.vertices(i)[a], [&](int row, double w) {
          for (int r = 0; r < entry.size; ++r)
            entry.rows[row][r] += w * elements.coefficients(i)[r * elements.corners() + a];
        });
      for (const auto& [row, of] : entry.rows) members.push_back(row);
      offset.push_back(static_cast<int>(members.size()));
      entries.push_back(std::move(entry));
    }
  }
  SymmetricMatrix out(matrix.size(), 1, offset, members);
  out.clear();
  for (int row = 0; row < matrix.size(); ++row)
    for (int s = matrix.start[row]; s < matrix.start[row + 1]; ++s)
      out.value[out.find(row, matrix.column[s])] = matrix.value[s];
  for (const Entry& entry : entries)
    for (const auto& [row, left] : entry.rows)
      for (const auto& [column, right] : entry.rows) {
        if (column > row) break;
        double sum = 0;
        for (int r = 0; r < entry.size; ++r)
          for (int s = 0; s < entry.size; ++s) sum += left[r] * entry.q[r * entry.size + s] * right[s];
        out.value[out.find(row, column)] += entry.measure * sum;
      }
  return out;
}

}  // namespace

std::unique_ptr<Subspace> make_subspace(std::unique_ptr<const Reduction> reduction, const Model& model,
                                        ThreadPool& pool) {
  return std::make_unique<ReducedSubspace>(std::move(reduction), model, pool);
}

}  // namespace resilin
