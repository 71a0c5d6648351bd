// Fast bodies and thin obstacles. A soft box flies at a plate, the mesh of a plate, a rod, a ball and a plate that
// comes towards it, all thinner than its way in a step. Every surface vertex is followed: it has passed when its
// way of a step, sampled finely in the frame of the obstacle, goes into the obstacle and comes past the middle.
// Rods and balls are for backward Euler alone: with two stages a way has a bend, which leads around them. Beside it
// the same obstacles as if they were infinitely thick to what looks along the step: there bodies must tunnel.
#include <set>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle_potential.h"
#include "geometry/vec3.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr double size = 0.1, start = 0.3, thin = 0.01;

// The same region, which says that nothing can come out on another side.
class Unwatched final : public Obstacle {
 public:
  explicit Unwatched(std::shared_ptr<const Obstacle> of) : of_(std::move(of)) {}
  std::string name() const override { return of_->name(); }
  void stamp(Stamp& out) const override { of_->stamp(out); }
  void measure(const double* x, int derivatives, Distances& out) const override {
    of_->measure(x, derivatives, out);
  }

 private:
  std::shared_ptr<const Obstacle> of_;
};

struct Target {
  std::string name;
  Choice obstacle;
  Motion motion = {};
};

Value plate_mesh() {
  const auto& box = plugin<ObstaclePlugin>("obstacle", "box", "contact.tunnel");
  const TriangleMesh surface =
      box.make(box.params.read(Value(Value::Object{{"size", Value::List{2.0, thin, 2.0}}})))->surface();
  return Value::Object{{"vertices", Value::List(surface.vertices.begin(), surface.vertices.end())},
                       {"triangles", Value::List(surface.triangles.begin(), surface.triangles.end())}};
}

// Bodies come from above, at `speed`; the plate that moves has half of it.
std::vector<Target> targets(double speed) {
  MotionStep lie{MotionStep::Kind::translate, {0, 1, 0}, {}, {}};
  lie.amount.keyframes = {{0, -0.5}, {1000, -0.5 + 500 * speed}};
  return {{"plate", {"box", {{"size", Value::List{2.0, thin, 2.0}}}}},
          {"mesh", {"mesh", {{"mesh", plate_mesh()}}}},
          {"rod", {"capsule", {{"radius", 2 * thin}, {"length", 1.0}}}},
          {"ball", {"sphere", {{"radius", 3 * thin}}}},
          {"moving plate", {"box", {{"size", Value::List{2.0, thin, 2.0}}}}, Motion({lie})}};
}

struct Run {
  double step, speed;
  std::string solver, integrator;
};

struct Outcome {
  std::set<int> passed;  // vertices
  int failed = 0;        // steps
  double fastest = 0;    // over the speed at the start, in the frame of the obstacle
  std::uint64_t hash = 0;
};

class Judge {
 public:
  explicit Judge(const ObstaclePotential& potential) : potential_(potential) {}

  bool passes(double t0, const Vec3& from, double t1, const Vec3& to) const {
    const Vec3 a = pose_at(potential_.motion(), t0).own(from.data()),
               b = pose_at(potential_.motion(), t1).own(to.data());
    const Obstacle& obstacle = *potential_.obstacle();
    const double length = norm(b - a);
    if (obstacle.distance(a) > length) return false;
    const int samples = (4 + static_cast<int>(std::min(6 * length / thin, 4e4)) + lanes - 1) / lanes * lanes;
    bool inside = false;
    Vec3 side{};
    for (int first = 0; first < samples; first += lanes) {
      alignas(64) double at[3 * lanes];
      for (int l = 0; l < lanes; ++l)
        for (std::size_t k = 0; k < 3; ++k)
          at[k * lanes + static_cast<std::size_t>(l)] = a[k] + (b[k] - a[k]) * (first + l) / (samples - 1);
      Distances here;
      obstacle.measure(at, 1, here);
      for (int l = 0; l < lanes; ++l) {
        const Vec3 normal{here.normal[0][l], here.normal[1][l], here.normal[2][l]};
        if (here.value[l] > 0) inside = false;
        else if (!inside) inside = true, side = normal;
        else if (dot(side, normal) < 0) return true;
      }
    }
    return false;
  }

 private:
  const ObstaclePotential& potential_;
};

