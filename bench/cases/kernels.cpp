// The innermost kernels on one thread, nanoseconds per element: SVD, polar decompositions, neo-Hookean stress, and
// the whole gradient (gather, potential, scatter, vertex pass) of scene B. The first row is the SVD.
#include <Eigen/Dense>
#include <cmath>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "lab/setup.h"
#include "measure.h"
#include "potentials/evaluate.h"
#include "potentials/material.h"
#include "problem/dynamic_system.h"
#include "reference/energy.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "scene_case.h"
#include "simd/pack.h"
#include "simd/polar3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

using bench::Samples;

// F = rotation times (1 + noise), in packs: what a simulation meets. 0.3 turns about one tet in a hundred inside
// out.
struct Matrices {
  int packs;
  AlignedVector<double> f, out, guess;

  explicit Matrices(int p)
      : packs(p),
        f(static_cast<std::size_t>(p) * 72),
        out(static_cast<std::size_t>(p) * 168),
        guess(static_cast<std::size_t>(p) * 32) {
    lab::Random random(1);
    for (int i = 0; i < packs * lanes; ++i) {
      double r[9], s[9];
      random.rotation(r);
      for (int k = 0; k < 9; ++k) s[k] = (k % 4 == 0 ? 1 : 0) + 0.3 * random.normal();
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          double sum = 0;
          for (int k = 0; k < 3; ++k) sum += r[3 * a + k] * s[3 * k + b];
          at(i, 3 * a + b) = sum;
        }
    }
  }
  double& at(int i, int k) { return f[(static_cast<std::size_t>(i / lanes) * 9 + k) * lanes + i % lanes]; }
  double count() const { return packs * static_cast<double>(lanes); }
  Eigen::Matrix3d matrix(int i) {
    Eigen::Matrix3d m;
    for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = at(i, k);
    return m;
  }
};

struct Rates {
  double flops;      // per second, one thread
  double bandwidth;  // bytes per second, of the kernels' buffers
};

CaseResult row(const std::string& name, const Samples& ms, double elements, double flops, double bytes,
               const Rates& rates) {
  CaseResult result{.name = name, .threads = 1};
  const double ns = 1e6 / elements, floor = 1e9 * std::max(flops / rates.flops, bytes / rates.bandwidth);
  result.median_ns = ms.median() * ns;
  result.ratio_to_floor = *result.median_ns / floor;
  result.extra = {
      {"min_ns", ms.min() * ns}, {"p99_ns", ms.quantile(0.99) * ns}, {"floor_ns", floor}, {"elements", elements}};
  return result;
}

void compare(CaseResult& result, const Samples& reference_ms, double elements) {
  const double ns = reference_ms.median() * 1e6 / elements;
  result.extra.emplace_back("reference_ns", ns);
  result.speedup = ns / *result.median_ns;
}

template <class Kernel>
Samples over_packs(Matrices& m, double seconds, Kernel&& kernel) {
  return bench::repeat(5, seconds, [&] {
    for (int p = 0; p < m.packs; ++p) {
      Pack f[9];
      for (int i = 0; i < 9; ++i) f[i] = load(m.f.data() + (static_cast<std::size_t>(p) * 9 + i) * lanes);
      kernel(p, f, m.out.data() + static_cast<std::size_t>(p) * 168);
    }
    bench::keep(m.out[0]);
  });
}

CaseResult svd_row(Matrices& m, const BenchmarkContext& context, const Rates& rates, double seconds) {
  const Samples ms = over_packs(m, seconds, [](int, const Pack* f, double* out) {
    Pack u[9], s[3], v[9];
    svd3(f, u, s, v);
    for (int i = 0; i < 9; ++i) store(out + i * lanes, u[i]), store(out + (9 + i) * lanes, v[i]);
    for (int i = 0; i < 3; ++i) store(out + (18 + i) * lanes, s[i]);
  });
  CaseResult result = row("kernels", ms, m.count(), 980, 240, rates);
  result.note = "3x3 SVD in double; the other kernels are the rows kernels.*";
  if (!context.reference) return result;
  const int n = 2048;
  compare(result,
          bench::repeat(3, seconds,
                        [&] {
                          double sum = 0;
                          for (int i = 0; i < n; ++i) {
                            const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m.matrix(i),
                                                                        Eigen::ComputeFullU | Eigen::ComputeFullV);
                            sum += svd.matrixU()(0, 0) + svd.matrixV()(0, 0) + svd.singularValues()(0);
                          }
                          bench::keep(sum);
                        }),
          n);
  return result;
}

CaseResult polar_row(Matrices& m, const Rates& rates, double seconds) {
  const Samples ms = over_packs(m, seconds, [](int, const Pack* f, double* out) {
    Pack r[9];
    polar3(f, r);
    for (int i = 0; i < 9; ++i) store(out + i * lanes, r[i]);
  });
  CaseResult result = row("kernels.polar", ms, m.count(), 980 + 45, 144, rates);
  result.note = "rotation factor from the SVD";
  return result;
}

