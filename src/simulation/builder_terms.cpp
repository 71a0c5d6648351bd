// The terms of bodies: tets of all bodies with the same material, springs of all nets; a damped body has its own.
#include <fmt/format.h>

#include <map>
#include <numeric>

#include "potentials/fibre.h"
#include "potentials/spring.h"
#include "resilin/registry.h"
#include "simulation/builder_parts.h"

namespace resilin {
void note(Model& model, int term, const std::vector<Share>& shares) {
  for (const Share& share : shares) {
    const int count = static_cast<int>(share.ids.size());
    model.bodies[share.body].elements.push_back({term, share.first, count, unless_in_order(share.ids)});
  }
}

namespace {

// The tets of all bodies that one term can hold.
struct Solids {
  std::vector<int> tets;
  std::vector<ElementSettings> settings;
  std::vector<double> fibre_stiffness;
  std::vector<std::array<double, 3>> fibre_direction;
  std::vector<Share> shares;
  const MaterialPlugin* plugin = nullptr;
  const BodyPart* alone = nullptr;  // damped, or with potentials besides the material, or a material of its own
};

void take_tet(Solids& to, const BodyPart& part, std::size_t body, std::span<const int> corners, int t) {
  if (to.shares.empty() || to.shares.back().body != body)
    to.shares.push_back({body, static_cast<int>(to.settings.size()), {}});
  to.shares.back().ids.push_back(t);
  to.tets.insert(to.tets.end(), corners.begin(), corners.end());
  to.settings.push_back({part.materials[part.material_of[t]].settings.get(), t});
  if (part.fibre_stiffness.empty()) return;
  to.fibre_stiffness.push_back(part.fibre_stiffness[t]);
  to.fibre_direction.push_back(part.fibre_direction[t]);
}

// By name, which is also the order of the terms.
std::map<std::string, Solids> group_tets(const Model& model, const std::vector<BodyPart>& parts) {
  std::map<std::string, Solids> terms;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const BodyPart& part = parts[b];
    const Body& body = model.bodies[b];
    const bool alone = !part.damping.empty() || !part.potentials.empty() || part.own_material != nullptr;
    std::vector<Solids*> of(part.materials.size(), nullptr);  // the term of each material
    for (std::size_t t = 0; t < part.material_of.size(); ++t) {
      const int m = part.material_of[t];
      if (of[m] == nullptr) {
        of[m] = &terms[part.materials[m].type + (part.fibre_stiffness.empty() ? "" : " with fibres") +
                       (alone ? " of " + body.name : "")];
        of[m]->plugin = part.materials[m].plugin;
        if (alone) of[m]->alone = &part;
      }
      take_tet(*of[m], part, b, std::span(body.tets).subspan(4 * t, 4), static_cast<int>(t));
    }
  }
  return terms;
}

// The springs of these bodies in one term, if there are any.
void add_spring_term(Model& model, const std::vector<BodyPart>& parts, const std::vector<std::size_t>& which) {
  std::vector<int> edges;
  std::vector<double> stiffness, length;
  std::vector<BodyElements> elements;
  for (const std::size_t b : which) {
    elements.push_back({static_cast<int>(model.terms.size()),
                        static_cast<int>(stiffness.size()),
                        static_cast<int>(parts[b].stiffness.size()),
                        {}});
    edges.insert(edges.end(), model.bodies[b].edges.begin(), model.bodies[b].edges.end());
    stiffness.insert(stiffness.end(), parts[b].stiffness.begin(), parts[b].stiffness.end());
    length.insert(length.end(), parts[b].length.begin(), parts[b].length.end());
  }
  if (edges.empty()) return;
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(stiffness, length)}});
  for (std::size_t i = 0; i < which.size(); ++i) model.bodies[which[i]].elements.push_back(elements[i]);
}

}  // namespace

