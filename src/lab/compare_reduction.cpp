#include "lab/compare_reduction.h"

#include <limits>

#include "lab/reduced_bodies.h"
#include "problem/subspace.h"
#include "resilin/errors.h"
#include "scene/format.h"

namespace resilin::lab {
namespace {

const Subspace& subspace_of(const Simulation& simulation) {
  return dynamic_cast<const Subspace&>(simulation.system().space().coordinates());
}

Scene in_the_way(Scene scene, Unknowns unknowns) {
  if (unknowns == Unknowns::full) scene = without_reduction(std::move(scene));
  if (unknowns == Unknowns::subspace) {
    Value reduction = *scene.source.find("reduction");
    Value::Object all = reduction.object();
    std::erase_if(all, [](const auto& member) { return member.first == "file"; });  // of other settings
    reduction = Value(all);
    reduction.set("samples", std::numeric_limits<int>::max());
    scene.source.set("reduction", reduction);
  }
  if (scene.source.find("contact") == nullptr) scene.source.set("contact", false);
  scene.source.locate(scene.file);
  return scene;
}

}  // namespace

bool has_reduction(const Scene& scene) { return scene.source.find("reduction") != nullptr; }

Scene without_reduction(Scene scene) {
  std::erase_if(scene.source.object(), [](const auto& member) { return member.first == "reduction"; });
  return scene;
}

ReducedRun::ReducedRun(const Scene& scene, Unknowns unknowns, int threads) : unknowns_(unknowns) {
  const auto start = Clock::now();
  simulation_ = build_simulation(in_the_way(scene, unknowns), threads);
  setup_seconds_ = seconds_since(start);
  const Model& model = simulation_->model();
  if (unknowns == Unknowns::reduced) {
    const Value* solver = scene.source.find("solver");
    const bool fitted = read_plugin("solver", solver == nullptr ? Value() : *solver).type == "projective_dynamics";
    right_side_ =
        std::make_unique<RightSide>(model, *simulation_->options().reduction, simulation_->options().step, fitted);
  }
}

int ReducedRun::elements() const {
  const Model& model = simulation_->model();
  int count = 0;
  for (std::size_t t = 0; t < model.terms.size(); ++t)
    if (model.terms[t].elements.translation_free())
      count += unknowns_ == Unknowns::full
                   ? model.terms[t].elements.size()
                   : static_cast<int>(subspace_of(*simulation_).sample().terms[t].elements.size());
  return count;
}

double ReducedRun::step_seconds() const { return summary(seconds).median; }

void ReducedRun::see(const Simulation& reference, int substeps) {
  const std::vector<double>& x = reference.positions();
  for (int i = 0; i < substeps; ++i) seconds.push_back(simulation_->step().seconds);
  distance.push_back(normalised_distance(reference.model(), simulation_->positions(), x));
  if (unknowns_ == Unknowns::full) return;
  const Subspace& u = subspace_of(*simulation_);
  std::vector<double> q(static_cast<std::size_t>(u.size())), shown(x.size());
  u.project(x.data(), q.data());
  u.lift(q.data(), shown.data());
  projection.push_back(normalised_distance(reference.model(), shown, x));
  if (right_side_) right_side.push_back(right_side_->error(x));
}

Stage ReducedRun::reduced(const Stage& stage) const {
  if (unknowns_ == Unknowns::full) return stage;
  const Subspace& u = subspace_of(*simulation_);
  Stage out = stage;
  for (auto part : {&Stage::origin, &Stage::velocity, &Stage::target, &Stage::guess, &Stage::start}) {
    if ((stage.*part).empty()) continue;
    (out.*part).assign(static_cast<std::size_t>(u.size()), 0.0);
    u.project((stage.*part).data(), (out.*part).data());
  }
  return out;
}

}  // namespace resilin::lab
