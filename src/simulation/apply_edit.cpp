// How edits change a simulation: each one wholly or not at all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "resilin/errors.h"
#include "simulation/checks.h"
#include "simulation/drag.h"
#include "simulation/simulation_parts.h"

namespace resilin {
namespace {

// ---- what stands in the model -----------------------------------------------------------------------------------

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
// ----------------------------------------------------------------------------------------------------

class Simulation::Editor {
 public:
  explicit Editor(Simulation& simulation) : s_(simulation) {}

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
    if (s_.parts_->source == nullptr)
      throw InputError(e.path,
                       "parameters are set by their paths in a scene, and this simulation was not made from one");
    Blueprint next;
    auto source = s_.parts_->source->with(e.path, e.value, next);
    s_.parts_->add_forces(next.model);
    if (next.model.vertex_count() != s_.parts_->model.vertex_count())
      throw InputError(e.path,
                       "would give the model other vertices, which an edit cannot: run the changed scene instead");
    if (next.options.reduction != s_.parts_->options.reduction)
      throw InputError(e.path,
                       "would give the simulation other unknowns, which an edit cannot: run the changed scene "
                       "instead");
    for (const Edit& edit : s_.parts_->standing) std::visit(InModel{next.model}, edit);
    check_integrator(next.model, next.integrator ? *next.integrator : *s_.parts_->integrator,
                     s_.parts_->options.reduction ? &*s_.parts_->options.reduction : nullptr);
    change_model(std::move(next.model), next.solver ? *next.solver : *s_.parts_->solver);
    s_.parts_->source = std::move(source);
    if (!s_.parts_->own_first_state) {
      s_.parts_->initial.q = next.initial.q, s_.parts_->initial.v = next.initial.v;
      s_.parts_->project(s_.parts_->initial.q, s_.parts_->initial.v);
    }
    if (next.integrator) s_.parts_->integrator = std::move(next.integrator);
    if (next.solver) s_.parts_->solver = std::move(next.solver);
    next.options.threads = s_.parts_->options.threads;
    next.options.stop.cancel = s_.parts_->options.stop.cancel;
    s_.parts_->options = next.options;
  }
  // A move of a handle is recorded as it came, without what the handle holds: there may be a hundred of them in a
  // second.
  void operator()(Drag& e) {
    if (e.vertices.empty()) return stand(with_hold(e));
    check_vertices(s_.parts_->model.vertex_count(), e.vertices, "drag");
    complete_drag(e, s_.positions());
    stand(e);
  }
  void operator()(const Release& e) {
    if (std::none_of(s_.parts_->model.listed.begin(), s_.parts_->model.listed.end(),
                     [&](const Term& t) { return t.name == e.name; }))
      throw InputError("release", fmt::format("there is no handle \"{}\"", e.name));
    stand(e);
  }
  void operator()(PinVertices& e) {
    check_vertices(s_.parts_->model.vertex_count(), e.vertices, "pin");
    if (e.positions.empty())
      for (const int v : e.vertices)
        for (int k = 0; k < 3; ++k) e.positions.push_back(s_.positions()[3 * v + k]);
    check_numbers(e.positions, 3 * e.vertices.size(), "pin: positions");
    stand(e);
    prescribe();
  }
  void operator()(const UnpinVertices& e) {
    check_vertices(s_.parts_->model.vertex_count(), e.vertices, "unpin");
    const auto pinned = pinned_vertices(s_.parts_->model);
    for (const int v : e.vertices)
      if (pinned[v] == 0) throw InputError("unpin", fmt::format("vertex {} is not pinned", v));
    stand(e);
  }
  void operator()(const SetState& e) {
    const std::size_t size = s_.parts_->model.rest.size();
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
    std::copy(s_.parts_->initial.q.begin(), s_.parts_->initial.q.end(), s_.parts_->state.q.begin());
    std::copy(s_.parts_->initial.v.begin(), s_.parts_->initial.v.end(), s_.parts_->state.v.begin());
    s_.parts_->lifted.valid = false;
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
      const Bounds box = bounds(std::span(s_.parts_->model.rest)
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
      const auto pinned = pinned_vertices(s_.parts_->model);
      change_vertices([&](std::vector<double>&, std::vector<double>& v) {
        for (std::size_t i = body.first_vertex; i < static_cast<std::size_t>(body.first_vertex + body.vertex_count);
             ++i)
          for (std::size_t k = 0; k < 3 && pinned[i] == 0; ++k) v[3 * i + k] += e.velocity[k];
      });
    });
  }

