#include "problem/blocks/listed_packs.h"

#include <numeric>

namespace resilin {
namespace {

constexpr std::size_t group_elements = 256;

std::vector<int> all_of(const Term& term) {
  std::vector<int> ids(term.elements.size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

}  // namespace

ListedPacks::ListedPacks(const Term& term) : ListedPacks(term, all_of(term)) {}

ListedPacks::ListedPacks(const Term& term, std::vector<int> listed)
    : listed_(std::move(listed)), packed_(term.elements) {
  const Elements& elements = term.elements;
  int largest = -1;
  for (const int e : listed_)
    for (const int v : elements.vertices(e)) largest = std::max(largest, v);
  std::vector<int> row_of(largest + 1, -1);
  for (std::size_t first = 0; first < listed_.size(); first += group_elements) {
    const std::size_t count = std::min(group_elements, listed_.size() - first);
    const auto members = std::span(listed_).subspan(first, count);
    std::vector<int> own;
    for (const int e : members) own.insert(own.end(), elements.vertices(e).begin(), elements.vertices(e).end());
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (std::size_t i = 0; i < own.size(); ++i) row_of[own[i]] = static_cast<int>(i);
    for (std::size_t i = 0; i < count; ++i) slot_.push_back(packed_.packs() * 8 + static_cast<int>(i));
    packed_.add_part(elements, members, {}, row_of);
    groups_.push_back({static_cast<int>(row_vertex_.size()), static_cast<int>(own.size())});
    row_vertex_.insert(row_vertex_.end(), own.begin(), own.end());
  }
  kernels_ = TermKernels(term, packed_.slot_element());
  copies_.resize(row_vertex_.size());
  std::iota(copies_.begin(), copies_.end(), 0);
  std::stable_sort(copies_.begin(), copies_.end(), [&](int a, int b) { return row_vertex_[a] < row_vertex_[b]; });
  for (std::size_t c = 0; c < copies_.size(); ++c)
    if (c == 0 || row_vertex_[copies_[c]] != vertices_.back())
      vertices_.push_back(row_vertex_[copies_[c]]), copies_start_.push_back(static_cast<int>(c));
  copies_start_.push_back(static_cast<int>(copies_.size()));
  x_.resize(4 * row_vertex_.size()), f_.resize(x_.size());
  energy_.resize(packed_.slot_element().size());
  derivative_.resize(elements.corners() == 1 ? 9 * energy_.size() : 0);
}

void ListedPacks::evaluate(const Coordinates& coordinates, const double* y, int derivatives, ThreadPool& pool) {
  const bool points = derivatives == 2 && !derivative_.empty();
  pool.parallel(static_cast<int>(groups_.size()), [&](int g) {
    const int rows = groups_[g].first_row;
    const auto vertices = std::span(row_vertex_).subspan(rows, groups_[g].rows);
    coordinates.lift(vertices, y, x_.data() + 4 * rows);
    double* f = derivatives > 0 ? f_.data() + 4 * rows : nullptr;
    if (f != nullptr) std::fill_n(f, 4 * vertices.size(), 0.0);
    packed_.sweep(g, x_.data() + 4 * rows, f, [&](SweepBlock& sweep) {
      const Block& block = sweep.block;
      sweep.block.filter = true;
      resilin::evaluate(kernels_, sweep.block, derivatives);
      for (int i = 0; i < block.packs * 8; ++i) {
        const std::size_t slot = static_cast<std::size_t>(block.first) * 8 + i;
        energy_[slot] = sweep.measure[i] * block.psi[i];
        const int pack = i / 8, lane = i % 8;
        for (int k = 0; points && k < 3; ++k)
          derivative_[9 * slot + k] = sweep.measure[i] * block.dpsi_z[(pack * 3 + k) * 8 + lane];
        for (int k = 0; points && k < 6; ++k)
          derivative_[9 * slot + 3 + k] = sweep.measure[i] * block.d2psi_z[(pack * 6 + k) * 8 + lane];
      }
    });
  });
}

// K_ab = measure sum_rs c_ra c_sb H_(r.)(s.).
void ListedPacks::find_hessians(const Coordinates& coordinates, const double* y, bool filter, ThreadPool& pool) {
  const auto corners = static_cast<std::size_t>(packed_.corners()), size = 9 * corners * corners;
  hessian_.resize(size * energy_.size());
  pool.parallel(static_cast<int>(groups_.size()), [&](int g) {
    const int rows = groups_[g].first_row;
    coordinates.lift(std::span(row_vertex_).subspan(rows, groups_[g].rows), y, x_.data() + 4 * rows);
    packed_.sweep(g, x_.data() + 4 * rows, nullptr, [&](SweepBlock& sweep) {
      sweep.block.filter = filter;
      resilin::evaluate(kernels_, sweep.block, 2);
      for (int i = 0; i < sweep.block.packs * 8; ++i)
        add_corners(sweep, i, &hessian_[size * (static_cast<std::size_t>(sweep.block.first) * 8 + i)]);
    });
  });
}

// The blocks of one slot, from the lower triangle of its (3R)^2 matrix.
void ListedPacks::add_corners(const SweepBlock& sweep, int slot, double* blocks) const {
  const int rows = packed_.rows(), corners = packed_.corners(), stored = packed_.stored();
  const int entries = 3 * rows * (3 * rows + 1) / 2, pack = slot / 8, lane = slot % 8;
  const double* h = sweep.block.d2psi_z + static_cast<std::ptrdiff_t>(pack) * entries * 8 + lane;
  const double* c = packed_.coefficients(sweep.block.first + pack) + lane;
  const auto coefficient = [&](int r, int a) {
    if (a >= corners - stored) return c[(r * stored + a - (corners - stored)) * 8];
    double sum = 0;  // the first corner of elements that do not see translations
    for (int b = 0; b < stored; ++b) sum -= c[(r * stored + b) * 8];
    return sum;
  };
  const auto entry = [&](int i, int j) { return h[(i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i) * 8]; };
  for (int a = 0; a < corners; ++a)
    for (int b = 0; b < corners; ++b, blocks += 9)
      for (int k = 0; k < 9; ++k) {
        double sum = 0;
        for (int r = 0; r < rows; ++r)
          for (int s = 0; s < rows; ++s)
            sum += coefficient(r, a) * coefficient(s, b) * entry(3 * r + k / 3, 3 * s + k % 3);
        blocks[k] = sweep.measure[slot] * sum;
      }
}

}  // namespace resilin
