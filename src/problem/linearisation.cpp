#include "problem/linearisation.h"

#include <algorithm>
#include <utility>

#include "simd/pack.h"

namespace resilin {

Linearisation::Linearisation(PartitionedElements& elements, Assembly& assembly, EnergyBlocks& blocks,
                             const ConstantMatrix& constant, const Space& space)
    : elements_(elements), assembly_(assembly), blocks_(blocks), constant_(constant), space_(space) {}

void Linearisation::forget() {
  ++layouts_;
  hessian_.reset();
  invalidate();
}

void Linearisation::invalidate() { has_points_ = has_pairs_ = has_rank_one_ = has_elements_ = false; }

void Linearisation::move_to(const double* y, const Inertia& inertia) {
  inertia_ = inertia;
  const std::array<std::uint64_t, 2> of = {blocks_.lists(), space_.components().activations()};
  const std::span now(y, space_.size());
  if (of_ == of && std::ranges::equal(now, y_)) return;
  of_ = of;
  y_.assign(now.begin(), now.end());
  invalidate();
}

const std::vector<PointStiffness>& Linearisation::points() {
  if (!std::exchange(has_points_, true)) blocks_.add_points(y_.data(), true, points_);
  return points_;
}

const std::vector<PairStiffness>& Linearisation::pairs() {
  if (!std::exchange(has_pairs_, true)) blocks_.add_pairs(y_.data(), pairs_);
  return pairs_;
}

const std::vector<RankOneStiffness>& Linearisation::rank_one() {
  if (!std::exchange(has_rank_one_, true)) rank_one_.clear(), blocks_.add_rank_one(y_.data(), rank_one_);
  return rank_one_;
}

// Where bodies touch, vertices are coupled that no element of the partition couples.
SymmetricMatrix Linearisation::pattern() {
  std::vector<int> offset = {0}, members;
  const auto add = [&](std::span<const int> ids) {
    for (const int v : ids) members.push_back(space_.free_index()[v]);
    offset.push_back(static_cast<int>(members.size()));
  };
  for (const Term& term : elements_.model().terms)
    for (int i = 0; i < term.elements.size(); ++i) add(term.elements.vertices(i));
  blocks_.each_element(add);
  return SymmetricMatrix(space_.free_rows(), 3, offset, members);
}

std::uint64_t Linearisation::pattern_stamp() const { return (layouts_ << 32) + blocks_.lists(); }

void Linearisation::assemble(SymmetricMatrix& matrix, bool filter) {
  blocks_.ensure_listed(y_.data());
  if (!hessian_ || hessian_of_ != pattern_stamp())
    hessian_ = std::make_unique<HessianAssembly>(elements_, space_, matrix), hessian_of_ = pattern_stamp();
  assembly_.begin(y_.data());
  hessian_->assemble(
      assembly_, {.scatter = false, .rates = elements_.stage_rates()},
      [&](int term, int, SweepBlock& sweep) {
        sweep.block.filter = filter;
        evaluate(elements_.kernels(term), sweep.block, 2);
      },
      matrix);
  add_points(matrix);
  add_listed(matrix, filter);
  add_inertia(matrix);
}

// Obstacles are elements of the partition here: exact, or filtered like any other.
void Linearisation::add_points(SymmetricMatrix& matrix) {
  std::vector<PointStiffness> points;
  blocks_.add_points(y_.data(), false, points);
  for (const PointStiffness& point : points) {
    const int row = space_.free_index()[point.vertex];
    if (row < 0) continue;
    double* diagonal = &matrix.value[9 * std::size_t(matrix.start[row + 1] - 1)];
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j, ++k) {
        diagonal[3 * i + j] += point.hessian[k];
        if (i != j) diagonal[3 * j + i] += point.hessian[k];
      }
  }
}

void Linearisation::add_listed(SymmetricMatrix& matrix, bool filter) {
  blocks_.add_hessian(y_.data(), filter, [&](int vertex, int other, const double* block) {
    const int row = space_.free_index()[vertex], column = space_.free_index()[other];
    if (row < column || column < 0) return;
    double* to = &matrix.value[9 * std::size_t(matrix.find(row, column))];
    for (int k = 0; k < 9; ++k) to[k] += block[k];
  });
}

