// How edits change a simulation: each one wholly or not at all.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "resilin/errors.h"
#include "simulation/checks.h"
#include "simulation/drag.h"
#include "simulation/simulation_parts.h"

namespace resilin {
namespace {

// ---- what stands in the model

void unpin(Model& model, const std::vector<int>& vertices) {
  for (Pin& pin : model.pins)
    for (std::size_t i = pin.vertices.size(); i-- > 0;)
      if (std::find(vertices.begin(), vertices.end(), pin.vertices[i]) != vertices.end()) {
        pin.vertices.erase(pin.vertices.begin() + static_cast<std::ptrdiff_t>(i));
        pin.start.erase(pin.start.begin() + 3 * static_cast<std::ptrdiff_t>(i),
                        pin.start.begin() + 3 * static_cast<std::ptrdiff_t>(i) + 3);
      }
  std::erase_if(model.pins, [](const Pin& pin) { return pin.vertices.empty(); });
}

// Pins and handles, complete: with positions and offsets.
struct InModel {
  Model& model;
  void operator()(const PinVertices& e) const {
    unpin(model, e.vertices);
    model.pins.push_back({e.vertices, e.positions, {}});
  }
  void operator()(const UnpinVertices& e) const { unpin(model, e.vertices); }
  void operator()(const Drag& e) const {
    (*this)(Release{e.name});
    model.listed.push_back(drag_term(e));
  }
  void operator()(const Release& e) const {
    std::erase_if(model.listed, [&](const Term& term) { return term.name == e.name; });
  }
  template <class Other>
  void operator()(const Other&) const {}
};

bool stands_in_model(const Edit& edit) {
  return std::holds_alternative<Drag>(edit) || std::holds_alternative<Release>(edit) ||
         std::holds_alternative<PinVertices>(edit) || std::holds_alternative<UnpinVertices>(edit);
}

}  // namespace

// ---- applying

class Simulation::Editor {
 public:
  explicit Editor(Simulation& simulation) : s_(simulation), p_(*simulation.parts_) {}

  /// InputError: nothing has changed. `edit` is completed, so that it can be applied again without the state.
  void apply(Edit& edit) {
    std::visit([&](auto& one) { (*this)(one); }, edit);
  }
  /// Without the state.
  void restore(const Edit& edit) {
    const auto* drag = std::get_if<Drag>(&edit);
    if (const auto* set = std::get_if<SetParameter>(&edit)) (*this)(*set);
    else if (drag != nullptr && drag->vertices.empty()) stand(with_hold(*drag));
    else if (stands_in_model(edit)) stand(edit);
  }

