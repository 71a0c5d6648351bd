#include "solvers/local/constraint_term.h"

#include <algorithm>

#include "simd/pack.h"

namespace resilin {
namespace {

constexpr int part_packs = 8;          // packs of a group that one thread takes at a time
constexpr double least_pivot = 1e-13;  // of its diagonal: below, a constraint adds nothing to those before it

// c_ra of all corners; the first one of a translation-free element is what makes rows sum to zero.
template <int R, int N, bool TranslationFree>
RESILIN_INLINE void load_coefficients(const double* from, Pack c[R][N]) {
  constexpr int first = TranslationFree ? 1 : 0, stored = N - first;
  for (int r = 0; r < R; ++r) {
    Pack sum = {};
    for (int a = 0; a < stored; ++a)
      c[r][first + a] = load(from + (r * stored + a) * lanes), sum += c[r][first + a];
    if constexpr (TranslationFree) c[r][0] = -sum;
  }
}

template <int R, int N, bool TranslationFree>
RESILIN_INLINE void coordinates(const Pack c[R][N], Pack x[N][4], double* z) {
  constexpr int first = TranslationFree ? 1 : 0;
  if constexpr (TranslationFree)
    for (int a = 1; a < N; ++a)
      for (int k = 0; k < 3; ++k) x[a][k] -= x[0][k];
  for (int r = 0; r < R; ++r)
    for (int k = 0; k < 3; ++k) {
      Pack sum = c[r][first] * x[first][k];
      for (int a = first + 1; a < N; ++a) sum += c[r][a] * x[a][k];
      store(z + (3 * r + k) * lanes, sum);
    }
}

// a d = b by a = l diag l^T, symmetric and positive semidefinite; constraints that depend on earlier ones get d =
// 0.
template <int M>
RESILIN_INLINE void solve_small(Pack a[M][M], Pack d[M]) {
  Pack inverse[M];
  for (int j = 0; j < M; ++j) {
    Pack pivot = a[j][j];
    for (int i = 0; i < j; ++i) pivot -= a[j][i] * a[j][i] * inverse[i];
    const Mask some = pivot > least_pivot * a[j][j];
    inverse[j] = select(some, 1.0 / select(some, pivot, 1.0), 0.0);
    for (int i = j + 1; i < M; ++i)
      for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k] * inverse[k];
  }
  for (int j = 0; j < M; ++j)
    for (int i = 0; i < j; ++i) d[j] -= a[j][i] * inverse[i] * d[i];
  for (int j = M - 1; j >= 0; --j) {
    d[j] *= inverse[j];
    for (int i = j + 1; i < M; ++i) d[j] -= select(inverse[j] > 0.0, a[i][j] * inverse[j] * d[i], 0.0);
  }
}

// B_rs = sum_a w_a c_ra c_sa.
template <int R, int N>
RESILIN_INLINE void inverse_mass(const Pack c[R][N], const double* w, Pack b[R][R]) {
  for (int r = 0; r < R; ++r)
    for (int s = 0; s <= r; ++s) {
      Pack sum = load(w) * (c[r][0] * c[s][0]);
      for (int a = 1; a < N; ++a) sum += load(w + a * lanes) * (c[r][a] * c[s][a]);
      b[r][s] = b[s][r] = sum;
    }
}

// a_ij = dc_i : B dc_j, lower triangle.
template <int R, int M>
RESILIN_INLINE void constraint_matrix(const Pack b[R][R], const double* gradient, Pack a[M][M]) {
  constexpr int components = 3 * R;
  for (int j = 0; j < M; ++j) {
    const double* dc = gradient + j * components * lanes;
    Pack t[components];
    for (int r = 0; r < R; ++r)
      for (int k = 0; k < 3; ++k) {
        Pack sum = b[r][0] * load(dc + k * lanes);
        for (int s = 1; s < R; ++s) sum += b[r][s] * load(dc + (3 * s + k) * lanes);
        t[3 * r + k] = sum;
      }
    for (int i = j; i < M; ++i) {
      const double* other = gradient + i * components * lanes;
      Pack sum = load(other) * t[0];
      for (int n = 1; n < components; ++n) sum += load(other + n * lanes) * t[n];
      a[i][j] = sum;
    }
  }
}

// before + d becomes no longer than the limit.
template <int M>
RESILIN_INLINE void keep_on_disc(const Pack before[M], Pack limit, Pack d[M]) {
  Pack squares = {};
  for (int j = 0; j < M; ++j) squares += (before[j] + d[j]) * (before[j] + d[j]);
  const Pack length = sqrt(squares),
             part = select(length > limit, limit / select(length > limit, length, 1.0), 1.0);
  for (int j = 0; j < M; ++j) d[j] = part * (before[j] + d[j]) - before[j];
}

// dx_a = w_a sum_r c_ra sum_j dlambda_j dc_j/dz_r.
template <int R, int N, int M>
RESILIN_INLINE void vertex_steps(const Pack c[R][N], const double* w, const double* gradient, const Pack d[M],
                                 Pack step[N][3]) {
  for (int k = 0; k < 3; ++k) {
    Pack s[R];
    for (int r = 0; r < R; ++r) {
      s[r] = d[0] * load(gradient + (3 * r + k) * lanes);
      for (int j = 1; j < M; ++j) s[r] += d[j] * load(gradient + (3 * (j * R + r) + k) * lanes);
    }
    for (int n = 0; n < N; ++n) {
      Pack sum = c[0][n] * s[0];
      for (int r = 1; r < R; ++r) sum += c[r][n] * s[r];
      step[n][k] = load(w + n * lanes) * sum;
    }
  }
}

}  // namespace

