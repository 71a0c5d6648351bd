// The bar that explains a colouring, and the small font that it is written with.
#include <fmt/format.h>

#include <algorithm>

#include "render/colours.h"

namespace resilin::draw {
namespace {

constexpr int glyph_width = 5, glyph_height = 7;

// ASCII 32 to 126: five columns each, lowest bit at the top.
constexpr unsigned char font[95][glyph_width] = {
    {0, 0, 0, 0, 0},       {0, 0, 95, 0, 0},         {0, 7, 0, 7, 0},       {20, 127, 20, 127, 20},
    {36, 42, 127, 42, 18}, {35, 19, 8, 100, 98},     {54, 73, 86, 32, 80},  {0, 8, 7, 3, 0},
    {0, 28, 34, 65, 0},    {0, 65, 34, 28, 0},       {42, 28, 127, 28, 42}, {8, 8, 62, 8, 8},
    {0, 128, 112, 48, 0},  {8, 8, 8, 8, 8},          {0, 0, 96, 96, 0},     {32, 16, 8, 4, 2},
    {62, 81, 73, 69, 62},  {0, 66, 127, 64, 0},      {114, 73, 73, 73, 70}, {33, 65, 73, 77, 51},
    {24, 20, 18, 127, 16}, {39, 69, 69, 69, 57},     {60, 74, 73, 73, 49},  {65, 33, 17, 9, 7},
    {54, 73, 73, 73, 54},  {70, 73, 73, 41, 30},     {0, 0, 20, 0, 0},      {0, 64, 52, 0, 0},
    {0, 8, 20, 34, 65},    {20, 20, 20, 20, 20},     {0, 65, 34, 20, 8},    {2, 1, 89, 9, 6},
    {62, 65, 93, 89, 78},  {124, 18, 17, 18, 124},   {127, 73, 73, 73, 54}, {62, 65, 65, 65, 34},
    {127, 65, 65, 65, 62}, {127, 73, 73, 73, 65},    {127, 9, 9, 9, 1},     {62, 65, 65, 81, 115},
    {127, 8, 8, 8, 127},   {0, 65, 127, 65, 0},      {32, 64, 65, 63, 1},   {127, 8, 20, 34, 65},
    {127, 64, 64, 64, 64}, {127, 2, 28, 2, 127},     {127, 4, 8, 16, 127},  {62, 65, 65, 65, 62},
    {127, 9, 9, 9, 6},     {62, 65, 81, 33, 94},     {127, 9, 25, 41, 70},  {38, 73, 73, 73, 50},
    {3, 1, 127, 1, 3},     {63, 64, 64, 64, 63},     {31, 32, 64, 32, 31},  {63, 64, 56, 64, 63},
    {99, 20, 8, 20, 99},   {3, 4, 120, 4, 3},        {97, 89, 73, 77, 67},  {0, 127, 65, 65, 65},
    {2, 4, 8, 16, 32},     {0, 65, 65, 65, 127},     {4, 2, 1, 2, 4},       {64, 64, 64, 64, 64},
    {0, 3, 7, 8, 0},       {32, 84, 84, 120, 64},    {127, 40, 68, 68, 56}, {56, 68, 68, 68, 40},
    {56, 68, 68, 40, 127}, {56, 84, 84, 84, 24},     {0, 8, 126, 9, 2},     {24, 164, 164, 156, 120},
    {127, 8, 4, 4, 120},   {0, 68, 125, 64, 0},      {32, 64, 64, 61, 0},   {127, 16, 40, 68, 0},
    {0, 65, 127, 64, 0},   {124, 4, 120, 4, 120},    {124, 8, 4, 4, 120},   {56, 68, 68, 68, 56},
    {252, 24, 36, 36, 24}, {24, 36, 36, 24, 252},    {124, 8, 4, 4, 8},     {72, 84, 84, 84, 36},
    {4, 4, 63, 68, 36},    {60, 64, 64, 32, 124},    {28, 32, 64, 32, 28},  {60, 64, 48, 64, 60},
    {68, 40, 16, 40, 68},  {76, 144, 144, 144, 124}, {68, 100, 84, 76, 68}, {0, 8, 54, 65, 0},
    {0, 0, 119, 0, 0},     {0, 65, 54, 8, 0},        {2, 1, 2, 4, 2}};

void put(Picture& picture, int x, int y, std::array<int, 3> colour) {
  if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
  for (std::size_t k = 0; k < 3; ++k)
    picture.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                     static_cast<std::size_t>(x)) +
                k] = static_cast<std::uint8_t>(colour[k]);
}

int text_width(const std::string& text, int scale) {
  return static_cast<int>(text.size()) * (glyph_width + 1) * scale;
}

}  // namespace

void draw_text(Picture& picture, int x, int y, int scale, std::array<int, 3> colour, const std::string& text) {
  for (const char c : text) {
    const int glyph = c >= 32 && c <= 126 ? c - 32 : '?' - 32;
    for (int i = 0; i < glyph_width * scale; ++i)
      for (int j = 0; j < (glyph_height + 1) * scale; ++j)
        if (font[glyph][i / scale] >> (j / scale) & 1) put(picture, x + i, y + j, colour);
    x += (glyph_width + 1) * scale;
  }
}

void draw_colour_bar(Picture& picture, const Colouring& colouring) {
  constexpr std::array<int, 3> ink = {60, 66, 76};
  const int scale = std::max(1, (picture.height + 120) / 400), margin = 8 * scale, width = 9 * scale;
  const int height = picture.height * 9 / 20, top = (picture.height - height) / 2;
  std::vector<std::string> numbers;
  int widest = 0;
  for (int i = 0; i < 3; ++i) {
    numbers.push_back(fmt::format("{:.3g}", colouring.high + (colouring.low - colouring.high) * i / 2));
    widest = std::max(widest, text_width(numbers.back(), scale));
  }
  const int left = picture.width - margin - widest - 4 * scale - width;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto c = srgb(map_colour(1 - static_cast<float>(y) / static_cast<float>(height - 1)));
      put(picture, left + x, top + y, {c[0], c[1], c[2]});
    }
  for (int i = 0; i < 3; ++i)
    draw_text(picture, left + width + 4 * scale, top + (height - 1) * i / 2 - 3 * scale, scale, ink, numbers[i]);
  const int label = std::max(2, picture.width - margin - text_width(colouring.label, scale));
  draw_text(picture, label, top - 16 * scale, scale, ink, colouring.label);
}

}  // namespace resilin::draw
