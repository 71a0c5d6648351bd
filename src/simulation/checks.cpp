#include "simulation/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "resilin/errors.h"
#include "resilin/integrator.h"
#include "resilin/model.h"
#include "resilin/reduction.h"

namespace resilin {
namespace {

std::vector<std::string> contact_names(const Model& model) {
  std::vector<std::string> out;
  if (!model.friction.empty()) out.emplace_back("friction");
  if (!model.restitution.empty()) out.emplace_back("restitution");
  if (model.contact) out.emplace_back("contact");
  return out;
}

}  // namespace

std::vector<char> pinned_vertices(const Model& model) {
  std::vector<char> out(model.vertex_count(), 0);
  for (const Pin& pin : model.pins)
    for (const int v : pin.vertices) out[v] = 1;
  return out;
}

void check_reducible(const Model& model) {
  if (!model.global_energies.empty())
    throw InputError("reduction", "it cannot take inflation: an enclosed volume is no sum over elements");
  for (const Term& term : model.terms)
    for (const auto& potential : term.elastic)
      if (potential->response() != Response::energy)
        throw InputError(
            "reduction",
            fmt::format("it cannot take \"{}\" as it responds: obstacles of a reduced body respond by their energy",
                        potential->name()));
  for (const std::string& name : contact_names(model))
    throw InputError("reduction", fmt::format("it cannot take \"{}\": unknowns are no vertices that touch; set "
                                              "\"contact\" to false and leave out friction and restitution",
                                              name));
}

void check_vertices(int count, const std::vector<int>& vertices, const std::string& where) {
  std::vector<int> sorted = vertices;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) throw InputError(where, "names no vertices");
  if (sorted.front() < 0 || sorted.back() >= count)
    throw InputError(where, fmt::format("names vertex {}, but there are {}",
                                        sorted.front() < 0 ? sorted.front() : sorted.back(), count));
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw InputError(where, fmt::format("names vertex {} twice", *twice));
}

void check_numbers(std::span<const double> numbers, std::size_t wanted, const std::string& where) {
  if (numbers.size() != wanted)
    throw InputError(where, fmt::format("has {} numbers in place of {}", numbers.size(), wanted));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i])) throw InputError(where, fmt::format("number {} is not finite", i));
}

void check_integrator(const Model& model, const Integrator& integrator, const ReductionSettings* reduction) {
  if (reduction != nullptr && reduction->interaction == Interaction::target && !integrator.minimises())
    throw InputError("integrator",
                     "an explicit integrator has no target that hands and obstacles could move; use "
                     "backward_euler, bdf2 or tr_bdf2, or reduction.interaction energy");
  if (reduction != nullptr && !integrator.minimises() && integrator.stages() > 0)
    throw InputError("integrator",
                     "a linearised integrator needs the Hessian of vertices, and unknowns of a reduced simulation "
                     "are no vertices; use backward_euler, bdf2 or tr_bdf2, or leave out \"reduction\"");
  if (!model.restitution.empty() && integrator.order() > 1)
    throw InputError("integrator",
                     fmt::format("an integrator of order {} cannot take \"restitution\": it keeps forces of steps "
                                 "before, and an impulse acts in one; use backward_euler",
                                 integrator.order()));
  if (integrator.minimises()) return;
  const auto refuse = [&](const std::string& what) {
    throw InputError("integrator", fmt::format("an {} integrator cannot take {}: it needs stages that are "
                                               "minimised; use backward_euler, bdf2 or tr_bdf2",
                                               integrator.stages() == 0 ? "explicit" : "linearised", what));
  };
  for (const std::string& name : contact_names(model)) refuse(fmt::format("\"{}\"", name));
  for (const Term& term : model.terms)
    for (const auto& potential : term.elastic)
      if (potential->response() != Response::energy)
        refuse(fmt::format("the {} obstacle \"{}\"", potential->response() == Response::hard ? "hard" : "projected",
                           potential->name()));
}

}  // namespace resilin
