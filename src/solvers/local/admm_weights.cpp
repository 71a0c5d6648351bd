#include "solvers/local/admm_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "potentials/evaluate.h"
#include "simd/eigen3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// What the rule needs to know of a component.
struct Bulk {
  double mass = 0, stiffness = 0;  // [kg], [J]: sum of k V, for springs of k l^2/3
  std::array<double, 3> first{};   // sum m x
  std::array<double, 6> second{};  // sum m x x^T: 00 11 22 12 02 01
  bool projective = true;          // all its energies are k/2 |z - p|^2
};

void add_mass(Bulk& bulk, double m, const double* x) {
  bulk.mass += m;
  for (int k = 0; k < 3; ++k) {
    bulk.first[k] += m * x[k];
    bulk.second[k] += m * x[k] * x[k];
    bulk.second[3 + k] += m * x[(k + 1) % 3] * x[(k + 2) % 3];
  }
}

// Half the smallest principal moment of inertia over the mass: the square of a length of the cross-section. A line
// has none: its length counts, a hundredth of it.
double squared_length(const Bulk& bulk) {
  std::array<double, 6> covariance;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    covariance[k] = bulk.second[k] / bulk.mass - bulk.first[k] * bulk.first[k] / (bulk.mass * bulk.mass);
    covariance[3 + k] = bulk.second[3 + k] / bulk.mass - bulk.first[i] * bulk.first[j] / (bulk.mass * bulk.mass);
  }
  double d[3], q[9];
  eigen3(covariance.data(), d, q);
  std::sort(d, d + 3);
  return 0.5 * std::max(d[0] + d[1], 1e-4 * (d[1] + d[2]));
}

// |D X|^2 / 3: 1 for a solid, the square of the length over 3 for a spring, so that k times this times the measure
// is an energy.
double rest_size(const Elements& e, int element, const std::vector<double>& rest) {
  double sum = 0;
  for (int r = 0; r < e.rows(); ++r)
    for (int k = 0; k < 3; ++k) {
      double z = 0;
      for (int a = 0; a < e.corners(); ++a)
        z += e.coefficients(element)[r * e.corners() + a] * rest[3 * e.vertices(element)[a] + k];
      sum += z * z;
    }
  return sum / 3;
}

std::vector<Bulk> measure_components(Problem& problem, const ElementWeights& stiffness) {
  const PartitionedElements& elements = problem.elements();
  const std::vector<double>& rest = problem.space().rest();
  const auto mass = problem.space().vertex_mass();
  const std::vector<int>& component = problem.space().component();
  std::vector<Bulk> out(component.empty() ? 0 : 1 + *std::max_element(component.begin(), component.end()));
  for (int v = 0; v < problem.space().vertices(); ++v) add_mass(out[component[v]], mass[v], &rest[3 * v]);
  for (int t = 0; t < elements.term_count(); ++t) {
    const Term& term = elements.term(t);
    if (!term.elements.translation_free()) continue;  // what ties a body to the world says nothing about the body
    const bool projective = term.damping.empty() && std::all_of(term.elastic.begin(), term.elastic.end(),
                                                                [](const auto& p) { return p->projects(); });
    for (int i = 0; i < term.elements.size(); ++i) {
      Bulk& bulk = out[component[term.elements.vertices(i)[0]]];
      bulk.stiffness += term.elements.measure(i) * stiffness[t][i] * rest_size(term.elements, i, rest);
      bulk.projective = bulk.projective && projective;
    }
  }
  return out;
}

// Obstacles declare no stiffness. What they meet is that of the rest of the model at their vertices: 1/(D
// diag(A)^-1 D^T).
void weigh_what_has_no_stiffness(Problem& problem, ElementWeights& weights) {
  const SymmetricMatrix matrix = problem.constant().matrix(weights);
  const auto diagonal = [&](int v) {
    return matrix.value[matrix.find(problem.space().free_index()[v], problem.space().free_index()[v])];
  };
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const Elements& e = problem.elements().term(static_cast<int>(t)).elements;
    for (int i = 0; i < e.size(); ++i) {
      if (weights[t][i] > 0) continue;
      double give = 0;
      for (int a = 0; a < e.corners(); ++a)
        for (int r = 0; r < e.rows() && problem.space().free_index()[e.vertices(i)[a]] >= 0; ++r) {
          const double c = e.coefficients(i)[r * e.corners() + a];
          give += c * c / (e.rows() * diagonal(e.vertices(i)[a]));
        }
      weights[t][i] = give > 0 ? 1 / (give * e.measure(i)) : 1;  // all pinned: any weight will do
    }
  }
}

double declared(const Potential& potential, int rows, int element, double tau) {
  double q[9], sum = 0;
  potential.quadratic(element, tau, q);
  for (int r = 0; r < rows; ++r) sum += q[r * rows + r];
  return sum / rows;
}

