#include "lab/toolkit.h"

#include <numeric>

#include "contact/obstacles/obstacle_potential.h"
#include "resilin/scene.h"

namespace resilin::lab {
namespace {

Plot plot_of(std::string title, std::string x, std::string y, std::vector<Series> series, bool log_x, bool log_y) {
  return {std::move(title), std::move(x), std::move(y), log_x, log_y, std::move(series)};
}

}  // namespace

Values given(const std::string& json) { return parse_json(json, "experiment").object(); }

std::vector<std::string> split_cells(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(" | ", from), line.size());
    out.push_back(line.substr(from, to - from));
    from = to + 3;
  }
  return out;
}

void begin_table(Findings& findings, const std::string& title, const std::string& columns) {
  findings.table(title, split_cells(columns), {});
}

Plot linear(std::string title, std::string x, std::string y, std::vector<Series> series) {
  return plot_of(std::move(title), std::move(x), std::move(y), std::move(series), false, false);
}
Plot semilogx(std::string title, std::string x, std::string y, std::vector<Series> series) {
  return plot_of(std::move(title), std::move(x), std::move(y), std::move(series), true, false);
}
Plot semilogy(std::string title, std::string x, std::string y, std::vector<Series> series) {
  return plot_of(std::move(title), std::move(x), std::move(y), std::move(series), false, true);
}
Plot loglog(std::string title, std::string x, std::string y, std::vector<Series> series) {
  return plot_of(std::move(title), std::move(x), std::move(y), std::move(series), true, true);
}

TetMesh cube_mesh(int n, BoxPattern pattern, double size) {
  return box({.size = {size, size, size}, .cells = {n, n, n}, .pattern = pattern});
}

void add_obstacle(Model& model, const std::string& obstacle, const Values& params, double stiffness) {
  const auto& kind = plugin<ObstaclePlugin>("obstacle", obstacle, "experiment");
  std::vector<int> all(static_cast<std::size_t>(model.vertex_count()));
  std::iota(all.begin(), all.end(), 0);
  model.terms.push_back({obstacle,
                         Elements::points(all),
                         {make_obstacle_potential(kind.make(kind.params.read(Value(params))), stiffness)}});
}

State at_rest(std::vector<double> q) {
  State out;
  out.v.assign(q.size(), 0.0);
  out.q = std::move(q);
  return out;
}

OneStage stage_from_rest(Model model, const std::vector<double>& q, double h, int threads) {
  return OneStage(std::move(model), q, std::vector<double>(q.size(), 0.0), h, threads);
}

std::vector<double> stretched(std::vector<double> rest, double factor) {
  for (std::size_t i = 0; i < rest.size(); i += 3) rest[i] *= factor;
  return rest;
}

Lame lame_of(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  Worst out;
  for (std::size_t i = 0; i < a.size(); ++i) out.see(std::abs(a[i] - b[i]));
  return out;
}

Vec3 mass_mean(const Model& model, const std::vector<double>& of) {
  Vec3 out{};
  for (std::size_t v = 0; v < model.mass.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) out[k] += model.mass[v] * of[3 * v + k];
  for (double& x : out) x /= model.total_mass();
  return out;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace resilin::lab
