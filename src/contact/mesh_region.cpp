#include "contact/mesh_region.h"

#include <cmath>
#include <span>

#include "contact/distances.h"
#include "core/stamp.h"

namespace resilin {
namespace {

constexpr double flat = 1e-6;  // of a cell: so near to an edge its curvature is left out

}  // namespace

void MeshRegion::stamp(Stamp& out) const {
  out.add(name_);
  out.add(std::span<const double>(distance_.mesh().vertices));
  out.add(std::span<const int>(distance_.mesh().triangles));
}

// Point by point: every one has another way through the tree. On a face the distance is flat, around an edge it curves across, around a corner both
// ways: by 1/distance, as that to a line or a point.
void MeshRegion::measure(const double* x, int derivatives, Distances& out) const {
  alignas(64) double values[10][lanes];
  for (int l = 0; l < lanes; ++l) {
    const SurfaceDistance::Nearest at = distance_.nearest({x[l], x[lanes + l], x[2 * lanes + l]});
    values[0][l] = at.distance;
    for (std::size_t i = 0; i < 3; ++i) values[1 + i][l] = at.normal[i];
    const bool curved = at.part != TrianglePart::face && std::abs(at.distance) > flat * distance_.cell();
    const double inverse = curved ? 1 / at.distance : 0;
    int entry = 4;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j, ++entry)
        values[entry][l] = inverse * ((i == j ? 1.0 : 0.0) - at.normal[i] * at.normal[j] - at.edge[i] * at.edge[j]);
  }
  out.value = load(values[0]);
  for (int i = 0; derivatives > 0 && i < 3; ++i) out.normal[i] = load(values[1 + i]);
  for (int i = 0; derivatives > 1 && i < 6; ++i) out.curvature[i] = load(values[4 + i]);
}

void MeshRegion::lower_bound(const double* x, double* out) const {
  for (int l = 0; l < lanes; ++l) out[l] = distance_.lower_bound({x[l], x[lanes + l], x[2 * lanes + l]});
}

}  // namespace resilin