  // A move of a handle, with what that holds already.
  Drag with_hold(Drag move) const {
    const auto held = std::find_if(s_.parts_->standing.rbegin(), s_.parts_->standing.rend(), [&](const Edit& edit) {
      const auto* drag = std::get_if<Drag>(&edit);
      return drag != nullptr && drag->name == move.name;
    });
    if (held == s_.parts_->standing.rend())
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
    auto pins = s_.parts_->model.pins;
    auto listed = s_.parts_->model.listed;
    std::visit(InModel{s_.parts_->model}, edit);
    s_.parts_->system->update(false);
    try {
      s_.parts_->check_solver(*s_.parts_->solver);
    } catch (const InputError&) {
      s_.parts_->model.pins = std::move(pins), s_.parts_->model.listed = std::move(listed);
      s_.parts_->system->update(false);
      throw;
    }
    const auto* drag = std::get_if<Drag>(&edit);
    const auto* release = std::get_if<Release>(&edit);
    const std::string name = drag != nullptr ? drag->name : release != nullptr ? release->name : "";
    std::erase_if(s_.parts_->standing, [&](const Edit& other) {
      const auto* old = std::get_if<Drag>(&other);
      return old != nullptr && (drag != nullptr || release != nullptr) && old->name == name;
    });
    if (release == nullptr) s_.parts_->standing.push_back(edit);
  }
  void change_model(Model next, const Solver& solver) {
    next.validate();
    std::swap(s_.parts_->model, next);
    s_.parts_->whole.reset();
    s_.parts_->system->update();
    try {
      s_.parts_->check_solver(solver);
    } catch (const InputError&) {
      std::swap(s_.parts_->model, next);
      s_.parts_->system->update();
      throw;
    }
  }
  // Bodies were put somewhere: contact begins anew, as in a run that starts there. Who overlaps is led apart, and
  // nobody sticks.
  void forget_contact() {
    std::erase_if(s_.parts_->state.solver.entries, [](const auto& entry) {
      const auto of = [&](const char* owner) { return entry.first.starts_with(owner); };
      return of("contact.") || of("friction.") || of("restitution.");
    });
  }
  void prescribe() {
    s_.parts_->system->space().coordinates().prescribe(s_.parts_->state.time, s_.parts_->state.q.data(),
                                                       s_.parts_->state.v.data());
  }

  std::array<double, 3> middle_of(const Body& body) const {
    std::array<double, 3> middle{0, 0, 0};
    for (int i = 0; i < body.vertex_count; ++i)
      for (int k = 0; k < 3; ++k)
        middle[k] += s_.positions()[3 * static_cast<std::size_t>(body.first_vertex + i) + k] / body.vertex_count;
    return middle;
  }
  template <class Run>
  void for_bodies(const std::string& name, const std::string& edit, Run&& run) {
    const auto& bodies = s_.parts_->model.bodies;
    if (!name.empty() &&
        std::none_of(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; })) {
      std::vector<std::string> names;
      for (const Body& body : bodies) names.push_back(body.name);
      throw InputError(edit, fmt::format("there is no body \"{}\"; there are: {}", name, join_or(names)));
    }
    for (const Body& body : bodies)
      if (name.empty() || body.name == name) run(body);
  }
  /// change(q, v) of all vertices; a reduced simulation takes what is nearest to that.
  template <class Change>
  void change_vertices(Change&& change) {
    if (!s_.reduced()) return change(s_.parts_->state.q, s_.parts_->state.v);
    std::vector<double> q = s_.positions(), v = s_.velocities();
    change(q, v);
    s_.parts_->project(q, v);
    std::copy(q.begin(), q.end(), s_.parts_->state.q.begin());
    std::copy(v.begin(), v.end(), s_.parts_->state.v.begin());
    s_.parts_->lifted.valid = false;
  }
  /// move(x) of every free vertex, which then rests.
  template <class Move>
  void move_free(const Body& body, Move&& move) {
    const auto pinned = pinned_vertices(s_.parts_->model);
    change_vertices([&](std::vector<double>& q, std::vector<double>& v) {
      for (std::size_t i = body.first_vertex; i < static_cast<std::size_t>(body.first_vertex + body.vertex_count);
           ++i) {
        if (pinned[i] != 0) continue;
        move(&q[3 * i]);
        std::fill_n(&v[3 * i], 3, 0.0);
      }
    });
  }

  Simulation& s_;
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
  parts_->publish(*this);
  return std::move(report.edits);
}

void Simulation::restore(std::vector<EditRecord> edits) {
  for (EditRecord& record : edits) {
    if (record.refused.empty()) Editor(*this).restore(record.edit);
    parts_->log.push_back(std::move(record));
  }
}

}  // namespace resilin
