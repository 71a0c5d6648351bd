#include "contact/friction/body_friction.h"

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/closest_points.h"

namespace resilin {
namespace {

constexpr const char* key_of_slip = "contact.slip";

// Kind, two numbers, slip of three, whether it stuck: by ascending keys.
const double* find_slip(const std::vector<double>& kept, const std::array<int, 3>& key) {
  constexpr std::size_t size = 7;
  std::size_t low = 0, high = kept.size() / size;
  const auto of = [&](std::size_t i) {
    return std::array<int, 3>{int(kept[size * i]), int(kept[size * i + 1]), int(kept[size * i + 2])};
  };
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (of(middle) < key) low = middle + 1;
    else high = middle;
  }
  return low < kept.size() / size && of(low) == key ? &kept[size * low + 3] : nullptr;
}

constexpr double nothing = 1e-9;  // of a contact, that edges have: vertices have it all

std::array<double, 3> place_of(const ContactPair& pair, const double* x) {
  std::array<double, 3> z{};
  for (std::size_t v = 0; v < 4; ++v)
    for (std::size_t k = 0; k < 3; ++k) z[k] += pair.weight[v] * x[3 * pair.vertices[v] + k];
  return z;
}

// k T where it sticks; where it slides f/|u| across the slip.
std::array<double, 6> hessian_of(const FrictionContact& contact, const double* z) {
  const auto u = slip_of(contact, z);
  const double length = std::hypot(u[0], u[1], u[2]);
  const bool sticks = contact.stiffness * length <= contact.limit;
  const double k = sticks ? contact.stiffness : contact.limit / length;
  const auto& n = contact.normal;
  std::array<double, 6> out;
  for (std::size_t i = 0, at = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++at)
      out[at] = k * ((i == j ? 1.0 : 0.0) - n[i] * n[j] - (sticks ? 0.0 : u[i] * u[j] / (length * length)));
  return out;
}

}  // namespace

BodyFriction::BodyFriction(const ContactSettings& options, const ContactSurface& surface, std::uint64_t stamp)
    : options_(options), surface_(surface), stamp_(stamp) {}

double BodyFriction::coefficient(const ContactPair& of) const {
  const int a = surface_.body[of.vertices[0]], b = surface_.body[of.vertices[3]];
  for (const ContactSettings::Pair& pair : options_.pairs)
    if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) return pair.friction;
  return options_.friction;
}

// Pushes of a vertex by all triangles of a body are one.
void BodyFriction::find_rubbing(const PairList& list, const double* before) {
  rubbing_.clear();
  for (std::size_t p = 0; p < list.pairs().size(); ++p) {
    const ContactPair& pair = list.pairs()[p];
    const bool edges = pair.kind == ContactPair::edge_edge;
    const int b = surface_.body[pair.vertices[3]];
    const double r = list.radius(p);
    if (!(coefficient(pair) > 0) || !(pair.distance < r)) continue;
    const double part = edges ? edge_part(corners_at(before, pair.vertices), pair.distance, r) : 1;
    if (!(part > nothing)) continue;
    const OffsetEnergy here = offset_energy(pair.distance, part * list.stiffness(pair), r);
    const std::array<int, 3> key = {edges ? 1 : 0, pair.first, edges ? pair.second : b};
    const bool same = !edges && !rubbing_.empty() && rubbing_.back().key == key;
    if (!same) rubbing_.push_back({key, pair, {0, 0, 0}, here.curvature});
    Rubbing& rubbing = rubbing_.back();
    if (pair.distance < rubbing.pair.distance) rubbing.pair = pair, rubbing.stiffness = here.curvature;
    if (edges) std::ranges::copy(side_force(list.edges(p), pair.vertices, before), rubbing.force);
  }
  add_vertex_forces(list, before);
}

