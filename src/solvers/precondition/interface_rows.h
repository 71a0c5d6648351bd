// Mean rows of the interfaces between bodies. A patch of pairs in contact, with stiffness k_i and rows g_i, becomes
// sum k_i times the square of its mean row: never more than the pairs are together (Cauchy and Schwarz). The
// constant Hessian lacks just that: it gives relative rigid motions of two bodies M/tau^2 only. Local modes are
// left to smoothing (smoothed.h).
#pragma once
#include <span>
#include <vector>

#include "problem/problem.h"

namespace resilin {

/// Appends the rows of all interfaces between two components at y: up to four patches each, along the normals of
/// the pairs, and along two tangents where pairs stick.
void add_interface_rows(const Problem& problem, const double* y, std::span<const PairStiffness> pairs,
                        std::vector<RankOneStiffness>& rows);
/// How many of the pairs have a part in rows: a pair that slides has none, since rows would brake it.
std::size_t count_in_rows(std::span<const PairStiffness> pairs);

}  // namespace resilin
