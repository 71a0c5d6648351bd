#include "setup/cone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "contact/obstacles/contact_forces.h"
#include "core/aligned.h"
#include "problem/dynamic_system.h"
#include "simd/pack.h"

namespace resilin::setup {
namespace {

using Vector = std::array<double, 3>;

const Friction* as_friction(const Term& term) { return dynamic_cast<const Friction*>(term.elastic[0].get()); }

// Gradients of the elements of a term by their own z at x: 3R numbers each.
std::vector<double> gradients(const Term& term, const double* x) {
  const auto size = static_cast<std::size_t>(term.elements.size()),
             rows = static_cast<std::size_t>(term.elements.rows()),
             corners = static_cast<std::size_t>(term.elements.corners()), width = 3 * rows;
  const std::size_t packs = (size + lanes - 1) / lanes;
  std::vector<int> slots(packs * lanes);
  AlignedVector<double> z(packs * width * lanes), psi(packs * lanes), slope(z.size());
  const auto place = [&](std::size_t slot, std::size_t i) {
    return (slot / lanes * width + i) * lanes + slot % lanes;
  };
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const int e = slots[slot] = static_cast<int>(std::min(slot, size - 1));
    const auto vertices = term.elements.vertices(e);
    const auto c = term.elements.coefficients(e);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t a = 0; a < corners; ++a)
          z[place(slot, 3 * r + k)] += c[r * corners + a] * x[3 * static_cast<std::size_t>(vertices[a]) + k];
  }
  Block block;
  block.rows = static_cast<int>(rows), block.packs = static_cast<int>(packs);
  block.z = z.data(), block.psi = psi.data(), block.dpsi_z = slope.data();
  if (size > 0) term.elastic[0]->pack(slots)->evaluate(block);
  std::vector<double> out(size * width);
  for (std::size_t e = 0; e < size; ++e)
    for (std::size_t i = 0; i < width; ++i)
      out[e * width + i] = term.elements.measure(static_cast<int>(e)) * slope[place(e, i)];
  return out;
}

using Forces = std::map<std::array<int, 4>, Vector>;

// Of all obstacles on all of their elements, by (term, element, 0, 0).
Forces obstacle_forces(const Model& model, double time, const double* x) {
  Forces out;
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    const Term& term = model.terms[t];
    if (term.elements.kind() != ElementKind::point || term.elastic.empty()) continue;
    std::vector<int> vertices;
    for (int e = 0; e < term.elements.size(); ++e) vertices.push_back(term.elements.vertices(e)[0]);
    for (const ContactForce& push : pushes(*term.elastic[0], vertices, time, x))
      out[{static_cast<int>(t), push.element, 0, 0}] = {push.gradient[0], push.gradient[1], push.gradient[2]};
  }
  return out;
}

// Who touches whom: a vertex a body, by (vertex, -1, body, 0), or two edges. A vertex has the weight 1.
std::array<int, 4> key_of(std::span<const int> vertices, bool edges, const std::vector<int>& body) {
  if (edges) return {vertices[0], vertices[1], vertices[2], vertices[3]};
  return {vertices[0], -1, body[static_cast<std::size_t>(vertices[3])], 0};
}

// Normal forces of all contacts of bodies at x: of a vertex the sum over the triangles that it is near.
Forces body_forces(const Term& pushing, const std::vector<int>& body, const double* x) {
  Forces out;
  const std::vector<double> slope = gradients(pushing, x);
  const auto rows = static_cast<std::size_t>(pushing.elements.rows()),
             corners = static_cast<std::size_t>(pushing.elements.corners());
  for (int e = 0; e < pushing.elements.size(); ++e) {
    const auto vertices = pushing.elements.vertices(e);
    const auto c = pushing.elements.coefficients(e);
    const auto at = [&](std::size_t corner) {
      Vector sum{};
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t k = 0; k < 3; ++k)
          sum[k] += c[r * corners + corner] * slope[static_cast<std::size_t>(e) * 3 * rows + 3 * r + k];
      return sum;
    };
    const bool edges = body[static_cast<std::size_t>(vertices[1])] == body[static_cast<std::size_t>(vertices[0])];
    Vector& sum = out[key_of(vertices, edges, body)];
    for (std::size_t k = 0; k < 3; ++k) sum[k] += at(0)[k] + (edges ? at(1)[k] : 0);
  }
  return out;
}

}  // namespace

