#include "potentials/evaluate.h"

#include <algorithm>

#include "potentials/stretch_modes.h"
#include "simd/mat3.h"
#include "simd/pack.h"
#include "simd/polar3.h"
#include "simd/svd2.h"
#include "simd/svd3.h"

namespace resilin {

TermKernels::TermKernels(const Term& term, std::span<const int> slot_element) {
  for (const auto& potential : term.elastic)
    elastic_.push_back(potential->pack(slot_element)), note_reads(*potential);
  for (const auto& model : term.damping) damping_.push_back(model->pack_damping(slot_element)), note_reads(*model);
}

TermKernels::TermKernels(const Potential& potential, std::span<const int> slot_element) {
  elastic_.push_back(potential.pack(slot_element));
  note_reads(potential);
}

void TermKernels::note_reads(const Potential& potential) {
  for (int derivatives = 0; derivatives < 3; ++derivatives)
    reads_[derivatives][static_cast<std::size_t>(potential.reads(derivatives))] = true;
}

void TermKernels::set_time(double time) {
  for (const auto& kernel : elastic_) kernel->set_time(time);
}

namespace {

template <int R>
void decompose_as(Block& block) {
  for (int p = 0; p < block.packs; ++p) {
    Pack z[3 * R], u[R * R], s[R], v[3 * R];
    load_pack<3 * R>(block.z, p, z);
    if constexpr (R == 3) svd3(z, u, s, v);
    else svd2(z, u, s, v);
    store_pack<R * R>(u, p, const_cast<double*>(block.u));
    store_pack<R>(s, p, const_cast<double*>(block.s));
    store_pack<3 * R>(v, p, const_cast<double*>(block.v));
  }
}

// r = u v^T of a decomposed block.
void rotation_of_svd(Block& block) {
  auto* to = const_cast<double*>(block.r);
  for (int p = 0; p < block.packs; ++p) {
    Pack u[9], v[9], r[9];
    load_pack<9>(block.u, p, u), load_pack<9>(block.v, p, v);
    multiply_nt(u, v, r);
    store_pack<9>(r, p, to);
  }
}

void rotation(Block& block) {
  auto* to = const_cast<double*>(block.r);
  for (int p = 0; p < block.packs; ++p) {
    Pack z[9], r[9], guess[4];
    load_pack<9>(block.z, p, z);
    if (block.guess == nullptr) {
      polar3(z, r);
    } else {
      load_pack<4>(block.guess, p, guess);
      polar3_warm(z, guess, r);
      store_pack<4>(guess, p, block.guess);
    }
    store_pack<9>(r, p, to);
  }
}

void clear(double* at, int packs, int components) {
  if (at != nullptr) std::fill(at, at + static_cast<std::ptrdiff_t>(packs) * components * lanes, 0.0);
}

// dpsi/dz = u diag(dpsi/ds) v^T, added.
template <int R>
void add_stress(Block& block) {
  for (int p = 0; p < block.packs; ++p) {
    Pack u[R * R], v[3 * R], d[R], stress[3 * R];
    load_pack<R * R>(block.u, p, u), load_pack<3 * R>(block.v, p, v), load_pack<R>(block.dpsi_s, p, d);
    if constexpr (R == 3) multiply_diagonal_nt(u, d, v, stress);
    else compose2(u, d, v, stress);
    for (int i = 0; i < 3 * R; ++i) add(block.dpsi_z, p * 3 * R + i, stress[i]);
  }
}

// H += sum_k left_k right_k^T
template <int count, int n>
void add_products(const Pack left[count][n], const Pack right[count][n], double* to) {
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b, to += lanes) {
      Pack sum = load(to);
      for (int k = 0; k < count; ++k) sum += left[k][a] * right[k][b];
      store(to, sum);
    }
}

// The 6 x 6 second derivative of a membrane from that in its two stretches.
void add_membrane_hessian(Block& block) {
  for (int p = 0; p < block.packs; ++p) {
    Pack u[4], v[6], s[2], d[2], h[3];
    load_pack<4>(block.u, p, u), load_pack<6>(block.v, p, v), load_pack<2>(block.s, p, s);
    load_pack<2>(block.dpsi_s, p, d), load_pack<3>(block.d2psi_s, p, h);
    const Pack a[3] = {v[0], v[2], v[4]}, b[3] = {v[1], v[3], v[5]};
    Pack normal[3];
    cross(a, b, normal);

    const MembraneModes modes(s, d, h, block.filter);
    Pack left[6][6], right[6][6];
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 3; ++c) {
        const int e = 3 * r + c;
        const Pack ua = u[2 * r] * b[c], ub = u[2 * r + 1] * a[c];
        left[0][e] = u[2 * r] * a[c], left[1][e] = u[2 * r + 1] * b[c];
        left[2][e] = ua + ub, right[2][e] = 0.5 * modes.flip * left[2][e];
        left[3][e] = ua - ub, right[3][e] = 0.5 * modes.twist * left[3][e];
        left[4][e] = u[2 * r] * normal[c], right[4][e] = modes.out[0] * left[4][e];
        left[5][e] = u[2 * r + 1] * normal[c], right[5][e] = modes.out[1] * left[5][e];
      }
    for (int e = 0; e < 6; ++e) {
      right[0][e] = modes.h[0] * left[0][e] + modes.h[2] * left[1][e];
      right[1][e] = modes.h[2] * left[0][e] + modes.h[1] * left[1][e];
    }
    add_products<6, 6>(left, right, block.d2psi_z + static_cast<std::ptrdiff_t>(p) * 21 * lanes);
  }
}

