#include "contact/friction/friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/obstacles/contact_forces.h"
#include "core/stamp.h"
#include "model/coefficients.h"
#include "resilin/errors.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// Of a contact: anchor, normal, stiffness, limit.
PackedCoefficients packed(const std::vector<FrictionContact>& contacts, std::span<const int> slot_element) {
  Coefficients out(8);
  for (const auto& [a, n, stiffness, limit, term, element] : contacts)
    out.add(std::array{a[0], a[1], a[2], n[0], n[1], n[2], stiffness, limit});
  return out.pack(slot_element);
}

// The slip and its size, of one pack.
struct Slip {
  Pack u[3], n[3], k, limit, squares, length;
  Mask sticks;
  Slip(const double* at, const double* z) : k(load(at + 6 * lanes)), limit(load(at + 7 * lanes)) {
    Pack height = {};
    for (int i = 0; i < 3; ++i) {
      u[i] = load(z + i * lanes) - load(at + i * lanes), n[i] = load(at + (3 + i) * lanes);
      height += n[i] * u[i];
    }
    for (int i = 0; i < 3; ++i) u[i] -= height * n[i];
    squares = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], length = sqrt(squares);
    sticks = k * length <= limit;
  }
};

class FrictionKernel final : public Kernel {
 public:
  FrictionKernel(const std::vector<FrictionContact>& contacts, std::span<const int> slot_element)
      : numbers_(packed(contacts, slot_element)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const auto& [u, n, k, limit, squares, length, sticks] =
          Slip(numbers_.pack(block.first + p), block.z + p * 3 * lanes);
      const Pack inverse = 1.0 / select(sticks, 1.0, length);
      const Pack secant = select(sticks, k, limit * inverse);  // the force is secant u
      add(block.psi + p * lanes, select(sticks, 0.5 * k * squares, limit * (length - 0.5 * limit / k)));
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 3; ++i) add(block.dpsi_z + (p * 3 + i) * lanes, secant * u[i]);
      if (block.d2psi_z == nullptr) continue;
      const Pack turn = select(sticks, 0.0, secant * inverse * inverse);  // none along u while it slides
      for (int i = 0, h = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j, ++h)
          add(block.d2psi_z + (p * 6 + h) * lanes,
              secant * ((i == j ? 1.0 : 0.0) - n[i] * n[j]) - turn * (u[i] * u[j]));
    }
  }

 private:
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  PackedCoefficients numbers_;
};

class FrictionForm final : public SlipForm {
 public:
  FrictionForm(const std::vector<FrictionContact>& contacts, std::span<const int> slot_element)
      : numbers_(packed(contacts, slot_element)) {}
  int constraints() const override { return 3; }
  const double* limits(int pack) const override { return numbers_.pack(pack) + 7 * lanes; }
  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    for (int p = 0; p < block.packs; ++p) {
      const auto& [u, n, k, limit, squares, length, sticks] =
          Slip(numbers_.pack(block.first + p), block.z + p * 3 * lanes);
      for (int i = 0; i < 3; ++i) {
        store(out.value + (p * 3 + i) * lanes, u[i]);
        store(out.stiffness + (p * 3 + i) * lanes, k);
        for (int j = 0; j < 3; ++j)
          store(out.gradient + ((p * 3 + i) * 3 + j) * lanes, (i == j ? 1.0 : 0.0) - n[i] * n[j]);
      }
    }
  }

 private:
  PackedCoefficients numbers_;
};

}  // namespace

std::array<double, 3> slip_of(const FrictionContact& contact, const double* z) {
  std::array<double, 3> u;
  double height = 0;
  for (std::size_t i = 0; i < 3; ++i) u[i] = z[i] - contact.anchor[i], height += contact.normal[i] * u[i];
  for (std::size_t i = 0; i < 3; ++i) u[i] -= height * contact.normal[i];
  return u;
}

