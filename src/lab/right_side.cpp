#include "lab/right_side.h"

#include <cmath>

#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin::lab {
namespace {

Model elements_alone(Model model) {
  std::erase_if(model.terms, [](const Term& term) { return !term.elements.translation_free(); });
  for (Body& body : model.bodies) body.elements.clear();  // they name terms by number
  model.listed.clear(), model.contact.reset(), model.friction.clear(), model.restitution.clear(),
      model.global_energies.clear(), model.pins.clear(), model.forces.clear();
  model.gravity = {0, 0, 0};
  return model;
}

}  // namespace

RightSide::RightSide(Model model, const ReductionSettings& settings, double h, bool fitted)
    : fitted_(fitted),
      reduced_(reduced_simulation(elements_alone(std::move(model)), settings, h, 1, "quasi_newton")),
      pool_(available_cores()),
      whole_(reduced_->model(), pool_) {
  stage(reduced_->system(), reduced_->state().q), stage(whole_, reduced_->model().rest);
  matrix_ = reduced_->system().problem().constant().matrix();
}

// At the target itself inertia has no force.
void RightSide::stage(DynamicSystem& system, const std::vector<double>& q) const {
  Stage stage;
  stage.time = stage.tau = reduced_->options().step;
  stage.origin = stage.target = stage.guess = q, stage.velocity.assign(q.size(), 0.0);
  system.begin(stage);
}

double RightSide::error(const std::vector<double>& x) {
  reduced_->set_state(at_rest(x));
  const std::vector<double>& q = reduced_->state().q;
  DynamicSystem& system = reduced_->system();
  stage(system, q), stage(whole_, reduced_->positions());
  system.problem().constant().matrix();
  std::vector<double> sampled(q.size()), full(x.size()), pulled(q.size()), product(q.size()), inertia(q.size());
  if (fitted_) {
    system.problem().sweep(q.data(), sampled.data(), [&](int term, int, SweepBlock& block) {
      evaluate(system.elements().kernels(term), block.block, 1);
    });
  } else system.problem().evaluate(q.data(), sampled.data());
  whole_.problem().evaluate(reduced_->positions().data(), full.data());
  system.space().coordinates().pull_back(full.data(), pulled.data());
  matrix_.multiply(q.data(), product.data());
  system.space().coordinates().inertia(q.data(), inertia.data());
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double right = product[i] - inertia[i] / (system.problem().stage().tau * system.problem().stage().tau) -
                         pulled[i];  // L q - force
    gap += std::pow(sampled[i] - pulled[i], 2), size += right * right;
  }
  return std::sqrt(gap / size);
}

}  // namespace resilin::lab
