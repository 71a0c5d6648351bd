#include "potentials/evaluate.h"

#include <algorithm>

#include "potentials/stretch_modes.h"
#include "simd/mat3.h"
#include "simd/pack.h"
#include "simd/polar3.h"
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

void decompose(Block& block) {
  auto* u = const_cast<double*>(block.u);
  auto* s = const_cast<double*>(block.s);
  auto* v = const_cast<double*>(block.v);
  for (int p = 0; p < block.packs; ++p) {
    Pack z[9], up[9], sp[3], vp[9];
    for (int i = 0; i < 9; ++i) z[i] = load(block.z + (p * 9 + i) * lanes);
    svd3(z, up, sp, vp);
    for (int i = 0; i < 9; ++i) store(u + (p * 9 + i) * lanes, up[i]), store(v + (p * 9 + i) * lanes, vp[i]);
    for (int i = 0; i < 3; ++i) store(s + (p * 3 + i) * lanes, sp[i]);
  }
}

namespace {

// r = u v^T of a decomposed block.
void rotation_of_svd(Block& block) {
  auto* to = const_cast<double*>(block.r);
  for (int p = 0; p < block.packs; ++p) {
    Pack u[9], v[9], r[9];
    for (int i = 0; i < 9; ++i)
      u[i] = load(block.u + (p * 9 + i) * lanes), v[i] = load(block.v + (p * 9 + i) * lanes);
    multiply_nt(u, v, r);
    for (int i = 0; i < 9; ++i) store(to + (p * 9 + i) * lanes, r[i]);
  }
}

void rotation(Block& block) {
  auto* to = const_cast<double*>(block.r);
  for (int p = 0; p < block.packs; ++p) {
    Pack z[9], r[9], guess[4];
    for (int i = 0; i < 9; ++i) z[i] = load(block.z + (p * 9 + i) * lanes);
    if (block.guess == nullptr) {
      polar3(z, r);
    } else {
      for (int i = 0; i < 4; ++i) guess[i] = load(block.guess + (p * 4 + i) * lanes);
      polar3_warm(z, guess, r);
      for (int i = 0; i < 4; ++i) store(block.guess + (p * 4 + i) * lanes, guess[i]);
    }
    for (int i = 0; i < 9; ++i) store(to + (p * 9 + i) * lanes, r[i]);
  }
}

}  // namespace

void decompose(const TermKernels& kernels, Block& block, int derivatives) {
  const bool rotations = kernels.reads(Reads::rotation, derivatives);
  if (kernels.reads(Reads::stretches, derivatives)) {
    decompose(block);
    if (rotations) rotation_of_svd(block);
  } else if (rotations) {
    rotation(block);
  }
}

namespace {

void clear(double* at, int packs, int components) {
  if (at != nullptr) std::fill(at, at + static_cast<std::ptrdiff_t>(packs) * components * lanes, 0.0);
}

// dpsi/dz = u diag(dpsi/ds) v^T, added.
void add_stress(Block& block) {
  for (int p = 0; p < block.packs; ++p) {
    Pack u[9], v[9], d[3], stress[9];
    for (int i = 0; i < 9; ++i)
      u[i] = load(block.u + (p * 9 + i) * lanes), v[i] = load(block.v + (p * 9 + i) * lanes);
    for (int i = 0; i < 3; ++i) d[i] = load(block.dpsi_s + (p * 3 + i) * lanes);
    multiply_diagonal_nt(u, d, v, stress);
    for (int i = 0; i < 9; ++i) {
      double* to = block.dpsi_z + (p * 9 + i) * lanes;
      store(to, load(to) + stress[i]);
    }
  }
}

// The 9 x 9 second derivative from that in stretches.
void add_hessian(Block& block) {
  for (int p = 0; p < block.packs; ++p) {
    Pack u[9], v[9], s[3], d[3], h[6];
    for (int i = 0; i < 9; ++i)
      u[i] = load(block.u + (p * 9 + i) * lanes), v[i] = load(block.v + (p * 9 + i) * lanes);
    for (int i = 0; i < 3; ++i)
      s[i] = load(block.s + (p * 3 + i) * lanes), d[i] = load(block.dpsi_s + (p * 3 + i) * lanes);
    for (int i = 0; i < 6; ++i) h[i] = load(block.d2psi_s + (p * 6 + i) * lanes);

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
    for (int a = 0, at = 0; a < 9; ++a)
      for (int b = 0; b <= a; ++b, ++at) {
        double* to = block.d2psi_z + (p * 45 + at) * lanes;
        Pack sum = load(to);
        for (int k = 0; k < 9; ++k) sum += left[k][a] * right[k][b];
        store(to, sum);
      }
  }
}

}  // namespace

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
    clear(view.dpsi_s, view.packs, 3);
    clear(view.d2psi_s, view.packs, 6);
  }
  decompose(kernels, view, derivatives);
  for (const auto& kernel : kernels.elastic()) kernel->evaluate(view);
  for (const auto& kernel : kernels.damping()) kernel->evaluate(view);
  if (!stretches) return;
  if (derivatives >= 1) add_stress(view);
  if (derivatives >= 2) add_hessian(view);
}

double block_energy(const SweepBlock& sweep) {
  Pack sum = {};
  for (int p = 0; p < sweep.block.packs; ++p)
    sum += load(sweep.measure + p * lanes) * load(sweep.block.psi + p * lanes);
  return resilin::sum(sum);
}

}  // namespace resilin
