// Obstacles: regions that vertices may not enter, one file each. An obstacle is geometry in its own frame and
// nothing else: where it stands, how it moves and how stiff it is belongs to obstacle_potential.h, which makes the
// energy of it.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/params.h"
#include "resilin/potential.h"

namespace resilin {

class Stamp;

struct Distances;  // contact/distances.h
struct NearFaces;

class Obstacle {
 public:
  virtual ~Obstacle() = default;
  virtual std::string name() const = 0;
  /// Adds every number that it depends on: equal stamps mean equal regions.
  virtual void stamp(Stamp& out) const = 0;
  /// Signed distances of eight points, x [3][8]. `derivatives`: 0 sets the values, 1 also the normals, 2 also the
  /// curvatures.
  virtual void measure(const double* x, int derivatives, Distances& out) const = 0;
  /// Whether distances are searched for; then the same with what is known of these points.
  virtual bool searches() const { return false; }
  virtual void measure_near(const double* x, int derivatives, Distances& out, NearFaces& /*known*/) const {
    measure(x, derivatives, out);
  }
  /// A lower bound of the distances, [8], that is found quickly where distances take long: it tells points that are
  /// far away.
  virtual void lower_bound(const double* x, double* out) const;
  /// The least width [m]: what goes no farther than half of it comes out where it went in. Infinite: nothing comes
  /// out on another side.
  virtual double thickness() const { return std::numeric_limits<double>::infinity(); }
  /// The boundary to draw, facing outward; empty: it has no end.
  virtual TriangleMesh surface() const { return {}; }

  double distance(const Vec3& x) const;
};

struct ObstaclePlugin {
  std::string doc;
  Params params;
  std::function<std::shared_ptr<const Obstacle>(const Settings&)> make;
  /// Parameters of a small one, for tests, where the defaults do not make any.
  Value::Object example = {};
};

/// What the contact with an obstacle has besides its region: its response, and the stiffness, friction and
/// restitution of an energy. Every plugin adds them.
Params contact_params();
/// Throws InputError when numbers of an energy are stated of an obstacle that has none.
Response response_of(const Settings& obstacle);

/// A plugin of a bounded obstacle: with "inside", and the parameters of contact.
ObstaclePlugin bounded_obstacle(std::string doc, Params params,
                                std::function<std::shared_ptr<const Obstacle>(const Settings&)> make);

/// The surface of a body around z from its profile: (distance from z, z), from below to above, on z at both ends or
/// closed.
TriangleMesh revolved(const std::vector<std::array<double, 2>>& profile, bool closed);

}  // namespace resilin
