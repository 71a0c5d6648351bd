// The boxes around bodies, and which of them are close: the first question of every search, and that of islands.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "contact/broad_phase/contact_surface.h"

namespace resilin {

double squared_distance(const Bounds& a, const Bounds& b);

/// Of every body, around its surface vertices at `x` (3 per vertex of the model). That of a body without any is
/// empty: lower > upper.
std::vector<Bounds> body_boxes(const ContactSurface& surface, const double* x);

/// The pairs (a, b), a < b, ascending, of boxes that are closer than `radius`; boxes that touch are at distance 0.
std::vector<std::array<int, 2>> near_pairs(std::span<const Bounds> boxes, double radius);

}  // namespace resilin
