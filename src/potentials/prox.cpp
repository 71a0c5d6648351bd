#include "potentials/prox.h"

#include <algorithm>

#include "potentials/dissipation.h"
#include "simd/mat3.h"
#include "simd/pack.h"
#include "simd/svd2.h"

namespace resilin {

Prox prox_method(const Term& term) {
  if (term.damping.empty() && term.elastic.size() == 1 && term.elastic[0]->projects()) return Prox::projection;
  if (!term.elastic.empty() && term.elastic[0]->response() == Response::hard) return Prox::nearest;
  if (term.elastic.empty() && term.damping.size() == 1 && term.damping[0]->has_local_step()) return Prox::own;
  const auto isotropic = [](const auto& potential) { return potential->reads(2) == Reads::stretches; };
  return std::all_of(term.elastic.begin(), term.elastic.end(), isotropic) &&
                 std::all_of(term.damping.begin(), term.damping.end(), isotropic)
             ? Prox::stretches
             : Prox::coordinates;
}

namespace {

constexpr double settled = 1e-6;  // a Newton step this small is the last: its error is of second order
constexpr int most_trials = 60;   // evaluations of a search, all lanes together
constexpr double enough = 1e-2;   // where factors are kept: a step this small against all before is the last
constexpr int chord = 8;          // trials with one Hessian, where factors are kept
constexpr double nearby = 0.1;  // a start is expected no further than this from the last minimiser, relative to it
constexpr double flattened = 1e-6;  // a third stretch this small against the first starts the search at
// This much of it: even energies have a maximum at zero, which has no slope to leave by.
constexpr double puffed = 1e-3;
constexpr double least_step = 1e-4;  // a lane whose step was cut below this keeps the best that it has

// Value and derivatives of psi in N variables for one pack: psi [8], gradient [N][8], hessian [N (N + 1)/2][8],
// lower triangle row by row.
template <int N>
struct Derivatives {
  static constexpr int pairs = N * (N + 1) / 2;
  const double *psi, *gradient, *hessian;
};

// L D L^T of H + w, laid out as its lower triangle: L below the diagonal, 1/D on it. Where psi is convex all pivots
// are at least w; a pivot that is not is turned or raised, so that directions descend.
template <int N>
void factorise(const double* hessian, Pack weight, double* factor) {
  Pack l[N][N];
  for (int i = 0, at = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j, ++at) l[i][j] = load(hessian + at * lanes) + (i == j ? weight : Pack{});
  for (int j = 0; j < N; ++j) {
    const Pack p = l[j][j];
    l[j][j] = 1.0 / select(p > 1e-3 * weight, p, max(abs(p), weight));
    for (int i = j + 1; i < N; ++i) {
      const Pack part = l[i][j] * l[j][j];
      for (int k = j + 1; k <= i; ++k) l[i][k] -= part * l[k][j];
    }
    for (int i = j + 1; i < N; ++i) l[i][j] *= l[j][j];
  }
  for (int i = 0, at = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j, ++at) store(factor + at * lanes, l[i][j]);
}

// d = -(L D L^T)^-1 g
template <int N>
void solve(const double* factor, const Pack g[N], Pack d[N]) {
  const auto l = [&](int i, int j) { return load(factor + (i * (i + 1) / 2 + j) * lanes); };
  for (int i = 0; i < N; ++i) {
    d[i] = -g[i];
    for (int j = 0; j < i; ++j) d[i] -= l(i, j) * d[j];
  }
  for (int i = N - 1; i >= 0; --i) {
    d[i] *= l(i, i);
    for (int j = i + 1; j < N; ++j) d[i] -= l(j, i) * d[j];
  }
}

// q is the best point of every lane, d the direction from there and alpha the step length to try next.
template <int N>
struct Search {
  static constexpr int pairs = Derivatives<N>::pairs;
  Pack v[N], start[N], q[N], d[N], weight, value = {}, slope = {}, alpha = broadcast(1.0);
  Mask active = first_lanes(lanes);

  Search(const double* wanted, Pack w, const double* from) : weight(w) {
    for (int i = 0; i < N; ++i)
      v[i] = load(wanted + i * lanes), q[i] = start[i] = load(from + i * lanes), d[i] = Pack{};
  }

  // z(v) = argmin psi + w/2 |z - v|^2 has dz/dv = w (H + w)^-1.
  void expect(const double* factor, const double* v_change, double* to) const {
    Pack g[N], move[N], squares = {}, size = {};
    for (int i = 0; i < N; ++i) g[i] = -weight * load(v_change + i * lanes);
    solve<N>(factor, g, move);
    for (int i = 0; i < N; ++i) squares += move[i] * move[i], size += q[i] * q[i];
    const Mask take = squares <= nearby * nearby * size;
    for (int i = 0; i < N; ++i) store(to + i * lanes, select(take, q[i] + move[i], q[i]));
  }

