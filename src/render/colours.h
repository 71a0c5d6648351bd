// Colours of bodies and of numbers, and the way between sRGB and the linear light that shading adds up.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "render/vec.h"
#include "resilin/render.h"

namespace resilin::draw {

/// From sRGB bytes to linear light.
F3 linear(std::array<int, 3> srgb);
/// From linear light, clamped, to sRGB bytes.
std::array<std::uint8_t, 3> srgb(F3 light);

/// The colour of body i; repeats after eight.
F3 body_colour(std::size_t i);
/// Viridis at t in [0, 1] (clamped), linear light.
F3 map_colour(float t);

/// Writes the colour map with its numbers and label onto the right side of the picture.
void draw_colour_bar(Picture& picture, const Colouring& colouring);
/// Text in a 5 x 7 font, each dot `scale` pixels wide; what does not fit is cut.
void draw_text(Picture& picture, int x, int y, int scale, std::array<int, 3> colour, const std::string& text);

}  // namespace resilin::draw
