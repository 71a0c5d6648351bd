// Tets from a surface that may be open, intersect itself or not be manifold: the signed distance, with its sign
// from the generalised winding number, goes through fill_implicit(). Where a surface has holes the half-way level
// of the winding number closes them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <sstream>

#include "geometry/orient.h"
#include "geometry/triangle_bvh.h"
#include "resilin/embedding.h"
#include "resilin/errors.h"
#include "resilin/shapes.h"
#include "resilin/watch.h"

namespace resilin {
namespace {

constexpr int block_cells = 4;     // edge of a block in spacings
constexpr double cap_cells = 1.5;  // distances beyond this many spacings need not be known: edges are shorter
constexpr double lost_note = 2, lost_error = 50;  // percent of the surface that the cage misses

std::string in_words(double value) {
  std::ostringstream out;
  out.precision(4);
  out << value;
  return out.str();
}

// By fill_surface() with a wanted number of tets.
constexpr int search_tries = 20;
constexpr double search_tolerance = 0.05, max_search_cells = 400;

/// Signed distance to a surface, negative inside; exact near the surface only.
class SurfaceFunction {
 public:
  SurfaceFunction(const TriangleBvh& bvh, const Bounds& region, double spacing, double thicken)
      : bvh_(bvh),
        spacing_(spacing),
        thicken_(thicken),
        cap_(cap_cells * spacing + thicken),
        edge_(block_cells * spacing) {
    for (int k = 0; k < 3; ++k) {
      origin_[k] = region.lower[k] - 2 * spacing;
      count_[k] = static_cast<int>((region.upper[k] - region.lower[k] + 4 * spacing) / edge_) + 1;
    }
    for (int z = 0; z < count_[2]; ++z)
      for (int y = 0; y < count_[1]; ++y) {
        watch_check();
        for (int x = 0; x < count_[0]; ++x)
          blocks_.push_back(classify(origin_ + edge_ * Vec3{x + 0.5, y + 0.5, z + 0.5}));
      }
  }

  // Never zero: a lattice vertex on a wall inside of the solid, where parts overlap, is no vertex of the boundary.
  double operator()(const double* x) const {
    const Vec3 p{x[0], x[1], x[2]};
    const Block block = blocks_[block_of(p)];
    if (block == Block::outside) return cap_;
    if (block == Block::inside) return -cap_;
    const double d = std::max(bvh_.distance(p, cap_), 1e-9 * spacing_);
    if (thicken_ > 0 && d < thicken_) return d - thicken_;
    return (bvh_.winding(p) < 0.5 ? d : -d) - thicken_;
  }

 private:
  enum class Block : char { mixed, inside, outside };

  // No triangle within twice the reach R of a block: there the winding number w is harmonic, and so is 1 - w. By
  // Harnack's inequality a positive harmonic function grows at most (1 + 1/2)/(1 - 1/2)^2 = 6 times from the centre
  // of a ball to half its radius, so w < 1/12 at the centre keeps the whole block outside, and w > 11/12 inside.
  Block classify(const Vec3& centre) const {
    const double clear = std::sqrt(3.0) * edge_ + thicken_;
    if (bvh_.distance(centre, clear) < clear) return Block::mixed;
    const double w = bvh_.winding(centre);
    return w < 1.0 / 12 ? Block::outside : w > 11.0 / 12 ? Block::inside : Block::mixed;
  }

  int block_of(const Vec3& p) const {
    std::array<int, 3> at;
    for (int k = 0; k < 3; ++k) at[k] = std::clamp(static_cast<int>((p[k] - origin_[k]) / edge_), 0, count_[k] - 1);
    return (at[2] * count_[1] + at[1]) * count_[0] + at[0];
  }

  const TriangleBvh& bvh_;
  double spacing_, thicken_, cap_, edge_;
  Vec3 origin_{};
  std::array<int, 3> count_{};
  std::vector<Block> blocks_;
};

// The vertices that no triangle uses must not enlarge the region.
TriangleMesh used_only(const TriangleMesh& mesh) {
  TriangleMesh out;
  std::vector<int> id(static_cast<std::size_t>(mesh.vertex_count()), -1);
  for (const int v : mesh.triangles) id[v] = 0;
  for (int v = 0, next = 0; v < mesh.vertex_count(); ++v) {
    if (id[v] < 0) continue;
    id[v] = next++;
    for (int k = 0; k < 3; ++k) out.vertices.push_back(mesh.vertices[3 * v + k]);
  }
  for (const int v : mesh.triangles) out.triangles.push_back(id[v]);
  return out;
}

/// One surface, filled with as many spacings as it takes.
class SurfaceFiller {
 public:
  SurfaceFiller(const TriangleMesh& surface, const SurfaceFillOptions& options, std::vector<std::string>* notes)
      : surface_(used_only(surface)),
        options_(options),
        notes_(notes),
        turned_(orient_outward(surface_, parts_)),
        bvh_(surface_),
        region_(bounds(surface_.vertices)) {
    extent_ = 0;
    for (int k = 0; k < 3; ++k) {
      extent_ = std::max(extent_, region_.upper[k] - region_.lower[k]);
      region_.lower[k] -= options.thicken;
      region_.upper[k] += options.thicken;
    }
  }