// From the rotation of a matrix that is one per cent away, as from one iteration to the next.
CaseResult warm_polar_row(Matrices& m, const Rates& rates, double seconds) {
  AlignedVector<double> near(m.guess.size());
  lab::Random random(2);
  for (int p = 0; p < m.packs; ++p) {
    Pack f[9], guess[4] = {}, r[9];
    for (int i = 0; i < 9; ++i)
      f[i] = load(m.f.data() + (static_cast<std::size_t>(p) * 9 + i) * lanes) + 0.01 * random.normal();
    polar3_warm(f, guess, r);
    for (int i = 0; i < 4; ++i) store(near.data() + (static_cast<std::size_t>(p) * 4 + i) * lanes, guess[i]);
  }
  int fallback = 0;
  const Samples ms = over_packs(m, seconds, [&](int p, const Pack* f, double* out) {
    Pack guess[4], r[9];
    for (int i = 0; i < 4; ++i) guess[i] = load(near.data() + (static_cast<std::size_t>(p) * 4 + i) * lanes);
    fallback += polar3_warm(f, guess, r) != 0;
    for (int i = 0; i < 9; ++i) store(out + i * lanes, r[i]);
    for (int i = 0; i < 4; ++i) store(out + (9 + i) * lanes, guess[i]);
  });
  CaseResult result = row("kernels.polar_warm", ms, m.count(), 0, 208, rates);
  result.note = "from a guess one per cent away; floor from bytes only";
  result.extra.emplace_back("packs_with_fallback", fallback / (m.packs * (ms.size() + 1.0)));
  return result;
}

CaseResult stress_row(Matrices& m, const BenchmarkContext& context, const Rates& rates, double seconds) {
  const MaterialPlugin& kind = plugin<MaterialPlugin>("material", "neo_hookean", "bench");
  const Settings settings = kind.params.defaults();
  const ElementSettings element{&settings, 0};
  const std::vector<ElementSettings> elements(static_cast<std::size_t>(m.packs) * lanes, element);
  const auto potential = kind.make(elements);
  std::vector<int> slots(elements.size());
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<int>(i);
  const TermKernels kernels(*potential, slots);
  const Samples ms = bench::repeat(5, seconds, [&] {
    for (int p = 0; p < m.packs; p += block_packs) {
      alignas(64) double psi[block_packs * lanes];
      Block block;
      block.packs = std::min(block_packs, m.packs - p), block.first = p;
      block.z = m.f.data() + static_cast<std::size_t>(p) * 72;
      block.psi = psi;
      block.dpsi_z = m.out.data() + static_cast<std::size_t>(p) * 72;
      evaluate(kernels, block, 1);
    }
    bench::keep(m.out[0]);
  });
  CaseResult result = row("kernels.neo_hookean", ms, m.count(), 107, 144, rates);
  result.note = "energy and stress of F";
  if (!context.reference) return result;
  const reference::Solid solid(bench::constants_of("neo_hookean"));
  const int n = 8192;
  compare(result,
          bench::repeat(3, seconds,
                        [&] {
                          Eigen::Matrix3d total = Eigen::Matrix3d::Zero(), p;
                          for (int i = 0; i < n; ++i) {
                            solid.psi_and_stress(m.matrix(i % (m.packs * lanes)), p);
                            total += p;
                          }
                          bench::keep(total(0, 0));
                        }),
          n);
  return result;
}

// Objective::evaluate with a gradient, on the mesh of scene B (of A when quick).
std::vector<CaseResult> gradient_rows(const std::string& material, const BenchmarkContext& context,
                                      double seconds) {
  bench::SceneCase c;
  c.scene = context.quick ? "twisting_bar" : "grid_bar";
  c.material = material;
  std::vector<CaseResult> rows;
  State start;
  Model model = build_model(bench::load(c, context), start);
  lab::Random random(3);
  std::vector<double> x = start.q, g(start.q.size());
  for (double& v : x) v += 0.001 * random.normal();
  std::vector<int> counts = {1};
  if (context.threads > 1) counts.push_back(context.threads);
  for (const int threads : counts) {
    ThreadPool pool(threads);
    DynamicSystem system(model, pool);
    Stage stage;
    stage.tau = 1.0 / 30, stage.target = start.q;
    system.begin(stage);
    const double tets = model.element_count();
    // ids 16, coefficients 72, measure 8; vertices: copies of positions and forces, y, target, mass, gradient
    const double bytes =
        96 + (96.0 * system.elements().partition().copies() + 80.0 * system.space().vertices()) / tets;
    const Rates rates{bench::fma_rate(pool), bench::read_bandwidth(static_cast<std::size_t>(bytes * tets), pool)};
    const Samples ms =
        bench::repeat(5, seconds, [&] { bench::keep(system.problem().evaluate(x.data(), g.data()).value()); });
    CaseResult result =
        row("kernels.gradient_" + material, ms, tets, bench::flops_per_element(material), bytes, rates);
    result.threads = threads;
    result.note = "whole energy and gradient of " + c.scene;
    rows.push_back(std::move(result));
  }
  return rows;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  const FlushDenormals flush;
  const double seconds = context.quick ? 0.02 : 0.5;
  Matrices m(context.quick ? 256 : 1024);
  ThreadPool one(1);
  const Rates rates{bench::fma_rate(one), bench::read_bandwidth(m.f.size() * sizeof(double) * 3, one)};
  std::vector<CaseResult> rows = {svd_row(m, context, rates, seconds), polar_row(m, rates, seconds),
                                  warm_polar_row(m, rates, seconds), stress_row(m, context, rates, seconds)};
  for (const char* material : {"neo_hookean", "corotated"})
    for (CaseResult& result : gradient_rows(material, context, seconds)) rows.push_back(std::move(result));
  return rows;
}

}  // namespace

BenchmarkPlugin benchmark_kernels() {
  return {
      "SVD, polar, neo-Hookean stress and whole gradients, nanoseconds per element (the first row: SVD, one "
      "thread)",
      run};
}

}  // namespace resilin
