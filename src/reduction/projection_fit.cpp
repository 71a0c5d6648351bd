#include "reduction/projection_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reduction/reduced_sums.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// Of squares: what is less is round-off. Principal components of less than this of the largest say nothing.
constexpr double dependent = 1e-12, insignificant = 1e-10;
// A component of which the samples see less than this (1: as much as there is of it in the body), besides what they
// take for more significant ones, is left out: the fit would blow up by its inverse whatever the space does not
// hold.
constexpr double unseen = 0.01;
constexpr int moments = 12, moment_row = 16;  // of a sample; a row is two packs
constexpr int row_block = 4, most_parts = 8;

int padded(int count) { return (count + lanes - 1) / lanes * lanes; }

// Root of the mean square of p, so that the constant column weighs as much as the others whatever their unit is.
double constant_of(const Elements& elements, const RestProjections& rest) {
  double sum = 0, total = 0;
  const std::size_t each = 3 * rest.rows;
  for (int i = 0; i < elements.size(); ++i) {
    for (std::size_t s = 0; s < each; ++s) {
      const double p = rest.p[i * each + s];
      sum += elements.measure(i) * p * p;
    }
    total += elements.measure(i) * static_cast<double>(each);
  }
  return sum > 0 && total > 0 ? std::sqrt(sum / total) : 1;
}

// Combinations of the columns that are affine on a whole component, as orthonormal columns.
DenseMatrix affine_columns(const DenseMatrix& gram, const FitSpace& space) {
  DenseMatrix all(gram.rows, 4 * space.components);
  for (std::size_t j = 0; j < space.component.size(); ++j)
    for (int q = 0; q < 4; ++q) all(4 * static_cast<int>(j) + q, 4 * space.component[j] + q) = 1;
  const DenseMatrix square = multiply_transposed(all, multiply(gram, all));
  std::vector<double> least;
  for (int i = 0; i < square.rows; ++i) least.push_back(dependent * square(i, i));
  const IndependentColumns kept = independent_columns(square, least);
  DenseMatrix out(gram.rows, static_cast<int>(kept.kept.size()));
  for (int j = 0; j < out.columns; ++j)  // all L^-T, column by column
    for (int i = 0; i < out.rows; ++i) {
      double sum = all(i, kept.kept[j]);
      for (int l = 0; l < j; ++l) sum -= out(i, l) * kept.factor(j, l);
      out(i, j) = sum / kept.factor(j, j);
    }
  return out;
}

// V as combinations of the columns w_ij {c, p}: the affine ones, then principal components of what is orthogonal to
// them, all orthonormal.
struct Components {
  DenseMatrix columns;
  int affine;
};
Components principal_components(const DenseMatrix& gram, const FitSpace& space) {
  const DenseMatrix affine = affine_columns(gram, space);
  const DenseMatrix shadow = multiply_transposed(affine, gram);  // of all columns on the affine ones
  DenseMatrix rest = gram;
  const DenseMatrix square = multiply_transposed(shadow, shadow);
  for (std::size_t i = 0; i < rest.value.size(); ++i) rest.value[i] -= square.value[i];
  DenseMatrix vectors;
  const std::vector<double> values = symmetric_eigen(rest, vectors);  // ascending
  const int wanted = static_cast<int>(std::ceil(space.fraction * gram.rows));
  const double largest = values.empty() ? 0 : values.back();
  std::vector<int> chosen;
  for (int i = gram.rows - 1; i >= 0 && affine.columns + static_cast<int>(chosen.size()) < wanted; --i)
    if (values[i] > insignificant * largest && values[i] > 0) chosen.push_back(i);
  const DenseMatrix turned = multiply(affine, multiply(shadow, vectors));
  DenseMatrix out(gram.rows, affine.columns + static_cast<int>(chosen.size()));
  std::copy(affine.value.begin(), affine.value.end(), out.value.begin());
  for (std::size_t c = 0; c < chosen.size(); ++c)
    for (int i = 0; i < gram.rows; ++i)
      out(i, affine.columns + static_cast<int>(c)) =
          (vectors(i, chosen[c]) - turned(i, chosen[c])) / std::sqrt(values[chosen[c]]);
  return {std::move(out), affine.columns};
}

