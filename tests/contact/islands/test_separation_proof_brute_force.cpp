// The proof of separation against brute force. Patches of sixteen triangles are one cluster each; their motions are
// random: screws, affine maps, noise. Whenever the proof says that patches are apart, the distance of every two of
// their parts is measured, at the end and on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "contact/islands/separation_proof.h"
#include "contact/narrow_phase/closest_points.h"
#include "contact/surface_scenes.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double radius = 0.02, rounding = 1e-9;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double in(double low, double high) { return low + (high - low) * (engine_() / 4294967296.0); }
  bool one_in(int n) { return in(0, n) < 1; }
  Vec3 direction() {
    const double z = in(-1, 1), phi = in(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
    return {r * std::cos(phi), r * std::sin(phi), z};
  }

 private:
  std::mt19937 engine_;
};

/// A turn by `angle` about an axis through a point and a shift along the axis: every rigid motion is one.
struct Screw {
  Vec3 axis{0, 0, 1}, point{0, 0, 0};
  double angle = 0, shift = 0;

  Vec3 of(const Vec3& x, double part = 1) const {
    const double c = std::cos(part * angle), s = std::sin(part * angle);
    const Vec3 d = x - point;
    return point + c * d + s * cross(axis, d) + ((1 - c) * dot(axis, d) + part * shift) * axis;
  }
};

/// x -> centre + map (x - centre), with a map near 1.
struct Stretch {
  double map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 centre{0, 0, 0};

  Stretch(Numbers& random, const Vec3& at, double size) : centre(at) {
    for (double& entry : map) entry += random.in(-size, size);
  }
  Vec3 of(const Vec3& x) const {
    Vec3 out = centre;
    for (std::size_t i = 0; i < 9; ++i) out[i / 3] += map[i] * (x[i % 3] - centre[i % 3]);
    return out;
  }
};

/// Patches of 4 x 2 squares of 0.1 m in the plane y = 0, side by side along x with gaps: in one body, or each a
/// body of its own.
class Patches {
 public:
  Patches(int count, bool one_body, double gap)
      : model_(make(count, one_body, gap)),
        surface_(contact_surface(model_)),
        list_({.radius = radius}, model_, surface_, {}),
        proof_(surface_, model_, list_) {
    find_pairs(count);
  }
  const std::vector<double>& rest() const { return model_.rest; }
  Vec3 centre(const std::vector<double>& x, int patch) const {
    Vec3 sum{0, 0, 0};
    for (int v = patch * size; v < (patch + 1) * size; ++v) sum = sum + at(x, v);
    return (1.0 / size) * sum;
  }
  template <class Map>
  void move(std::vector<double>& x, int patch, Map&& map) const {
    for (int v = patch * size; v < (patch + 1) * size; ++v) {
      const Vec3 to = map(at(x, v));
      for (std::size_t k = 0; k < 3; ++k) x[3 * static_cast<std::size_t>(v) + k] = to[k];
    }
  }
  bool says_apart(const std::vector<double>& from, const std::vector<double>& to, double margin) {
    SeparationProof::Near out;
    proof_.find(from.data(), to.data(), margin, true, true, pool_, out);
    return out.pairs.empty();
  }
  /// The least distance of parts of different patches at x; at least `most` where they are farther from each other.
  double distance(const std::vector<double>& x, double most) const {
    double least = most;
    each_near(x, most, [&](const ContactPair&, double d) { least = std::min(least, d); });
    return least;
  }
  /// How many of them push each other at x.
  int pushing(const std::vector<double>& x) const {
    int count = 0;
    each_near(x, radius, [&](const ContactPair& pair, double d) {
      count += d < list_.own_radius(pair, radius) * (1 - rounding) ? 1 : 0;
    });
    return count;
  }
  static constexpr int size = 15;  // vertices of a patch

