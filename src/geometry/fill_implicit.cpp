// Isosurface stuffing [Labelle and Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral
// Angles", 2007], uniform lattice: evaluate the function at the sites of a body-centred lattice, find where
// lattice edges cross the surface, warp sites onto crossings that are too close, and cut the lattice tets by
// stencils. The dihedral angles are bounded because no crossing is nearer to a site than alpha edge lengths
// after warping, whatever the function.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "geometry/bcc_lattice.h"
#include "resilin/errors.h"
#include "resilin/shapes.h"
#include "resilin/watch.h"

namespace resilin {

namespace {

// Found by enumerating every stencil below with crossings and warps at their ends and middles: 10.77 and
// 164.70 degrees, a search and not a proof, but it agrees with the paper's 10.7 and 164.8. The pair
// (0.24999, 0.41189) gives 9.3 and 161.7 with these stencils.
constexpr double alpha_long = 0.285, alpha_short = 0.3986;
constexpr std::int64_t max_sites = 400'000'000;  // keeps ids in int and memory under 10 GB

using Site = BccLattice::Site;

// Of `done` sites or tets: a check costs as much as a few of them.
void check_now_and_then(std::int64_t done) {
  if (done % 4096 == 0) watch_check();
}

class Filler {
 public:
  Filler(const ImplicitFunction& f, const FillOptions& options) : f_(f), options_(options) {}

  TetMesh run() {
    lay_out();
    evaluate();
    find_cuts();
    warp();
    std::int64_t done = 0;
    lattice_.for_each_tet([&](const std::array<Site, 4>& site) {
      check_now_and_then(done++);
      fill({site,
            {lattice_.index(site[0]), lattice_.index(site[1]), lattice_.index(site[2]), lattice_.index(site[3])}});
    });
    return std::move(out_);
  }

 private:
  struct Cut {          // where a lattice edge crosses the surface
    std::int64_t edge;  // 7 * index of the site it starts at + direction; ascending in cuts_
    double t;           // from the start, in edge lengths
    int vertex = -1;    // id in the output
  };
  struct Warp {
    std::int64_t site;  // ascending in warps_
    Vec3 position;
  };
  struct Tet {
    std::array<Site, 4> site;
    std::array<std::int64_t, 4> index;
  };

  // One cube of margin around the region, centred so that a symmetric solid gets a nearly symmetric mesh.
  void lay_out() {
    const auto& [lower, upper] = options_.region;
    lattice_.spacing = options_.spacing;
    if (!(options_.spacing > 0) || !std::isfinite(options_.spacing))
      throw InputError("spacing", std::to_string(options_.spacing) + " must be positive and finite");
    double sites = 2;
    for (int a = 0; a < 3; ++a) {
      const double extent = upper[a] - lower[a];
      if (!(extent >= 0) || !std::isfinite(extent))
        throw InputError("region", "must be finite with lower <= upper");
      const double cells = std::ceil(extent / options_.spacing) + 2;
      sites *= cells + 1;
      if (!(sites < static_cast<double>(max_sites)))
        throw InputError("spacing", std::to_string(options_.spacing) +
                                        " is too small for a region of this size: the lattice " +
                                        "may have at most " + std::to_string(max_sites) + " vertices");
      lattice_.cells[a] = static_cast<int>(cells);
      lattice_.origin[a] = 0.5 * (lower[a] + upper[a] - cells * options_.spacing);
    }
  }

  void evaluate() {
    values_.resize(lattice_.size());
    ids_.assign(lattice_.size(), -1);
    for (std::int64_t i = 0; i < lattice_.size(); ++i) {
      check_now_and_then(i);
      const Site site = lattice_.site(i);
      const Vec3 p = lattice_.position(site);
      values_[i] = value(p);
      if (values_[i] < 0 && lattice_.on_boundary(site))
        throw InputError("region", "the solid reaches out of it at (" + std::to_string(p[0]) + ", " +
                                       std::to_string(p[1]) + ", " + std::to_string(p[2]) +
                                       "); enlarge the region or check the function's sign");
    }
  }

