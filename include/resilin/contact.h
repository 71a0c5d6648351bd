// Contact as data of a Model (docs/theory/contact.md): of bodies with each other and with themselves, and what
// obstacles have besides their energy. No surface of a body passes through another, whatever a solver does: steps
// are shortened where they would.
#pragma once
#include <vector>

namespace resilin {

/// Contact of bodies with each other and with themselves.
struct ContactSettings {
  double radius = 0;     // [m] at which surfaces begin to push; 0: by the size of triangles and bodies
  double stiffness = 0;  // [N/m] of a touching vertex; 0: by the stiffness and the weight of bodies
  double friction = 0;   // Coulomb's coefficient
  bool between = true;   // bodies with each other
  bool self = true;      // with themselves
  bool safe = true;      // false: energies only, surfaces may pass through each other; for study
  struct Pair {
    int first, second;  // bodies of the model
    double friction;
  };
  std::vector<Pair> pairs = {};  // whose coefficient is another
  /// Whether any two bodies have friction.
  bool has_friction() const { return friction > 0 || !pairs.empty(); }
};

/// Coulomb friction of an obstacle, which is a term of points of the model.
struct ObstacleFriction {
  int term = 0;                     // in Model::terms
  std::vector<double> coefficient;  // mu: one, or one for each of its elements
};

/// Restitution of an obstacle: a body leaves it with e times the normal speed with which it came.
struct ObstacleRestitution {
  int term = 0;            // in Model::terms
  double coefficient = 0;  // e
};

/// Throws InputError when a number is negative or not finite, or a coefficient of restitution above 1.
void check_contact(const ContactSettings& contact);
void check_contact(const ObstacleFriction& friction);
void check_contact(const ObstacleRestitution& restitution);

}  // namespace resilin