// The curvature of volume a = n^T H n with n = 1/sqrt 3, and the mean b of the five of shape: rotations have none
// at rest.
void rest_curvatures(const double* h, Pack& a, Pack& b) {
  const auto entry = [&](int i, int j) { return load(h + (i * (i + 1) / 2 + j) * lanes); };
  Pack trace = {};
  for (int i = 0; i < 9; ++i) trace += entry(i, i);
  a = (entry(0, 0) + entry(4, 4) + entry(8, 8) + 2.0 * (entry(4, 0) + entry(8, 0) + entry(8, 4))) / 3.0;
  b = (trace - a) / 5.0;
}

double declared_damping(const Term& term, int element, double tau) {
  double sum = 0;
  for (const auto& damping : term.damping) sum += declared(*damping, term.elements.rows(), element, tau);
  return sum;
}

}  // namespace

double declared_stiffness(const Term& term, int element, double tau) {
  double sum = 0;
  for (const auto& potential : term.elastic) sum += declared(*potential, term.elements.rows(), element, tau);
  return sum + declared_damping(term, element, tau);
}

ElementWeights admm_stiffness(Problem& problem) {
  const PartitionedElements& elements = problem.elements();
  ElementWeights out;
  for (int t = 0; t < elements.term_count(); ++t) {
    const Term& term = elements.term(t);
    auto& of_term = out.emplace_back();
    for (int i = 0; i < term.elements.size(); ++i)
      of_term.push_back(declared_stiffness(term, i, problem.stage().tau));
  }
  problem.sweep(problem.space().rest().data(), nullptr, [&](int t, int, SweepBlock& sweep) {
    Block& block = sweep.block;
    if (elements.term(t).elements.kind() != ElementKind::tet) return;
    // Damping knows of the state as well: what it declares is added, per potential, and it is silent outside of a
    // stage.
    block.filter = true;
    block.z_origin = nullptr;
    evaluate(problem.elements().kernels(t), block, 2);
    for (int p = 0; p < block.packs; ++p) {
      Pack volume, shape;
      rest_curvatures(block.d2psi_z + p * 45 * lanes, volume, shape);
      for (int l = 0; l < lanes; ++l) {
        const int element = problem.elements().terms()[t].slot_element()[(block.first + p) * lanes + l];
        const double damping = declared_damping(elements.term(t), element, problem.stage().tau);
        const double a = lane(volume, l) + damping, b = lane(shape, l) + damping;
        double& k = out[t][element];
        if (std::min(a, b) > 1e-3 * k) k = b * std::pow(a / b, 0.25);
      }
    }
  });
  return out;
}

std::vector<double> admm_contrasts(Problem& problem, const ElementWeights& stiffness) {
  std::vector<double> out;
  for (const Bulk& bulk : measure_components(problem, stiffness))
    out.push_back(bulk.stiffness * problem.stage().tau * problem.stage().tau / (bulk.mass * squared_length(bulk)));
  return out;
}

ElementWeights automatic_weights(Problem& problem, const ElementWeights& stiffness) {
  const std::vector<Bulk> bulks = measure_components(problem, stiffness);
  const std::vector<double> contrasts = admm_contrasts(problem, stiffness);
  ElementWeights out(stiffness.size());
  for (std::size_t t = 0; t < stiffness.size(); ++t) {
    const Elements& e = problem.elements().term(static_cast<int>(t)).elements;
    const auto component = [&](int i) { return problem.space().component()[e.vertices(i)[0]]; };
    struct Means {
      double measure = 0, sum = 0, sum_of_inverses = 0;
    };
    std::vector<Means> means(bulks.size());
    for (int i = 0; i < e.size(); ++i) {
      Means& of = means[component(i)];
      of.measure += e.measure(i);
      of.sum += e.measure(i) * stiffness[t][i];
      of.sum_of_inverses += e.measure(i) / stiffness[t][i];
    }
    for (int i = 0; i < e.size(); ++i) {
      const int body = component(i);
      const double mean = means[body].sum / means[body].measure,
                   harmonic = means[body].measure / means[body].sum_of_inverses;
      const double most = bulks[body].projective ? 1 : 10;
      const double c = std::min(1.15 * std::pow(contrasts[body], -0.25), most);
      const double weight = std::max(c * c * mean, 0.6 * 0.6 * harmonic);
      out[t].push_back(std::isfinite(weight) ? weight : mean);
    }
  }
  return out;
}

ElementWeights admm_weights(Problem& problem, double c) {
  ElementWeights weights = admm_stiffness(problem);
  if (c == 0) weights = automatic_weights(problem, weights);
  bool all = true;
  for (auto& of_term : weights)
    for (double& weight : of_term) {
      if (c > 0) weight *= c * c;
      all = all && weight > 0;
    }
  if (!all) weigh_what_has_no_stiffness(problem, weights);
  return weights;
}

}  // namespace resilin