 private:
  static Model make(int count, bool one_body, double gap) {
    Model model;
    TriangleMesh all;
    for (int i = 0; i < count; ++i) {
      const TriangleMesh own = grid_sheet(4, 2, 0.1, {i * (0.4 + gap), 0, 0});
      if (!one_body) add_sheet(model, own);
      for (const int v : own.triangles) all.triangles.push_back(v + size * i);
      all.vertices.insert(all.vertices.end(), own.vertices.begin(), own.vertices.end());
    }
    if (one_body) add_sheet(model, all);
    return model;
  }
  void find_pairs(int count) {
    for (int v = 0; v < count * size; ++v)
      for (int t = 0; t < surface_.triangle_count(); ++t)
        if (const auto& ids = surface_.triangles[static_cast<std::size_t>(t)]; ids[0] / size != v / size)
          pairs_.push_back({ContactPair::vertex_triangle, v, t, {v, ids[0], ids[1], ids[2]}, {}, 0, {}});
    for (int e = 0; e < surface_.edge_count(); ++e)
      for (int f = e + 1; f < surface_.edge_count(); ++f) {
        const auto &a = surface_.edges[static_cast<std::size_t>(e)],
                   &b = surface_.edges[static_cast<std::size_t>(f)];
        if (a[0] / size != b[0] / size)
          pairs_.push_back({ContactPair::edge_edge, e, f, {a[0], a[1], b[0], b[1]}, {}, 0, {}});
      }
  }
  static Vec3 at(const std::vector<double>& x, int v) {
    const double* p = &x[3 * static_cast<std::size_t>(v)];
    return {p[0], p[1], p[2]};
  }
  template <class Visit>
  void each_near(const std::vector<double>& x, double reach, Visit&& visit) const {
    constexpr double longest = 0.35;  // two parts together, stretched
    for (const ContactPair& pair : pairs_) {
      const double* p[4];
      for (std::size_t i = 0; i < 4; ++i) p[i] = &x[3 * static_cast<std::size_t>(pair.vertices[i])];
      const double apart =
          std::max({std::abs(p[0][0] - p[3][0]), std::abs(p[0][1] - p[3][1]), std::abs(p[0][2] - p[3][2])});
      if (apart > reach + longest) continue;
      const auto closest = pair.kind == ContactPair::edge_edge ? closest_edge_edge(p[0], p[1], p[2], p[3])
                                                               : closest_vertex_triangle(p[0], p[1], p[2], p[3]);
      if (closest.squared < reach * reach) visit(pair, std::sqrt(closest.squared));
    }
  }

  Model model_;
  ContactSurface surface_;
  PairList list_;
  SeparationProof proof_;
  ThreadPool pool_{1};
  std::vector<ContactPair> pairs_;  // of different patches
};

/// Two bodies, and how one of them moves as seen from the other: a screw.
struct Flight {
  std::vector<double> from, to;
  Screw relative;
  double longest = 0;  // way of a vertex
};

Flight random_flight(Numbers& random, const Patches& patches, bool rigid) {
  Flight out{patches.rest(), {}, {}, 0};
  const Vec3 middle = patches.centre(out.from, 0);
  const Vec3 place = middle + random.in(0.05, 0.7) * random.direction();
  const Screw turned{random.direction(), patches.centre(out.from, 1), random.in(0, 3), 0};
  const Vec3 shift = place - turned.point;
  patches.move(out.from, 1, [&](const Vec3& x) { return turned.of(x) + shift; });
  // Some turn about themselves and sweep over what lies beside them, some fly past, some go around.
  out.relative = {random.direction(), place, random.one_in(3) ? 0 : random.in(0, 2), random.in(-0.7, 0.7)};
  if (random.one_in(2)) out.relative.shift *= 0.05;
  if (random.one_in(3)) out.relative.point = place + random.in(0, 0.4) * random.direction();
  if (random.one_in(4)) out.relative.angle *= 0.1, out.relative.shift *= 0.1;
  out.to = out.from;
  patches.move(out.to, 1, [&](const Vec3& x) { return out.relative.of(x); });
  if (!rigid)
    for (int patch = 0; patch < 2; ++patch) {
      const Stretch stretch(random, patches.centre(out.to, patch), 0.15);
      patches.move(out.to, patch, [&](const Vec3& x) { return stretch.of(x) + 0.002 * random.direction(); });
    }
  for (std::size_t i = 0; i < out.to.size(); i += 3)
    out.longest = std::max(out.longest, std::hypot(out.to[i] - out.from[i], out.to[i + 1] - out.from[i + 1],
                                                   out.to[i + 2] - out.from[i + 2]));
  return out;
}

