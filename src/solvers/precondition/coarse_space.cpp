#include "solvers/precondition/coarse_space.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "linear/dense_kernels.h"
#include "potentials/evaluate.h"
#include "problem/element_sample.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr int chunk_vertices = 1024;  // a multiple of 8
constexpr int most_padded = 64, most_rows = 3;
constexpr int row_of[6] = {0, 1, 1, 2, 2, 2},
              column_of[6] = {0, 0, 1, 0, 1, 2};  // of blocks xx, yx, yy, zx, zy, zz

int lower(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

// sum_q t_q rows_q^T over `count` rows, added: k is [columns][padded].
void add_products(const double* t, const double* rows, int count, int columns, int padded, double* k) {
  for (int j = 0; j < columns; j += 4)
    for (int i = 0; i < padded; i += lanes) {
      Pack sum[4] = {};
      for (int q = 0; q < count; ++q) {
        const Pack left = load(t + q * padded + i);
        const double* right = rows + q * padded + j;
        for (int c = 0; c < 4; ++c) sum[c] += left * broadcast(right[c]);
      }
      for (int c = 0; c < std::min(4, columns - j); ++c) {
        double* to = k + (j + c) * padded + i;
        store(to, load(to) + sum[c]);
      }
    }
}

// The blocks (xx, yx, yy, zx, zy, zz) of sum weight P_t^T H_t P_t over the lanes of one pack: block (a, b) has
// sum_rs P_r^T H_(ra)(sb) P_s. `rows`: [8][R][padded].
void add_pack(const double* h, const double* weight, int element_rows, const double* rows, int columns, int padded,
              double* k) {
  alignas(64) double t[lanes * most_rows * most_padded];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b <= a; ++b, k += columns * padded) {
      for (int l = 0; l < lanes; ++l)
        for (int s = 0; s < element_rows; ++s) {
          double factor[most_rows];
          for (int r = 0; r < element_rows; ++r) factor[r] = weight[l] * h[lower(3 * r + a, 3 * s + b) * lanes + l];
          const double* p = rows + l * element_rows * padded;
          double* to = t + (l * element_rows + s) * padded;
          for (int i = 0; i < padded; i += lanes) {
            Pack sum = broadcast(factor[0]) * load(p + i);
            for (int r = 1; r < element_rows; ++r) sum += broadcast(factor[r]) * load(p + r * padded + i);
            store(to + i, sum);
          }
        }
      add_products(t, rows, lanes * element_rows, columns, padded, k);
    }
}

// L of an n x n row-major matrix, in place; columns with a pivot of at most `least` are left out (zero). False when
// one that `wanted` has is far smaller here.
bool factor_semidefinite(std::vector<double>& a, int n, double least, const std::vector<double>* wanted) {
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i)
      for (int k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    const double pivot = a[j * n + j];
    const bool use = wanted == nullptr ? pivot > least : (*wanted)[j * n + j] > 0;
    if (use && wanted != nullptr && !(pivot > 0.1 * std::pow((*wanted)[j * n + j], 2))) return false;
    for (int i = j; i < n; ++i) a[i * n + j] *= use ? 1 / std::sqrt(pivot) : 0;
  }
  return true;
}

// p <- p L^-T M^T for one row p.
void recombine(const std::vector<double>& l, const std::vector<double>& m, int n, double* p) {
  std::array<double, most_padded> u;
  for (int i = 0; i < n; ++i) {
    u[i] = p[i];
    for (int k = 0; k < i; ++k) u[i] -= l[i * n + k] * u[k];
    u[i] = l[i * n + i] > 0 ? u[i] / l[i * n + i] : 0;
  }
  for (int j = 0; j < n; ++j) {
    p[j] = 0;
    for (int k = 0; k <= j; ++k) p[j] += m[j * n + k] * u[k];
  }
}

