#include "problem/inequalities.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "simd/pack.h"

namespace resilin {

void Inequalities::take(const Model& model) {
  regions_.clear();
  for (const Term& term : model.terms)
    for (const auto& potential : term.elastic) {
      if (potential->response() == Response::energy) continue;
      Region region{potential->response(), {}, {}};
      std::vector<int> slots;
      for (int i = 0; i < term.elements.size(); ++i) {
        const int v = term.elements.vertices(i)[0];
        if (space_.free_index()[v] >= 0) region.vertices.push_back(v), slots.push_back(i);
      }
      while (slots.size() % lanes != 0) slots.push_back(slots.back());
      region.kernel = potential->pack(slots);
      regions_.push_back(std::move(region));
    }
}

void Inequalities::set_time(double time) {
  for (Region& region : regions_) region.kernel->set_time(time);
}

bool Inequalities::any(Response which) const {
  return std::any_of(regions_.begin(), regions_.end(), [&](const Region& r) { return r.response == which; });
}

// place(vertex, x) says where a vertex is; take(vertex, x, nearest) is told of those that are inside. Each vertex
// is in a region once, so that packs do not meet; regions come one after the other.
template <class Place, class Take>
void Inequalities::each(Response which, Place&& place, Take&& take) const {
  for (const Region& region : regions_) {
    if (region.response != which) continue;
    const auto count = region.vertices.size();
    space_.parallel(static_cast<int>((count + lanes - 1) / lanes), [&](int pack) {
      alignas(64) double z[3 * lanes], nearest[3 * lanes];
      const std::size_t first = pack * lanes, here = std::min<std::size_t>(lanes, count - first);
      double x[3];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        place(region.vertices[first + std::min(lane, here - 1)], x);
        for (std::size_t k = 0; k < 3; ++k) z[k * lanes + lane] = x[k];
      }
      Block block;
      block.rows = 1, block.packs = 1, block.first = pack, block.z = z;
      region.kernel->project(block, nearest);
      for (std::size_t lane = 0; lane < here; ++lane) {
        double to[3];
        for (std::size_t k = 0; k < 3; ++k) x[k] = z[k * lanes + lane], to[k] = nearest[k * lanes + lane];
        if (x[0] != to[0] || x[1] != to[1] || x[2] != to[2]) take(region.vertices[first + lane], x, to);
      }
    });
  }
}

void Inequalities::project(Response which, double* y) const {
  each(
      which, [&](int v, double* x) { std::copy_n(y + 3 * v, 3, x); },
      [&](int v, const double*, const double* to) { std::copy_n(to, 3, y + 3 * v); });
}

// The largest is the same in whatever order.
double Inequalities::depth(const double* y) const {
  std::atomic<double> deepest = 0;
  each(
      Response::hard, [&](int v, double* x) { std::copy_n(y + 3 * v, 3, x); },
      [&](int, const double* x, const double* to) {
        const double depth = std::hypot(x[0] - to[0], x[1] - to[1], x[2] - to[2]);
        double known = deepest;
        while (depth > known && !deepest.compare_exchange_weak(known, depth)) {
        }
      });
  return deepest;
}

void Inequalities::reduce(const double* y, double tau, double* gradient) const {
  const auto mass = space_.vertex_mass();
  const auto stiffness = [&](int v) { return mass[v] / (tau * tau); };
  each(
      Response::hard,
      [&](int v, double* x) {
        for (int k = 0; k < 3; ++k) x[k] = y[3 * v + k] - gradient[3 * v + k] / stiffness(v);
      },
      [&](int v, const double*, const double* to) {
        for (int k = 0; k < 3; ++k) gradient[3 * v + k] = stiffness(v) * (y[3 * v + k] - to[k]);
      });
}

}  // namespace resilin