// V^T J^T J V of the columns w_ij {c, p}.
DenseMatrix sample_gram(const FittedElements& f, const ElementSamples& samples) {
  DenseMatrix out(4 * f.handles, 4 * f.handles);
  const int rows = f.elements.rows();
  std::vector<std::pair<int, double>> weights;
  for (const int i : samples.element) {
    element_weights(f.weights, f.elements.vertices(i), weights);
    double square[16] = {};
    for (int r = 0; r < rows; ++r) {
      const double* p = &f.p[i * 3 * rows + 3 * r];
      const double v[4] = {f.constant, p[0], p[1], p[2]};
      for (int s = 0; s < 16; ++s) square[s] += v[s / 4] * v[s % 4];
    }
    for (const auto& [a, wa] : weights)
      for (const auto& [b, wb] : weights)
        for (int s = 0; s < 16; ++s) out(4 * a + s / 4, 4 * b + s % 4) += wa * wb * square[s];
  }
  return out;
}

void store_rows(const DenseMatrix& a, AlignedVector<double>& out) {
  const std::size_t width = padded(a.columns);
  out.assign(a.rows * width, 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) out[i * width + j] = a(i, j);
}

// y[i] = sum_j a_ij x[j] for three right-hand sides, x as three arrays of `width`, rows [first, first + count).
template <int count, class Put>
RESILIN_INLINE void dot_rows(const double* a, int width, const double* x, int first, Put&& put) {
  Pack sum[count][3] = {};
  for (int j = 0; j < width; j += lanes) {
    const Pack right[3] = {load(x + j), load(x + width + j), load(x + 2 * width + j)};
    for (int i = 0; i < count; ++i) {
      const Pack left = load(a + std::ptrdiff_t{first + i} * width + j);
      for (int c = 0; c < 3; ++c) sum[i][c] += left * right[c];
    }
  }
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) put(first + i, c, resilin::sum(sum[i][c]));
}

template <class Put>
void multiply_rows(const AlignedVector<double>& a, int first, int last, int width, const double* x, Put put) {
  for (; first + row_block <= last; first += row_block) dot_rows<row_block>(a.data(), width, x, first, put);
  for (; first < last; ++first) dot_rows<1>(a.data(), width, x, first, put);
}

}  // namespace

ProjectionFit::ProjectionFit(const Elements& elements, const RestProjections& rest, const ElementSamples& samples,
                             const FitSpace& space, const ReducedSums& sums)
    : rows_(rest.rows), samples_(static_cast<int>(samples.element.size())) {
  const auto handles = static_cast<int>(space.component.size());
  const FittedElements fitted{elements, space.weights, handles, rest.p, rest.k, constant_of(elements, rest)};
  const auto [all, affine] = principal_components(sums.gram(fitted), space);

  const DenseMatrix normal = multiply_transposed(all, multiply(sample_gram(fitted, samples), all));
  // A component that the samples see as well as the elements do has this square.
  const double full = samples_ / std::accumulate(samples.measure.begin(), samples.measure.end(), 0.0);
  std::vector<double> least;
  for (int j = 0; j < normal.columns; ++j) least.push_back(j < affine ? dependent * normal(j, j) : unseen * full);
  const IndependentColumns seen = independent_columns(normal, least);
  components_ = static_cast<int>(seen.kept.size());
  left_out_ = all.columns - components_;

  basis_ = DenseMatrix(all.rows, components_), gather_ = DenseMatrix(components_, all.rows);
  for (int j = 0; j < components_; ++j)
    for (int i = 0; i < all.rows; ++i) basis_(i, j) = gather_(j, i) = all(i, seen.kept[j]);
  seen.solve(gather_);
  constant_ = fitted.constant;
  set_samples(elements, rest, samples, space.weights, fitted.constant);
  set_matrices(multiply(sums.forces(fitted), basis_));
}