  void find_cuts() {
    for (std::int64_t i = 0; i < lattice_.size(); ++i) {
      check_now_and_then(i);
      const Site a = lattice_.site(i);
      for (int d = 0; d < 7; ++d) {
        const Site b = BccLattice::neighbour(a, d);
        if (!lattice_.contains(b)) continue;
        const double fa = values_[i], fb = values_[lattice_.index(b)];
        if ((fa < 0 && fb > 0) || (fa > 0 && fb < 0))
          cuts_.push_back({7 * i + d, crossing(lattice_.position(a), lattice_.position(b), fa, fb)});
      }
    }
  }

  // In site order. A warped site has value 0, so the crossings on its other edges vanish with it.
  void warp() {
    std::vector<std::int64_t> candidates;
    for (const Cut& cut : cuts_) {
      const Site a = lattice_.site(cut.edge / 7);
      candidates.push_back(cut.edge / 7);
      candidates.push_back(lattice_.index(BccLattice::neighbour(a, static_cast<int>(cut.edge % 7))));
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::int64_t done = 0;
    for (std::int64_t i : candidates) {
      check_now_and_then(done++);
      Vec3 position{};
      if (!nearest_violating_cut(i, position)) continue;
      values_[i] = 0;
      warps_.push_back({i, position});
    }
  }

  bool nearest_violating_cut(std::int64_t index, Vec3& position) {
    const Site a = lattice_.site(index);
    double nearest = 1;  // in spacings
    for (int n = 0; n < 14; ++n) {
      const Site b = BccLattice::neighbour(a, n % 7, n < 7 ? 1 : -1);
      if (!lattice_.contains(b)) continue;
      const double fa = values_[index], fb = values_[lattice_.index(b)];
      if (!((fa < 0 && fb > 0) || (fa > 0 && fb < 0))) continue;
      bool forward;
      const double t = cut_between(a, b, forward).t, from_a = forward ? t : 1 - t;
      const bool is_long = n % 7 < 3;
      const double distance = from_a * (is_long ? 1 : std::sqrt(0.75));
      if (from_a >= (is_long ? alpha_long : alpha_short) || distance >= nearest) continue;
      nearest = distance;
      position = lattice_.position(a) + from_a * (lattice_.position(b) - lattice_.position(a));
    }
    return nearest < 1;
  }

  // Regula falsi with the Illinois weight; a bisection follows whenever a step failed to halve the bracket, so
  // that a jump (winding numbers) or a flat function costs at most twice the bisections.
  double crossing(const Vec3& a, const Vec3& b, double fa, double fb) const {
    double low = 0, high = 1;
    bool bisect = false;
    int kept = 0;  // which end stayed last time: -1 low, 1 high, 0 none yet
    while (high - low > options_.cut_tolerance) {
      const double before = high - low, margin = std::min(0.25 * options_.cut_tolerance, 0.25 * before);
      double t = bisect ? 0.5 * (low + high) : low + before * (fa / (fa - fb));
      t = std::clamp(t, low + margin, high - margin);
      const double ft = value(a + t * (b - a));
      if (ft == 0) return t;
      if ((ft < 0) == (fa < 0)) {
        low = t, fa = ft;
        if (kept == 1) fb *= 0.5;
        kept = 1;
      } else {
        high = t, fb = ft;
        if (kept == -1) fa *= 0.5;
        kept = -1;
      }
      // The bracket may stay wide on one side although the crossing is found on the other.
      const double remaining = (high - low) * std::abs(ft) / (std::abs(fa) + std::abs(fb));
      if (remaining < 0.5 * options_.cut_tolerance) return kept == 1 ? low + remaining : high - remaining;
      bisect = !bisect && high - low > 0.5 * before;
    }
    return 0.5 * (low + high);
  }

  // The stencils. `order` lists the tet's sites with the inside ones first, then those on the surface, then the
  // outside ones; a, b, c, d below are the sites in that order and C(i, j) the crossing on edge ij.
  void fill(const Tet& tet) {
    std::array<int, 4> order;
    int inside = 0, outside = 0, count = 0;
    for (int i = 0; i < 4; ++i)
      if (values_[tet.index[i]] < 0) order[count++] = i, ++inside;
    if (inside == 0) return;
    for (int i = 0; i < 4; ++i)
      if (values_[tet.index[i]] == 0) order[count++] = i;
    for (int i = 0; i < 4; ++i)
      if (values_[tet.index[i]] > 0) order[count++] = i, ++outside;

    if (outside == 0) {
      const int a = vertex(tet, 0), b = vertex(tet, 1), c = vertex(tet, 2), d = vertex(tet, 3);
      add_tet({0, 1, 2, 3}, a, b, c, d);
    } else if (inside == 1) {
      cut_one_in(tet, order);
    } else if (inside == 2 && outside == 1) {
      cut_two_in_one_out(tet, order);
    } else if (inside == 2) {
      cut_two_in_two_out(tet, order);
    } else {
      cut_three_in(tet, order);
    }
  }

  void cut_one_in(const Tet& tet, std::array<int, 4> order) {
    std::array<int, 4> v;
    for (int i = 0; i < 4; ++i)
      v[i] = values_[tet.index[order[i]]] > 0 ? vertex(tet, order[0], order[i]) : vertex(tet, order[i]);
    add_tet(order, v[0], v[1], v[2], v[3]);
  }

  // A pyramid: the quadrilateral a, b, C(b,d), C(a,d) and the apex c on the surface.
  void cut_two_in_one_out(const Tet& tet, std::array<int, 4> order) {
    const auto [ia, ib, ic, id] = order;
    const int a = vertex(tet, ia), b = vertex(tet, ib), c = vertex(tet, ic);
    const int ad = vertex(tet, ia, id), bd = vertex(tet, ib, id);
    if (diagonal_from_first(tet.site[ia], tet.site[ib], tet.site[id])) {
      add_tet(order, a, b, c, bd);
      add_tet(order, a, bd, c, ad);
    } else {
      add_tet(order, a, b, c, ad);
      add_tet(order, b, bd, c, ad);
    }
  }

  // A prism a, C(a,c), C(a,d) and b, C(b,c), C(b,d). Every choice below makes the three diagonals acyclic.
  void cut_two_in_two_out(const Tet& tet, std::array<int, 4> order) {
    auto& [ia, ib, ic, id] = order;
    const bool long_ab = BccLattice::is_long(tet.site[ia], tet.site[ib]);
    if (long_ab) {
      if (!diagonal_from_first(tet.site[ia], tet.site[ib], tet.site[ic])) std::swap(ia, ib);
      assert(!diagonal_from_first(tet.site[ia], tet.site[ib], tet.site[id]));
    } else if (!BccLattice::is_long(tet.site[ia], tet.site[ic])) {
      std::swap(ic, id);
    }
    const int a = vertex(tet, ia), b = vertex(tet, ib);
    const int ac = vertex(tet, ia, ic), ad = vertex(tet, ia, id), bc = vertex(tet, ib, ic),
              bd = vertex(tet, ib, id);
    if (long_ab) {  // diagonals a-bc, b-ad, bc-ad
      add_tet(order, a, b, bc, ad);
      add_tet(order, a, bc, ac, ad);
      add_tet(order, b, ad, bd, bc);
    } else {  // ac and bd are on long edges: b-ac, a-bd, ac-bd
      add_tet(order, a, b, ac, bd);
      add_tet(order, a, ac, ad, bd);
      add_tet(order, ac, b, bc, bd);
    }
  }

  // A prism a, b, c and C(a,d), C(b,d), C(c,d), relabelled so that ad is the long edge at d.
  void cut_three_in(const Tet& tet, std::array<int, 4> order) {
    auto& [ia, ib, ic, id] = order;
    if (BccLattice::is_long(tet.site[ib], tet.site[id])) std::swap(ia, ib);
    if (BccLattice::is_long(tet.site[ic], tet.site[id])) std::swap(ia, ic);
    const int a = vertex(tet, ia), b = vertex(tet, ib), c = vertex(tet, ic);
    const int ad = vertex(tet, ia, id), bd = vertex(tet, ib, id), cd = vertex(tet, ic, id);
    add_tet(order, a, b, c, ad);
    if (diagonal_from_first(tet.site[ib], tet.site[ic], tet.site[id])) {
      add_tet(order, ad, b, c, cd);
      add_tet(order, ad, b, cd, bd);
    } else {
      add_tet(order, ad, b, c, bd);
      add_tet(order, ad, c, cd, bd);
    }
  }

  // Which diagonal cuts the quadrilateral a, b, C(b,d), C(a,d) on a face: a - C(b,d), or else b - C(a,d). It
  // depends on the face alone, so both tets agree. With a long edge among the crossed ones, the diagonal ends at
  // its crossing. Otherwise ab is long and their parity rule decides: a - C(b,d) if a exceeds C(b,d) in an even
  // number of coordinates. It gives the two faces of one tet at ab opposite diagonals, which the bound needs.
  static bool diagonal_from_first(const Site& a, const Site& b, const Site& d) {
    if (BccLattice::is_long(a, d)) return false;
    if (BccLattice::is_long(b, d)) return true;
    int exceeds = 0;
    for (int i = 0; i < 3; ++i) exceeds += 2 * a[i] > b[i] + d[i];
    return exceeds % 2 == 0;
  }

  Cut& cut_between(const Site& a, const Site& b, bool& forward) {
    int d = 0;
    for (; d < 7; ++d) {
      forward = b == BccLattice::neighbour(a, d);
      if (forward || b == BccLattice::neighbour(a, d, -1)) break;
    }
    assert(d < 7);  // a and b are neighbours
    const std::int64_t edge = 7 * lattice_.index(forward ? a : b) + d;
    const auto before = [](const Cut& cut, std::int64_t e) { return cut.edge < e; };
    const auto it = std::lower_bound(cuts_.begin(), cuts_.end(), edge, before);
    assert(it != cuts_.end() && it->edge == edge);
    return *it;
  }

  int vertex(const Tet& tet, int i) {
    int& id = ids_[tet.index[i]];
    if (id >= 0) return id;
    const auto it = std::lower_bound(warps_.begin(), warps_.end(), tet.index[i],
                                     [](const Warp& w, std::int64_t site) { return w.site < site; });
    const bool warped = it != warps_.end() && it->site == tet.index[i];
    return id = add_vertex(warped ? it->position : lattice_.position(tet.site[i]));
  }

  int vertex(const Tet& tet, int i, int j) {
    bool forward;
    Cut& cut = cut_between(tet.site[i], tet.site[j], forward);
    if (cut.vertex >= 0) return cut.vertex;
    const Vec3 a = lattice_.position(tet.site[forward ? i : j]), b = lattice_.position(tet.site[forward ? j : i]);
    return cut.vertex = add_vertex(a + cut.t * (b - a));
  }

  int add_vertex(const Vec3& p) {
    out_.vertices.insert(out_.vertices.end(), p.begin(), p.end());
    return out_.vertex_count() - 1;
  }

  // The stencils keep the orientation of (a, b, c, d); an odd order reverses it.
  void add_tet(std::array<int, 4> order, int a, int b, int c, int d) {
    int inversions = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) inversions += order[i] > order[j];
    if (inversions % 2) std::swap(c, d);
    out_.tets.insert(out_.tets.end(), {a, b, c, d});
  }

  double value(const Vec3& p) const {
    const double v = f_(p.data());
    if (!std::isfinite(v))
      throw InputError("implicit function", "is " + std::to_string(v) + " at (" + std::to_string(p[0]) + ", " +
                                                std::to_string(p[1]) + ", " + std::to_string(p[2]) +
                                                "); it must be finite");
    return v;
  }

  const ImplicitFunction& f_;
  const FillOptions& options_;
  BccLattice lattice_;
  std::vector<double> values_;  // at the sites; 0 after warping
  std::vector<int> ids_;        // of the sites in the output, or -1
  std::vector<Cut> cuts_;
  std::vector<Warp> warps_;
  TetMesh out_;
};

}  // namespace

TetMesh fill_implicit(const ImplicitFunction& f, const FillOptions& options) { return Filler(f, options).run(); }

}  // namespace resilin