// sums [3][padded], from column i on: Z^T r over the vertices of a chunk, N packs of columns at once, because one
// alone waits for its own sums.
template <int N>
void sum_rows(const float* basis, std::size_t count, const int* vertices, int begin, int end, const double* r,
              int padded, double* sums) {
  Pack x[N] = {}, y[N] = {}, z[N] = {};
  for (int v = begin; v < end; ++v) {
    const double* at = r + 3 * static_cast<std::ptrdiff_t>(vertices[v]);
    const Pack rx = broadcast(at[0]), ry = broadcast(at[1]), rz = broadcast(at[2]);
    for (int n = 0; n < N; ++n) {
      const Pack value = widen(basis + (n * count + v) * lanes);
      x[n] += value * rx, y[n] += value * ry, z[n] += value * rz;
    }
  }
  for (int n = 0; n < N; ++n, sums += lanes)
    store(sums, x[n]), store(sums + padded, y[n]), store(sums + 2 * padded, z[n]);
}

}  // namespace

void CoarseSpace::make(Problem& problem, Factor& factor, int modes) {
  set_basis(problem, coarse_basis(problem, factor, modes));
  set_moments(problem);
  set_groups(problem);
  calibrate(problem);
  modes_ = modes, tau_ = problem.stage().tau, revision_ = problem.constant().stamp();
}

void CoarseSpace::set_basis(Problem& problem, std::vector<CoarseBasis> parts) {
  component_.clear(), chunks_.clear();
  const double weight = 1 / (problem.stage().tau * problem.stage().tau);
  std::size_t sums = 0;
  for (CoarseBasis& from : parts) {
    Component& c = component_.emplace_back();
    c.columns = static_cast<int>(from.column.size());
    c.padded = (c.columns + lanes - 1) / lanes * lanes;
    assert(c.padded <= most_padded);
    c.vertices = std::move(from.vertices);
    const int count = static_cast<int>(c.vertices.size());
    c.basis.assign(std::size_t(c.padded) * count, 0.0f);
    c.basis_packs.assign(std::size_t(c.columns) * ((count + lanes - 1) / lanes * lanes), 0.0f);
    for (std::size_t j = 0; j < from.column.size(); ++j)
      for (int i = 0; i < count; ++i) {
        const auto value = static_cast<float>(from.column[j][i]);
        c.basis[(j / lanes * count + i) * lanes + j % lanes] = value;
        c.basis_packs[(i / lanes * c.columns + j) * lanes + i % lanes] = value;
      }
    const int index = static_cast<int>(component_.size()) - 1;
    for (int i = 0; i < c.columns; ++i)
      for (int j = 0; j < c.columns; ++j) {
        double sum = 0;
        for (int v = 0; v < count; ++v)
          sum += weight * problem.space().vertex_mass()[c.vertices[v]] * basis(index, i, v) * basis(index, j, v);
        c.inertia.push_back(sum);
      }
    c.hessian.resize(std::size_t(c.size()) * c.size()), c.factor.resize(c.hessian.size());
    c.coefficient.assign(3 * c.padded, 0.0);
    for (int begin = 0; c.columns > 0 && begin < count; begin += chunk_vertices, sums += 3 * c.padded)
      chunks_.push_back({index, begin, std::min(count, begin + chunk_vertices), sums});
    if (from.floating) c.moment.assign(c.columns, 0.0);
  }
  sums_.assign(sums, 0.0);
}

void CoarseSpace::set_moments(const Problem& problem) {
  for (int c = 0; c < components(); ++c) {
    Component& of = component_[c];
    for (int j = 0; j < std::ssize(of.moment); ++j)
      for (int v = 0; v < std::ssize(of.vertices); ++v)
        of.moment[j] += problem.space().vertex_mass()[of.vertices[v]] * basis(c, j, v);
  }
}

void CoarseSpace::set_groups(Problem& problem) {
  const ElementSample& sample = problem.elements().sample();
  place_.assign(problem.space().vertices(), -1);
  for (const Component& c : component_)
    for (std::size_t i = 0; i < c.vertices.size(); ++i) place_[c.vertices[i]] = static_cast<int>(i);
  groups_.clear(), rows_.clear();
  std::size_t sums = 0;
  for (int g = 0; g < static_cast<int>(sample.groups.size()); ++g) {
    const Component& c = component_[sample.groups[g].component];
    groups_.push_back({rows_.size(), sums});
    component_[sample.groups[g].component].groups.push_back(g);
    sums += 6 * std::size_t(c.columns) * c.padded;
    set_rows(sample, g, problem);
  }
  group_sums_.assign(sums, 0.0);
}