void ProjectionFit::set_samples(const Elements& elements, const RestProjections& rest,
                                const ElementSamples& samples, const HandleWeights& weights, double constant) {
  std::vector<std::vector<std::pair<int, double>>> by_sample(samples.element.size());
  int handles = 0;
  for (std::size_t s = 0; s < by_sample.size(); ++s) {
    element_weights(weights, elements.vertices(samples.element[s]), by_sample[s]);
    for (const auto& [a, w] : by_sample[s]) handles = std::max(handles, a + 1);
  }
  std::vector<std::vector<std::pair<int, double>>> by_handle(handles);
  for (std::size_t s = 0; s < by_sample.size(); ++s)
    for (const auto& [a, w] : by_sample[s]) by_handle[a].emplace_back(static_cast<int>(s), w);
  start_.assign(1, 0);
  for (const auto& list : by_handle) {
    for (const auto& [s, w] : list) sample_.push_back(s), weight_.push_back(w);
    start_.push_back(static_cast<int>(sample_.size()));
  }
  const std::size_t packs = padded(samples_) / lanes, each = 4 * rows_;
  rest_.assign(packs * each * lanes, 0.0);
  for (std::size_t s = 0; s < samples.element.size(); ++s) {
    const double* p = &rest.p[samples.element[s] * 3 * rows_];
    for (int r = 0; r < rows_; ++r)
      for (int q = 0; q < 4; ++q)
        rest_[(s / lanes * each + 4 * r + q) * lanes + s % lanes] = q == 0 ? constant : p[3 * r + q - 1];
  }
}

// One product of two thin matrices, or the matrix that they make, whichever has fewer numbers.
void ProjectionFit::set_matrices(const DenseMatrix& spread) {
  positions_ = spread.rows, columns_ = gather_.columns;
  const auto count = [](int rows, int columns) { return static_cast<std::size_t>(rows) * padded(columns); };
  if (count(positions_, columns_) <= count(components_, columns_) + count(positions_, components_)) {
    store_rows(multiply(spread, gather_), spread_);
    collect_.clear();
  } else {
    store_rows(gather_, collect_);
    store_rows(spread, spread_);
  }
  make_room();
}

void ProjectionFit::adopt(const ProjectionFit& before, double factor, const FittedElements& fitted,
                          std::span<const int> members, const ReducedSums& sums) {
  DenseMatrix more = multiply(sums.forces(fitted, members), basis_);
  if (collect_.empty()) more = multiply(more, gather_);
  const std::size_t width = padded(more.columns);
  for (int i = 0; i < more.rows; ++i)
    for (int j = 0; j < more.columns; ++j) {
      const std::size_t at = i * width + j;
      spread_[at] = factor * before.spread_[at] + more(i, j);
    }
}

bool ProjectionFit::shapeless() const {
  for (std::size_t i = 0; i < rest_.size(); ++i)
    if (i / lanes % 4 != 0 && rest_[i] != 0) return false;
  return true;
}

bool ProjectionFit::sound(int positions, int handles, int rows, std::ptrdiff_t samples) const {
  if (empty()) return samples_ == 0;
  const auto count = [](int height, int width) { return static_cast<std::size_t>(height) * padded(width); };
  const std::size_t packs = padded(samples_) / lanes;
  const auto whole = [](const DenseMatrix& m, int height, int width) {
    return m.rows == height && m.columns == width && m.value.size() == std::size_t(height) * width;
  };
  if (!whole(basis_, 4 * handles, components_) || !whole(gather_, components_, 4 * handles)) return false;
  if (samples_ != samples || rows_ != rows || positions_ != positions || columns_ != 4 * handles || components_ < 0)
    return false;
  if (start_.empty() || start_.size() > static_cast<std::size_t>(handles) + 1 || start_[0] != 0 ||
      !std::is_sorted(start_.begin(), start_.end()) || static_cast<std::size_t>(start_.back()) != sample_.size() ||
      weight_.size() != sample_.size() || rest_.size() != packs * 4 * rows_ * lanes)
    return false;
  if (std::any_of(sample_.begin(), sample_.end(), [&](int s) { return s < 0 || s >= samples_; })) return false;
  if (collect_.empty()) return spread_.size() == count(positions_, columns_);
  return collect_.size() == count(components_, columns_) && spread_.size() == count(positions_, components_);
}

