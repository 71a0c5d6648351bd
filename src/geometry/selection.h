// Which vertices are meant: by region or by number. Scenes use it for pins and regions, the page for picking.
// All functions return ascending ids without repetition; boundaries count as inside. It knows positions only.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

std::vector<int> select_box(std::span<const double> vertices, const Vec3& lower, const Vec3& upper);
std::vector<int> select_sphere(std::span<const double> vertices, const Vec3& center, double radius);

/// (p - origin) . normal >= 0; the normal need not have unit length, but must not vanish (InputError).
std::vector<int> select_half_space(std::span<const double> vertices, const Vec3& origin, const Vec3& normal);

/// The one vertex nearest to p (the smallest id among equals); none of an empty array.
std::vector<int> select_nearest(std::span<const double> vertices, const Vec3& p);

/// Sorted, each once. Throws InputError(where, ...) for an id outside of 0 .. vertex_count - 1.
std::vector<int> select_indices(int vertex_count, std::span<const int> ids, const std::string& where);

}  // namespace resilin