bool return_map(FrictionContact& contact, const double* z) {
  const auto u = slip_of(contact, z);
  const double force = contact.stiffness * std::hypot(u[0], u[1], u[2]);
  if (force <= contact.limit) return true;
  for (std::size_t i = 0; i < 3; ++i) contact.anchor[i] = z[i] - u[i] * (contact.limit / force);
  return false;
}

void arrive(FrictionContact& contact, const double* ahead) {
  const auto slid = slip_of(contact, ahead);
  const double length = std::hypot(slid[0], slid[1], slid[2]), most = contact.limit / contact.stiffness;
  const double part = length > most ? most / length : 1;
  for (std::size_t k = 0; k < 3; ++k) contact.anchor[k] -= part * slid[k];
}

void Friction::stamp(Stamp& out) const {
  out.add(name()), out.add(static_cast<int>(kind_));
  for (const FrictionContact& c : contacts_) {
    for (std::size_t i = 0; i < 3; ++i) out.add(c.anchor[i]), out.add(c.normal[i]);
    out.add(c.stiffness), out.add(c.limit);
  }
}

std::unique_ptr<Kernel> Friction::pack(std::span<const int> slot_element) const {
  return std::make_unique<FrictionKernel>(contacts_, slot_element);
}

std::unique_ptr<CompliantForm> Friction::compliant_form(std::span<const int> slot_element) const {
  return std::make_unique<FrictionForm>(contacts_, slot_element);
}

Term friction_term(Elements elements, std::vector<FrictionContact> contacts) {
  const ElementKind kind = elements.kind();
  return {"friction", std::move(elements), {std::make_shared<Friction>(kind, std::move(contacts))}};
}

// ---- obstacles

namespace {

// One obstacle as a stage needs it.
struct Surface {
  int term;  // in Model::terms
  std::shared_ptr<const Potential> potential;
  std::vector<int> vertices;  // of its elements
  std::vector<double> coefficient;
  std::size_t first = 0;  // number of its first element among those of all surfaces

  double mu(int element) const { return coefficient[coefficient.size() == 1 ? 0 : element]; }
};

// False: nothing that rubs.
bool take_push(const ContactForce& push, double mu, FrictionContact& contact) {
  const double *f = push.gradient, *k = push.stiffness, force = std::hypot(f[0], f[1], f[2]);
  for (std::size_t i = 0; i < 3; ++i) contact.normal[i] = -f[i] / force;
  const auto& n = contact.normal;
  contact.stiffness = n[0] * n[0] * k[0] + n[1] * n[1] * k[2] + n[2] * n[2] * k[5] +
                      2 * (n[0] * n[1] * k[1] + n[0] * n[2] * k[3] + n[1] * n[2] * k[4]);
  contact.limit = mu * force;
  return contact.stiffness > 0 && contact.limit > 0;
}

// Against an obstacle that moves.
void arrive(const Surface& surface, const Stage& stage, double time, const double* x, const double* v,
            FrictionContact& contact) {
  std::copy_n(x, 3, contact.anchor.begin());
  if (v == nullptr) return;
  std::array<double, 3> ahead = contact.anchor;
  surface.potential->carry(time, time + stage.tau, ahead.data());
  for (std::size_t k = 0; k < 3; ++k) ahead[k] = 2 * x[k] + stage.tau * v[k] - ahead[k];
  resilin::arrive(contact, ahead.data());
}

// Anchors in the state: the time of the last stage's end, then number of the element and anchor of every contact,
// by ascending number.
class AnchoredFriction final : public ListedTerm {
 public:
  explicit AnchoredFriction(const Model& model) {
    Stamp stamp;
    std::size_t count = 0;
    for (const ObstacleFriction& source : model.friction) {
      const Term& term = model.terms[source.term];
      Surface surface{source.term, term.elastic[0], {}, source.coefficient, count};
      for (int i = 0; i < term.elements.size(); ++i) surface.vertices.push_back(term.elements.vertices(i)[0]);
      stamp.add(std::span<const int>(surface.vertices));
      count += surface.vertices.size();
      surfaces_.push_back(std::move(surface));
    }
    stamp_ = stamp.value();
    term_ = friction_term(Elements(ElementKind::point), {});
  }