// The gradient of the energy itself: it is what inclusion and exclusion leave of many triangles.
void BodyFriction::add_vertex_forces(const PairList& list, const double* before) {
  std::size_t at = 0;
  for (std::size_t p = 0; p < list.pairs().size(); ++p) {
    const ContactPair& pair = list.pairs()[p];
    if (pair.kind == ContactPair::edge_edge) return;
    const std::array<int, 3> key = {0, pair.first, surface_.body[pair.vertices[3]]};
    while (at < rubbing_.size() && rubbing_[at].key < key) ++at;
    if (at == rubbing_.size() || rubbing_[at].key != key) continue;
    const auto force = side_force(list.numbers(p), pair.vertices, before);
    for (std::size_t k = 0; k < 3; ++k) rubbing_[at].force[k] += force[k];
  }
}

Term BodyFriction::none() {
  rubbing_.clear();
  return friction_term(Elements(ElementKind::pair), {});
}

Term BodyFriction::begin(const PairList& list, const double* before, const Stage& stage, const Memory& memory) {
  find_rubbing(list, before);
  Elements elements(ElementKind::pair);
  std::vector<FrictionContact> contacts;
  const auto* kept = memory.find(key_of_slip, stamp_);
  for (Rubbing& rubbing : rubbing_) {
    const ContactPair& pair = rubbing.pair;
    const double size = std::hypot(rubbing.force[0], rubbing.force[1], rubbing.force[2]);
    FrictionContact contact;
    contact.stiffness = rubbing.stiffness;
    contact.limit = size * coefficient(pair);
    std::array<double, 3> at{}, ahead{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t x = 3 * pair.vertices[i] + k;
        at[k] += pair.weight[i] * before[x];
        if (!stage.velocity.empty()) ahead[k] += pair.weight[i] * stage.tau * stage.velocity[x];
      }
    for (std::size_t k = 0; k < 3; ++k)
      contact.normal[k] = size > 0 ? rubbing.force[k] / size : pair.normal[k], contact.anchor[k] = at[k];
    const double* slip = kept != nullptr ? find_slip(*kept, rubbing.key) : nullptr;
    if (slip != nullptr) {
      for (std::size_t k = 0; k < 3; ++k) contact.anchor[k] -= slip[k];
      rubbing.stuck = slip[3] != 0;
    } else {
      for (std::size_t k = 0; k < 3; ++k) ahead[k] += at[k];
      arrive(contact, ahead.data());
    }
    elements.add(pair.vertices, pair.weight, 1);
    contacts.push_back(contact);
  }
  return friction_term(std::move(elements), std::move(contacts));
}

void BodyFriction::end(const Term& term, const double* x, Memory& memory) const {
  std::vector<double>& kept = memory.keep(key_of_slip, stamp_);
  kept.clear();
  const auto& contacts = static_cast<const Friction&>(*term.elastic[0]).contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto z = place_of(rubbing_[i].pair, x);
    FrictionContact contact = contacts[i];
    const bool stuck = return_map(contact, z.data());
    const auto slip = slip_of(contact, z.data());
    for (const int number : rubbing_[i].key) kept.push_back(number);
    kept.insert(kept.end(), slip.begin(), slip.end());
    kept.push_back(stuck ? 1 : 0);
  }
}

void BodyFriction::add_touching(const Term& term, const double* x, std::vector<PairStiffness>& out) const {
  if (rubbing_.empty()) return;
  const auto& contacts = static_cast<const Friction&>(*term.elastic[0]).contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Rubbing& rubbing = rubbing_[i];
    PairStiffness touching{rubbing.pair.vertices, {}, {}, 0, rubbing.stuck ? rubbing.stiffness : 0};
    std::copy_n(rubbing.pair.weight, 4, touching.weight.begin());
    std::copy_n(rubbing.pair.normal, 3, touching.normal.begin());
    touching.hessian = hessian_of(contacts[i], place_of(rubbing.pair, x).data());
    out.push_back(touching);
  }
}

}  // namespace resilin
