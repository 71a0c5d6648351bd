// The local step of ADMM: for every element of a block
//
//   z = argmin psi(z) + w/2 |z - v|^2,   psi the sum of the term's potentials, all per unit of measure
//
// (Brown et al. 2018, Eq. 17 with X13; w is their W_i^2 over the measure). Eight elements at once. It asks the
// potentials only for what they offer: a projection gives a closed form, an inequality the nearest allowed point,
// damping may bring its own (Appendix B), stretches a search in three variables, anything else one in all 3R.
#pragma once
#include "potentials/evaluate.h"

namespace resilin {

/// How the local step of a term is found.
enum class Prox { projection, own, nearest, stretches, coordinates };
Prox prox_method(const Term& term);

/// Arrays of the block: [packs][3R][8], and [packs][8] for weight and stiffness.
struct ProxArrays {
  const double* v;
  const double* weight;
  const double* stiffness;  // k of k/2 |z - p|^2; read by Prox::projection only
  double* z;                // start of the search in, minimiser out
  // Prox::coordinates only, may be null: the factors of the search before, [packs][prox_factor(R)][8], and whether
  // there are any, [packs]; how far v moved since z was its minimiser: then the search starts where the factor
  // expects the new one.
  double* factor = nullptr;
  char* known = nullptr;
  const double* v_change = nullptr;
};
/// Numbers of a kept factor.
constexpr int prox_factor(int rows) { return 3 * rows * (3 * rows + 1) / 2; }

/// `block` lends its scratch arrays and what it says of its elements; everything in it but z may be overwritten.
void prox(const TermKernels& kernels, Prox method, const Block& block, const ProxArrays& arrays);

}  // namespace resilin