// Between the ends of a screw the distance is that of the bodies as one sees the other; an affine motion is looked
// at where it ends. All of it may be turned and shifted as a whole.
TEST(SeparationProofBruteForce, BodiesThatAreToldToBeApartAreApartOnTheWholeWay) {
  Numbers random(1);
  Patches patches(2, false, 0.1);
  int said = 0, easy = 0, easy_said = 0, swept = 0;
  for (int trial = 0; trial < 7000; ++trial) {
    const bool rigid = trial % 3 != 0;
    const Flight flight = random_flight(random, patches, rigid);
    const double margin = random.one_in(2) ? 1 : 2, wanted = margin * radius;
    std::vector<double> to = flight.to;
    const Screw all{random.direction(), {0.3, 0, 0.1}, random.one_in(2) ? 0 : random.in(0, 0.5), random.in(-1, 1)};
    for (int patch = 0; patch < 2; ++patch) patches.move(to, patch, [&](const Vec3& x) { return all.of(x); });
    const bool apart = patches.says_apart(flight.from, to, margin);
    said += apart ? 1 : 0;
    const double end = patches.distance(flight.to, 0.2);
    if (end > wanted + 3 * flight.longest) easy += 1, easy_said += apart ? 1 : 0;
    const auto least_on_the_way = [&] {
      double least = end;
      for (int i = 0; i < 6 && rigid; ++i) {
        std::vector<double> x = flight.from;
        patches.move(x, 1, [&](const Vec3& at) { return flight.relative.of(at, i / 6.0); });
        least = std::min(least, patches.distance(x, 3 * radius));
      }
      return least;
    };
    if (apart) {
      ASSERT_GE(least_on_the_way(), wanted * (1 - rounding)) << trial;
    } else if (rigid && end > 3 * radius && trial % 4 == 1) {
      swept += least_on_the_way() < wanted ? 1 : 0;
    }
  }
  EXPECT_GT(said, 1500);
  EXPECT_GT(swept, 50) << "motions that end far from each other and meet on the way";
  EXPECT_GT(easy, 300);
  EXPECT_GT(easy_said, 0.85 * easy);
}

// Clusters of one body that are near each other at rest: what counts is the end. The proof keeps the shape where it
// searched last, so that earlier trials must not matter.
TEST(SeparationProofBruteForce, NeighboursThatAreToldToBeApartDoNotPush) {
  Numbers random(2);
  int said = 0, pushed = 0, easy = 0, easy_said = 0;
  for (const double gap : {0.012, 0.025, 0.06}) {
    Patches patches(3, true, gap);
    for (int trial = 0; trial < 1000; ++trial) {
      const double size = random.one_in(3) ? 0.02 : 1, turned = random.one_in(3) ? 0 : size;
      std::vector<double> x = patches.rest();
      const double along = random.one_in(3) ? random.in(0.3, 1.1) : 1;  // the whole body is pressed
      for (std::size_t i = 0; i < x.size(); i += 3) x[i] *= along;
      for (int patch = 0; patch < 3; ++patch) {
        const Vec3 middle = patches.centre(x, patch);
        const Screw turn{random.direction(), middle, turned * random.in(0, 0.8), 0};
        const Stretch stretch(random, middle, turned * (random.one_in(2) ? 0.1 : 0));
        const Vec3 shift = (size * random.in(0, gap)) * random.direction();
        patches.move(x, patch, [&](const Vec3& at) { return turn.of(stretch.of(at)) + shift; });
      }
      const Screw all{random.direction(), {0.3, 0, 0.1}, random.in(0, 3), random.in(-1, 1)};
      for (int patch = 0; patch < 3; ++patch) patches.move(x, patch, [&](const Vec3& at) { return all.of(at); });
      const bool apart = patches.says_apart(x, x, 1);
      const int count = patches.pushing(x);
      said += apart ? 1 : 0, pushed += count > 0 ? 1 : 0;
      if (apart) {
        ASSERT_EQ(count, 0) << gap << " " << trial;
      }
      if (size < 1 && along == 1) easy += 1, easy_said += apart ? 1 : 0;
    }
  }
  EXPECT_GT(said, 500);
  EXPECT_GT(pushed, 300);
  EXPECT_GT(easy_said, 0.95 * easy);
}

}  // namespace
}  // namespace resilin
