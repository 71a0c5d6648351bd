// Whether two bodies are in one place. Bodies that only touch are not: what counts lies deeper than a tolerance in
// both.
#pragma once
#include <optional>
#include <span>

#include "resilin/mesh.h"

namespace resilin {

/// A body as it lies: ids are those of `vertices` (xyz each). A solid has tets and their surface, a cloth
/// triangles, a net edges only.
struct PlacedBody {
  std::span<const double> vertices;
  std::span<const int> tets, triangles, edges;
};

/// A point in which both are, or none. Deterministic; only what lies in both boxes is looked at.
std::optional<Vec3> overlap(const PlacedBody& a, const PlacedBody& b);

}  // namespace resilin