ConstraintTerm::ConstraintTerm(const Term& term, VisitOrder order) : order_(std::move(order)) {
  const Elements& elements = term.elements;
  rows_ = elements.rows(), corners_ = elements.corners();
  stored_ = elements.translation_free() ? corners_ - 1 : corners_;
  visit_ = with_shape(elements.kind(), []<ElementShape s>() -> VisitFunction {
    return &ConstraintTerm::visit_as<s.rows, s.corners, s.translation_free>;
  });
  for (const auto& potential : term.elastic) {
    Form form{potential->compliant_form(order_.slot_element), 0, false, nullptr, {}};
    form.slip = dynamic_cast<const SlipForm*>(form.form.get());
    form.constraints = form.form->constraints();
    form.one_sided = form.form->one_sided();
    form.lambda.resize(order_.packs() * form.constraints * lanes);
    forms_.push_back(std::move(form));
  }
  for (int pack = 0; pack < order_.packs(); ++pack) {
    const int* e = &order_.slot_element[pack * lanes];
    for (int a = 0; a < corners_; ++a)
      for (int l = 0; l < lanes; ++l) ids_.push_back(elements.vertices(e[l])[a]);
    for (int r = 0; r < rows_; ++r)
      for (int a = corners_ - stored_; a < corners_; ++a)
        for (int l = 0; l < lanes; ++l) coefficients_.push_back(elements.coefficients(e[l])[r * corners_ + a]);
    for (int l = 0; l < lanes; ++l) measure_.push_back(elements.measure(e[l]));
  }
}

void ConstraintTerm::begin(double time) {
  for (Form& form : forms_) {
    form.form->set_time(time);
    std::fill(form.lambda.begin(), form.lambda.end(), 0.0);
  }
}

// By the vertices of their elements.
std::map<std::vector<int>, std::size_t> ConstraintTerm::slots() const {
  std::map<std::vector<int>, std::size_t> out;
  for (std::size_t pack = 0; pack < order_.active.size(); ++pack)
    for (int lane = 0; lane < order_.active[pack]; ++lane) {
      std::vector<int> key;
      for (int a = 0; a < corners_; ++a) key.push_back(ids_[(pack * corners_ + a) * lanes + lane]);
      out.emplace(std::move(key), pack * lanes + lane);
    }
  return out;
}

void ConstraintTerm::take_multipliers(const ConstraintTerm& from) {
  const auto old = from.slots();
  for (const auto& [key, slot] : slots()) {
    const auto found = old.find(key);
    if (found == old.end()) continue;
    for (std::size_t f = 0; f < forms_.size(); ++f)
      for (int j = 0; j < forms_[f].constraints; ++j)
        forms_[f].lambda[(slot / lanes * forms_[f].constraints + j) * lanes + slot % lanes] =
            from.multiplier(static_cast<int>(f), j, static_cast<int>(found->second));
  }
}

std::ptrdiff_t ConstraintTerm::constraints() const {
  std::ptrdiff_t elements = 0, each = 0;
  for (const int active : order_.active) elements += active;
  for (const Form& form : forms_) each += form.constraints;
  return elements * each;
}

double ConstraintTerm::multiplier(int form, int j, int slot) const {
  const Form& f = forms_[form];
  return f.lambda[(slot / lanes * f.constraints + j) * lanes + slot % lanes];
}

void ConstraintTerm::iterate(const Space& space, const Visit& visit) {
  for (int group = 0; group < order_.groups(); ++group) {
    const int begin = order_.group_start[group], end = order_.group_start[group + 1];
    for (Form& form : forms_) {
      const int step = visit.coupled || form.slip != nullptr ? form.constraints : 1;
      for (int j = 0; j < form.constraints; j += step)
        space.parallel((end - begin + part_packs - 1) / part_packs, [&](int part) {
          const int last = std::min(end, begin + (part + 1) * part_packs);
          for (int pack = begin + part * part_packs; pack < last; pack += block_packs)
            (this->*visit_)(visit, form, {pack, std::min(block_packs, last - pack), j, j + step});
        });
    }
  }
}

