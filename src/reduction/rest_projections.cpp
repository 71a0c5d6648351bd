#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "potentials/evaluate.h"
#include "reduction/projection_fit.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

constexpr std::size_t part_elements = 4096;

// p = (Q z - dpsi/dz)/k of one element; its numbers stand eight apart.
void project(const Elastic& elastic, int element, const double* z, const double* dpsi, RestProjections& out) {
  const int rows = out.rows;
  double q[9] = {}, k = 0;
  add_quadratic(elastic, rows, element, q);
  for (int r = 0; r < rows; ++r) k += q[r * rows + r] / rows;
  out.k[element] = k;
  double* p = &out.p[element * 3 * rows];
  for (int r = 0; r < rows; ++r)
    for (int x = 0; x < 3; ++x) {
      double sum = -dpsi[(3 * r + x) * 8];
      for (int s = 0; s < rows; ++s) sum += q[r * rows + s] * z[(3 * s + x) * 8];
      p[3 * r + x] = k > 0 ? sum / k : z[(3 * r + x) * 8];
    }
}

// Coordinates that are zero at rest, such as the curvature of a flat sheet, are round-off of the positions that
// they are differences of: no shape to fit.
void clear_round_off(const Model& model, const Elements& elements, std::vector<double>& p) {
  const int rows = elements.rows(), corners = elements.corners();
  double square = 0, size = 0;
  for (int i = 0; i < elements.size(); ++i) {
    const auto ids = elements.vertices(i);
    double reach = 0;
    for (const int v : ids)
      for (int k = 0; k < 3; ++k)
        reach = std::max(reach, std::abs(model.rest[3 * v + k] - model.rest[3 * ids[0] + k]));
    for (int s = 0; s < rows * corners; ++s)
      size += elements.measure(i) * std::pow(elements.coefficients(i)[s] * reach, 2);
    for (int s = 0; s < 3 * rows; ++s) square += elements.measure(i) * std::pow(p[i * 3 * rows + s], 2);
  }
  if (square <= 1e-18 * size) std::fill(p.begin(), p.end(), 0.0);
}

}  // namespace

void add_quadratic(const Elastic& elastic, int rows, int element, double* q) {
  double one[9];
  for (const auto& potential : elastic) {
    potential->quadratic(element, 1, one);
    for (int s = 0; s < rows * rows; ++s) q[s] += one[s];
  }
}

RestProjections rest_projections(const Model& model, int t, const Elastic& elastic, std::span<const int> members,
                                 ThreadPool& pool) {
  const Term& term = model.terms[t];
  const auto total = static_cast<std::size_t>(term.elements.size());
  RestProjections out{term.elements.rows(), {}, std::vector<double>(total)};
  out.p.resize(total * 3 * out.rows);
  std::vector<int> row_of(model.mass.size());
  std::vector<double> x(4 * model.mass.size(), 0.0);
  for (std::size_t v = 0; v < row_of.size(); ++v) {
    row_of[v] = static_cast<int>(v);
    std::copy_n(&model.rest[3 * v], 3, &x[4 * v]);
  }
  PackedTerm packed(term.elements);
  int parts = 0;
  for (std::size_t first = 0; first < members.size(); first += part_elements, ++parts)
    packed.add_part(term.elements, members.subspan(first, std::min(part_elements, members.size() - first)), {},
                    row_of);
  // Damping is nothing at rest. The copy has no elements: kernels find theirs by slots.
  TermKernels kernels(Term{term.name, Elements(term.elements.kind()), elastic}, packed.slot_element());
  kernels.set_time(0);
  pool.parallel(parts, [&](int part) {
    packed.sweep(part, x.data(), nullptr, [&](SweepBlock& sweep) {
      Block& block = sweep.block;
      evaluate(kernels, block, 1);
      for (int slot = 0; slot < 8 * block.packs; ++slot)
        if (sweep.measure[slot] != 0) {
          const int at = slot / 8 * 3 * out.rows * 8 + slot % 8;
          project(elastic, packed.slot_element()[8 * block.first + slot], block.z + at, block.dpsi_z + at, out);
        }
    });
  });
  for (std::size_t i = 0; i < out.p.size(); ++i)
    if (!std::isfinite(out.p[i]))
      throw InputError("reduction", fmt::format("the force of element {} of term \"{}\" at rest is not finite",
                                                i / (3 * out.rows), term.name));
  return out;
}

RestProjections rest_projections(const Model& model, int t, ThreadPool& pool) {
  const Term& term = model.terms[t];
  std::vector<int> all(term.elements.size());
  std::iota(all.begin(), all.end(), 0);
  RestProjections out = rest_projections(model, t, term.elastic, all, pool);
  clear_round_off(model, term.elements, out.p);
  return out;
}

}  // namespace resilin