void CoarseSpace::set_rows(const ElementSample& sample, int group, const Problem& problem) {
  const auto& [t, part, index, whole] = sample.groups[group];
  const PackedTerm& term = sample.terms[t];
  const Elements& elements = problem.elements().term(t).elements;
  const Component& c = component_[index];
  for (int slot = lanes * term.first_pack(part); slot < lanes * term.first_pack(part + 1); ++slot) {
    const int element = term.slot_element()[slot];
    for (int r = 0; r < elements.rows(); ++r)
      for (int j = 0; j < c.padded; ++j) {
        double sum = 0;
        for (int a = 0; a < elements.corners() && j < c.columns; ++a) {
          const int v = place_[elements.vertices(element)[a]];
          if (v >= 0) sum += elements.coefficients(element)[r * elements.corners() + a] * basis(index, j, v);
        }
        rows_.push_back(sum);
      }
  }
}

// Z^T L Z as the sample sees it, into the first block of every group's sums.
void CoarseSpace::sum_quadratic(Problem& problem) {
  const ElementSample& sample = problem.elements().sample();
  std::fill(group_sums_.begin(), group_sums_.end(), 0.0);
  problem.elements().sweep_sample(problem.space().rest().data(), [&](int g, SweepBlock& sweep) {
    const ElementSample::Group& group = sample.groups[g];
    if (component_[group.component].columns == 0) return;
    const PackedTerm& packed = sample.terms[group.term];
    const int rows = packed.rows(), n = component_[group.component].columns,
              padded = component_[group.component].padded;
    const int first = lanes * sweep.block.first;
    for (int slot = 0; slot < sweep.block.packs * lanes; ++slot) {
      const double* p = &rows_[groups_[g].rows +
                               std::size_t(first + slot - lanes * packed.first_pack(group.part)) * rows * padded];
      double* sum = group_sums_.data() + groups_[g].sums;
      double q[9];
      problem.constant().element_stiffness(group.term, packed.slot_element()[first + slot], q);
      for (int k = 0; k < rows * rows; ++k)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            sum[i * n + j] += sweep.measure[slot] * q[k] * p[k / rows * padded + i] * p[k % rows * padded + j];
    }
  });
}

// The sample sees Z^T L Z with an error, but that matrix is known: 1 - Z^T (M/tau^2) Z. So the P_t are recombined,
// P_t <- P_t C, such that the sample sees it exactly. Much of the sampling error of the true Hessian goes with
// that, at no cost later.
void CoarseSpace::calibrate(Problem& problem) {
  constexpr double unseen = 1e-5;  // by L: constants of a floating component
  const ElementSample& sample = problem.elements().sample();
  sum_quadratic(problem);
  for (Component& c : component_) {
    if (std::all_of(c.groups.begin(), c.groups.end(), [&](int g) { return sample.groups[g].whole; })) continue;
    const int n = c.columns;
    std::vector<double> seen(std::size_t(n) * n, 0.0), exact = c.inertia;
    for (const int g : c.groups)
      for (int k = 0; k < n * n; ++k) seen[k] += group_sums_[groups_[g].sums + k];
    for (int k = 0; k < n * n; ++k) exact[k] = (k % (n + 1) == 0 ? 1 : 0) - exact[k];
    factor_semidefinite(exact, n, unseen, nullptr);
    if (!factor_semidefinite(seen, n, unseen, &exact)) continue;  // too poor a sample to correct
    for (const int g : c.groups) {
      const PackedTerm& term = sample.terms[sample.groups[g].term];
      const int part = sample.groups[g].part;
      for (int r = 0; r < lanes * (term.first_pack(part + 1) - term.first_pack(part)) * term.rows(); ++r)
        recombine(seen, exact, n, &rows_[groups_[g].rows + std::size_t(r) * c.padded]);
    }
  }
}

