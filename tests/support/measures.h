// What tests measure on arrays of positions, velocities and forces. A difference that is not finite counts as
// infinite, so that it meets no bound.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "resilin/model.h"

namespace resilin::test {

/// max |a_i - b_i|.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);
/// Mean of |a_v - b_v| over vertices.
double mean_distance(const std::vector<double>& a, const std::vector<double>& b);
double dot(const std::vector<double>& a, const std::vector<double>& b);
/// sum_v m_v x_v: momentum where x are velocities, mass times the way of the centre where x are displacements.
std::array<double, 3> momentum(std::span<const double> mass, const std::vector<double>& x);
/// Mean of the vertices; of those of one body.
std::array<double, 3> mean(const std::vector<double>& x);
std::array<double, 3> mean(const std::vector<double>& x, const Body& body);
/// Volume of the tets of a body.
double tet_volume(const std::vector<double>& x, const Body& body);

}  // namespace resilin::test