void damp_elements(Model& model, const BodyPart& part, std::span<const int> indices,
                   const std::vector<Share>& shares) {
  const int term = static_cast<int>(model.terms.size()) - 1;
  for (const auto& damping : part.damping) {
    if (damping.plugin->damps == Damps::vertices) continue;
    const ElementKind kind = model.terms[term].elements.kind();
    if (part.skin && !can_damp(damping.plugin->damps, kind)) continue;
    // Parameters by triangle say nothing of other elements.
    if (part.skin && kind != ElementKind::triangle && damping.settings->element_count() > 0) continue;
    const std::size_t before = model.terms.size();
    damp_term(model, term, *damping.plugin, damping.type, *damping.settings, indices);
    if (model.terms.size() > before) note(model, static_cast<int>(before), shares);  // one of its own
  }
}

void Builder::Parts::add_solid_terms(Model& out) const {
  for (auto& [name, solids] : group_tets(out, bodies)) {
    Term term{name, Elements::tets(out.rest, solids.tets), {solids.plugin->make(solids.settings)}};
    if (!solids.fibre_stiffness.empty())
      term.elastic.push_back(make_fibre(solids.fibre_stiffness, solids.fibre_direction));
    std::vector<int> indices;
    for (const ElementSettings& element : solids.settings) indices.push_back(element.index);
    if (solids.alone != nullptr)
      add_potentials(term, solids.alone->potentials, out, solids.shares[0].body, indices);
    note(out, static_cast<int>(out.terms.size()), solids.shares);
    out.terms.push_back(std::move(term));
    if (solids.alone != nullptr) damp_elements(out, *solids.alone, indices, solids.shares);
  }
}

void Builder::Parts::add_spring_terms(Model& out) const {
  std::vector<std::size_t> together;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (!bodies[b].stiffness.empty() && bodies[b].damping.empty()) together.push_back(b);
  add_spring_term(out, bodies, together);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].damping.empty() || bodies[b].stiffness.empty()) continue;
    add_spring_term(out, bodies, {b});
    std::vector<int> all(bodies[b].stiffness.size());
    std::iota(all.begin(), all.end(), 0);
    damp_elements(out, bodies[b], {}, {{b, 0, all}});
  }
}

void Builder::Parts::damp_bodies(Model& out) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::vector<int> ids(out.bodies[b].vertex_count);
    std::iota(ids.begin(), ids.end(), out.bodies[b].first_vertex);
    for (const auto& damping : bodies[b].damping) {
      if (damping.plugin->damps != Damps::vertices) continue;
      out.bodies[b].elements.push_back({static_cast<int>(out.terms.size()), 0, out.bodies[b].vertex_count, {}});
      damp_vertices(out, ids, *damping.plugin, damping.type, *damping.settings);
    }
  }
}

void Builder::damp(int body, const Choice& damping, std::shared_ptr<const DampingPlugin> own) {
  const Body& of = parts_->body(body);
  BodyPart& part = parts_->bodies[body];
  const std::string where = place_of(of.name);
  Chosen<DampingPlugin> chosen{damping.type, own.get(), {}};
  if (own == nullptr) chosen.plugin = &plugin<DampingPlugin>("damping", damping.type, where + ": damping");
  chosen.settings = settings_of(damping, chosen.plugin->params, where, "damping");
  const bool vertices = chosen.plugin->damps == Damps::vertices;
  const auto [count, what] = vertices     ? std::pair(std::size_t(of.vertex_count), "vertices")
                             : part.solid ? std::pair(part.material_of.size(), "tets")
                             : part.skin  ? std::pair(part.skin->thickness.size(), "triangles")
                                          : std::pair(part.stiffness.size(), "springs");
  check_lengths(chosen.plugin->params, *chosen.settings, static_cast<int>(count), what);
  part.damping.push_back(std::move(chosen));
  if (own != nullptr) part.own_damping.push_back(std::move(own));
}

}  // namespace resilin
