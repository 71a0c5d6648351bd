// A run has the same bits when it is repeated, with one thread and two, and when it goes on from a checkpoint in
// the middle, written while bodies stick: contact, friction and what they remember stand in the state.
#include "lab/contact_scenes.h"
#include "lab/toolkit.h"
#include "resilin/checkpoint.h"

namespace resilin {
namespace {

struct Case {
  std::string name, solver, integrator;
  std::function<Builder()> make;
  bool sticks = true;  // bodies are in contact when the checkpoint is written
};

// On a slope of 0.9 mu.
Builder held_block() {
  Builder builder;
  builder.add(Solid{.mesh = box({.size = {0.1, 0.05, 0.1}, .cells = {6, 3, 6}, .center = {0, 0.025, 0}}),
                    .material = {"corotated", {{"young", 1e6}, {"poisson", 0.3}}}});
  builder.gravity({4, -9, 0});
  builder.obstacle({"plane", {{"friction", 0.5}}});
  return builder;
}

Builder with_contact(Builder builder) {
  builder.contact({.friction = 0.5});
  return builder;
}

std::vector<Case> cases_of(const Settings& s) {
  std::vector<Case> out;
  for (const char* solver : {"quasi_newton", "newton", "chebyshev", "admm"})
    out.push_back({"held block", solver, "backward_euler", held_block});
  for (const char* integrator : {"bdf2", "tr_bdf2"})
    out.push_back({"held block", "quasi_newton", integrator, held_block});
  const auto stack = [] { return with_contact(lab::box_stack(3, 2, 5e6, 0.002, 0.5)); };
  for (const char* solver : {"quasi_newton", "newton", "chebyshev"})
    out.push_back({"stack", solver, "backward_euler", stack});
  out.push_back({"stack", "quasi_newton", "tr_bdf2", stack});
  for (const lab::ContactScene& scene : lab::contact_scenes(s.integer("cells"), s.integer("pile")))
    out.push_back({scene.name, "quasi_newton", "backward_euler", [=] { return with_contact(scene.make()); },
                   scene.name != "balls"});
  return out;
}

bool same(const State& a, const State& b) {
  return hash(a) == hash(b) && a.q == b.q && a.v == b.v && a.history.entries == b.history.entries &&
         a.solver.entries == b.solver.entries;
}

// Through the bytes of a checkpoint.
State saved_and_read(const State& state) {
  Checkpoint checkpoint;
  checkpoint.state = state;
  return decode_checkpoint(encode_checkpoint(checkpoint), "experiment").state;
}

// The number of contacts that friction remembers: what a checkpoint must hold.
double remembered(const State& state) {
  double sum = 0;
  for (const auto* memory : {&state.history, &state.solver})
    for (const auto& [name, entry] : memory->entries)
      if (name == "friction.anchors") sum += static_cast<double>(entry.values.size() / 4);
      else if (name == "contact.slip") sum += static_cast<double>(entry.values.size() / 7);
  return sum;
}

void run(const Settings& s, Findings& findings) {
  lab::Share again, threads, resumed;
  lab::Least contacts;
  const int frames = s.integer("frames");
  lab::begin_table(findings, "Bits", "scene | solver | integrator | contacts at the checkpoint | same bits");
  const std::vector<Case> cases = cases_of(s);
  int done = 0;
  for (const Case& c : cases) {
    const auto simulation = [&](int count) {
      return c.make().simulation({.step = 1.0 / 60,
                                  .solver = {c.solver, {{"iterations", s.integer("iterations")}}},
                                  .integrator = c.integrator,
                                  .threads = count});
    };
    const auto first = simulation(1), second = simulation(1), two = simulation(2), later = simulation(2);
    lab::advance(*first, frames / 2);
    const State middle = first->state();
    lab::advance(*first, frames - frames / 2), lab::advance(*second, frames), lab::advance(*two, frames);
    later->set_state(saved_and_read(middle));
    lab::advance(*later, frames - frames / 2);
    const bool equal[3] = {same(first->state(), second->state()), same(first->state(), two->state()),
                           same(first->state(), later->state())};
    again.see(equal[0]), threads.see(equal[1]), resumed.see(equal[2]);
    if (c.sticks) contacts.see(remembered(middle));
    findings.table_row(lab::cells("{} | {} | {} | {:.0f} | {}", c.name, c.solver, c.integrator, remembered(middle),
                                  equal[0] && equal[1] && equal[2] ? "yes" : "no"));
    findings.progress(++done, static_cast<int>(cases.size()), c.name + ", " + c.solver);
  }
  again.judge("two runs: equal bits", 1, findings);
  threads.judge("1 and 2 threads: equal bits", 1, findings);
  resumed.judge("resumed from a checkpoint in the middle, with 2 threads: equal bits", 1, findings);
  findings.at_least("rubbing contacts at the checkpoint, least of all scenes but the balls, which have parted", 1,
                    contacts);
}

}  // namespace

ExperimentPlugin experiment_contact_bits() {
  return {.title = "Contact has the same bits for any threads and after a checkpoint",
          .source = "contact",
          .doc = "Runs that are repeated, with 1 and 2 threads, and resumed while bodies stick.",
          .params = {integer("frames", 60, between(2, 100000), "of a run; the checkpoint is in the middle"),
                     integer("iterations", 20, between(1, 1000),
                             "of a stage, at most: bits do not ask for convergence"),
                     integer("cells", 18, between(3, 200), "cells along a side of a sheet"),
                     integer("pile", 12, between(1, 1000), "shapes in the pile")},
          .quick = Quick{.set = {{"frames", 30}, {"iterations", 10}, {"cells", 12}, {"pile", 6}}, .slow = true},
          .run = run};
}

}  // namespace resilin
