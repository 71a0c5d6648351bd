#include "lab/right_side.h"

#include <cmath>

#include "lab/reduced_bodies.h"

namespace resilin::lab {
namespace {

Model elements_alone(Model model) {
  std::erase_if(model.terms, [](const Term& term) { return !term.elements.translation_free(); });
  for (Body& body : model.bodies) body.elements.clear();  // they name terms by number
  model.listed.clear(), model.contact.clear(), model.global_energies.clear(), model.pins.clear(),
      model.forces.clear();
  model.gravity = {0, 0, 0};
  return model;
}

}  // namespace

RightSide::RightSide(Model model, const ReductionSettings& settings, double h, bool fitted)
    : fitted_(fitted),
      reduced_(reduced_simulation(elements_alone(std::move(model)), settings, h, 1, "quasi_newton")),
      pool_(available_cores()),
      whole_(reduced_->model(), pool_) {
  stage(reduced_->objective(), reduced_->state().q), stage(whole_, reduced_->model().rest);
  matrix_ = reduced_->objective().constant_matrix();
}

// At the target itself inertia has no force.
void RightSide::stage(Objective& objective, const std::vector<double>& q) const {
  Stage stage;
  stage.time = stage.tau = reduced_->options().step;
  stage.origin = stage.target = stage.guess = q, stage.velocity.assign(q.size(), 0.0);
  objective.begin(stage);
}

double RightSide::error(const std::vector<double>& x) {
  State state;
  state.q = x, state.v.assign(x.size(), 0.0);
  reduced_->set_state(state);
  const std::vector<double>& q = reduced_->state().q;
  Objective& objective = reduced_->objective();
  stage(objective, q), stage(whole_, reduced_->positions());
  objective.constant_matrix();
  std::vector<double> sampled(q.size()), full(x.size()), pulled(q.size()), product(q.size()), inertia(q.size());
  if (fitted_) objective.evaluate_fitted(q.data(), sampled.data());
  else objective.evaluate(q.data(), sampled.data());
  whole_.evaluate(reduced_->positions().data(), full.data());
  objective.coordinates().pull_back(full.data(), pulled.data());
  matrix_.multiply(q.data(), product.data());
  objective.coordinates().inertia(q.data(), inertia.data());
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double right = product[i] - inertia[i] / (objective.tau() * objective.tau()) - pulled[i];  // L q - force
    gap += std::pow(sampled[i] - pulled[i], 2), size += right * right;
  }
  return std::sqrt(gap / size);
}

}  // namespace resilin::lab
