// What edits and the builder ask of lists of vertices and numbers: InputError at `where` otherwise.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace resilin {

/// Some, each in 0 .. count and once.
void check_vertices(int count, const std::vector<int>& vertices, const std::string& where);
/// So many, all finite.
void check_numbers(std::span<const double> numbers, std::size_t wanted, const std::string& where);

}  // namespace resilin
