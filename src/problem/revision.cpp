#include "problem/revision.h"

#include "core/stamp.h"
#include "resilin/global_energy.h"

namespace resilin {
namespace {

void add_connectivity(const Model& model, Stamp& stamp) {
  stamp.add(model.vertex_count());
  for (const Term& term : model.terms) {
    stamp.add(static_cast<int>(term.elements.kind())), stamp.add(term.elements.size());
    for (int i = 0; i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) stamp.add(v);
  }
  for (const auto& energy : model.global_energies) stamp.add(energy->vertices());
}

void add_geometry(const Model& model, Stamp& stamp) {
  stamp.add(std::span<const double>(model.rest));
  for (const Term& term : model.terms)
    for (int i = 0; i < term.elements.size(); ++i) {
      for (const double c : term.elements.coefficients(i)) stamp.add(c);
      stamp.add(term.elements.measure(i));
    }
}

void add_stiffness(const Model& model, Stamp& stamp) {
  stamp.add(std::span<const double>(model.mass));
  for (const Term& term : model.terms) {
    const int count = term.elements.rows() * term.elements.rows();
    double q[9];
    const auto add = [&](const Potential& potential) {
      for (int i = 0; i < term.elements.size(); ++i) {
        potential.quadratic(i, 1, q);
        for (int k = 0; k < count; ++k) stamp.add(q[k]);
      }
    };
    for (const auto& potential : term.elastic) add(*potential);
    for (const auto& damping : term.damping) add(*damping);
  }
}

void add_energy(const Model& model, Stamp& stamp) {
  for (const Term& term : model.terms) {
    for (const auto& potential : term.elastic) potential->stamp(stamp);
    for (const auto& damping : term.damping) damping->stamp(stamp);
  }
  for (const auto& energy : model.global_energies) energy->stamp(stamp);
}

void add_function(const Model& model, Stamp& stamp) {
  add_contact(model, stamp);
  for (const Term& term : model.listed) {
    for (int i = 0; i < term.elements.size(); ++i)
      stamp.add(term.elements.vertices(i)[0]), stamp.add(term.elements.measure(i));
    for (const auto& potential : term.elastic) potential->stamp(stamp);
  }
  for (const Pin& pin : model.pins) {
    stamp.add(std::span<const double>(pin.start));
    pin.motion.stamp(stamp);
  }
  for (const double g : model.gravity) stamp.add(g);
  for (const ExternalForce& force : model.forces) {
    stamp.add(std::span<const int>(force.vertices));
    for (const double f : force.vector) stamp.add(f);
    stamp.add(force.per_mass);
    force.signal.stamp(stamp);
  }
}

}  // namespace

void add_contact(const Model& model, Stamp& stamp) {
  for (const ObstacleFriction& one : model.friction)
    stamp.add("friction"), stamp.add(one.term), stamp.add(std::span<const double>(one.coefficient));
  for (const ObstacleRestitution& one : model.restitution)
    stamp.add("restitution"), stamp.add(one.term), stamp.add(one.coefficient);
  if (!model.contact) return;
  const ContactSettings& contact = *model.contact;
  stamp.add("contact"), stamp.add(contact.radius), stamp.add(contact.stiffness), stamp.add(contact.friction);
  stamp.add(contact.between), stamp.add(contact.self), stamp.add(contact.safe);
  for (const ContactSettings::Pair& pair : contact.pairs)
    stamp.add(pair.first), stamp.add(pair.second), stamp.add(pair.friction);
}

std::uint64_t TermStamps::elements() const {
  Stamp stamp;
  stamp.add(connectivity), stamp.add(geometry);
  return stamp.value();
}

TermStamps stamp_terms(const Model& model) {
  Stamp connectivity, geometry, stiffness, potentials;
  add_connectivity(model, connectivity);
  add_geometry(model, geometry);
  add_stiffness(model, stiffness);
  add_energy(model, potentials);
  return {connectivity.value(), geometry.value(), stiffness.value(), potentials.value()};
}

Revision revision_of(const Model& model, const TermStamps& terms) {
  Revision out;
  Stamp stamp;
  stamp.add(terms.connectivity);
  for (const Pin& pin : model.pins) stamp.add(std::span<const int>(pin.vertices));
  out.structure = stamp.value();
  stamp.add(terms.geometry), stamp.add(terms.stiffness);
  out.stiffness = stamp.value();
  stamp.add(terms.potentials);
  out.energy = stamp.value();
  add_function(model, stamp);
  out.function = stamp.value();
  return out;
}

}  // namespace resilin
