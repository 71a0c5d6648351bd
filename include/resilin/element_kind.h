// The kinds of elements, in one table: what is different for each of them in code (sweep, visits of constraints,
// Hessian, local step) is instantiated from it. Row r of an element's coordinates is z_r = sum_a c_ra x_a.
#pragma once
#include <array>
#include <string>
#include <utility>

namespace resilin {

enum class ElementKind { tet, triangle, hinge, edge, point, pair, dihedral, fan8, fan16, sided8, sided16 };

struct ElementShape {
  int rows, corners;      // R, and vertices of an element
  bool translation_free;  // the coefficients of a row sum to zero
};

inline constexpr std::array<ElementShape, 11> element_shapes = {{
    {3, 4, true},   // tet: z = F^T
    {2, 3, true},   // triangle: z = F^T, F is 3 x 2
    {1, 4, true},   // hinge: two triangles with a common edge
    {1, 2, true},   // edge: z = x_b - x_a
    {1, 1, false},  // point: z = x
    {1, 4, true},   // pair: a vertex and a triangle, or two edges, that may touch
    {3, 4, true},   // dihedral: the same two triangles by three edge vectors
    {1, 8, true},   // fan8: a vertex with up to 7 neighbours
    {1, 16, true},  // fan16: with up to 15; corners that are not needed have coefficients 0
    {3, 8, true},   // sided8: fan8 with two edges of one of its triangles, whose normal tells sides apart
    {3, 16, true},  // sided16: the same of fan16
}};
constexpr const ElementShape& shape_of(ElementKind kind) { return element_shapes[static_cast<std::size_t>(kind)]; }
/// "tet", "triangle", ...
std::string name(ElementKind kind);

/// f.operator()<shape>() of the kind's shape.
template <class F>
decltype(auto) with_shape(ElementKind kind, F&& f) {
  switch (kind) {
    case ElementKind::tet:
    case ElementKind::dihedral: return f.template operator()<shape_of(ElementKind::tet)>();
    case ElementKind::fan8: return f.template operator()<shape_of(ElementKind::fan8)>();
    case ElementKind::fan16: return f.template operator()<shape_of(ElementKind::fan16)>();
    case ElementKind::sided8: return f.template operator()<shape_of(ElementKind::sided8)>();
    case ElementKind::sided16: return f.template operator()<shape_of(ElementKind::sided16)>();
    case ElementKind::triangle: return f.template operator()<shape_of(ElementKind::triangle)>();
    case ElementKind::edge: return f.template operator()<shape_of(ElementKind::edge)>();
    case ElementKind::point: return f.template operator()<shape_of(ElementKind::point)>();
    case ElementKind::hinge:
    case ElementKind::pair: break;
  }
  static_assert(shape_of(ElementKind::hinge).rows == shape_of(ElementKind::pair).rows &&
                shape_of(ElementKind::hinge).corners == shape_of(ElementKind::pair).corners);
  return f.template operator()<shape_of(ElementKind::hinge)>();
}

}  // namespace resilin