void CoarseSpace::linearise(Problem& problem, const double* y, const ObstacleLevel& obstacles) {
  const ElementSample& sample = problem.elements().sample();
  std::fill(group_sums_.begin(), group_sums_.end(), 0.0);
  problem.elements().sweep_sample(y, [&](int g, SweepBlock& sweep) {
    const auto& [t, part, index, whole] = sample.groups[g];
    const Component& c = component_[index];
    if (c.columns == 0 || !problem.space().components().active(index)) return;
    sweep.block.filter = true;
    evaluate(sample.kernels[t], sweep.block, 2);
    const PackedTerm& term = sample.terms[t];
    const int rows = term.rows(), stored = 3 * rows * (3 * rows + 1) / 2 * lanes;
    const int first = sweep.block.first - term.first_pack(part);
    for (int p = 0; p < sweep.block.packs; ++p)
      add_pack(sweep.block.d2psi_z + p * stored, sweep.measure + p * lanes, rows,
               &rows_[groups_[g].rows + std::size_t(first + p) * lanes * rows * c.padded], c.columns, c.padded,
               group_sums_.data() + groups_[g].sums);
  });
  problem.space().parallel(6 * components(), [&](int task) { assemble(task / 6, task % 6); });
  for (int i = 0; i < components(); ++i)
    component_[i].use = component_[i].columns > 0 && problem.space().components().active(i);
  renew_contact(problem, obstacles);
}

// W and the factors of H_c + W and 1 + W. Bodies that rest have the same W in every stage.
void CoarseSpace::renew_contact(const Problem& problem, const ObstacleLevel& obstacles) {
  const auto used = [&](int i) { return component_[i].use && problem.space().components().active(i); };
  for (int i = 0; i < components(); ++i) {
    Component& c = component_[i];
    if (!used(i)) continue;
    c.unhindered = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    c.touches = !obstacles.empty(i), c.anew = c.touches && obstacles.points(i) != c.touching;
    if (c.touches) c.unhindered = obstacles.unhindered(i);
    if (!c.anew) continue;
    c.touching = obstacles.points(i);
    c.contact.resize(c.hessian.size()), c.fine.resize(c.hessian.size());
  }
  problem.space().parallel(6 * components(), [&](int task) {
    if (used(task / 6) && component_[task / 6].anew) assemble_contact(component_[task / 6], task % 6);
  });
  problem.space().parallel(2 * components(), [&](int task) {
    if (used(task / 2)) task % 2 == 0 ? factorise(component_[task / 2]) : factorise_fine(component_[task / 2]);
  });
  for (int i = 0; i < components(); ++i) {
    Component& c = component_[i];
    if (!used(i)) continue;
    if (c.touches && !c.fine_exists) c.touching.clear();
    c.use = c.factor_exists && (!c.touches || c.fine_exists);
  }
}

// One of the blocks xx, yx, yy, zx, zy, zz of W = Z^T K Z of the touching vertices; some vertices at a time.
void CoarseSpace::assemble_contact(Component& c, int block) const {
  const std::span<const ObstacleLevel::Point> points = c.touching;
  constexpr std::size_t batch = lanes * most_rows;
  alignas(64) double rows[batch * most_padded], t[batch * most_padded], sums[most_padded * most_padded];
  const std::size_t padded = c.padded;
  const auto stiffness = [&](std::size_t i) { return points[i].stiffness[block]; };
  std::fill_n(sums, c.columns * padded, 0.0);
  for (std::size_t first = 0; first < points.size(); first += batch) {
    const std::size_t count = std::min(batch, points.size() - first);
    bool any = false;
    for (std::size_t q = 0; q < count; ++q) any = any || stiffness(first + q) != 0;
    if (!any) continue;
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t i = 0; i < padded; i += lanes) {
        const Pack row = widen(&c.basis[i * c.vertices.size() + place_[points[first + q].vertex] * lanes]);
        store(rows + q * padded + i, row), store(t + q * padded + i, stiffness(first + q) * row);
      }
    add_products(t, rows, static_cast<int>(count), c.columns, c.padded, sums);
  }
  for (int j = 0; j < c.columns; ++j) {
    double* to = &c.contact[(column_of[block] * c.columns + j) * c.size() + row_of[block] * c.columns];
    for (int i = 0; i < c.columns; ++i) to[i] = sums[j * padded + i];
  }
}

