// The weights of ADMM, w_i = c sqrt(k_i V_i) (Brown et al. 2018; X44), per unit of measure: w_i^2/V_i = c^2 k_i. c
// is given, or the weight is chosen by body from its size, mass and stiffness and the step size.
#pragma once
#include "problem/problem.h"

namespace resilin {

/// k of the potentials' quadratic matrices: the mean of the diagonal of their sum.
double declared_stiffness(const Term& term, int element, double tau);

/// k_i of every element. Of solids a^(1/4) b^(3/4) with the curvatures at rest, a of volume and b of shape: what
/// Liu's Eq. 11 declares is near a when the material is nearly incompressible, and only one strain in six is as
/// stiff as that. The exponent was found on the released twist with nu = 0.3 to 0.49: smaller ones fail at 0.49,
/// larger ones need more iterations. Elements that are limp at rest, springs and pins: as declared; obstacles have
/// none.
ElementWeights admm_stiffness(Problem& problem);

/// kappa = tau^2 sum k V/(m l^2) by connected component (Space::component), with l^2 half the smallest
/// principal moment of inertia over the mass: elastic against inertial stiffness of the body as a whole.
std::vector<double> admm_contrasts(Problem& problem, const ElementWeights& stiffness);

/// The rule: one weight for all elements of a term in a body, c^2 <k> with c = 1.15 kappa^(-1/4) within bounds, <k>
/// the mean stiffness, but at least 0.6^2 of the harmonic mean. For one stiffness this is c^2 k. Weights that
/// follow k_i would hold the soft part of a mixed body back: across the border between the parts ADMM then passes
/// on little of what either side does.
ElementWeights automatic_weights(Problem& problem, const ElementWeights& stiffness);

/// w_i^2/V_i of every element: c^2 k_i, or with `c` 0 by the rule, for the objective's tau.
ElementWeights admm_weights(Problem& problem, double c);

}  // namespace resilin
