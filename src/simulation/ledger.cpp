#include "resilin/ledger.h"

#include <algorithm>
#include <cmath>

#include "problem/dynamic_system.h"
#include "resilin/simulation.h"

namespace resilin {

class Ledger::Book {
 public:
  explicit Book(Simulation& simulation) : simulation_(simulation) {
    const State& now = simulation.state();
    elastic(now.q, now.time, gradient_);
    entries.push_back(balance());
    damping(now.v, drag_, power_);
    remember();
  }

  // A step with edits is not balanced: they put energy in or take it out.
  void add(const StepReport& report) {
    const bool edited = std::any_of(report.edits.begin(), report.edits.end(),
                                    [](const EditRecord& e) { return e.refused.empty(); });
    const State& now = state();
    const double moved_targets = target_work();
    std::vector<double> gradient(now.q.size());
    elastic(now.q, now.time, gradient);
    LedgerEntry entry = balance();
    const bool at_end = forces_of_the_end();
    external_and_pins(gradient, at_end ? 1 : 0.5, entry);
    entry.pin_work += moved_targets;
    if (simulation_.system().damped() || !power_.empty()) dissipation(at_end, entry);
    const LedgerEntry& last = entries.back();
    entry.numerical_loss =
        entry.external_work + entry.pin_work - (entry.kinetic - last.kinetic) - (entry.elastic - last.elastic);
    for (const auto& [model, energy] : entry.dissipated) entry.numerical_loss -= energy;
    if (edited) entry.numerical_loss = 0;
    entries.push_back(std::move(entry));
    gradient_.swap(gradient);
    remember();
  }

  std::vector<LedgerEntry> entries;

 private:
  const State& state() const { return simulation_.state(); }
  const Coordinates& coordinates() const { return simulation_.system().space().coordinates(); }
  bool prescribed(std::size_t unknown) const {
    return coordinates().prescribed(static_cast<std::ptrdiff_t>(unknown));
  }

  double elastic(const std::vector<double>& q, double time, std::vector<double>& gradient) {
    simulation_.system().set_time(time);
    gradient.resize(q.size());
    return elastic_ = simulation_.system().potential_energy(q.data(), gradient.data());
  }
  double elastic(const std::vector<double>& q, double time) {
    simulation_.system().set_time(time);
    return simulation_.system().potential_energy(q.data(), nullptr);
  }

  std::vector<double> momenta(const std::vector<double>& a) const {
    std::vector<double> p(a.size());
    coordinates().inertia(a.data(), p.data());
    return p;
  }

  // What the state alone tells.
  LedgerEntry balance() const {
    const State& now = state();
    LedgerEntry entry;
    entry.step = now.step, entry.time = now.time, entry.elastic = elastic_;
    const std::vector<double> p = momenta(now.v);
    for (std::size_t i = 0; i < now.v.size(); ++i) entry.kinetic += 0.5 * p[i] * now.v[i];
    entry.momentum = simulation_.momentum();
    entry.angular_momentum = simulation_.angular_momentum();
    return entry;
  }

  // f . dx, with forces of the middle of the step. A pinned vertex is moved by a force that is not known, but its
  // work is: what the vertex gained, and what it did on the elements less what gravity did on it. `end`: weight of
  // forces of the end of the step.
  void external_and_pins(const std::vector<double>& gradient, double end, LedgerEntry& entry) const {
    const State& now = state();
    std::vector<double> a(now.q.size());
    simulation_.system().external((time_ + now.time) / 2, a.data());
    const std::vector<double> force = momenta(a), p = momenta(now.v), p_before = momenta(v_);
    for (std::size_t i = 0; i < now.q.size(); ++i) {
      const double moved = now.q[i] - q_[i], work = force[i] * moved;
      entry.external_work += work;
      if (!prescribed(i)) continue;
      entry.pin_work += 0.5 * (p[i] * now.v[i] - p_before[i] * v_[i]) +
                        ((1 - end) * gradient_[i] + end * gradient[i]) * moved - work;
    }
  }

  using Power = std::vector<std::pair<std::string, double>>;

  // dR/dv and the power of each model, where vertices are.
  void damping(const std::vector<double>& v, std::vector<double>& gradient, Power& power) {
    const State& now = state();
    gradient.resize(v.size());
    simulation_.system().damping(now.q.data(), v.data(), gradient.data(), &power);
  }

  // Backward Euler moves vertices by h v1 with the forces of the end. For others the trapezoidal rule is better.
  bool forces_of_the_end() const {
    const State& now = state();
    constexpr double same = 1e-6;
    const double h = now.time - time_;
    double gap = 0, moved = 0;
    for (std::size_t i = 0; i < now.q.size(); ++i) {
      if (prescribed(i)) continue;
      gap = std::max(gap, std::abs(now.q[i] - q_[i] - h * now.v[i]));
      moved = std::max(moved, std::abs(now.q[i] - q_[i]));
    }
    return moved > 0 && gap <= same * moved;
  }

  // f . dx of damping forces, by model; pins move against them too. With forces of the end this is what the stage
  // had, at the rates dx/h: power of the start may be any number of times what a stiff damper leaves of it.
  void dissipation(bool at_end, LedgerEntry& entry) {
    const State& now = state();
    const double h = now.time - time_, end = at_end ? 1 : 0.5;
    Power power;
    std::vector<double> drag, rate = now.v;
    for (std::size_t i = 0; at_end && i < rate.size(); ++i) rate[i] = (now.q[i] - q_[i]) / h;
    damping(rate, drag, power);
    power_.resize(power.size());  // an edit may have added or removed models
    for (std::size_t i = 0; i < power.size(); ++i)
      entry.dissipated.emplace_back(power[i].first, ((1 - end) * power_[i].second + end * power[i].second) * h);
    for (std::size_t i = 0; i < drag.size(); ++i)
      if (prescribed(i)) entry.pin_work += ((1 - end) * drag_[i] + end * drag[i]) * (now.q[i] - q_[i]);
    power_ = std::move(power), drag_ = std::move(drag);
  }

  // Moving the targets of soft pins at fixed positions changes the potentials: the mean of both ends of the step.
  double target_work() {
    const State& now = state();
    const auto& terms = simulation_.model().terms;
    if (std::none_of(terms.begin(), terms.end(), [](const Term& term) {
          return std::any_of(term.elastic.begin(), term.elastic.end(), [](const auto& p) { return p->moves(); });
        }))
      return 0;
    return (elastic(q_, now.time) - elastic(q_, time_) + elastic(now.q, now.time) - elastic(now.q, time_)) / 2;
  }

  void remember() {
    const State& now = state();
    q_ = now.q, v_ = now.v, time_ = now.time;
  }

  Simulation& simulation_;
  std::vector<double> q_, v_, gradient_, drag_;  // at the end of the step before; drag: dR/dv
  Power power_;                                  // [W] of each damping model there
  double time_ = 0, elastic_ = 0;
};

Ledger::Ledger(Simulation& simulation) : book_(std::make_shared<Book>(simulation)) {
  simulation.observe([book = book_](const Simulation&, const StepReport& report) { book->add(report); });
}

const std::vector<LedgerEntry>& Ledger::entries() const { return book_->entries; }

}  // namespace resilin