void ProjectionFit::make_room() {
  if (empty()) return;
  moment_.assign(padded(samples_) * moment_row, 0.0);
  column_.assign(3 * padded(columns_), 0.0), component_.assign(3 * padded(components_), 0.0);
}

// {c, p_rest}^T p of every sample: 4 x 3.
void ProjectionFit::take(int pack, const double* p) const {
  const double* rest = &rest_[pack * 4 * rows_ * lanes];
  double* to = &moment_[pack * lanes * moment_row];
  Pack sum[moments] = {};
  for (int r = 0; r < rows_; ++r)
    for (int q = 0; q < 4; ++q)
      for (int x = 0; x < 3; ++x)
        sum[3 * q + x] += load(rest + (4 * r + q) * lanes) * load(p + (3 * r + x) * lanes);
  for (int m = 0; m < moments; ++m)
    for (int lane = 0; lane < lanes; ++lane) to[lane * moment_row + m] = sum[m][lane];
}

int ProjectionFit::column_parts() const { return std::min(most_parts, static_cast<int>(start_.size()) - 1); }

void ProjectionFit::sum_columns(int part) const {
  const int handles = static_cast<int>(start_.size()) - 1, parts = column_parts();
  const std::size_t width = padded(columns_);
  for (int j = handles * part / parts; j < handles * (part + 1) / parts; ++j) {
    Pack low = {}, high = {};
    for (int s = start_[j]; s < start_[j + 1]; ++s) {
      const double* from = &moment_[sample_[s] * moment_row];
      low += weight_[s] * load(from), high += weight_[s] * load(from + lanes);
    }
    alignas(64) double sum[moment_row];
    store(sum, low), store(sum + lanes, high);
    for (std::size_t m = 0; m < moments; ++m) column_[m % 3 * width + 4 * j + m / 3] = sum[m];
  }
}

int ProjectionFit::row_parts(int rows) { return std::clamp((rows + row_block - 1) / row_block, 1, most_parts); }
int ProjectionFit::row_begin(int rows, int part) {
  const int blocks = (rows + row_block - 1) / row_block;
  return std::min(rows, row_block * (blocks * part / row_parts(rows)));
}

int ProjectionFit::component_parts() const { return collect_.empty() ? 0 : row_parts(components_); }

void ProjectionFit::sum_components(int part) const {
  const std::size_t stride = padded(components_);
  multiply_rows(collect_, row_begin(components_, part), row_begin(components_, part + 1), padded(columns_),
                column_.data(), [&](int i, int c, double value) { component_[c * stride + i] = value; });
}

void ProjectionFit::add_rows(int part, double scale, double* r) const {
  const bool direct = collect_.empty();
  multiply_rows(spread_, row_begin(positions_, part), row_begin(positions_, part + 1),
                padded(direct ? columns_ : components_), direct ? column_.data() : component_.data(),
                [&](int i, int c, double value) { r[3 * i + c] += scale * value; });
}

void ProjectionFit::add(const double* p, double* r, ThreadPool& pool) const {
  for (int pack = 0; pack < padded(samples_) / lanes; ++pack) take(pack, p + pack * 3 * rows_ * lanes);
  pool.parallel(column_parts(), [&](int part) { sum_columns(part); });
  pool.parallel(component_parts(), [&](int part) { sum_components(part); });
  pool.parallel(row_parts(positions_), [&](int part) { add_rows(part, 1, r); });
}

ProjectionFit ProjectionFit::arranged(std::span<const int> places) const {
  ProjectionFit out = *this;
  const std::size_t each = 4 * rows_;
  std::vector<int> slot_of(samples_, 0);
  out.rest_.assign(places.size() * each, 0.0);
  for (std::size_t slot = 0; slot < places.size(); ++slot) {
    if (places[slot] < 0) continue;
    const std::size_t place = places[slot];
    slot_of[place] = static_cast<int>(slot);
    for (std::size_t i = 0; i < each; ++i)
      out.rest_[(slot / lanes * each + i) * lanes + slot % lanes] =
          rest_[(place / lanes * each + i) * lanes + place % lanes];
  }
  for (int& sample : out.sample_) sample = slot_of[sample];
  out.moment_.assign(places.size() * moment_row, 0.0);
  return out;
}

}  // namespace resilin
