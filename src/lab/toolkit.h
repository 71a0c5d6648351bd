// What experiments are written with: findings with tables and plots; scenes, steps that count, extremes and shares;
// and the small things that many of them measure.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/figures.h"
#include "lab/setup.h"
#include "lab/share.h"
#include "lab/worst.h"
#include "potentials/material.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"

/// An extreme is written as the number that it is.
template <class Before>
struct fmt::formatter<resilin::setup::Extreme<Before>> : fmt::formatter<double> {
  auto format(double value, fmt::format_context& context) const {
    return fmt::formatter<double>::format(value, context);
  }
};

namespace resilin::lab {

/// Parameter values, written as JSON: given(R"({"cells": 2, "young": [1e5]})").
Values given(const std::string& json);

// ---- tables and plots

std::vector<std::string> split_cells(const std::string& line);
/// The cells of a row, separated by '|': cells("{} | {:g} | {:.3f}", name, young, drift).
template <class... T>
std::vector<std::string> cells(fmt::format_string<T...> line, T&&... values) {
  return split_cells(fmt::format(line, std::forward<T>(values)...));
}

/// A table of these columns, separated by '|', whose rows come one by one (Findings::table_row).
void begin_table(Findings& findings, const std::string& title, const std::string& columns);

Plot linear(std::string title, std::string x_label, std::string y_label, std::vector<Series> series = {});
Plot semilogx(std::string title, std::string x_label, std::string y_label, std::vector<Series> series = {});
Plot semilogy(std::string title, std::string x_label, std::string y_label, std::vector<Series> series = {});
Plot loglog(std::string title, std::string x_label, std::string y_label, std::vector<Series> series = {});

// ---- bodies and states

/// A cube [m] of n x n x n cells.
TetMesh cube_mesh(int n, BoxPattern pattern = BoxPattern::five, double size = 1);
/// A frictionless obstacle that acts on all vertices of the model.
void add_obstacle(Model& model, const std::string& obstacle, const Values& params, double stiffness);
/// These positions, at rest.
State at_rest(std::vector<double> q);
/// One step of h from these positions, at rest.
OneStage stage_from_rest(Model model, const std::vector<double>& q, double h, int threads = 0);
/// Positions with x times `factor`.
std::vector<double> stretched(std::vector<double> rest, double factor);
/// Those of a solid with this Young's modulus and Poisson ratio.
Lame lame_of(double young, double poisson);

// ---- measures

/// Largest |a_i - b_i|.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);
/// Mean of a vector per vertex (positions, velocities), weighted by mass.
Vec3 mass_mean(const Model& model, const std::vector<double>& of);
bool all_finite(const std::vector<double>& values);

}  // namespace resilin::lab
