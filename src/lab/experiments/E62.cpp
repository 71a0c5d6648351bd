// E62: identities of XPBD (Ledwon 2024, Section 3.4.6). Without compliance it is PBD; stiffness may stand in the
// constraint, C' = C/sqrt(alpha) (Eq. 3.55), and changes multipliers by 1/sqrt(k) and no position; and heavier
// masses move less in the first iteration by Eq. 3.59.
#include "lab/ledwon_beam.h"
#include "lab/small_systems.h"
#include "lab/toolkit.h"
#include "simd/pack.h"
#include "solvers/local/constraint_solver.h"

namespace resilin {
namespace {

// C' = sqrt(k) C with stiffness 1.
class UnitForm final : public CompliantForm {
 public:
  explicit UnitForm(std::unique_ptr<CompliantForm> inner) : inner_(std::move(inner)) {}
  int constraints() const override { return inner_->constraints(); }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    inner_->evaluate(block, out);
    const int components = 3 * block.rows;
    for (int j = 0; j < block.packs * constraints(); ++j)
      for (int l = 0; l < lanes; ++l) {
        double& k = out.stiffness[j * lanes + l];
        out.value[j * lanes + l] *= std::sqrt(k);
        for (int c = 0; c < components; ++c) out.gradient[(j * components + c) * lanes + l] *= std::sqrt(k);
        k = 1;
      }
  }

 private:
  std::unique_ptr<CompliantForm> inner_;
};

class Unit final : public Potential {
 public:
  explicit Unit(std::shared_ptr<const Potential> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  ElementKind kind() const override { return inner_->kind(); }
  void stamp(Stamp& out) const override { inner_->stamp(out); }
  std::unique_ptr<Kernel> pack(std::span<const int> slots) const override { return inner_->pack(slots); }
  Reads reads(int derivatives) const override { return inner_->reads(derivatives); }
  void quadratic(int element, double tau, double* matrix) const override {
    inner_->quadratic(element, tau, matrix);
  }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slots) const override {
    return std::make_unique<UnitForm>(inner_->compliant_form(slots));
  }

 private:
  std::shared_ptr<const Potential> inner_;
};

struct Result {
  std::vector<double> y, lambda;
};

Result project(Model model, const std::vector<double>& q, double h, int iterations, bool compliant = true) {
  lab::OneStage stage = lab::stage_from_rest(std::move(model), q, h, 1);
  ConstraintSolver solver({.name = "E62", .compliant = compliant});
  Result out;
  stage.solve(solver, {.iterations = iterations, .tolerance = 0}, out.y);
  const ConstraintTerm& term = solver.terms().front();
  for (std::size_t slot = 0; slot < term.order().slot_element.size(); ++slot)
    out.lambda.push_back(term.multiplier(0, 0, static_cast<int>(slot)));
  return out;
}

void without_compliance(const Settings& s, Findings& findings) {
  lab::BeamOptions o = lab::beam_options(s);
  o.stiffness = 1e250;
  const Model model = lab::ledwon_model(o);
  const auto q = lab::twisted(model.rest, o.twist);
  const int n = s.integer("iterations");
  findings.near("alpha = 0: largest distance of XPBD from PBD", 0,
                lab::farthest(project(model, q, o.step, n).y, project(model, q, o.step, n, false).y), 0,
                "every bit is the same");
}

void scaled_constraint(const Settings& s, Findings& findings) {
  const lab::BeamOptions o = lab::beam_options(s);
  const Model model = lab::ledwon_model(o);
  Model unit = model;
  unit.terms[0].elastic[0] = std::make_shared<Unit>(unit.terms[0].elastic[0]);
  const auto q = lab::twisted(model.rest, o.twist);
  const Result a = project(model, q, o.step, s.integer("iterations")),
               b = project(unit, q, o.step, s.integer("iterations"));
  lab::Worst worst, largest;
  for (std::size_t i = 0; i < a.lambda.size(); ++i) {
    worst.see(std::abs(b.lambda[i] * std::sqrt(o.stiffness) - a.lambda[i]));
    largest.see(std::abs(a.lambda[i]));
  }
  const std::string what = "C' = C/sqrt(alpha): largest ";
  findings.at_most(what + "change of positions / length", 1e-10, lab::farthest(a.y, b.y) / model.size());
  findings.at_most(what + "|sqrt(k) lambda' - lambda| / largest |lambda|", 1e-10, worst / largest);
}

// dx_1 = -C grad_1 C / (sum_j (w_j/w_1) |grad_j C|^2 + alpha a m_1).
void masses(const Settings& s, Findings& findings) {
  const double k = s.number("stiffness"), h = s.number("step"), m0 = 2, m1 = 3, length = 0.4;
  for (const double a : {1.0, 10.0, 1e4}) {
    const Model model = lab::one_spring({1, 0, 0}, {m0 * a, m1 * a}, k, length, false);
    const double expected = -(1 - length) / (1 + m1 / m0 + a * m1 / (k * h * h));
    findings.relative(fmt::format("first iteration, masses times {:.0f}: step of a vertex", a), expected,
                      project(model, model.rest, h, 1).y[3] - 1, 1e-13, "Eq. 3.59");
  }
}

void run(const Settings& s, Findings& findings) {
  without_compliance(s, findings), scaled_constraint(s, findings), masses(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E62() {
  return {.title = "Identities of XPBD",
          .source = "ledwon2024",
          .shows = "Eqs. 3.55 to 3.59",
          .doc = "No compliance is PBD; stiffness inside of the constraint changes nothing; masses.",
          .params = lab::beam_params(1e8, 1e-2, 50),
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