void Linearisation::add_inertia(SymmetricMatrix& matrix) const {
  const double weight = 1 / (inertia_.tau * inertia_.tau);
  const auto mass = space_.coordinates().vertex_mass();
  for (int v = 0; v < space_.vertices(); ++v) {
    const int row = space_.free_index()[v];
    if (row < 0) continue;
    double* diagonal = &matrix.value[9 * std::size_t(matrix.start[row + 1] - 1)];
    for (int k = 0; k < 3; ++k) diagonal[4 * k] += weight * mass[v];
  }
}

// d2psi/dz2 of every element, kept for products.
void Linearisation::find_element_hessians() {
  if (std::exchange(has_elements_, true)) return;
  element_hessians_.resize(elements_.terms().size());
  for (std::size_t t = 0; t < element_hessians_.size(); ++t) {
    const int rows = elements_.terms()[t].rows();
    element_hessians_[t].resize(static_cast<std::size_t>(elements_.terms()[t].packs()) *
                                (3 * rows * (3 * rows + 1) / 2) * lanes);
  }
  assembly_.begin(y_.data());
  elements_.sweep(
      assembly_, {.scatter = false, .rates = elements_.stage_rates()}, [&](int t, int, SweepBlock& sweep) {
        evaluate(elements_.kernels(t), sweep.block, 2);
        const int rows = sweep.block.rows, entries = 3 * rows * (3 * rows + 1) / 2 * lanes;
        std::copy_n(sweep.block.d2psi_z, sweep.block.packs * entries,
                    element_hessians_[t].data() + static_cast<std::ptrdiff_t>(sweep.block.first) * entries);
      });
}

// A sweep at p has z = D p: its operation is the product with the stored matrix of each element.
void Linearisation::multiply(const double* p, double* hp) {
  find_element_hessians();
  zero_.assign(space_.size(), 0.0);
  assembly_.begin(p);
  elements_.sweep(assembly_, {.in_stage = false}, [&](int t, int, SweepBlock& sweep) {
    const int rows = 3 * sweep.block.rows, entries = rows * (rows + 1) / 2;
    const double* h =
        element_hessians_[t].data() + static_cast<std::ptrdiff_t>(sweep.block.first) * entries * lanes;
    for (int pack = 0; pack < sweep.block.packs; ++pack, h += entries * lanes)
      for (int i = 0; i < rows; ++i) {
        Pack sum = {};
        for (int j = 0; j < rows; ++j)
          sum += load(h + (i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i) * lanes) *
                 load(sweep.block.z + (pack * rows + j) * lanes);
        store(sweep.block.dpsi_z + (pack * rows + i) * lanes, sum);
      }
  });
  multiply_listed(p);
  Evaluation ignored;
  ignored.components.resize(space_.components().count());
  const Inertia inertia{zero_.data(), inertia_.tau};
  assembly_.reduce(&inertia, hp, ignored);
}

// Contact, drags and global energies, added to the forces of the sweep.
void Linearisation::multiply_listed(const double* p) {
  const auto add = [&](int vertex, const double* block, const double* from) {
    double f[3];
    for (int i = 0; i < 3; ++i)
      f[i] = block[3 * i] * from[0] + block[3 * i + 1] * from[1] + block[3 * i + 2] * from[2];
    assembly_.add(vertex, f);
  };
  lifted_.resize(3 * space_.vertices());
  space_.coordinates().lift(p, lifted_.data());
  p = lifted_.data();
  std::vector<PointStiffness> points;
  blocks_.add_points(y_.data(), false, points);
  for (const PointStiffness& point : points) {
    const double* h = point.hessian;
    const double full[9] = {h[0], h[1], h[3], h[1], h[2], h[4], h[3], h[4], h[5]};
    add(point.vertex, full, p + 3 * point.vertex);
  }
  blocks_.add_hessian(y_.data(), false,
                      [&](int vertex, int other, const double* block) { add(vertex, block, p + 3 * other); });
  blocks_.multiply_global(y_.data(), p, assembly_);
}

}  // namespace resilin
