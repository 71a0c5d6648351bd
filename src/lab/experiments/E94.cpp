// E94: torture of the 3x3 singular value decomposition and of the polar decomposition: random, rank 0, 1 and 2,
// repeated values, scales up to 1e+-150 and beyond, det < 0. U diag(s) V^T = F to 1e-13 |F|, U and V rotations, no
// NaN; the rotation R nearest to F makes R^T F symmetric, from the SVD and by Newton from any guess.
#include <cstdint>

#include "lab/toolkit.h"
#include "setup/sampling.h"
#include "setup/svd_torture.h"
#include "simd/mat3.h"
#include "simd/polar3.h"

namespace resilin {
namespace {

struct PolarWorst {
  lab::Worst rotation;  // |R^T R - 1|, |det R - 1|
  lab::Worst skew;      // of R^T F, over |F|
  bool finite = true;
};

void judge(const Pack* f, const Pack* r, int lane, double scale, PolarWorst& worst) {
  lab::Worst norm;
  double a[9], b[9], gram[9], stretch[9];
  for (int i = 0; i < 9; ++i) a[i] = f[i][lane] / scale, b[i] = r[i][lane], norm.see(std::abs(a[i]));
  multiply_tn(b, b, gram);
  multiply_tn(b, a, stretch);
  lab::Worst off = std::abs(determinant(b) - 1), skew;
  for (int i = 0; i < 9; ++i) {
    off.see(std::abs(gram[i] - (i % 4 == 0 ? 1 : 0)));
    skew.see(std::abs(stretch[i] - stretch[3 * (i % 3) + i / 3]));
  }
  worst.finite = worst.finite && std::isfinite(off) && std::isfinite(skew);
  worst.rotation.see(off);
  if (norm > 0) worst.skew.see(skew / norm);
}

// Packs of matrices of all kinds, each lane with its own scale; guesses left over from other matrices.
void study_polar(const Settings& s, Findings& findings) {
  lab::Random random(static_cast<std::uint64_t>(s.integer("seed")) + 1);
  PolarWorst exact, warm;
  Pack guess[4] = {};
  const double scales[4] = {1, 1e150, 1e-150, 1e-9};
  for (int n = 0; n < static_cast<int>(s.number("polar_count") / lanes); ++n) {
    Pack f[9], r[9];
    alignas(64) double entry[9][lanes];
    double scale[lanes];
    for (int l = 0; l < lanes; ++l) {
      double z[9];
      lab::draw_matrix(lab::all_stretchings[random.bits() % std::size(lab::all_stretchings)], 0.1, 3, random, z);
      scale[l] = scales[random.bits() % 4];
      for (int i = 0; i < 9; ++i) entry[i][l] = scale[l] * z[i];
    }
    for (int i = 0; i < 9; ++i) f[i] = load(entry[i]);
    polar3(f, r);
    for (int l = 0; l < lanes; ++l) judge(f, r, l, scale[l], exact);
    polar3_warm(f, guess, r);
    for (int l = 0; l < lanes; ++l) judge(f, r, l, scale[l], warm);
  }
  const std::pair<std::string, PolarWorst> ways[] = {{"polar by SVD: ", exact}, {"polar from a guess: ", warm}};
  for (const auto& [name, worst] : ways) {
    findings.at_most(name + "|R^T R - 1|, |det R - 1|", 1e-13, worst.rotation);
    findings.at_most(name + "skew part of R^T F / |F|", 1e-13, worst.skew);
    findings.holds(name + "all finite", worst.finite);
  }
}

void run(const Settings& s, Findings& findings) {
  const SvdWorst worst =
      svd_torture(static_cast<std::int64_t>(s.number("count")), static_cast<std::uint64_t>(s.integer("seed")));
  findings.at_least("matrices", s.number("count"), static_cast<double>(worst.count));
  findings.at_most("|U diag(s) V^T - F| / |F|", 1e-13, worst.residual);
  findings.at_most("|U^T U - 1|, |V^T V - 1|", 1e-13, worst.orthogonality);
  findings.at_most("|det U - 1|, |det V - 1|", 1e-13, worst.determinant, "rotations, no reflections");
  findings.near("matrices whose values are not s0 >= s1 >= |s2|", 0, static_cast<double>(worst.disordered), 0);
  findings.near("matrices whose s2 has not the sign of det F", 0, static_cast<double>(worst.wrong_sign), 0);
  findings.near("matrices with a NaN or infinity", 0, static_cast<double>(worst.not_finite), 0);
  study_polar(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E94() {
  return {.title = "Torture of the 3x3 SVD and polar decomposition",
          .source = "oracle",
          .doc = "Ten million hard matrices: residual, rotations, order, signs.",
          .params = {number("count", "", 1e7, {1, 1e10, false, false}, "matrices decomposed by the SVD"),
                     number("polar_count", "", 1e6, {8, 1e9, false, false}, "matrices decomposed into R and S"),
                     integer("seed", 1, at_least(0), "seed of the matrices")},
          .quick = Quick{.set = {{"count", 2e5}, {"polar_count", 2e4}}},
          .run = run};
}

}  // namespace resilin
