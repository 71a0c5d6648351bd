// E45 (Brown et al. 2018, Fig. 1 and Table 2): a damped neo-Hookean body slides down a terrain; the more friction,
// the less far it comes. And what a frame costs at the sizes and iterations of Table 2, which is reported and never
// judged.
#include "lab/contact_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Slide {
  double degrees = 20, young = 1e5, friction = 0, spacing = 0.1;
  int seed = 1;
};

constexpr double start = -4.5;  // of the body's middle along the terrain, which is 12 m long [m]

// Gravity is inclined, not the terrain: downhill is x.
Builder terrain(const Slide& o) {
  Builder builder;
  TetMesh mesh = metaballs({.balls = creature_balls(), .spacing = o.spacing});
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {  // z is up in it
    const double y = mesh.vertices[i + 1];
    mesh.vertices[i + 1] = mesh.vertices[i + 2], mesh.vertices[i + 2] = -y;
  }
  translate(mesh, {start, 0.3 - bounds(mesh.vertices).lower[1], 0});
  const int body = builder.add(
      Solid{.mesh = mesh, .material = {"neo_hookean", {{"young", o.young}, {"poisson", 0.4}}}, .density = 1000});
  builder.damp(body, {"strain_rate", {{"shear", 1e-3 * o.young}}});
  const double angle = o.degrees * std::numbers::pi / 180;
  builder.gravity({9.81 * std::sin(angle), -9.81 * std::cos(angle), 0});
  Values ground{
      {"size", Value::List{12, 6}}, {"height", 0.3}, {"wavelength", 1.2}, {"cells", 72}, {"seed", o.seed}};
  if (o.friction > 0) ground.emplace_back("friction", o.friction);
  builder.obstacle({"height_field", ground});
  return builder;
}

double middle(const Simulation& simulation) {
  return lab::mass_mean(simulation.model(), simulation.positions())[0];
}

struct Travel {
  std::vector<double> time, distance;
  std::string picture;
};

Travel follow(const Slide& slide, const std::string& integrator, double step, double seconds) {
  const auto simulation = terrain(slide).simulation({.step = step, .integrator = integrator});
  Travel out;
  const double from = middle(*simulation);
  while (simulation->state().time < seconds - step / 2) {
    lab::advance(*simulation);
    out.time.push_back(simulation->state().time), out.distance.push_back(middle(*simulation) - from);
  }
  out.picture = lab::snapshot(simulation->model(), simulation->positions());
  return out;
}

void travel(const Settings& s, Findings& findings) {
  lab::Share decreasing;
  const std::vector<double> friction = s.numbers("friction");
  std::vector<std::string> columns = {"degrees", "Young's modulus [Pa]", "seed", "integrator", "h [s]"};
  for (const double mu : friction) columns.push_back(fmt::format("mu = {:g}: distance [m]", mu));
  findings.table("Terrain", columns, {});
  Plot plot = lab::linear("Fig. 1: distance on the terrain", "time [s]", "distance [m]");
  for (const double degrees : s.numbers("degrees"))
    for (const double young : s.numbers("young"))
      for (const double seed : s.numbers("seeds"))
        for (const double step : s.numbers("steps"))
          for (const char* integrator : {"backward_euler", "tr_bdf2"}) {
            bool falls = true;
            double before = std::numeric_limits<double>::infinity();
            std::vector<std::string> row =
                lab::cells("{:g} | {:.2g} | {:.0f} | {} | {:.3g}", degrees, young, seed, integrator, step);
            const bool first = plot.series.size() < friction.size();
            for (const double mu : friction) {
              Travel t = follow({degrees, young, mu, s.number("spacing"), static_cast<int>(seed)}, integrator, step,
                                s.number("seconds"));
              falls = falls && t.distance.back() < before;
              before = t.distance.back();
              row.push_back(fmt::format("{:.3f}", before));
              if (!first) continue;
              findings.picture(fmt::format("mu = {:g}", mu), t.picture);
              plot.series.push_back({fmt::format("mu = {:g}", mu), std::move(t.time), std::move(t.distance)});
            }
            decreasing.see(falls);
            findings.table_row(row);
            findings.progress(1, 1,
                              fmt::format("{:g} degrees, {:.2g} Pa, seed {:.0f}, {}, {:.3g} s", degrees, young,
                                          seed, integrator, step));
          }
  decreasing.judge("the distance falls strictly as friction grows", 1, findings);
  findings.plot(std::move(plot));
}

