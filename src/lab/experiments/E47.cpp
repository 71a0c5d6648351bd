// E47 (Brandt et al. 2018, Sec. 4 and Appendix B): the weights of handles are a partition of unity, and the
// position subspace holds every affine map of the rest shape: the projection of one is the map itself. On a solid,
// a curved shell, a flat one whose supports have no third direction, and a scatter of small parts.
#include "lab/toolkit.h"
#include "reduction/reduction.h"

namespace resilin {
namespace {

Model shell(double height, int cells) {
  TriangleMesh mesh = grid_sheet({.size = {1, 1}, .cells = {cells, cells}});
  for (std::size_t v = 0; v < mesh.vertices.size(); v += 3)
    mesh.vertices[v + 2] = height * std::sin(4 * mesh.vertices[v]) * std::cos(3 * mesh.vertices[v + 1]);
  rotate(mesh.vertices, {1, 2, 3}, 40);
  Builder builder;
  builder.add(Shell{.mesh = mesh});
  return builder.model();
}

// Cubes from one cell to many, so that some have fewer vertices than a handle has columns.
Model parts() {
  Builder builder;
  for (int i = 1; i <= 6; ++i) {
    const double size = 0.1 * i;
    builder.add(Solid{.mesh = box({.size = {size, size, size}, .cells = {i, i, i}, .center = {1.0 * i, 0, 0}}),
                      .material = "arap"});
  }
  return builder.model();
}

struct Figures {
  lab::Worst sum, affine;
  lab::Least weight, covered;
  double count = 0;  // of handles, over all vertices
};

Figures measure(const Model& model, const Reduction& reduction, ThreadPool& pool) {
  Figures out;
  const PositionSubspace& positions = reduction.positions();
  for (int v = 0; v < model.vertex_count(); ++v) {
    double sum = 0;
    for (const double w : positions.weights_of(v)) sum += w, out.weight.see(w);
    out.sum.see(std::abs(sum - 1));
    const auto handles = static_cast<double>(positions.weights_of(v).size());
    out.covered.see(handles), out.count += handles;
  }
  lab::Random random(1);
  std::vector<double> q(3 * static_cast<std::size_t>(reduction.rows())), wanted(model.rest.size()),
      x(wanted.size());
  for (int map = 0; map < 4; ++map) {
    double a[12], size = 0;
    for (double& each : a) each = random.normal();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const double* rest = &model.rest[i / 3 * 3];
      wanted[i] = a[i % 3] + a[3 + i % 3] * rest[0] + a[6 + i % 3] * rest[1] + a[9 + i % 3] * rest[2];
      size = std::max(size, std::abs(wanted[i]));
    }
    positions.project(model.mass, wanted.data(), q.data(), pool);
    positions.lift(q.data(), x.data(), pool);
    out.affine.see(lab::largest_difference(x, wanted) / size);
  }
  return out;
}

void run(const Settings& s, Findings& findings) {
  ThreadPool pool(available_cores());
  const MetaballsOptions creature{.balls = creature_balls(), .spacing = s.number("spacing")};
  const std::pair<const char*, Model> cases[] = {{"creature", lab::solid(metaballs(creature), 1000, "arap", {})},
                                                 {"curved shell", shell(0.1, s.integer("cells"))},
                                                 {"flat shell", shell(0, s.integer("cells"))},
                                                 {"six cubes", parts()}};
  Figures all;
  lab::begin_table(findings, "Position subspaces",
                   "body | vertices | handles | unknowns | handles of a vertex | affine error");
  for (const auto& [name, model] : cases)
    for (const double handles : s.numbers("handles")) {
      ReductionSettings settings;
      settings.handles = static_cast<int>(handles), settings.samples = 10;
      settings.fit_handles = std::min(settings.fit_handles, settings.handles);
      const Reduction reduction(model, settings, pool);
      const Figures f = measure(model, reduction, pool);
      all.sum.see(f.sum), all.affine.see(f.affine), all.weight.see(f.weight), all.covered.see(f.covered);
      findings.table_row(lab::cells("{} | {} | {} | {} | {:.1f} | {:.1e}", name, model.vertex_count(),
                                    reduction.handles().size(), 3 * reduction.rows(),
                                    f.count / model.vertex_count(), f.affine));
    }
  findings.at_most("largest |sum of a vertex's weights - 1|", 1e-14, all.sum);
  findings.at_least("least weight", 0, all.weight);
  findings.at_least("least number of handles of a vertex", 1, all.covered);
  findings.at_most("largest error of a projected affine map / size", 1e-12, all.affine);
  findings.differs_because(
      "The falloff is 1 - 3 s^2 + 2 s^3 (X29). Columns are centred and scaled by handle; a direction in which a "
      "support is flat has none, and parts with at most four vertices for each handle keep all of them as "
      "unknowns.");
}

}  // namespace

ExperimentPlugin experiment_E47() {
  return {
      .title = "Weights of handles are a partition of unity and affine maps lie in the subspace",
      .source = "brandt2018",
      .shows = "Sec. 4, Appendix B",
      .doc = "Weights, and projections of random affine maps, on a creature, two shells and six cubes.",
      .params = {number("spacing", "m", 0.0271, positive(), "lattice of the creature; 0.0271 gives 20k vertices"),
                 integer("cells", 60, between(4, 1000), "cells along the shells"),
                 numbers("handles", "", {30, 120, 330}, at_least(6), "numbers of handles")},
      .quick = Quick{.set = {{"spacing", 0.07}, {"cells", 20}, {"handles", Value::List{8, 30}}}},
      .run = run};
}

}  // namespace resilin