template <int R, int N, bool TranslationFree>
void ConstraintTerm::visit_as(const Visit& visit, Form& form, const Range& range) {
  constexpr int components = 3 * R;
  alignas(64) double z[block_packs * components * lanes], moved[block_packs * components * lanes];
  alignas(64) double value[block_packs * most_constraints * lanes],
      stiffness[block_packs * most_constraints * lanes];
  alignas(64) double gradient[block_packs * most_constraints * components * lanes];
  alignas(64) double w[block_packs * N * lanes];
  for (int p = 0; p < range.packs; ++p) {
    const std::size_t pack = static_cast<std::size_t>(range.first) + p;
    Pack c[R][N], x[N][4];
    load_coefficients<R, N, TranslationFree>(&coefficients_[pack * R * stored_ * lanes], c);
    gather_rows<N>(visit.x, &ids_[pack * N * lanes], x);
    for (int a = 0; a < N; ++a) store(w + (p * N + a) * lanes, x[a][3]);
    coordinates<R, N, TranslationFree>(c, x, z + p * components * lanes);
    if (!(visit.gamma > 0)) continue;
    gather_rows<N>(visit.origin, &ids_[pack * N * lanes], x);
    coordinates<R, N, TranslationFree>(c, x, moved + p * components * lanes);
    for (int n = p * components; n < (p + 1) * components; ++n)
      store(moved + n * lanes, load(z + n * lanes) - load(moved + n * lanes));
  }
  Block block;
  block.rows = R, block.packs = range.packs, block.first = range.first, block.z = z;
  form.form->evaluate(block, {value, gradient, stiffness});
  const Local local{w, moved, value, gradient, stiffness};
  const int m = range.end - range.begin;
  if (m == 1) solve<R, N, TranslationFree, 1>(visit, form, range, local);
  else if (m == 2) solve<R, N, TranslationFree, 2>(visit, form, range, local);
  else solve<R, N, TranslationFree, 3>(visit, form, range, local);
}

template <int R, int N, bool TranslationFree, int M>
void ConstraintTerm::solve(const Visit& visit, Form& form, const Range& range, const Local& local) {
  constexpr int components = 3 * R;
  for (int p = 0; p < range.packs; ++p) {
    const std::size_t pack = static_cast<std::size_t>(range.first) + p;
    const int first = p * form.constraints + range.begin;
    const double *gradient = local.gradient + first * components * lanes, *w = local.w + p * N * lanes;
    Pack c[R][N], b[R][R], a[M][M], d[M];
    load_coefficients<R, N, TranslationFree>(&coefficients_[pack * R * stored_ * lanes], c);
    inverse_mass<R, N>(c, w, b);
    constraint_matrix<R, M>(b, gradient, a);
    for (int j = 0; j < M; ++j) d[j] = -load(local.value + (first + j) * lanes);
    if (visit.gamma > 0)
      for (int j = 0; j < M; ++j) {
        for (int i = j; i < M; ++i) a[i][j] = (1 + visit.gamma) * a[i][j];
        Pack rate = {};
        for (int n = 0; n < components; ++n)
          rate += load(gradient + (j * components + n) * lanes) * load(local.moved + (p * components + n) * lanes);
        d[j] -= visit.gamma * rate;
      }
    Pack before[M] = {};
    double* lambda = &form.lambda[(pack * form.constraints + range.begin) * lanes];
    if (visit.compliant) {
      const Pack weight = load(&measure_[pack * lanes]) * (visit.tau * visit.tau);
      for (int j = 0; j < M; ++j) {
        const Pack alpha = 1.0 / max(load(local.stiffness + (first + j) * lanes) * weight, 1e-300);
        before[j] = load(lambda + j * lanes);
        d[j] -= alpha * before[j];
        a[j][j] += alpha;
      }
    }
    solve_small<M>(a, d);
    for (int j = 0; j < M; ++j) {
      d[j] = select(load(local.stiffness + (first + j) * lanes) > 0.0, visit.share * d[j], 0.0);
      if (form.one_sided) d[j] = max(d[j], -before[j]);
    }
    if (form.slip != nullptr)
      keep_on_disc<M>(before, load(form.slip->limits(static_cast<int>(pack))) * (visit.tau * visit.tau), d);
    for (int j = 0; j < M && visit.compliant; ++j) store(lambda + j * lanes, before[j] + d[j]);
    Pack step[N][3];
    vertex_steps<R, N, M>(c, w, gradient, d, step);
    scatter_add<N>(visit.x, &ids_[pack * N * lanes], step, order_.active[pack]);
  }
}

}  // namespace resilin
