#include "scene/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/selection.h"
#include "geometry/vec3.h"
#include "scene/format.h"

namespace resilin {
namespace {

int count_of(const SelectionSpace& space) { return static_cast<int>(space.positions.size() / 3); }

std::vector<int> everything(const SelectionSpace& space) {
  std::vector<int> ids(static_cast<std::size_t>(count_of(space)));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

std::vector<int> by_group(const Value& name, const SelectionSpace& space) {
  const auto found = space.groups->find(name.text());
  if (found != space.groups->end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [group, ids] : *space.groups) names.push_back(group);
  name.fail(fmt::format("{} has no group \"{}\" of {}; {}", space.owner, name.text(), space.what,
                        names.empty() ? "it has none" : "there are: " + join_or(names)));
}

std::vector<int> by_box(const Value& box, const SelectionSpace& space) {
  if (box.list().size() != 2) box.fail("a box is [[x, y, z], [x, y, z]]: its lower and its upper corner");
  const Vec3 lower = box.list()[0].vector3(), upper = box.list()[1].vector3();
  for (int k = 0; k < 3; ++k)
    if (lower[k] > upper[k])
      box.fail(fmt::format("lower corner above the upper one along {}: {} > {}", "xyz"[k], lower[k], upper[k]));
  return select_box(space.positions, lower, upper);
}

std::vector<int> by_side(const Settings& s, const SelectionSpace& space) {
  const std::string side = s.text("side");
  const int axis = side[0] - 'x';
  const Bounds b = bounds(space.positions);
  const double tolerance = s.has("tolerance") ? s.number("tolerance") : 1e-6 * diagonal(b);
  std::vector<int> ids;
  for (int i = 0; i < count_of(space); ++i) {
    const double x = space.positions[3 * i + axis];
    if (side[1] == '-' ? x <= b.lower[axis] + tolerance : x >= b.upper[axis] - tolerance) ids.push_back(i);
  }
  return ids;
}

std::vector<int> combined(const Value& list, const SelectionSpace& space, bool every) {
  std::vector<int> out;
  bool first = true;
  for (const Value& item : list.list()) {
    const std::vector<int> ids = select(item, space);
    std::vector<int> both;
    if (every && !first)
      std::set_intersection(out.begin(), out.end(), ids.begin(), ids.end(), std::back_inserter(both));
    else std::set_union(out.begin(), out.end(), ids.begin(), ids.end(), std::back_inserter(both));
    out = std::move(both);
    first = false;
  }
  return out;
}

std::vector<int> all_but(const Value& value, const SelectionSpace& space) {
  const std::vector<int> all = everything(space), ids = select(value, space);
  std::vector<int> out;
  std::set_difference(all.begin(), all.end(), ids.begin(), ids.end(), std::back_inserter(out));
  return out;
}

}  // namespace

std::vector<int> select(const Value& value, const SelectionSpace& space) {
  if (value.is_text()) return by_group(value, space);
  const Settings s = read_object("select", value);
  if (s.has("tolerance") && !s.has("side")) s.value("tolerance").fail("a tolerance goes with \"side\" only");
  if (s.has("box")) return by_box(s.value("box"), space);
  if (s.has("sphere")) {
    const Settings sphere = read_object("sphere", s.value("sphere"));
    return select_sphere(space.positions, sphere.vector3("center"), sphere.number("radius"));
  }
  if (s.has("plane")) {
    const Settings plane = read_object("plane", s.value("plane"));
    return select_half_space(space.positions, plane.vector3("point"), read_direction(plane.value("normal")));
  }
  if (s.has("group")) return by_group(s.value("group"), space);
  if (s.has("indices"))
    return select_indices(count_of(space), s.value("indices").integers(), s.value("indices").where());
  if (s.has("nearest")) return select_nearest(space.positions, s.vector3("nearest"));
  if (s.has("side")) return by_side(s, space);
  if (s.has("any")) return combined(s.value("any"), space, false);
  if (s.has("every")) return combined(s.value("every"), space, true);
  if (s.has("not")) return all_but(s.value("not"), space);
  return s.boolean("all") ? everything(space) : std::vector<int>{};
}

std::vector<int> select_some(const Value& value, const SelectionSpace& space) {
  std::vector<int> ids = select(value, space);
  if (!ids.empty()) return ids;
  const Bounds b = bounds(space.positions);
  const auto shown = [](const Vec3& p) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", p[0], p[1], p[2]); };
  value.fail(fmt::format("{} selects nothing: {} has {} {} within {} .. {}", value.dump(), space.owner,
                         count_of(space), space.what, shown(b.lower), shown(b.upper)));
}

}  // namespace resilin