  std::span<const Term> terms() const override { return {&term_, 1}; }

  void begin(const Stage& stage, const Memory& memory) override {
    const bool known = !stage.start.empty();
    const std::vector<double>& x = known ? stage.start : stage.origin;
    const double from = known ? stage.start_time : stage.time - stage.tau;
    const auto* kept = memory.find(key, stamp_);
    std::vector<int> vertices;
    std::vector<FrictionContact> contacts;
    numbers_.clear(), time_ = stage.time;
    std::size_t next = 1;  // in *kept
    for (const Surface& surface : surfaces_) {
      for (const ContactForce& push : pushes(*surface.potential, surface.vertices, from, x.data())) {
        FrictionContact contact;
        if (!take_push(push, surface.mu(push.element), contact)) continue;
        const auto number = static_cast<double>(surface.first + push.element);
        vertices.push_back(surface.vertices[push.element]);
        while (kept != nullptr && next < kept->size() && (*kept)[next] < number) next += 4;
        const bool had = kept != nullptr && next < kept->size() && (*kept)[next] == number;
        const std::size_t at = 3 * static_cast<std::size_t>(vertices.back());
        if (had) std::copy_n(&(*kept)[next + 1], 3, contact.anchor.begin());
        else arrive(surface, stage, from, &x[at], stage.velocity.empty() ? nullptr : &stage.velocity[at], contact);
        surface.potential->carry(had ? (*kept)[0] : from, stage.time, contact.anchor.data());
        contact.term = surface.term, contact.element = push.element;
        numbers_.push_back(number), contacts.push_back(contact);
      }
    }
    term_ = friction_term(Elements::points(vertices), std::move(contacts));
  }

  void end(const double* x, Memory& memory) override {
    std::vector<double>& kept = memory.keep(key, stamp_);
    kept.assign(1, time_);
    const auto& contacts = static_cast<const Friction&>(*term_.elastic[0]).contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      FrictionContact contact = contacts[i];
      return_map(contact, x + 3 * term_.elements.vertices(static_cast<int>(i))[0]);
      kept.push_back(numbers_[i]);
      kept.insert(kept.end(), contact.anchor.begin(), contact.anchor.end());
    }
  }

 private:
  static constexpr const char* key = "friction.anchors";
  std::vector<Surface> surfaces_;
  std::uint64_t stamp_ = 0;
  Term term_;
  std::vector<double> numbers_;  // of the contacts
  double time_ = 0;              // of the stage's end
};

}  // namespace

std::unique_ptr<ListedTerm> make_obstacle_friction(const Model& model) {
  return std::make_unique<AnchoredFriction>(model);
}

// ---- parameters

Params friction_params() {
  return {optional(any("friction",
                       "coefficient of Coulomb friction mu, or an object of coefficients by body: {\"box\": 0.3}; "
                       "default: none"))};
}

std::vector<double> friction_of(const Settings& obstacle, const std::vector<std::string>& bodies) {
  std::vector<double> out(bodies.size(), 0.0);
  if (!obstacle.has("friction")) return out;
  const auto coefficient = [](const Value& value) {
    const double mu = value.number();
    if (!(mu >= 0) || !std::isfinite(mu))
      value.fail(fmt::format("the coefficient of friction is {}: must be >= 0 and finite", mu));
    return mu;
  };
  const Value& value = obstacle.value("friction");
  if (!value.is_object()) {
    if (!value.is_number()) value.fail("is a coefficient of friction, or an object of coefficients by body");
    std::fill(out.begin(), out.end(), coefficient(value));
    return out;
  }
  value.only_keys(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (const Value* own = value.find(bodies[i])) out[i] = coefficient(*own);
  return out;
}

}  // namespace resilin
