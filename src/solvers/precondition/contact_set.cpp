#include "solvers/precondition/contact_set.h"

#include <algorithm>
#include <cmath>

namespace resilin {
namespace {

constexpr char remembered = 8;      // updates for which a vertex counts that is not in contact any more
constexpr double renewed = 0.05;    // the set changes when so many of its vertices are others
constexpr double patiently = 0.25;  // the same, where that is costly
constexpr double stiffer = 0.1;     // or their stiffness has changed by so much

}  // namespace

ContactSet::ContactSet(int size)
    : touched_(static_cast<std::size_t>(size)), used_(touched_), stiffness_(touched_.size()) {}

void ContactSet::clear() {
  std::fill(touched_.begin(), touched_.end(), 0);
  std::fill(used_.begin(), used_.end(), 0);
  any_ = false;
}

void ContactSet::age() {
  for (char& left : touched_) left = static_cast<char>(left > 0 ? left - 1 : 0);
}

void ContactSet::add(int place, const double stiffness[6]) {
  const auto i = static_cast<std::size_t>(place);
  if (touched_[i] != remembered) stiffness_[i] = {};
  for (std::size_t k = 0; k < 6; ++k) stiffness_[i][k] += stiffness[k];
  touched_[i] = remembered;
}

ContactSet::Change ContactSet::take(const PatchTree& tree, std::span<const Point> before, bool patient) {
  int different = 0, leaving = 0;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    different += (touched_[i] != 0) != (used_[i] != 0);
    leaving += touched_[i] != 0 && touched_[i] != remembered;
  }
  if (!any_) before = {};
  const bool stiffness = stiffness_changed(tree, before);
  const bool same = different + leaving == 0 && !stiffness;
  if (different <= (patient ? patiently : renewed) * static_cast<double>(before.size()) && (patient || !stiffness))
    return same ? Change::none : Change::slight;
  for (std::size_t i = 0; i < touched_.size(); ++i) used_[i] = touched_[i] != 0 ? 1 : 0;
  any_ = std::find(used_.begin(), used_.end(), 1) != used_.end();
  return Change::renewed;
}

// Contacts that slid stick now, or the other way round.
bool ContactSet::stiffness_changed(const PatchTree& tree, std::span<const Point> before) const {
  double change = 0, all = 0;
  auto at = tree.ascending.begin();
  for (const Point& point : before) {
    while (tree.order[*at] != point.vertex) ++at;
    const Symmetric3& now = stiffness_[*at];
    for (const std::size_t k : {0, 2, 5})
      change += std::abs(now[k] - point.stiffness[k]), all += point.stiffness[k];
  }
  return change > stiffer * all;
}

std::vector<ContactSet::Point> ContactSet::points(const PatchTree& tree) const {
  std::vector<Point> out;
  for (const int i : tree.ascending)
    if (const auto place = static_cast<std::size_t>(i); used_[place] != 0)
      out.push_back({tree.order[place], stiffness_[place]});
  return out;
}

void ContactSet::add_newest(const PatchTree& tree, std::vector<Point>& out) const {
  for (const int i : tree.ascending)
    if (const auto place = static_cast<std::size_t>(i); touched_[place] == remembered)
      out.push_back({tree.order[place], stiffness_[place]});
}

}  // namespace resilin