  void trial(double* to) const {
    for (int i = 0; i < N; ++i) store(to + i * lanes, q[i] + alpha * d[i]);
  }

  // psi and its gradient at the trial point are known: take it where it is low enough, else halve the step.
  // Directions come from the kept factor, or from a new one when there is a Hessian.
  void judge(const double* at, Pack psi, const double* gradient, const double* hessian, double* kept, bool first) {
    Pack x[N], g[N], next[N], spring = {};
    alignas(64) double factor[pairs * lanes];
    for (int i = 0; i < N; ++i) {
      x[i] = load(at + i * lanes);
      spring += (x[i] - v[i]) * (x[i] - v[i]);
      g[i] = load(gradient + i * lanes) + weight * (x[i] - v[i]);
    }
    const Pack f = psi + 0.5 * weight * spring;
    if (hessian != nullptr) factorise<N>(hessian, weight, factor);
    solve<N>(hessian != nullptr ? factor : kept, g, next);
    Pack squares = {}, size = {},
         fall = {};  // size: of the coordinates themselves, which may be lengths in any unit
    for (int i = 0; i < N; ++i)
      squares += next[i] * next[i], size += x[i] * x[i] + v[i] * v[i], fall += g[i] * next[i];
    const Pack allowance = 1e-14 * (abs(value) + weight * size);
    const Mask taken = first ? active : active & (f <= value + 1e-4 * alpha * slope + allowance);
    for (int i = 0; i < N; ++i) q[i] = select(taken, x[i], q[i]), d[i] = select(taken, next[i], d[i]);
    for (int i = 0; hessian != nullptr && kept != nullptr && i < pairs; ++i)
      store(kept + i * lanes, select(taken, load(factor + i * lanes), load(kept + i * lanes)));
    value = select(taken, f, value);
    slope = select(taken, fall, slope);
    Pack moved = {};
    for (int i = 0; kept != nullptr && i < N; ++i) moved += (x[i] - start[i]) * (x[i] - start[i]);
    const Mask last = taken & (squares <= max(settled * settled * size, enough * enough * moved));
    for (int i = 0; i < N; ++i) q[i] = select(last, q[i] + d[i], q[i]);
    alpha = select(taken, 1.0, 0.5 * alpha);
    active = active & !last & (alpha > least_step);
    alpha = select(active, alpha, Pack{});
  }
};

// What outlives a search, of one pack: its factor [N (N + 1)/2][8]; `known`: there is one. And how far v moved
// since.
struct Kept {
  double* factor = nullptr;
  char* known = nullptr;
  const double* v_change = nullptr;
};

// Newton's method on one pack with a step length for each lane; evaluate(q, hessian) returns Derivatives at the
// trial points q [N][8]. With a kept factor only every `chord`-th trial has a Hessian, and the first only if none
// is known: near the solution steps with an old one cost a fraction and end at the same point.
template <int N, class Evaluate>
void minimise(const double* v, Pack weight, double* q, const Kept& kept, Evaluate&& evaluate) {
  Search<N> search(v, weight, q);
  if (kept.v_change != nullptr && *kept.known != 0) search.expect(kept.factor, kept.v_change, q);
  for (int trials = 0; trials < most_trials && any(search.active); ++trials) {
    const bool hessian = kept.factor == nullptr || *kept.known == 0 || (trials > 0 && trials % chord == 0);
    const Derivatives<N> at = evaluate(q, hessian);
    search.judge(q, load(at.psi), at.gradient, hessian ? at.hessian : nullptr, kept.factor, trials == 0);
    search.trial(q);
    if (kept.known != nullptr) *kept.known = 1;
  }
  for (int i = 0; i < N; ++i) store(q + i * lanes, search.q[i]);
}

// Pack p of a block; what is only room for results is shared.
Block one_pack(const Block& block, int p) {
  Block one = block;
  one.packs = 1;
  one.first += p;
  const int coordinates = 3 * block.rows * lanes;
  if (one.z_origin != nullptr) one.z_origin += p * coordinates;
  if (one.z_velocity != nullptr) one.z_velocity += p * coordinates;
  if (one.guess != nullptr) one.guess += p * 4 * lanes;
  return one;
}

// z = (k p + w v)/(k + w): p(z) = p(v), because z lies between v and its nearest point (X44).
void by_projection(const TermKernels& kernels, Block& at_v, const ProxArrays& arrays) {
  const int components = 3 * at_v.rows;
  decompose(kernels, at_v, 1);
  alignas(64) double projected[block_packs * 9 * lanes];
  kernels.elastic()[0]->project(at_v, projected);
  for (int p = 0; p < at_v.packs; ++p) {
    const Pack k = load(arrays.stiffness + p * lanes), w = load(arrays.weight + p * lanes), inverse = 1.0 / (k + w);
    for (int i = p * components; i < (p + 1) * components; ++i)
      store(arrays.z + i * lanes, (k * load(projected + i * lanes) + w * load(arrays.v + i * lanes)) * inverse);
  }
}

template <int R>
void search_stretches(const TermKernels& kernels, const Block& at_v, const ProxArrays& arrays, int p, double* s) {
  constexpr int pairs = R * (R + 1) / 2;
  alignas(64) double hessian[pairs * lanes];
  Block work = one_pack(at_v, p);
  work.s = s;
  work.dpsi_z = work.d2psi_z = nullptr;
  minimise<R>(at_v.s + p * R * lanes, load(arrays.weight + p * lanes), s, {}, [&](const double*, bool) {
    std::fill_n(work.psi, lanes, 0.0);
    std::fill_n(work.dpsi_s, R * lanes, 0.0);
    std::fill_n(work.d2psi_s, pairs * lanes, 0.0);
    for (const auto& kernel : kernels.elastic()) kernel->evaluate(work);
    for (const auto& kernel : kernels.damping()) kernel->evaluate(work);
    // 00 11 22 12 02 01, or 00 11 01, as a lower triangle
    static constexpr int order[2][6] = {{0, 2, 1, -1, -1, -1}, {0, 5, 1, 4, 3, 2}};
    for (int i = 0; i < pairs; ++i) std::copy_n(work.d2psi_s + order[R - 2][i] * lanes, lanes, hessian + i * lanes);
    return Derivatives<R>{work.psi, work.dpsi_s, hessian};
  });
}

// psi depends on stretches only, so z has the singular vectors of v: z = u diag(s) v^T.
template <int R>
void by_stretches(const TermKernels& kernels, Block& at_v, const ProxArrays& arrays) {
  decompose(at_v);
  alignas(64) double s[block_packs * R * lanes];
  for (int p = 0; p < at_v.packs; ++p)  // start: the diagonal of u^T z v, which is near when v moved little
    for (int i = 0; i < R; ++i) {
      Pack sum = {};
      for (int r = 0; r < R; ++r)
        for (int c = 0; c < 3; ++c)
          sum += load(at_v.u + (p * R * R + R * r + i) * lanes) * load(arrays.z + (p * 3 * R + 3 * r + c) * lanes) *
                 load(at_v.v + (p * 3 * R + R * c + i) * lanes);
      if (i == R - 1) {
        const Pack first = load(s + p * R * lanes);
        sum = select(abs(sum) <= flattened * first, puffed * first, sum);
      }
      store(s + (p * R + i) * lanes, sum);
    }
  for (int p = 0; p < at_v.packs; ++p) search_stretches<R>(kernels, at_v, arrays, p, s + p * R * lanes);
  for (int p = 0; p < at_v.packs; ++p) {
    Pack u[R * R], v[3 * R], stretch[R], z[3 * R];
    load_pack<R * R>(at_v.u, p, u);
    load_pack<3 * R>(at_v.v, p, v);
    load_pack<R>(s, p, stretch);
    if constexpr (R == 3) multiply_diagonal_nt(u, stretch, v, z);
    else compose2(u, stretch, v, z);
    store_pack<3 * R>(z, p, arrays.z);
  }
}

template <int R>
void by_coordinates(const TermKernels& kernels, const Block& block, const ProxArrays& arrays) {
  constexpr int n = 3 * R * lanes;
  for (int p = 0; p < block.packs; ++p) {
    Block work = one_pack(block, p);
    work.filter = true;
    Kept kept;
    if (arrays.factor != nullptr)
      kept = {arrays.factor + p * prox_factor(R) * lanes, arrays.known + p,
              arrays.v_change != nullptr ? arrays.v_change + p * n : nullptr};
    minimise<3 * R>(arrays.v + p * n, load(arrays.weight + p * lanes), arrays.z + p * n, kept,
                    [&](const double* z, bool hessian) {
                      work.z = z;
                      evaluate(kernels, work, hessian ? 2 : 1);
                      return Derivatives<3 * R>{work.psi, work.dpsi_z, work.d2psi_z};
                    });
  }
}

}  // namespace

void prox(const TermKernels& kernels, Prox method, const Block& block, const ProxArrays& arrays) {
  Block work = block;
  work.z = arrays.v;
  if (method == Prox::projection) by_projection(kernels, work, arrays);
  else if (method == Prox::own) kernels.damping()[0]->local_step(work, arrays.weight, arrays.z);
  else if (method == Prox::nearest) kernels.elastic()[0]->project(work, arrays.z);
  else if (method == Prox::stretches)
    block.rows == 3 ? by_stretches<3>(kernels, work, arrays) : by_stretches<2>(kernels, work, arrays);
  else if (block.rows == 3) by_coordinates<3>(kernels, work, arrays);
  else if (block.rows == 2) by_coordinates<2>(kernels, work, arrays);
  else by_coordinates<1>(kernels, work, arrays);
}

}  // namespace resilin