void CoarseSpace::factorise(Component& c) const {
  std::copy(c.hessian.begin(), c.hessian.end(), c.factor.begin());
  for (std::size_t i = 0; c.touches && i < c.contact.size(); ++i) c.factor[i] += c.contact[i];
  double pivot;
  c.factor_exists = cholesky_in_place(c.factor.data(), c.size(), c.size(), pivot) < 0;
}

void CoarseSpace::factorise_fine(Component& c) const {
  if (!c.anew) return;
  c.fine = c.contact;
  for (int i = 0; i < c.size(); ++i) c.fine[i * (c.size() + 1)] += 1;
  double pivot;
  c.fine_exists = cholesky_in_place(c.fine.data(), c.size(), c.size(), pivot) < 0;
}

// One of the blocks xx, yx, yy, zx, zy, zz of H_c: inertia, then the groups in their order.
void CoarseSpace::assemble(int index, int block) {
  Component& c = component_[index];
  const int a = row_of[block], b = column_of[block];
  for (int j = 0; j < c.columns; ++j) {
    double* to = &c.hessian[(b * c.columns + j) * c.size() + a * c.columns];
    for (int i = 0; i < c.columns; ++i) to[i] = a == b ? c.inertia[i * c.columns + j] : 0;
    for (const int g : c.groups) {
      const double* from = &group_sums_[groups_[g].sums + (block * c.columns + j) * c.padded];
      for (int i = 0; i < c.columns; ++i) to[i] += from[i];
    }
  }
}

void CoarseSpace::restrict(Problem& problem, const double* r) {
  problem.space().parallel(static_cast<int>(chunks_.size()), [&](int n) {
    const Chunk& chunk = chunks_[n];
    const Component& c = component_[chunk.component];
    if (!c.use || !problem.space().components().active(chunk.component)) return;
    const std::size_t count = c.vertices.size();
    for (int i = 0; i < c.padded; i += 2 * lanes) {
      const auto sum = i + lanes < c.padded ? sum_rows<2> : sum_rows<1>;
      sum(c.basis.data() + i * count, count, c.vertices.data(), chunk.begin, chunk.end, r, c.padded,
          sums_.data() + chunk.sums + i);
    }
  });
  for (Component& c : component_) std::fill(c.coefficient.begin(), c.coefficient.end(), 0.0);
  for (const Chunk& chunk : chunks_) {
    Component& c = component_[chunk.component];
    for (int i = 0; c.use && i < 3 * c.padded; ++i) c.coefficient[i] += sums_[chunk.sums + i];
  }
  problem.space().parallel(components(), [&](int i) {
    if (problem.space().components().active(i)) correct(component_[i]);
  });
}

// x <- (L L^T)^-1 x.
static void solve_factor(const double* factor, int n, double* x) {
  for (int j = 0; j < n; ++j) {
    const double* column = factor + static_cast<std::ptrdiff_t>(j) * n;
    const double value = x[j] /= column[j];
    for (int i = j + 1; i < n; ++i) x[i] -= value * column[i];
  }
  for (int j = n - 1; j >= 0; --j) {
    const double* column = factor + static_cast<std::ptrdiff_t>(j) * n;
    double sums[lanes] = {};  // side by side, in fixed order
    int i = j + 1;
    for (; i + lanes <= n; i += lanes)
      for (int l = 0; l < lanes; ++l) sums[l] += column[i + l] * x[i + l];
    for (int l = 0; i < n; ++i, ++l) sums[l] += column[i] * x[i];
    double sum = x[j];
    for (const double part : sums) sum -= part;
    x[j] = sum / column[j];
  }
}

