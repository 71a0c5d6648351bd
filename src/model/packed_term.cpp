#include "model/packed_term.h"

#include <algorithm>

#include "simd/pack.h"

namespace resilin {

PackedTerm::PackedTerm(const Elements& elements)
    : rows_(elements.rows()),
      corners_(elements.corners()),
      stored_(elements.translation_free() ? elements.corners() - 1 : elements.corners()),
      pack_start_{0},
      sweep_(with_shape(elements.kind(), []<ElementShape s>() {
        return Sweeps{&sweep_as<s.rows, s.corners, s.translation_free, false>,
                      &sweep_as<s.rows, s.corners, s.translation_free, true>};
      })) {}

PackedTerm::PackedTerm(const Model& model, int term, const Partition& partition)
    : PackedTerm(model.terms[term].elements) {
  std::vector<int> local_of(model.vertex_count(), -1);
  for (int part = 0; part < partition.parts(); ++part) {
    const auto vertices = partition.vertices(part);
    for (std::size_t l = 0; l < vertices.size(); ++l) local_of[vertices[l]] = static_cast<int>(l);
    add_part(model.terms[term].elements, partition.elements(term, part), partition.factors(term, part), local_of);
  }
}

PackedTerm::PackedTerm(const Model& model, int term, const ElementGroups& groups, std::span<const int> row_of)
    : PackedTerm(model.terms[term].elements) {
  for (std::size_t g = 0; g + 1 < groups.start.size(); ++g) {
    const std::size_t first = groups.start[g], count = groups.start[g + 1] - first;
    add_part(model.terms[term].elements, std::span(groups.element).subspan(first, count),
             std::span(groups.factor).subspan(first, count), row_of);
  }
}

void PackedTerm::add_part(const Elements& elements, std::span<const int> members, std::span<const double> factor,
                          std::span<const int> row_of) {
  const std::size_t packs = (members.size() + lanes - 1) / lanes;
  for (std::size_t p = 0; p < packs; ++p) {
    int e[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::size_t i = p * lanes + l;
      e[l] = members[std::min(i, members.size() - 1)];
      slot_element_.push_back(e[l]);
      measure_.push_back(i < members.size() ? elements.measure(e[l]) * (factor.empty() ? 1.0 : factor[i]) : 0.0);
    }
    for (int a = 0; a < corners_; ++a)
      for (int l = 0; l < lanes; ++l) ids_.push_back(row_of[elements.vertices(e[l])[a]]);
    for (int r = 0; r < rows_; ++r)
      for (int a = corners_ - stored_; a < corners_; ++a)
        for (int l = 0; l < lanes; ++l) coefficients_.push_back(elements.coefficients(e[l])[r * corners_ + a]);
  }
  pack_start_.push_back(static_cast<int>(slot_element_.size()) / lanes);
}

// z of one pack from positions (or velocities).
template <int R, int N, bool TranslationFree>
RESILIN_INLINE void PackedTerm::gather(int pack, const double* x, double* z) const {
  constexpr int first = TranslationFree ? 1 : 0, stored = N - first;
  Pack corner[N][3];
  gather_vertices<N>(x, ids(pack), corner);
  if constexpr (TranslationFree)
    for (int a = 1; a < N; ++a)
      for (int k = 0; k < 3; ++k) corner[a][k] -= corner[0][k];
  const double* c = coefficients(pack);
  for (int r = 0; r < R; ++r)
    for (int k = 0; k < 3; ++k) {
      Pack sum = load(c + r * stored * lanes) * corner[first][k];
      for (int a = 1; a < stored; ++a) sum += load(c + (r * stored + a) * lanes) * corner[first + a][k];
      store(z + (3 * r + k) * lanes, sum);
    }
}

// measure D^T dpsi/dz of one pack, added to f.
template <int R, int N, bool TranslationFree>
RESILIN_INLINE void PackedTerm::scatter(int pack, const double* dpsi_z, double* f) const {
  constexpr int first = TranslationFree ? 1 : 0, stored = N - first;
  const double* c = coefficients(pack);
  const Pack weight = load(measure(pack));
  Pack force[N][3];
  for (int k = 0; k < 3; ++k) {
    Pack stress[R];
    for (int r = 0; r < R; ++r) stress[r] = weight * load(dpsi_z + (3 * r + k) * lanes);
    Pack total = {};
    for (int a = 0; a < stored; ++a) {
      Pack sum = load(c + a * lanes) * stress[0];
      for (int r = 1; r < R; ++r) sum += load(c + (r * stored + a) * lanes) * stress[r];
      force[first + a][k] = sum;
      total -= sum;
    }
    if constexpr (TranslationFree) force[0][k] = total;
  }
  scatter_add<N>(f, ids(pack), force);
}

template <int R, int N, bool TranslationFree, bool WithRates>
void PackedTerm::sweep_as(const PackedTerm& term, int part, const double* x, double* f, BlockOp op,
                          [[maybe_unused]] const Rates* rates) {
  constexpr int z_count = 3 * R, h_count = z_count * (z_count + 1) / 2;
  alignas(64) double z[block_packs * z_count * lanes];
  alignas(64) double dpsi_z[block_packs * z_count * lanes], d2psi_z[block_packs * h_count * lanes];
  alignas(64) double psi[block_packs * lanes];
  [[maybe_unused]] alignas(64) double z_origin[WithRates ? block_packs * z_count * lanes : 1];
  [[maybe_unused]] alignas(64) double z_velocity[WithRates ? block_packs * z_count * lanes : 1];
  alignas(64) double u[block_packs * 9 * lanes], v[block_packs * 9 * lanes], s[block_packs * 3 * lanes];
  alignas(64) double r[block_packs * 9 * lanes], dpsi_s[block_packs * 3 * lanes], d2psi_s[block_packs * 6 * lanes];

  const int end = term.pack_start_[part + 1];
  for (int pack = term.pack_start_[part]; pack < end; pack += block_packs) {
    const int packs = std::min(block_packs, end - pack);
    for (int p = 0; p < packs; ++p) term.gather<R, N, TranslationFree>(pack + p, x, z + p * z_count * lanes);
    SweepBlock sweep{{}, term.measure(pack)};
    Block& block = sweep.block;
    block.rows = R, block.packs = packs, block.first = pack;
    block.z = z, block.u = u, block.s = s, block.v = v, block.r = r;
    block.psi = psi, block.dpsi_s = dpsi_s, block.dpsi_z = dpsi_z, block.d2psi_s = d2psi_s, block.d2psi_z = d2psi_z;
    if constexpr (WithRates) {
      for (int p = 0; p < packs; ++p) {
        term.gather<R, N, TranslationFree>(pack + p, rates->origin, z_origin + p * z_count * lanes);
        if (rates->velocity != nullptr)
          term.gather<R, N, TranslationFree>(pack + p, rates->velocity, z_velocity + p * z_count * lanes);
      }
      block.z_origin = z_origin, block.tau = rates->tau;
      if (rates->velocity != nullptr) block.z_velocity = z_velocity;
    }
    op(sweep);
    if (f == nullptr) continue;
    for (int p = 0; p < packs; ++p) term.scatter<R, N, TranslationFree>(pack + p, dpsi_z + p * z_count * lanes, f);
  }
}

}  // namespace resilin