// The 9 x 9 second derivative from that in stretches.
void add_hessian(Block& block) {
  for (int p = 0; p < block.packs; ++p) {
    Pack u[9], v[9], s[3], d[3], h[6];
    load_pack<9>(block.u, p, u), load_pack<9>(block.v, p, v), load_pack<3>(block.s, p, s);
    load_pack<3>(block.dpsi_s, p, d), load_pack<6>(block.d2psi_s, p, h);

    Pack left[9][9], right[9][9];  // H = sum_k left_k right_k^T
    const StretchModes modes(s, d, h, block.filter);
    for (int i = 0; i < 3; ++i)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) left[i][3 * r + c] = u[3 * r + i] * v[3 * c + i];
    for (int i = 0; i < 3; ++i)
      for (int e = 0; e < 9; ++e)
        right[i][e] = modes.h[modes.full[i][0]] * left[0][e] + modes.h[modes.full[i][1]] * left[1][e] +
                      modes.h[modes.full[i][2]] * left[2][e];
    for (int k = 0; k < 3; ++k) {
      const int i = modes.pair[k][0], j = modes.pair[k][1];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          const Pack a = u[3 * r + i] * v[3 * c + j], b = u[3 * r + j] * v[3 * c + i];
          left[3 + k][3 * r + c] = a + b, right[3 + k][3 * r + c] = 0.5 * modes.flip[k] * (a + b);
          left[6 + k][3 * r + c] = a - b, right[6 + k][3 * r + c] = 0.5 * modes.twist[k] * (a - b);
        }
    }
    add_products<9, 9>(left, right, block.d2psi_z + static_cast<std::ptrdiff_t>(p) * 45 * lanes);
  }
}

}  // namespace

void decompose(Block& block) {
  if (block.rows == 3) decompose_as<3>(block);
  else decompose_as<2>(block);
}

void decompose(const TermKernels& kernels, Block& block, int derivatives) {
  const bool rotations = kernels.reads(Reads::rotation, derivatives);
  if (kernels.reads(Reads::stretches, derivatives)) {
    decompose(block);
    if (rotations) rotation_of_svd(block);
  } else if (rotations) {
    rotation(block);
  }
}

void evaluate(const TermKernels& kernels, Block& block, int derivatives) {
  const bool stretches = kernels.reads(Reads::stretches, derivatives);
  const int z = 3 * block.rows;
  Block view = block;
  if (derivatives < 1) view.dpsi_s = view.dpsi_z = nullptr;
  if (derivatives < 2) view.d2psi_s = view.d2psi_z = nullptr;
  clear(view.psi, view.packs, 1);
  clear(view.dpsi_z, view.packs, z);
  clear(view.d2psi_z, view.packs, z * (z + 1) / 2);
  if (stretches) {
    clear(view.dpsi_s, view.packs, view.rows);
    clear(view.d2psi_s, view.packs, view.rows * (view.rows + 1) / 2);
  }
  decompose(kernels, view, derivatives);
  for (const auto& kernel : kernels.elastic()) kernel->evaluate(view);
  for (const auto& kernel : kernels.damping()) kernel->evaluate(view);
  if (!stretches) return;
  if (derivatives >= 1) view.rows == 3 ? add_stress<3>(view) : add_stress<2>(view);
  if (derivatives >= 2) view.rows == 3 ? add_hessian(view) : add_membrane_hessian(view);
}

double block_energy(const SweepBlock& sweep) {
  Pack sum = {};
  for (int p = 0; p < sweep.block.packs; ++p)
    sum += load(sweep.measure + p * lanes) * load(sweep.block.psi + p * lanes);
  return resilin::sum(sum);
}

}  // namespace resilin