 private:
  void operator()(const SetParameter& e) {
    if (p_.source == nullptr)
      throw InputError(e.path,
                       "parameters are set by their paths in a scene, and this simulation was not made from one");
    Blueprint next;
    auto source = p_.source->with(e.path, e.value, next);
    p_.add_forces(next.model);
    if (next.model.vertex_count() != p_.model.vertex_count())
      throw InputError(e.path,
                       "would give the model other vertices, which an edit cannot: run the changed scene instead");
    if (next.options.reduction != p_.options.reduction)
      throw InputError(
          e.path, "would give the simulation other unknowns, which an edit cannot: run the changed scene instead");
    for (const Edit& edit : p_.standing) std::visit(InModel{next.model}, edit);
    check_integrator(next.model, next.integrator ? *next.integrator : *p_.integrator,
                     p_.options.reduction ? &*p_.options.reduction : nullptr);
    change_model(std::move(next.model), next.solver ? *next.solver : *p_.solver);
    p_.source = std::move(source);
    if (!p_.own_first_state) {
      p_.initial.q = next.initial.q, p_.initial.v = next.initial.v;
      p_.project(p_.initial.q, p_.initial.v);
    }
    if (next.integrator) p_.integrator = std::move(next.integrator);
    if (next.solver) p_.solver = std::move(next.solver);
    next.options.threads = p_.options.threads;
    next.options.stop.cancel = p_.options.stop.cancel;
    p_.options = next.options;
  }
  // A move of a handle is recorded as it came, without what the handle holds: there may be a hundred of them in a
  // second.
  void operator()(Drag& e) {
    if (e.vertices.empty()) return stand(with_hold(e));
    check_vertices(p_.model.vertex_count(), e.vertices, "drag");
    complete_drag(e, s_.positions());
    stand(e);
  }
  void operator()(const Release& e) {
    if (std::none_of(p_.model.listed.begin(), p_.model.listed.end(),
                     [&](const Term& t) { return t.name == e.name; }))
      throw InputError("release", fmt::format("there is no handle \"{}\"", e.name));
    stand(e);
  }
  void operator()(PinVertices& e) {
    check_vertices(p_.model.vertex_count(), e.vertices, "pin");
    if (e.positions.empty())
      for (const int v : e.vertices)
        for (int k = 0; k < 3; ++k) e.positions.push_back(s_.positions()[3 * v + k]);
    check_numbers(e.positions, 3 * e.vertices.size(), "pin: positions");
    stand(e);
    prescribe();
  }
  void operator()(const UnpinVertices& e) {
    check_vertices(p_.model.vertex_count(), e.vertices, "unpin");
    const auto pinned = pinned_vertices(p_.model);
    for (const int v : e.vertices)
      if (pinned[v] == 0) throw InputError("unpin", fmt::format("vertex {} is not pinned", v));
    stand(e);
  }
  void operator()(const SetState& e) {
    const std::size_t size = p_.model.rest.size();
    if (!e.positions.empty()) check_numbers(e.positions, size, "state: positions");
    if (!e.velocities.empty()) check_numbers(e.velocities, size, "state: velocities");
    change_vertices([&](std::vector<double>& q, std::vector<double>& v) {
      if (!e.positions.empty()) std::copy(e.positions.begin(), e.positions.end(), q.begin());
      if (!e.velocities.empty()) std::copy(e.velocities.begin(), e.velocities.end(), v.begin());
    });
    prescribe();
    if (!e.positions.empty()) forget_contact();
  }
  void operator()(const Reset&) {
    std::copy(p_.initial.q.begin(), p_.initial.q.end(), p_.state.q.begin());
    std::copy(p_.initial.v.begin(), p_.initial.v.end(), p_.state.v.begin());
    p_.lifted.valid = false;
    prescribe();
    forget_contact();
  }
  void operator()(const Flatten& e) {
    if (e.axis < 0 || e.axis > 2) throw InputError("flatten", "the axis is 0, 1 or 2");
    for_bodies(e.body, "flatten", [&](const Body& body) {
      const auto middle = middle_of(body);
      move_free(body, [&](double* x) { x[e.axis] = middle[e.axis]; });
    });
    forget_contact();
  }
  void operator()(const Randomise& e) {
    std::mt19937_64 random(static_cast<std::uint64_t>(e.seed));
    for_bodies(e.body, "randomise", [&](const Body& body) {
      const auto middle = middle_of(body);
      const Bounds box = bounds(std::span(p_.model.rest)
                                    .subspan(3 * static_cast<std::size_t>(body.first_vertex),
                                             3 * static_cast<std::size_t>(body.vertex_count)));
      move_free(body, [&](double* x) {
        for (int k = 0; k < 3; ++k) {
          const double part = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
          x[k] = middle[k] + part * (box.upper[k] - box.lower[k]);
        }
      });
    });
    forget_contact();
  }
  void operator()(const Kick& e) {
    check_numbers(e.velocity, 3, "kick: velocity");
    for_bodies(e.body, "kick", [&](const Body& body) {
      const auto pinned = pinned_vertices(p_.model);
      change_vertices([&](std::vector<double>&, std::vector<double>& v) {
        for (int i = body.first_vertex; i < body.end_vertex(); ++i)
          for (int k = 0; k < 3 && pinned[i] == 0; ++k) v[3 * i + k] += e.velocity[k];
      });
    });
  }

