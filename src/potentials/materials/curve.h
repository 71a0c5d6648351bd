// A function given by control points, with its integral and slope, evaluated in lanes.
//
// Between control points: monotone cubic Hermite interpolation (Fritsch and Carlson 1980), once continuously
// differentiable and without overshoot. Outside: straight lines with the end slopes. For speed the curve is stored
// on an equidistant grid: exactly, piece by piece, when the control points lie on one of at most 512 cells (points
// with few decimals do); otherwise sampled there by value and slope, with a knot at x = 1 so that the value at rest
// stays exact. The integral is that of the stored pieces, so energy, stress and its slope always fit together. Used
// by the spline material; knows nothing of materials.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/stamp.h"
#include "potentials/material.h"
#include "simd/pack.h"

namespace resilin {

using ControlPoints = std::vector<std::array<double, 2>>;  // [x, y], x ascending, two at least

/// Slopes at the control points: parabola through three neighbours, limited to keep the pieces monotone.
/// An end slope below `least_end_slope` is raised to it.
inline std::vector<double> monotone_slopes(const ControlPoints& p, double least_end_slope) {
  const std::size_t n = p.size();
  std::vector<double> secant(n - 1), width(n - 1), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = p[i + 1][0] - p[i][0];
    secant[i] = (p[i + 1][1] - p[i][1]) / width[i];
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const bool turns = secant[i - 1] * secant[i] <= 0;
    slope[i] = turns ? 0 : (width[i] * secant[i - 1] + width[i - 1] * secant[i]) / (width[i - 1] + width[i]);
  }
  const auto end = [](double d0, double d1, double w0, double w1) {
    const double s = ((2 * w0 + w1) * d0 - w0 * d1) / (w0 + w1);
    return s * d0 > 0 ? s : 0;
  };
  slope[0] = n > 2 ? end(secant[0], secant[1], width[0], width[1]) : secant[0];
  slope[n - 1] = n > 2 ? end(secant[n - 2], secant[n - 3], width[n - 2], width[n - 3]) : secant[0];
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (secant[i] == 0) {
      slope[i] = slope[i + 1] = 0;
      continue;
    }
    // A circle of radius 3 is monotone.
    const double size = std::hypot(slope[i], slope[i + 1]) / std::abs(secant[i]);
    if (size > 3) slope[i] *= 3 / size, slope[i + 1] *= 3 / size;
  }
  slope[0] = std::max(slope[0], least_end_slope);
  slope[n - 1] = std::max(slope[n - 1], least_end_slope);
  return slope;
}

class Curve {
 public:
  Curve() = default;  // zero everywhere
  Curve(const ControlPoints& points, double least_end_slope) {
    const std::vector<double> slopes = monotone_slopes(points, least_end_slope);
    set_grid(points);
    std::vector<Cell> pieces;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      pieces.push_back(
          hermite(points[i][0], points[i + 1][0], points[i][1], points[i + 1][1], slopes[i], slopes[i + 1]));
    const Cell left = line(points.front(), slopes.front()), right = line(points.back(), slopes.back());
    const auto sample = [&](double x) {
      std::size_t i = 0;
      while (i + 1 < points.size() && x >= points[i + 1][0]) ++i;
      return (x < points[0][0] ? left : i + 1 == points.size() ? right : pieces[i]).at(x);
    };

    cells_.assign(1, line({first_, sample(first_).d}, sample(first_).dd));
    for (int i = 0; i < count_; ++i) {
      const double x0 = first_ + i * width_, x1 = first_ + (i + 1) * width_;
      const Jet<double> f0 = sample(x0), f1 = i + 1 == count_ ? right.at(x1) : sample(x1);
      cells_.push_back(hermite(x0, x1, f0.d, f1.d, f0.dd, f1.dd));
    }
    const double last = first_ + count_ * width_;
    cells_.push_back(line({last, right.at(last).d}, right.p1));

    for (std::size_t i = 2; i < cells_.size(); ++i) cells_[i].integral = cells_[i - 1].at(cells_[i].start).f;
    const double rest = at(1.0).f;
    for (Cell& cell : cells_) cell.integral -= rest;
  }