// b <- ((H_c + W)^-1 - (1 + W)^-1) b.
void CoarseSpace::correct(Component& c) const {
  if (!c.use) return;
  std::array<double, 3 * most_padded> x, fine;
  const int n = c.size();
  const auto at = [&](int i) { return i / c.columns * c.padded + i % c.columns; };
  for (int i = 0; i < n; ++i) x[i] = fine[i] = c.coefficient[at(i)];
  solve_factor(c.factor.data(), n, x.data());
  if (c.touches) solve_factor(c.fine.data(), n, fine.data());
  for (int i = 0; i < n; ++i) c.coefficient[at(i)] = x[i] - fine[i];
  if (c.moment.empty()) return;
  std::array<double, 3> mean{};
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < c.columns; ++j) mean[k] += c.moment[j] * c.coefficient[k * c.padded + j];
  for (int k = 0; k < 3; ++k)  // column 0 is constant
    c.coefficient[k * c.padded] -=
        (c.unhindered[3 * k] * mean[0] + c.unhindered[3 * k + 1] * mean[1] + c.unhindered[3 * k + 2] * mean[2]) /
        c.moment[0];
}

void CoarseSpace::add_correction(Problem& problem, double* d) const {
  problem.space().parallel(static_cast<int>(chunks_.size()), [&](int n) {
    const Chunk& chunk = chunks_[n];
    const Component& c = component_[chunk.component];
    if (!c.use || !problem.space().components().active(chunk.component)) return;
    const double *cx = c.coefficient.data(), *cy = cx + c.padded, *cz = cy + c.padded;
    for (int first = chunk.begin; first < chunk.end; first += lanes) {
      const float* basis = c.basis_packs.data() + static_cast<std::ptrdiff_t>(first) * c.columns;
      Pack x = {}, y = {}, z = {};
      for (int j = 0; j < c.columns; ++j) {
        const Pack value = widen(basis + j * lanes);
        x += value * broadcast(cx[j]), y += value * broadcast(cy[j]), z += value * broadcast(cz[j]);
      }
      alignas(64) double sums[3][lanes];
      store(sums[0], x), store(sums[1], y), store(sums[2], z);
      for (int l = 0; l < std::min(lanes, chunk.end - first); ++l) {
        double* to = d + 3 * static_cast<std::ptrdiff_t>(c.vertices[first + l]);
        for (int k = 0; k < 3; ++k) to[k] += sums[k][l];
      }
    }
  });
}

double CoarseSpace::basis(int component, int column, int place) const {
  const Component& c = component_[component];
  return c.basis[(column / lanes * c.vertices.size() + place) * lanes + column % lanes];
}

double CoarseSpace::coarse_hessian(int component, int row, int column) const {
  const Component& c = component_[component];
  return c.hessian[column * c.size() + row];
}

void Coarse::begin(Problem& problem, Operator& inner, Factor& factor, int modes) {
  problem_ = &problem, inner_ = &inner, linearised_ = false;
  if (modes == 0) return;
  const Profiler::Scope phase(problem.profiler(), Phase::coarse);
  if (!space().current(problem, modes)) current_ = 1 - current_;
  if (!space().current(problem, modes)) space().make(problem, factor, modes);
}

void Coarse::linearise(const double* y, const ObstacleLevel& obstacles) {
  space().linearise(*problem_, y, obstacles);
  linearised_ = true;
}

void Coarse::renew_contact(const ObstacleLevel& obstacles) {
  if (linearised_) space().renew_contact(*problem_, obstacles);
}

void Coarse::apply(const double* r, double* d) {
  if (!linearised_) return inner_->apply(r, d);
  {
    const Profiler::Scope phase(problem_->profiler(), Phase::coarse);
    space().restrict(*problem_, r);  // first: r and d may be the same array
  }
  inner_->apply(r, d);
  const Profiler::Scope phase(problem_->profiler(), Phase::coarse);
  space().add_correction(*problem_, d);
}

}  // namespace resilin
