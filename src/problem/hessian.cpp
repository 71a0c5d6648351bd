#include "problem/hessian.h"

#include <algorithm>
#include <numeric>

#include "core/chunks.h"
#include "potentials/evaluate.h"
#include "simd/pack.h"

namespace resilin {

HessianAssembly::HessianAssembly(PartitionedElements& elements, const Space& space, const SymmetricMatrix& pattern)
    : elements_(elements), space_(space) {
  number_blocks(pattern);
}

void HessianAssembly::number_blocks(const SymmetricMatrix& pattern) {
  const Partition& partition = elements_.partition();
  const auto& free = space_.free_index();
  std::vector<int> row_of(pattern.slots(), -1), slot_of_row;
  slots_.resize(elements_.terms().size());
  part_offset_ = {0};
  for (int part = 0; part < partition.parts(); ++part) {
    const auto vertices = partition.vertices(part);
    const int first_row = static_cast<int>(slot_of_row.size());
    for (std::size_t t = 0; t < elements_.terms().size(); ++t) {
      const PackedTerm& term = elements_.terms()[t];
      const int n = term.corners();
      for (int pack = term.first_pack(part); pack < term.first_pack(part + 1); ++pack)
        for (int a = 0; a < n; ++a)
          for (int b = a; b < n; ++b)
            for (int l = 0; l < lanes; ++l) {
              int row = free[vertices[term.ids(pack)[a * lanes + l]]],
                  column = free[vertices[term.ids(pack)[b * lanes + l]]];
              if (row < 0 || column < 0) {
                slots_[t].push_back(-1);
                continue;
              }
              const bool transposed = row < column;
              if (transposed) std::swap(row, column);
              int& local = row_of[pattern.find(row, column)];
              if (local < first_row) {
                local = static_cast<int>(slot_of_row.size());
                slot_of_row.push_back(pattern.find(row, column));
              }
              slots_[t].push_back(2 * (local - first_row) + (transposed ? 1 : 0));
            }
    }
    part_offset_.push_back(static_cast<int>(slot_of_row.size()));
  }
  copies_.resize(slot_of_row.size() * 9);
  copy_start_.assign(pattern.slots() + 1, 0);
  for (const int slot : slot_of_row) ++copy_start_[slot + 1];
  std::partial_sum(copy_start_.begin(), copy_start_.end(), copy_start_.begin());
  copy_of_.resize(slot_of_row.size());
  std::vector<int> next(copy_start_.begin(), copy_start_.end() - 1);
  for (int row = 0; row < static_cast<int>(slot_of_row.size()); ++row) copy_of_[next[slot_of_row[row]]++] = row;
}

namespace {

constexpr int max_corners = 16;

RESILIN_INLINE int lower(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

// K_ab = measure * sum_rs c_ra c_sb H_(r.)(s.), for all a <= b: [pairs][9].
template <int R>
void element_blocks(const Pack c[][max_corners], int n, const double* h, Pack measure, Pack* out) {
  for (int a = 0; a < n; ++a) {
    Pack half[3][3 * R];
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3 * R; ++j) {
        Pack sum = c[0][a] * load(h + lower(k, j) * lanes);
        for (int r = 1; r < R; ++r) sum += c[r][a] * load(h + lower(3 * r + k, j) * lanes);
        half[k][j] = measure * sum;
      }
    for (int b = a; b < n; ++b, out += 9)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          Pack sum = half[k][l] * c[0][b];
          for (int s = 1; s < R; ++s) sum += half[k][3 * s + l] * c[s][b];
          out[3 * k + l] = sum;
        }
  }
}

}  // namespace

void HessianAssembly::add_block(int t, int part, const SweepBlock& sweep) {
  const PackedTerm& term = elements_.terms()[t];
  const int n = term.corners(), rows = term.rows(), stored = term.stored(), pairs = n * (n + 1) / 2;
  const int h_count = 3 * rows * (3 * rows + 1) / 2;
  double* to = copies_.data() + static_cast<std::size_t>(part_offset_[part]) * 9;
  for (int p = 0; p < sweep.block.packs; ++p) {
    const int pack = sweep.block.first + p;
    Pack c[3][max_corners], blocks[max_corners * (max_corners + 1) / 2 * 9];
    for (int r = 0; r < rows; ++r) {
      c[r][0] = Pack{};
      for (int a = n - stored; a < n; ++a)
        c[r][a] = load(term.coefficients(pack) + (r * stored + a - (n - stored)) * lanes);
      if (stored < n)
        for (int a = 1; a < n; ++a) c[r][0] -= c[r][a];
    }
    const double* h = sweep.block.d2psi_z + static_cast<std::size_t>(p) * h_count * lanes;
    const Pack measure = load(sweep.measure + p * lanes);
    if (rows == 3) element_blocks<3>(c, n, h, measure, blocks);
    else if (rows == 2) element_blocks<2>(c, n, h, measure, blocks);
    else element_blocks<1>(c, n, h, measure, blocks);

    const int* slot = slots_[t].data() + static_cast<std::size_t>(pack) * pairs * lanes;
    for (int pair = 0; pair < pairs; ++pair)
      for (int l = 0; l < lanes; ++l, ++slot) {
        if (*slot < 0) continue;
        double* block = to + static_cast<std::size_t>(*slot / 2) * 9;
        const Pack* k = blocks + pair * 9;
        if (*slot % 2 == 0)
          for (int i = 0; i < 9; ++i) block[i] += lane(k[i], l);
        else
          for (int i = 0; i < 9; ++i) block[i] += lane(k[3 * (i % 3) + i / 3], l);
      }
  }
}

void HessianAssembly::assemble(Assembly& assembly, const PartitionedElements::Pass& pass,
                               FunctionRef<void(int, int, SweepBlock&)> op, SymmetricMatrix& matrix) {
  std::fill(copies_.begin(), copies_.end(), 0.0);
  elements_.sweep(assembly, pass, [&](int term, int part, SweepBlock& sweep) {
    op(term, part, sweep);
    add_block(term, part, sweep);
  });
  for_chunks(space_.pool(), matrix.slots(), [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t slot = begin; slot < end; ++slot) {
      double* to = matrix.value.data() + 9 * slot;
      std::fill(to, to + 9, 0.0);
      for (int i = copy_start_[slot]; i < copy_start_[slot + 1]; ++i)
        for (int k = 0; k < 9; ++k) to[k] += copies_[9 * copy_of_[i] + k];
    }
  });
}

}  // namespace resilin