  TetMesh run() {
    check_extent();
    if (turned_ > 0) note(std::to_string(turned_) + " triangles faced inward and were turned around");
    double spacing = options_.spacing > 0 ? options_.spacing : extent_ / std::max(1, options_.cells);
    const bool counted = !(options_.spacing > 0) && options_.cells <= 0;
    TetMesh mesh = counted ? search(spacing) : fill(spacing);
    if (mesh.tets.empty())
      refuse(
          "encloses nothing that a lattice with a spacing of " + in_words(spacing) + " (" +
          in_words(std::ceil(extent_ / spacing)) +
          " cells along the longest side) can find: use more cells if it is a thin solid; if it is an open sheet, "
          "thicken it");
    const Embedding bound = embed(mesh, surface_);
    check_lost(bound, spacing);
    return main_pieces(mesh, bound);
  }

 private:
  TetMesh fill(double spacing) const {
    const SurfaceFunction f(bvh_, region_, spacing, options_.thicken);
    FillOptions options;
    options.region = region_;
    options.spacing = spacing;
    options.cut_tolerance = 1e-4;
    return fill_implicit(std::cref(f), options);
  }

  // The number of tets goes nearly with spacing^-3, but in jumps where faces lie along the lattice: steps by that
  // power until the number is enclosed, then by halves.
  TetMesh search(double& spacing) const {
    const double wanted = options_.tets;
    TetMesh best;
    double fine = 0, coarse = 0, least = std::numeric_limits<double>::infinity(), next = extent_ / 16;
    for (int i = 0; i < search_tries && least > search_tolerance && next > extent_ / max_search_cells; ++i) {
      TetMesh mesh = fill(next);
      const double ratio = std::max(mesh.tet_count(), 1) / wanted, error = std::abs(std::log(ratio));
      (ratio > 1 ? fine : coarse) = next;
      if (error <= least) best = std::move(mesh), least = error, spacing = next;
      next *= std::clamp(std::cbrt(ratio), 0.4, 2.5);
      if (fine > 0 && coarse > 0 && (i > 4 || next <= fine || next >= coarse)) next = std::sqrt(fine * coarse);
    }
    return best;
  }

  // Vertices that are further from the cage than their tet is high: nothing there was thick enough for a tet.
  void check_lost(const Embedding& bound, double spacing) const {
    int lost = 0;
    for (const auto& w : bound.weights) lost += *std::min_element(w.begin(), w.end()) < -1 ? 1 : 0;
    const double percent = 100.0 * lost / bound.vertex_count();
    if (percent > lost_error)
      refuse("with a spacing of " + in_words(spacing) + " the tets miss " + in_words(percent) +
             " % of the surface, which is thinner than that: use more cells (a smaller spacing), or thicken it");
    if (percent > lost_note)
      note(in_words(percent) + " % of the surface is thinner than the spacing " + in_words(spacing) +
           " of the tets and only follows them: more cells would simulate it");
  }

  // Where a thin part of the surface is lost, what it joined would fall apart: of each part of the surface the
  // largest piece of the cage stays.
  TetMesh main_pieces(const TetMesh& mesh, const Embedding& bound) const {
    const Components pieces = components(mesh);
    std::vector<double> volume(static_cast<std::size_t>(pieces.count), 0.0);
    for (int t = 0; t < mesh.tet_count(); ++t) volume[pieces.of_tet[t]] += tet_volume(mesh, t);
    std::vector<int> largest(static_cast<std::size_t>(parts_.count), -1);
    for (std::size_t i = 0; i < surface_.triangles.size(); ++i) {
      const int piece = pieces.of_tet[bound.tet[surface_.triangles[i]]];
      int& best = largest[parts_.of_triangle[i / 3]];
      if (best < 0 || volume[piece] > volume[best]) best = piece;
    }
    const std::set<int> kept(largest.begin(), largest.end());
    const int dropped = pieces.count - static_cast<int>(kept.size());
    if (dropped == 0) return mesh;
    note(
        std::to_string(dropped) +
        " piece(s) of tets that only thinner parts of the surface join to the rest were left out: more cells would "
        "keep them");
    std::vector<int> which;
    for (int t = 0; t < mesh.tet_count(); ++t)
      if (kept.count(pieces.of_tet[t]) > 0) which.push_back(t);
    return subset(mesh, which);
  }

  void check_extent() const {
    if (surface_.triangles.empty()) refuse("there are no triangles: nothing can be filled");
    if (!(extent_ > 0) || !std::isfinite(extent_)) refuse("all vertices are in one place: nothing can be filled");
    if (!(options_.thicken >= 0)) refuse("thicken must not be negative");
  }

  [[noreturn]] void refuse(const std::string& problem) const { throw InputError("surface", problem); }
  void note(const std::string& text) const {
    if (notes_ != nullptr) notes_->push_back(text);
  }

  TriangleMesh surface_;
  SurfaceParts parts_;
  const SurfaceFillOptions& options_;
  std::vector<std::string>* notes_;
  int turned_;
  TriangleBvh bvh_;
  Bounds region_;
  double extent_;
};

}  // namespace

TetMesh fill_surface(const TriangleMesh& surface, const SurfaceFillOptions& options,
                     std::vector<std::string>* notes) {
  return SurfaceFiller(surface, options, notes).run();
}

}  // namespace resilin