  bool is_zero() const { return cells_.empty(); }
  /// d: the curve, dd: its slope, f: its integral from 1.
  Jet<double> at(double x) const { return is_zero() ? Jet<double>{0, 0, 0} : cell(x)->at(x); }

  // Where x lies, found by scaling and clamping; NaN goes to the left line and stays NaN.
  struct Cell {
    double start, integral, p0, p1, p2, p3;  // p0 + p1 t + p2 t^2 + p3 t^3, t = x - start
    template <Real T>
    static Jet<T> polynomial(T t, T integral, T p0, T p1, T p2, T p3) {
      return {integral + t * (p0 + t * (0.5 * p1 + t * ((1.0 / 3.0) * p2 + t * (0.25 * p3)))),
              p0 + t * (p1 + t * (p2 + t * p3)), p1 + t * (2.0 * p2 + t * (3.0 * p3))};
    }
    Jet<double> at(double x) const { return polynomial(x - start, integral, p0, p1, p2, p3); }
    bool operator==(const Cell&) const = default;
  };
  const Cell* cell(double x) const {
    const double u = (x - first_) * inverse_width_;
    return cells_.data() + (u >= 0 ? (u < count_ ? static_cast<int>(u) + 1 : count_ + 1) : 0);
  }
  bool operator==(const Curve&) const = default;
  void stamp(Stamp& out) const {
    out.add(count_), out.add(first_), out.add(width_);
    for (const Cell& c : cells_)
      for (const double number : {c.start, c.integral, c.p0, c.p1, c.p2, c.p3}) out.add(number);
  }

 private:
  static Cell line(std::array<double, 2> from, double slope) { return {from[0], 0, from[1], slope, 0, 0}; }
  static Cell hermite(double x0, double x1, double y0, double y1, double m0, double m1) {
    const double h = x1 - x0, secant = (y1 - y0) / h;
    return {x0, 0, y0, m0, (3 * secant - 2 * m0 - m1) / h, (m0 + m1 - 2 * secant) / (h * h)};
  }

  void set_grid(const ControlPoints& points) {
    constexpr int most = 512;
    const double low = points.front()[0], span = points.back()[0] - low;
    const auto fits = [&](int n) {
      return std::all_of(points.begin(), points.end(), [&](const auto& p) {
        const double u = (p[0] - low) / span * n;
        return std::abs(u - std::round(u)) < 1e-9;
      });
    };
    for (count_ = 1; count_ <= most && !fits(count_);) ++count_;
    first_ = low;
    if (count_ > most) {
      count_ = most;
      const double h = span / count_;
      if (1 > low && 1 < low + span) first_ = 1 - std::ceil((1 - low) / h) * h, ++count_;
      width_ = h;
    } else {
      width_ = span / count_;
    }
    inverse_width_ = 1 / width_;
  }

  double first_ = 0, width_ = 1, inverse_width_ = 1;
  int count_ = 0;
  std::vector<Cell> cells_;  // line on the left, count_ cells, line on the right
};

/// curves[which[lane]] at x, lane by lane for what must be looked up, together for the arithmetic.
template <Real T>
Jet<T> evaluate_curve(const Curve* curves, T x, T which) {
  if constexpr (std::same_as<T, double>) {
    return curves[static_cast<int>(which)].at(x);
  } else {
    static_assert(std::same_as<T, Pack>);
    alignas(64) double found[6][lanes];
    for (int l = 0; l < lanes; ++l) {
      const Curve& curve = curves[static_cast<int>(which[l])];
      const Curve::Cell cell = curve.is_zero() ? Curve::Cell{} : *curve.cell(x[l]);
      found[0][l] = cell.start, found[1][l] = cell.integral;
      found[2][l] = cell.p0, found[3][l] = cell.p1, found[4][l] = cell.p2, found[5][l] = cell.p3;
    }
    return Curve::Cell::polynomial(x - load(found[0]), load(found[1]), load(found[2]), load(found[3]),
                                   load(found[4]), load(found[5]));
  }
}

}  // namespace resilin
