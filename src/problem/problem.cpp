#include "problem/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace resilin {

Problem::Problem(Space& space, PartitionedElements& elements, Assembly& assembly, FittedAssembly* fitted,
                 EnergyBlocks& blocks, ConstantMatrix& constant, const Revision& revision)
    : space_(space),
      elements_(elements),
      assembly_(assembly),
      fitted_(fitted),
      blocks_(blocks),
      constant_(constant),
      revision_(revision),
      linearisation_(elements, assembly, blocks, constant, space),
      budget_(profiler_) {
  stage_.tau = 1;
}

// The energies of elements and blocks and, unless null, inertia. Obstacles stand among the elements of the
// partition too, for local steps: here they are blocks, of those vertices only that are near.
void Problem::evaluate_parts(const double* y, const Inertia* inertia, PartitionedElements::Pass pass,
                             double* gradient, Evaluation& out) {
  out.components.assign(space_.components().count(), {});
  out.island.clear();
  part_energy_.assign(elements_.parts(), 0.0), block_energy_.assign(out.components.size(), 0.0);
  const int derivatives = gradient != nullptr ? 1 : 0;
  pass.scatter = gradient != nullptr;
  if (space_.rows_are_vertices()) pass.leave_out = &blocks_.obstacles();
  assembly_.begin(y);
  elements_.sweep(assembly_, pass, [&](int term, int part, SweepBlock& block) {
    resilin::evaluate(elements_.kernels(term), block.block, derivatives);
    part_energy_[part] += block_energy(block);
  });
  evaluate_blocks(y, gradient != nullptr ? &assembly_ : nullptr, true);
  assembly_.reduce(inertia, gradient, out);
  for (int part = 0; part < elements_.parts(); ++part)
    out.components[elements_.partition().component_of_part(part)].potential += part_energy_[part];
  for (std::size_t c = 0; c < out.components.size(); ++c) out.components[c].potential += block_energy_[c];
}

Evaluation Problem::evaluate(const double* y, double* gradient, Evaluation out) {
  const Inertia inertia = this->inertia();
  evaluate_parts(y, &inertia, {.rates = elements_.stage_rates()}, gradient, out);
  std::vector<Evaluation::Part>& components = out.components;
  if (blocks_.inequalities().any(Response::hard)) out.infeasibility = blocks_.inequalities().depth(y);
  if (blocks_.inequalities().any(Response::hard) && gradient != nullptr) {
    blocks_.inequalities().reduce(y, stage_.tau, gradient);
    space_.components().sum(space_.pool(), 1, scratch_, squares_,
                            [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
                              sums[0] = std::inner_product(gradient + begin, gradient + end, gradient + begin, 0.0);
                            });
    for (std::size_t c = 0; c < components.size(); ++c) components[c].gradient_square = squares_[c];
  }
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t c = 0; c < components.size(); ++c) {
    Evaluation::Part& of = components[c];
    of.precision =
        epsilon * (32 * (std::abs(of.inertia) + std::abs(of.potential)) + of.cancelled + stiffness_scale_[c]);
  }
  if (space_.components().joined()) out.join(space_.components().islands());
  return out;
}

void Problem::evaluate_blocks(const double* y, Assembly* forces, bool obstacles) {
  const Profiler::Scope phase(profiler_, Phase::contact);
  blocks_.evaluate(y, forces, obstacles, block_energy_);
}

Evaluation Problem::sweep(const double* y, double* gradient, FunctionRef<void(int, int, SweepBlock&)> op,
                          Evaluation out) {
  out.components.assign(space_.components().count(), {});
  out.island.clear();
  block_energy_.assign(out.components.size(), 0.0);
  Assembly& assembly = fitted_ != nullptr && gradient != nullptr ? *fitted_ : assembly_;
  assembly.begin(y);
  elements_.sweep(assembly, {.scatter = gradient != nullptr, .rates = elements_.stage_rates()}, op);
  evaluate_blocks(y, gradient != nullptr ? &assembly : nullptr, false);
  const Inertia inertia = this->inertia();
  assembly.reduce(&inertia, gradient, out);
  for (std::size_t c = 0; c < out.components.size(); ++c) out.components[c].potential = block_energy_[c];
  if (space_.components().joined()) out.join(space_.components().islands());
  return out;
}

Linearisation& Problem::linearise(const double* y) {
  linearisation_.move_to(y, inertia());
  return linearisation_;
}

bool Problem::refresh(const double* y, const LimitedStep& last) {
  const Profiler::Scope phase(profiler_, Phase::contact);
  if (ContactElements* contact = blocks_.contact_elements(); contact != nullptr)
    if (blocks_.contact()->renew_lists(y, last)) contact->pack();
  if (!blocks_.rebuild_islands()) return false;
  linearisation_.invalidate();
  return true;
}

LimitedStep Problem::limit_step(const double* from, double* to, std::vector<double>& fraction, bool uniform) {
  const Profiler::Scope phase(profiler_, Phase::contact);
  const ComponentSet& components = space_.components();
  fraction.assign(components.count(), 1.0);
  if (blocks_.contact() == nullptr) return {};
  const LimitedStep limited = blocks_.contact()->limit_step(from, to, space_.component(), fraction, uniform);
  if (!limited.any()) return limited;
  for (int c = 0; c < components.count(); ++c) {
    double& least = fraction[components.island(c)];
    least = std::min(least, fraction[c]);
  }
  for (int c = 0; c < components.count(); ++c) fraction[c] = fraction[components.island(c)];
  return limited;
}

bool Problem::advance_start(const double* from, double* y) {
  if (!limits_steps(*this)) return false;
  const Profiler::Scope phase(profiler_, Phase::contact);
  const bool several = blocks_.contact()->advance_start(from, y);
  blocks_.contact_elements()->pack();
  blocks_.rebuild_islands();
  return several;
}

bool limits_steps(const Problem& problem) {
  return problem.blocks().contact() != nullptr && problem.blocks().contact()->limits_steps();
}

}  // namespace resilin
