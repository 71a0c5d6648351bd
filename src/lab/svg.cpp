#include "lab/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "report/report.h"

namespace resilin {
namespace {

// Sizes, colours and the rules for ticks are those of plot.js and report.css (light).
constexpr double width = 640, left = 76, right = width - 14, top = 34, bottom = 368;
constexpr double label_line = bottom + 38, legend_line = bottom + 64, legend_step = 20;
constexpr double letter = 6.7, mark = 24, gap = 18;  // of the legend; letters at their usual width
constexpr std::size_t few_points = 60;               // up to here points are marked
constexpr std::array<const char*, 8> palette = {"#2f6fb7", "#d9622b", "#2a9166", "#b04a9a",
                                                "#b58a00", "#5b56c4", "#1f9bb5", "#8a5a3c"};

// As a person would write it: 1500, 0.02, 1e-4, 2.5e6.
std::string number(double value, int digits) {
  const double size = std::abs(value);
  if (size == 0 || (size < 1e5 && size >= 1e-3))
    return fmt::format("{:.6g}", std::stod(fmt::format("{:.{}g}", value, digits)));
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t e = text.find('e');
  return fmt::format("{:g}e{}", std::stod(text.substr(0, e)), std::stoi(text.substr(e + 1)));
}

// Multiples of 1, 2 or 5 times a power of ten, about six of them.
std::vector<double> round_numbers(double low, double high) {
  const double rough = (high - low) / 6, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double m : {5.0, 2.0, 1.0})
    if (m * power >= rough) step = m * power;
  std::vector<double> out;
  for (double k = std::ceil(low / step); k * step <= high; ++k) out.push_back(k == 0 ? 0 : k * step);
  return out;
}

struct Tick {
  double place;
  std::string text;
};

// Maps values to places (log10 or as they are) and places to pixels.
class Axis {
 public:
  Axis(bool log, double from, double to) : log_(log), from_(from), to_(to) {}
  double place(double value) const { return log_ ? std::log10(value) : value; }
  void see(double place) { low_ = std::min(low_, place), high_ = std::max(high_, place); }
  // All that was seen, and a part of it more on both sides.
  void widen(double part) {
    const double room = part * (high_ - low_);
    low_ -= room, high_ += room;
    if (high_ - low_ > 1e-12 * std::max({std::abs(low_), std::abs(high_), log_ ? 1 : 1e-300})) return;
    const double half = log_ ? 0.5 : low_ != 0 ? std::abs(low_) / 10 : 1;
    low_ -= half, high_ += half;
  }
  double pixel(double place) const { return from_ + (place - low_) / (high_ - low_) * (to_ - from_); }

  std::vector<Tick> ticks() const {
    if (log_ && high_ - low_ >= 1.5) return decades();
    if (log_ && high_ - low_ >= 0.7) return halves();
    std::vector<Tick> out;
    if (!log_)
      for (const double v : round_numbers(low_, high_)) out.push_back({v, number(v, 4)});
    else
      for (const double v : round_numbers(std::pow(10, low_), std::pow(10, high_)))
        if (v > 0) out.push_back({std::log10(v), number(v, 3)});
    return out;
  }

 private:
  // 1, 2 and 5 times powers of ten.
  std::vector<Tick> halves() const {
    std::vector<Tick> out;
    for (double d = std::floor(low_); d <= high_; ++d)
      for (const double m : {1, 2, 5})
        if (const double place = d + std::log10(m); place >= low_ && place <= high_)
          out.push_back({place, number(m * std::pow(10, d), 1)});
    return out;
  }
  std::vector<Tick> decades() const {
    const double every = std::ceil((high_ - low_) / 9);
    std::vector<Tick> out;
    for (double d = std::ceil(low_ / every) * every; d <= high_; d += every)
      out.push_back({d, number(std::pow(10, d), 1)});
    return out;
  }
  bool log_;
  double from_, to_, low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), x_(plot.log_x, left, right), y_(plot.log_y, bottom, top) {
    for (const Series& line : plot.series)
      for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i)
        if (drawable(plot, line.x[i], line.y[i])) x_.see(x_.place(line.x[i])), y_.see(y_.place(line.y[i]));
    x_.widen(0);
    y_.widen(0.03);
  }

  std::string file() {
    text(width / 2, 21, "middle", plot_.title, " font-weight=\"600\"");
    axes();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) line(plot_.series[i], stroke(i));
    const double height = legend();
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\" role=\"img\">\n"
        "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
        width, height, html_escaped(plot_.title), body_);
  }

 private:
  struct Stroke {
    const char* colour;
    const char* dash;  // an attribute, or nothing
  };
  Stroke stroke(std::size_t i) const {
    const Series& line = plot_.series[i];
    const std::size_t colour = line.colour >= 0 ? static_cast<std::size_t>(line.colour) : i;
    return {palette[colour % palette.size()],
            line.dashed || colour >= palette.size() ? " stroke-dasharray=\"6 4\"" : ""};
  }

  void text(double x, double y, const char* anchor, const std::string& words, const std::string& more = "") {
    body_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"#1c2024\"{}>{}</text>\n", x, y,
                         anchor, more, html_escaped(words));
  }
  void rule(double x1, double y1, double x2, double y2) {
    body_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#dfe2e6\"/>\n", x1,
                         y1, x2, y2);
  }

  void axes() {
    for (const Tick& tick : x_.ticks()) {
      const double x = x_.pixel(tick.place);
      rule(x, top, x, bottom);
      text(x, bottom + 17, "middle", tick.text);
    }
    for (const Tick& tick : y_.ticks()) {
      const double y = y_.pixel(tick.place);
      rule(left, y, right, y);
      text(left - 7, y + 4, "end", tick.text);
    }
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#69707a\"/>\n",
                         left, top, right - left, bottom - top);
    text((left + right) / 2, label_line, "middle", plot_.x_label);
    const double middle = (top + bottom) / 2;
    text(14, middle, "middle", plot_.y_label, fmt::format(" transform=\"rotate(-90 14 {})\"", middle));
  }

  void line(const Series& series, const Stroke& stroke) {
    std::string path, circles;
    char pen = 'M';
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!drawable(plot_, series.x[i], series.y[i])) {
        pen = 'M';
        continue;
      }
      const double x = x_.pixel(x_.place(series.x[i])), y = y_.pixel(y_.place(series.y[i]));
      path += fmt::format("{}{:.2f} {:.2f}", std::exchange(pen, 'L'), x, y);
      if (series.x.size() <= few_points)
        circles +=
            fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.4\" fill=\"{}\"/>\n", x, y, stroke.colour);
    }
    if (path.empty()) return;
    body_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n{}", path,
                         stroke.colour, stroke.dash, circles);
  }

  // In as many lines as the names need; returns where the picture ends.
  double legend() {
    double x = left, y = legend_line;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const double needed = mark + 6 + letter * static_cast<double>(plot_.series[i].name.size());
      if (x > left && x + needed > right) x = left, y += legend_step;
      body_ += fmt::format(
          "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" stroke-width=\"2.4\"{}/>\n",
          x, y - 4, x + mark, y - 4, stroke(i).colour, stroke(i).dash);
      text(x + mark + 6, y, "start", plot_.series[i].name);
      x += needed + gap;
    }
    return y + 14;
  }

  const Plot& plot_;
  Axis x_, y_;
  std::string body_;
};

}  // namespace

std::string svg(const Plot& plot) {
  assert(has_points(plot));
  return Drawing(plot).file();
}

}  // namespace resilin