  // A move of a handle, with what that holds already.
  Drag with_hold(Drag move) const {
    const auto held = std::find_if(p_.standing.rbegin(), p_.standing.rend(), [&](const Edit& edit) {
      const auto* drag = std::get_if<Drag>(&edit);
      return drag != nullptr && drag->name == move.name;
    });
    if (held == p_.standing.rend())
      throw InputError(
          "drag",
          fmt::format("there is no handle \"{}\" to move: name the vertices that it takes hold of", move.name));
    const Drag& hold = std::get<Drag>(*held);
    move.vertices = hold.vertices, move.offsets = hold.offsets, move.weights = hold.weights;
    complete_drag(move, s_.positions());
    return move;
  }
  // An edit that stays in the model until another one takes it back.
  void stand(const Edit& edit) {
    auto pins = p_.model.pins;
    auto listed = p_.model.listed;
    std::visit(InModel{p_.model}, edit);
    p_.system->update(false);
    try {
      p_.check_solver(*p_.solver);
    } catch (const InputError&) {
      p_.model.pins = std::move(pins), p_.model.listed = std::move(listed);
      p_.system->update(false);
      throw;
    }
    const auto* drag = std::get_if<Drag>(&edit);
    const auto* release = std::get_if<Release>(&edit);
    const std::string name = drag != nullptr ? drag->name : release != nullptr ? release->name : "";
    std::erase_if(p_.standing, [&](const Edit& other) {
      const auto* old = std::get_if<Drag>(&other);
      return old != nullptr && (drag != nullptr || release != nullptr) && old->name == name;
    });
    if (release == nullptr) p_.standing.push_back(edit);
  }
  void change_model(Model next, const Solver& solver) {
    next.validate();
    std::swap(p_.model, next);
    p_.whole.reset();
    p_.system->update();
    try {
      p_.check_solver(solver);
    } catch (const InputError&) {
      std::swap(p_.model, next);
      p_.system->update();
      throw;
    }
  }
  // Bodies were put somewhere: contact begins anew, as in a run that starts there. Who overlaps is led apart, and
  // nobody sticks.
  void forget_contact() {
    for (const char* owner : {"contact.", "friction.", "restitution."})
      std::erase_if(p_.state.solver.entries, [&](const auto& entry) { return entry.first.starts_with(owner); });
  }
  void prescribe() {
    p_.system->space().coordinates().prescribe(p_.state.time, p_.state.q.data(), p_.state.v.data());
  }

  std::array<double, 3> middle_of(const Body& body) const {
    std::array<double, 3> middle{0, 0, 0};
    for (int i = body.first_vertex; i < body.end_vertex(); ++i)
      for (int k = 0; k < 3; ++k) middle[k] += s_.positions()[3 * i + k] / body.vertex_count;
    return middle;
  }
  template <class Run>
  void for_bodies(const std::string& name, const std::string& edit, Run&& run) {
    const auto& bodies = p_.model.bodies;
    std::vector<std::string> names;
    for (const Body& body : bodies) names.push_back(body.name);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(edit, fmt::format("there is no body \"{}\"; there are: {}", name, join_or(names)));
    for (const Body& body : bodies)
      if (name.empty() || body.name == name) run(body);
  }
  /// change(q, v) of all vertices; a reduced simulation takes what is nearest to that.
  template <class Change>
  void change_vertices(Change&& change) {
    if (!s_.reduced()) return change(p_.state.q, p_.state.v);
    std::vector<double> q = s_.positions(), v = s_.velocities();
    change(q, v);
    p_.project(q, v);
    std::copy(q.begin(), q.end(), p_.state.q.begin());
    std::copy(v.begin(), v.end(), p_.state.v.begin());
    p_.lifted.valid = false;
  }
  /// move(x) of every free vertex, which then rests.
  template <class Move>
  void move_free(const Body& body, Move&& move) {
    const auto pinned = pinned_vertices(p_.model);
    change_vertices([&](std::vector<double>& q, std::vector<double>& v) {
      for (int i = body.first_vertex; i < body.end_vertex(); ++i) {
        if (pinned[i] != 0) continue;
        move(&q[3 * i]);
        std::fill_n(&v[3 * i], 3, 0.0);
      }
    });
  }

  Simulation& s_;
  Parts& p_;
};

void Simulation::post(Edit edit) {
  const std::lock_guard lock(parts_->edit_mutex);
  parts_->posted.push_back(std::move(edit));
}

void Simulation::Parts::apply_edits(Simulation& simulation, StepReport& report) {
  {
    const std::lock_guard lock(edit_mutex);
    taken.swap(posted);
  }
  for (Edit& edit : taken) {
    EditRecord record{state.step, std::move(edit)};
    try {
      Editor(simulation).apply(record.edit);
    } catch (const InputError& error) {
      record.refused = error.what();
    }
    log.push_back(record);
    report.edits.push_back(std::move(record));
  }
  taken.clear();
}

std::vector<EditRecord> Simulation::apply_posted() {
  StepReport report;
  parts_->apply_edits(*this, report);
  return std::move(report.edits);
}

void Simulation::restore(std::vector<EditRecord> edits) {
  for (EditRecord& record : edits) {
    if (record.refused.empty()) Editor(*this).restore(record.edit);
    parts_->log.push_back(std::move(record));
  }
}

}  // namespace resilin
