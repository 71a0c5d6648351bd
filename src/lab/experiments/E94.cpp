// E94: torture of the 3x3 singular value decomposition and of what rests on it: random, rank 0, 1 and 2, repeated values, scales
// 1e-300 to 1e150, det < 0. U diag(s) V^T = F to 1e-13 |F|, U and V rotations, no NaN.
#include "lab/experiment.h"
#include "simd/svd_torture.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const SvdWorst worst = svd_torture(static_cast<std::int64_t>(s.number("count")), static_cast<std::uint64_t>(s.integer("seed")));
  findings.at_least("matrices", s.number("count"), static_cast<double>(worst.count));
  findings.at_most("|U diag(s) V^T - F| / |F|", 1e-13, worst.residual);
  findings.at_most("|U^T U - 1|, |V^T V - 1|", 1e-13, worst.orthogonality);
  findings.at_most("|det U - 1|, |det V - 1|", 1e-13, worst.determinant, "rotations, no reflections");
  findings.near("matrices whose values are not s0 >= s1 >= |s2|", 0, static_cast<double>(worst.disordered), 0);
  findings.near("matrices whose s2 has not the sign of det F", 0, static_cast<double>(worst.wrong_sign), 0);
  findings.near("matrices with a NaN or infinity", 0, static_cast<double>(worst.not_finite), 0);
}

}  // namespace

ExperimentPlugin experiment_E94() {
  return {.title = "Torture of the 3x3 SVD",
          .source = "oracle",
          .doc = "Ten million hard matrices: residual, rotations, order, signs.",
          .params = {number("count", "", 1e7, {1, 1e10, false, false}, "matrices"), integer("seed", 1, at_least(0), "of the stream")},
          .run = run};
}

}  // namespace resilin
