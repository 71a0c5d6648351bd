// The simulation that Python holds: steps, arrays, states, reports.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "bindings.h"
#include "problem/dynamic_system.h"
#include "resilin/checkpoint.h"
#include "resilin/io.h"
#include "resilin/registry.h"

namespace resilin::python {
namespace {

// ---- steps
// ------------------------------------------------------------------------------------------------------------

std::vector<std::shared_ptr<Failure>> all_failures(const Held& held) {
  auto out = held.failures;
  out.push_back(held.failure);
  return out;
}

// The solver may be another one after an edit: told before every step.
void listen(Held& held) {
  Solver& solver = held.simulation->solver();
  solver.tracing = held.tracing;
  solver.observe = nullptr;
  if (held.each_iteration == nullptr) return;
  solver.observe = [callback = held.each_iteration, failure = held.failure](const std::vector<double>& y,
                                                                            const IterationRecord& record) {
    if (failure->any() || python_ends()) return;
    const py::gil_scoped_acquire gil;
    try {
      (*callback)(to_array(y, 3), record);
    } catch (py::error_already_set& error) {
      failure->keep(error);
    }
  };
}

StepReport step(Held& held) {
  const Using now(held);
  listen(held);
  StepReport report;
  run_watched([&] { report = held.simulation->step(); }, all_failures(held));
  return report;
}

// The last report; one that was refused or not finite ends it.
StepReport run(Held& held, int steps) {
  const Using now(held);
  listen(held);
  StepReport report;
  std::vector<EditRecord> edits;
  run_watched(
      [&] {
        for (int i = 0; i < steps; ++i) {
          watch_check();
          report = held.simulation->step();
          edits.insert(edits.end(), report.edits.begin(), report.edits.end());
          if (report.status == Status::not_finite || report.status == Status::cancelled) break;
        }
      },
      all_failures(held));
  report.edits = std::move(edits);
  return report;
}

// ---- states
// -------------------------------------------------------------------------------------------------------------

py::dict memory_dict(const Memory& memory) {
  py::dict out;
  for (const auto& [name, entry] : memory.entries)
    out[py::str(name)] = py::make_tuple(entry.stamp, to_array(entry.values, 0));
  return out;
}

Memory memory_of(const py::dict& from) {
  Memory out;
  for (const auto& [name, entry] : from) {
    const auto pair = entry.cast<std::pair<std::uint64_t, py::object>>();
    const py::array_t<double, py::array::c_style | py::array::forcecast> values(pair.second);
    out.entries[name.cast<std::string>()] = {pair.first, {values.data(), values.data() + values.size()}};
  }
  return out;
}

void bind_state(py::module_& m) {
  py::class_<State, std::shared_ptr<State>>(
      m, "State", "Positions, velocities, time, and what solvers and integrators remember: a value.")
      .def_property_readonly(
          "positions", [](py::object self) { return view_of(self.cast<const State&>().q, self); },
          "(n, 3) [m]; of a reduced simulation its unknowns")
      .def_property_readonly(
          "velocities", [](py::object self) { return view_of(self.cast<const State&>().v, self); }, "(n, 3) [m/s]")
      .def_readonly("time", &State::time, "[s]")
      .def_readonly("step", &State::step)
      .def_property_readonly("hash", [](const State& s) { return fmt::format("{:016x}", hash(s)); })
      .def(py::pickle(
          [](const State& s) {
            return py::make_tuple(to_array(s.q, 0), to_array(s.v, 0), s.time, s.step, memory_dict(s.history),
                                  memory_dict(s.solver));
          },
          [](const py::tuple& t) {
            if (t.size() != 6) throw InputError("state", "what was pickled is no state");
            auto out = std::make_shared<State>();
            out->q = to_numbers(t[0], -1, "state"), out->v = to_numbers(t[1], -1, "state");
            out->time = t[2].cast<double>(), out->step = t[3].cast<std::int64_t>();
            out->history = memory_of(t[4]), out->solver = memory_of(t[5]);
            return out;
          }));
}

// ---- reports
// --------------------------------------------------------------------------------------------------------------

void bind_reports(py::module_& m) {
  py::class_<IterationRecord>(m, "IterationRecord", "One iteration of a solver.")
      .def_readonly("objective", &IterationRecord::objective, "[J]")
      .def_readonly("inertia", &IterationRecord::inertia, "[J]")
      .def_readonly("potential", &IterationRecord::potential, "[J]")
      .def_readonly("force_residual", &IterationRecord::force_residual, "|grad Phi| [N]")
      .def_readonly("step_length", &IterationRecord::step_length)
      .def_readonly("evaluations", &IterationRecord::evaluations)
      .def_readonly("seconds", &IterationRecord::seconds, "since the stage began")
      .def_readonly("infeasibility", &IterationRecord::infeasibility, "[m]");
  py::class_<SolveReport>(m, "SolveReport", "How the solves of a step went, summed over its stages.")
      .def_property_readonly("status", [](const SolveReport& r) { return name(r.status); })
      .def_readonly("iterations", &SolveReport::iterations)
      .def_readonly("evaluations", &SolveReport::evaluations)
      .def_readonly("line_searches", &SolveReport::line_searches)
      .def_readonly("factorisations", &SolveReport::factorisations)
      .def_readonly("residual", &SolveReport::residual, "forces out of balance, |grad Phi| [N]")
      .def_readonly("first_residual", &SolveReport::first_residual)
      .def_readonly("objective", &SolveReport::objective, "[J]")
      .def_readonly("error", &SolveReport::error, "acceleration over size [1/s^2]; negative: not measured")
      .def_readonly("infeasibility", &SolveReport::infeasibility, "[m]")
      .def_readonly("trace", &SolveReport::trace, "an IterationRecord each, where `tracing` is on")
      .def_property_readonly("phases", [](const SolveReport& r) {
        py::dict out;
        out["local"] = r.phases.local, out["global"] = r.phases.global, out["line_search"] = r.phases.line_search;
        out["coarse"] = r.phases.coarse, out["history"] = r.phases.history, out["contact"] = r.phases.contact,
        out["other"] = r.phases.other;
        return out;
      });
  py::class_<StepReport>(m, "StepReport", "How a step went.")
      .def_property_readonly(
          "status", [](const StepReport& r) { return name(r.status); },
          "converged, iteration_limit, time_limit, stalled; not_finite and cancelled: the state is as before")
      .def_readonly("solve", &StepReport::solve)
      .def_readonly("seconds", &StepReport::seconds, "wall-clock time of the step")
      .def_property_readonly(
          "edits",
          [](const StepReport& r) {
            py::list out;
            for (const EditRecord& record : r.edits) out.append(to_python(write_record(record)));
            return out;
          },
          "that were applied or refused before it")
      .def_property_readonly("refused",
                             [](const StepReport& r) {
                               py::list out;
                               for (const EditRecord& record : r.edits)
                                 if (!record.refused.empty()) out.append(record.refused);
                               return out;
                             })
      .def("__repr__", [](const StepReport& r) {
        return fmt::format("<resilin.StepReport: {}, {} iterations, {:.3g} ms>", name(r.status), r.solve.iterations,
                           1e3 * r.seconds);
      });
}

// ---- bodies
// ---------------------------------------------------------------------------------------------------------------

py::list bodies(Held& held) {
  const Using now(held);
  py::list out;
  for (const Body& body : held.simulation->model().bodies) {
    py::dict one;
    one["name"] = body.name, one["first_vertex"] = body.first_vertex, one["vertex_count"] = body.vertex_count;
    one["tets"] = to_array(body.tets, 4), one["triangles"] = to_array(body.triangles, 3);
    one["edges"] = to_array(body.edges, 2);
    out.append(one);
  }
  return out;
}

py::dict energy(Held& held) {
  const Using now(held);
  Energy e;
  run_watched([&] { e = held.simulation->energy(); }, all_failures(held));
  py::dict out;
  out["kinetic"] = e.kinetic, out["elastic"] = e.elastic, out["external"] = e.external;
  return out;
}

void set_state(Held& held, const State& state) {
  const Using now(held);
  held.simulation->set_state(state);
}

void write_state(Held& held, py::object file) {
  const std::string path = to_path(file);
  const Using now(held);
  const Simulation& s = *held.simulation;
  const std::string format = format_of_path(path);
  const auto* found = format.empty() ? nullptr : find_plugin<FormatPlugin>(format);
  if (found == nullptr || !can_write_frames(found->plugin))
    throw InputError(path, "its extension is of no format that frames are written in (resilin list format)");
  write_file(path, frame_contents(found->plugin, {.model = &s.model(),
                                                  .positions = &s.positions(),
                                                  .velocities = &s.velocities(),
                                                  .number = static_cast<int>(s.state().step),
                                                  .time = s.state().time}));
}

// What `resilin view` goes on from. `text`: the scene of a simulation that was made from code.
void write_checkpoint(Held& held, const std::string& path, const std::optional<std::string>& text) {
  const Using now(held);
  const Simulation& s = *held.simulation;
  const std::string file = text || !held.scene ? "scene.json" : held.scene->file;
  Checkpoint out;
  out.scene = text || !held.scene ? text.value_or("") : held.scene->source.dump();
  out.scene_file = std::filesystem::absolute(file).string();
  out.made_by = checkpoint_maker();
  out.model = fingerprint(s.model());
  out.state = s.state();
  out.edits = write_edits(s.edits());
  save_checkpoint(path, out);
}

}  // namespace

void bind_simulation(py::module_& m) {
  bind_state(m);
  bind_reports(m);
  py::class_<Held, std::shared_ptr<Held>> c(m, "Simulation", "A simulation that is built.");
  const auto size = [](const Held& h) { return h.vertices; };
  c.def("step", &step).def("run", &run, py::arg("steps"));
  // A view keeps the simulation, whatever becomes of the object that it was asked of.
  const auto owner = [](const std::shared_ptr<Held>& h) {
    return py::capsule(new std::shared_ptr<Held>(h),
                       [](void* p) { delete static_cast<std::shared_ptr<Held>*>(p); });
  };
  // Of a reduced simulation they are computed now.
  c.def("positions", [owner](const std::shared_ptr<Held>& h) {
    std::optional<Using> now;
    if (h->simulation->reduced()) now.emplace(*h);
    return view_of(h->simulation->positions(), owner(h));
  });
  c.def("velocities", [owner](const std::shared_ptr<Held>& h) {
    std::optional<Using> now;
    if (h->simulation->reduced()) now.emplace(*h);
    return view_of(h->simulation->velocities(), owner(h));
  });
  c.def("rest", [](Held& h) {
    const Using now(h);
    return to_array(h.simulation->model().rest, 3);
  });
  c.def("masses", [](Held& h) {
    const Using now(h);
    const Model& model = h.simulation->model();
    return to_array(model.mass, 0);
  });
  c.def("set_forces", [size](Held& h, py::object forces) {
    const Using now(h);
    h.simulation->set_forces(forces.is_none() ? std::vector<double>() : to_rows(forces, size(h), "forces"));
  });
  c.def("state", [](Held& h) {
    const Using now(h);
    return std::make_shared<State>(h.simulation->state());
  });
  c.def("set_state", &set_state, py::arg("state"));
  c.def_property_readonly("time", [](const Held& h) { return h.simulation->state().time; });
  c.def_property_readonly("steps", [](const Held& h) { return h.simulation->state().step; });
  c.def_property_readonly("dt", [](const Held& h) { return h.simulation->options().step; });
  c.def_property_readonly("threads", [](const Held& h) { return h.simulation->threads(); });
  c.def_property_readonly("reduced", [](const Held& h) { return h.simulation->reduced(); });
  c.def_property_readonly("vertex_count", size);
  c.def_property_readonly("state_hash",
                          [](const Held& h) { return fmt::format("{:016x}", hash(h.simulation->state())); });
  c.def("bodies", &bodies);
  c.def("energy", &energy);
  c.def("momentum", [](Held& h) {
    const Using now(h);
    return py::array_t<double>(3, h.simulation->momentum().data());
  });
  c.def("angular_momentum", [](Held& h) {
    const Using now(h);
    return py::array_t<double>(3, h.simulation->angular_momentum().data());
  });
  c.def_readwrite("tracing", &Held::tracing);
  c.def("on_iteration", [](Held& h, py::object callback) {
    h.each_iteration = callback.is_none() ? nullptr : shared_object(std::move(callback));
  });
  c.def_readonly("notes", &Held::notes);
  c.def("scene", [](Held& h) {
    const Using now(h);
    return h.simulation->source() == nullptr ? py::object(py::none())
                                             : py::object(py::str(h.simulation->source()->text()));
  });
  c.def("scene_file", [](const Held& h) { return h.scene ? h.scene->file : std::string(); });
  c.def("write", &write_state, py::arg("path"));
  c.def("write_checkpoint", &write_checkpoint, py::arg("path"), py::arg("scene"));
  bind_edits(c);
}

}  // namespace resilin::python