// ---- Table 2

struct Published {
  const char* name;
  int nodes, terms, iterations;
  double ms;
  std::function<Builder()> make;
};

Builder spinning_ball() {
  Builder builder;
  const TetMesh mesh = sphere({.radius = 0.5, .spacing = 0.135});
  const int body =
      builder.add(Solid{.mesh = mesh, .material = {"neo_hookean", {{"young", 1e6}, {"poisson", 0.4}}}});
  std::vector<double> velocity(mesh.vertices.size());
  for (std::size_t i = 0; i < velocity.size(); i += 3)
    velocity[i] = -20 * mesh.vertices[i + 1], velocity[i + 1] = 20 * mesh.vertices[i];
  builder.launch(body, velocity);
  builder.obstacle({"plane", {{"height", -0.55}, {"friction", 0.2}}});
  return builder;
}

void costs(const Settings& s, Findings& findings) {
  const std::vector<Published> rows = {
      {"terrain", 2278, 16574, 72, 3050, [] { return terrain({.friction = 0.15, .spacing = 0.0595}); }},
      {"drape", 1522, 11657, 33, 1032, [] { return lab::drape({.cells = 38}); }},
      {"ball", 642, 2423, 35, 164, spinning_ball}};
  lab::begin_table(findings, "Table 2",
                   "example | nodes | energy terms | iterations | ms per frame | the paper's nodes | energy terms "
                   "| ms per frame");
  for (const Published& row : rows) {
    const auto simulation =
        row.make().simulation({.step = 0.04,
                               .solver = {"admm", {{"iterations", row.iterations}, {"tolerance", 0}}},
                               .integrator = "tr_bdf2"});
    double seconds = 0;
    const int frames = s.integer("frames");
    for (int i = 0; i < frames; ++i) seconds += lab::advance(*simulation).seconds;
    const double ms = 1e3 * seconds / frames;
    int terms = 0;
    for (const Term& term : simulation->model().terms) terms += term.elements.size();
    const int nodes = simulation->model().vertex_count();
    findings.report(fmt::format("Table 2, {}: ms per frame over the paper's", row.name), ms / row.ms,
                    fmt::format("{:.1f} ms, {} nodes, {} iterations; the paper: {:g} ms, {} nodes", ms, nodes,
                                row.iterations, row.ms, row.nodes));
    findings.table_row(lab::cells("{} | {} | {} | {} | {:.1f} | {} | {} | {:g}", row.name, nodes, terms,
                                  row.iterations, ms, row.nodes, row.terms, row.ms));
  }
}

void run(const Settings& s, Findings& findings) {
  travel(s, findings), costs(s, findings);
  findings.differs_because(
      "The paper prints neither body nor terrain: a creature of metaballs slides down hills of 0.3 m on slopes of "
      "several angles. Distances are of quasi-Newton, costs of ADMM with the paper's iterations, TR-BDF2 and 40 "
      "ms. Its processor was an Intel i9-7980XE with 18 cores. The rows of power-law damping are in "
      "brown2018.figure11.");
}

}  // namespace

ExperimentPlugin experiment_E45() {
  return {.title = "A body slides down a terrain",
          .source = "brown2018",
          .shows = "Fig. 1, Table 2",
          .doc = "Distance that a soft body slides on hills, by friction; time of frames against Table 2.",
          .params = {numbers("friction", "", {0, 0.15, 0.45}, at_least(0), "coefficients, ascending"),
                     numbers("degrees", "degrees", {15, 25}, between(1, 60), "slopes"),
                     numbers("young", "Pa", {1e5, 4e5}, positive(), "Young's moduli"),
                     numbers("seeds", "", {1, 2}, positive(), "of the hills"),
                     numbers("steps", "s", {0.04, 0.02}, positive(), "time steps"),
                     number("seconds", "s", 2, positive(), "how long it slides"),
                     number("spacing", "m", 0.12, positive(), "size of the tets"),
                     integer("frames", 25, between(1, 1000), "frames that are timed")},
          .quick = Quick{.set = lab::given(
                             R"({"degrees": [20], "young": [1e5], "seeds": [1], "steps": [0.04], "frames": 1})"),
                         .slow = true},
          .run = run};
}

}  // namespace resilin
