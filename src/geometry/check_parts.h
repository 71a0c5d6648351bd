// What the checks of tets and of triangles share: texts, and the questions that only need vertices and lists of
// ids. All of it accepts any content whatsoever.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

/// Elements of one kind, as arrays.
struct ElementList {
  std::span<const double> vertices;
  std::span<const int> ids;
  int corners;
  const char* noun;  // "tet"
  int vertex_count() const { return static_cast<int>(vertices.size() / 3); }
  int count() const { return static_cast<int>(ids.size() / corners); }
  std::span<const int> operator[](int e) const {
    return ids.subspan(static_cast<std::size_t>(e) * corners, static_cast<std::size_t>(corners));
  }
};

std::string number_text(double value);
std::string vertex_text(std::span<const double> vertices, int v);
/// "tet 5 (vertices 0, 1, 2, 3)"
std::string element_text(const ElementList& list, int element);

/// `ids` ascending; empty adds nothing.
void add_defect(std::vector<Defect>& defects, DefectKind kind, const std::vector<int>& ids,
                const std::string& detail);

/// Flat is relative to the longest edge: a volume of up to 1e-10 edge^3, an area of up to 1e-10 edge^2.
bool is_flat(const std::array<Vec3, 4>& tet);
bool is_flat(const std::array<Vec3, 3>& triangle);
double longest_edge(std::span<const Vec3> corners);

void check_arrays(const ElementList& list, std::vector<Defect>& defects);
/// Which vertices are finite.
std::vector<bool> check_vertices(const ElementList& list, std::vector<Defect>& defects);
/// Which elements have ids that can be followed and that differ.
std::vector<bool> check_indices(const ElementList& list, std::vector<Defect>& defects);
/// Every element that has the vertices of one before it; these are no longer `usable`.
void check_duplicates(const ElementList& list, std::vector<bool>& usable, DefectKind kind,
                      std::vector<Defect>& defects);
void check_unreferenced(const ElementList& list, std::vector<Defect>& defects);
void check_coincident(const ElementList& list, std::vector<Defect>& defects);

}  // namespace resilin
