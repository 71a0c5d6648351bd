// Past Brandt et al. 2018, who name it as a way to high frequencies: a subspace that is enriched by what it cannot
// show of a full run. Measured on that run, which flatters, and on another one that it has not seen.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"
#include "reduction/reduction.h"

namespace resilin {
namespace {

lab::Drop drop_of(const Settings& s, bool seen) {
  return {.vertices = s.integer("vertices"),
          .stiffness = s.number("stiffness"),
          .velocity = seen ? std::array<double, 3>{0, -3, 0} : std::array<double, 3>{1.5, -4, 0.5},
          .step = s.number("step")};
}

Choice solver(const Settings& s) {
  return {"projective_dynamics", {{"iterations", s.integer("iterations")}, {"gradient_tolerance", 1e-12}}};
}

Snapshots full_run(const Settings& s, bool seen) {
  const auto simulation = lab::dropped_creature(drop_of(s, seen), solver(s));
  Snapshots out;
  for (int i = 0; i < s.integer("frames"); ++i) {
    lab::advance(*simulation);
    out.push_back(simulation->positions());
  }
  return out;
}

/// Means over the frames of a run, over the spread of the rest shape.
struct Errors {
  double projection, distance;
};

Errors errors(const Settings& s, bool seen, const Reduction& reduction, const Model& model,
              const Snapshots& frames) {
  const auto simulation =
      lab::dropped_creature(drop_of(s, seen), solver(s), reduction.settings(), lab::store_of(reduction));
  ThreadPool pool(available_cores());
  std::vector<double> q(3 * static_cast<std::size_t>(reduction.rows())), shown(model.rest.size()), projection,
      distance;
  for (const auto& frame : frames) {
    lab::advance(*simulation);
    reduction.positions().project(model.mass, frame.data(), q.data(), pool);
    reduction.positions().lift(q.data(), shown.data(), pool);
    projection.push_back(lab::normalised_distance(model, shown, frame));
    distance.push_back(lab::normalised_distance(model, simulation->positions(), frame));
  }
  return {lab::summary(projection).mean, lab::summary(distance).mean};
}

void run(const Settings& s, Findings& findings) {
  const Snapshots seen = full_run(s, true), unseen = full_run(s, false);
  Snapshots training;
  for (std::size_t i = 0; i < seen.size(); i += static_cast<std::size_t>(s.integer("every")))
    training.push_back(seen[i]);
  const auto body = lab::dropped_creature(drop_of(s, true));
  const Model& model = body->model();
  ThreadPool pool(available_cores());
  findings.table("Means over frames, over the spread of the rest shape",
                 {"handles", "modes", "unknowns", "seen: projection", "seen: distance of the run",
                  "unseen: projection", "unseen: distance of the run"},
                 {});
  const auto row = [&](int handles, int modes) {
    const Reduction reduction(model, lab::reduction_of(handles, s.integer("samples")), training, modes, pool);
    const Errors a = errors(s, true, reduction, model, seen), b = errors(s, false, reduction, model, unseen);
    findings.table_row(lab::cells("{} | {} | {} | {:.4f} | {:.4f} | {:.4f} | {:.4f}", handles, modes,
                                  3 * reduction.rows(), a.projection, a.distance, b.projection, b.distance));
    return std::pair{a, b};
  };
  const int handles = s.integer("handles"), modes = s.integer("modes");
  const auto [seen_plain, unseen_plain] = row(handles, 0);
  const auto [seen_rich, unseen_rich] = row(handles, modes);
  const auto [seen_more, unseen_more] = row(handles + modes / 4, 0);  // as many unknowns
  findings.at_most("run that was seen: projection error with modes / without", 0.7,
                   seen_rich.projection / seen_plain.projection);
  findings.at_most("run that was not seen: projection error with modes / without", 1,
                   unseen_rich.projection / unseen_plain.projection, "a larger subspace cannot be worse");
  findings.report("run that was seen: distance with modes / without", seen_rich.distance / seen_plain.distance);
  findings.report("run that was not seen: distance with modes / without",
                  unseen_rich.distance / unseen_plain.distance);
  findings.report("run that was seen: projection error with modes / with handles in their place",
                  seen_rich.projection / seen_more.projection);
  findings.report("run that was not seen: projection error with modes / with handles in their place",
                  unseen_rich.projection / unseen_more.projection);
  findings.differs_because(
      "The paper does not try it. Modes are columns of positions alone: the projection subspace of the fit is as "
      "without. The second run has another velocity, along the ground too.");
}

}  // namespace

ExperimentPlugin experiment_brandt2018_snapshots() {
  return {
      .title = "Subspaces enriched by frames of a full run",
      .source = "brandt2018",
      .shows = "past the paper",
      .doc = "Errors of subspaces with and without modes of snapshots, on a run seen and on one unseen.",
      .params = {integer("vertices", 5000, between(300, 1000000), "of the creature"),
                 integer("handles", 30, between(4, 1000), "of the subspace"),
                 integer("modes", 24, between(4, 1000), "columns from snapshots, three unknowns each"),
                 integer("samples", 1000, between(10, 1000000), "elements that are evaluated"),
                 integer("iterations", 10, between(1, 1000), "of a step"),
                 number("stiffness", "Pa", 3e4, positive(), "of the body"),
                 integer("frames", 60, between(2, 100000), "of the runs"),
                 integer("every", 2, between(1, 1000), "n-th frame is a snapshot"),
                 number("step", "s", 1.0 / 60, positive(), "time step")},
      .quick = Quick{.set = {{"vertices", 800}, {"handles", 12}, {"modes", 8}, {"samples", 300}, {"frames", 16}}},
      .run = run};
}

}  // namespace resilin