ConeWatch::ConeWatch(Simulation& simulation, double friction) : simulation_(simulation), friction_(friction) {
  start_ = simulation.positions(), time_ = simulation.state().time;
  simulation.solver().observe = [this](const std::vector<double>& y, const IterationRecord&) { note(y); };
}

void ConeWatch::note(const std::vector<double>& y) {
  const DynamicSystem& system = simulation_.system();
  std::vector<std::vector<Term>> now;
  bool same = !terms_.empty();
  for (const auto& contact : system.blocks().contacts()) {
    now.emplace_back(contact->terms().begin(), contact->terms().end());
    const std::size_t i = now.size() - 1;
    for (std::size_t t = 0; t < now[i].size() && same; ++t)  // friction is made when a stage begins
      same = as_friction(now[i][t]) == nullptr || now[i][t].elastic[0] == terms_[i][t].elastic[0];
  }
  if (!same) finish();
  terms_ = std::move(now), last_ = y;
}

void ConeWatch::observe() {
  finish();
  start_ = simulation_.positions(), time_ = simulation_.state().time;
}

void ConeWatch::finish() {
  for (const auto& terms : terms_)
    for (const Term& term : terms)
      if (as_friction(term) != nullptr) see(term, terms.size() > 1 ? &terms[0] : nullptr);
  if (!terms_.empty()) start_ = last_;
  terms_.clear();
}

void ConeWatch::see(const Term& friction, const Term* pushing) {
  const auto& contacts = as_friction(friction)->contacts();
  if (contacts.empty()) return;
  const Model& model = simulation_.model();
  const std::vector<double> tangential = gradients(friction, last_.data());
  std::vector<int> body;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    body.insert(body.end(), static_cast<std::size_t>(model.bodies[b].vertex_count), static_cast<int>(b));
  const Forces before = pushing == nullptr ? obstacle_forces(model, time_, start_.data()) : Forces{};
  const Forces after =
      pushing == nullptr ? obstacle_forces(model, time_, last_.data()) : body_forces(*pushing, body, last_.data());
  const auto size = [](const Forces& forces, const std::array<int, 4>& key) {
    const auto found = forces.find(key);
    return found == forces.end() ? 0.0 : std::hypot(found->second[0], found->second[1], found->second[2]);
  };
  double beyond = 0, before_all = 0, after_all = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const FrictionContact& contact = contacts[i];
    const std::array<int, 4> key = pushing == nullptr
                                       ? std::array{contact.term, contact.element, 0, 0}
                                       : key_of(friction.elements.vertices(static_cast<int>(i)),
                                                friction.elements.coefficients(static_cast<int>(i))[0] != 1, body);
    const double force = std::hypot(tangential[3 * i], tangential[3 * i + 1], tangential[3 * i + 2]),
                 limit = friction_ * size(after, key);
    if (pushing == nullptr) excess_.limit.see(std::abs(contact.limit / (friction_ * size(before, key)) - 1));
    excess_.lagged.see(force / contact.limit - 1);
    beyond += std::max(0.0, force - limit), before_all += contact.limit, after_all += limit;
    ++excess_.contacts, excess_.slid += force >= (1 - 1e-9) * contact.limit ? 1 : 0;
  }
  const double last = beyond / std::max(before_all, after_all);
  excess_.last.see(last), excess_.last_sum += last, ++excess_.stages;
}

}  // namespace resilin::setup