Outcome fly(const Target& target, const Run& run, bool watched, int frames) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const bool moves = target.motion.moves();
  TetMesh mesh = box({.size = {size, size, size}, .cells = {3, 3, 3}, .center = {0.003, start, 0.002}});
  const int body = builder.add(Solid{
      .mesh = std::move(mesh), .material = {"neo_hookean", {{"young", 1e6}, {"poisson", 0.3}}}, .density = 1000});
  builder.launch(body, {0, moves ? -0.5 * run.speed : -run.speed, 0});
  builder.obstacle(target.obstacle, target.motion);
  Model model = builder.model();
  Term& term = model.terms.back();
  const auto potential = std::dynamic_pointer_cast<const ObstaclePotential>(term.elastic[0]);
  if (!watched)
    term.elastic[0] = make_obstacle_potential(std::make_shared<Unwatched>(potential->obstacle()),
                                              potential->stiffness(), potential->motion());
  std::vector<int> ids;
  for (int i = 0; i < term.elements.size(); ++i) ids.push_back(term.elements.vertices(i)[0]);
  const auto simulation = make_simulation(
      std::move(model), {.step = run.step, .solver = run.solver, .integrator = run.integrator, .threads = 1});
  simulation->set_state(builder.state());
  const Judge judge(*potential);
  Outcome out;
  for (int i = 0; i < frames; ++i) {
    const State before = simulation->state();
    const StepReport report = simulation->step();
    if (report.status == Status::not_finite) ++out.failed;
    const State& after = simulation->state();
    for (const int v : ids) {
      if (judge.passes(before.time, vertex_at(before.q, v), after.time, vertex_at(after.q, v)))
        out.passed.insert(v);
      out.fastest = std::max(out.fastest, norm(vertex_at(after.v, v)) / run.speed);
    }
  }
  out.hash = hash(simulation->state());
  return out;
}

// Frames until it has arrived, and some after.
int frames_of(const Run& run, int more) { return static_cast<int>(start / (run.speed * run.step)) + more; }

void run(const Settings& s, Findings& findings) {
  struct Count {
    int runs = 0, tunnelled = 0, failed = 0;
    std::size_t passed = 0;
    lab::Worst fastest;
    void add(const Outcome& outcome) {
      ++runs, passed += outcome.passed.size(), failed += outcome.failed;
      tunnelled += outcome.passed.empty() ? 0 : 1;
      fastest.see(outcome.fastest);
    }
  };
  std::vector<Run> runs;
  for (const double speed : s.numbers("speeds"))
    for (const double step : s.numbers("steps")) {
      if (speed * step < 2 * thin) continue;  // contact itself sees it
      for (const char* solver : {"quasi_newton", "newton", "chebyshev", "admm", "xpbd"})
        runs.push_back({step, speed, solver, "backward_euler"});
      for (const char* integrator : {"bdf2", "tr_bdf2"}) runs.push_back({step, speed, "quasi_newton", integrator});
    }
  std::map<std::string, Count> by_target, by_solver;
  Count without;
  for (const Run& one : runs)
    for (const Target& target : targets(one.speed)) {
      // Two stages are two straight ways: they may lead around what their sum would pass through, but not around a
      // plate.
      const bool round = target.name == "rod" || target.name == "ball";
      if (round && one.integrator != "backward_euler") continue;
      const int frames = frames_of(one, s.integer("frames"));
      const Outcome watched = fly(target, one, true, frames);
      by_target[target.name].add(watched), by_solver[one.solver + ", " + one.integrator].add(watched);
      if (one.solver == "quasi_newton" && one.integrator == "backward_euler")
        without.add(fly(target, one, false, frames));
    }
  for (const auto& [name, count] : by_target)
    findings.at_most(fmt::format("{}: vertices that pass, of {} runs", name, count.runs), 0,
                     static_cast<double>(count.passed));
  for (const auto& [name, count] : by_solver) {
    findings.at_most(fmt::format("{}: vertices that pass, of {} runs", name, count.runs), 0,
                     static_cast<double>(count.passed));
    findings.at_most(name + ": steps that were not finite", 0, count.failed);
    findings.report(name + ": largest speed of a vertex, over that at the start", count.fastest);
  }
  findings.at_least("without looking along the step: share of runs in which vertices pass", 0.9,
                    static_cast<double>(without.tunnelled) / without.runs);
  // Slow: not a bit changes.
  const Run slow{1.0 / 240, 0.2 * thin * 240, "quasi_newton", "backward_euler"};
  int different = 0;
  for (const Target& target : targets(slow.speed)) {
    const int frames = frames_of(slow, 5);
    different += fly(target, slow, true, frames).hash != fly(target, slow, false, frames).hash ? 1 : 0;
  }
  findings.at_most("bodies that move by a fifth of the thickness in a step: runs with other bits", 0, different);
}

}  // namespace

ExperimentPlugin experiment_contact_tunnel() {
  return {.title = "Fast bodies do not tunnel through thin obstacles",
          .source = "contact",
          .doc = "A soft box flies at thin obstacles at up to 100 m/s: vertices that pass.",
          .params = {numbers("speeds", "m/s", {3, 10, 30, 100}, positive(), "speeds"),
                     numbers("steps", "s", {1.0 / 30, 1.0 / 60, 1.0 / 240}, positive(), "time steps"),
                     integer("frames", 15, between(1, 1000), "frames after the first touch")},
          .quick = Quick{.set = {{"speeds", Value::List{30}}, {"steps", Value::List{1.0 / 60}}, {"frames", 3}}},
          .run = run};
}

}  // namespace resilin
