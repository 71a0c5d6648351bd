#include "lab/statics.h"

#include "lab/toolkit.h"
#include "linear/linear_solver.h"

namespace resilin::lab {

std::array<int, 3> cubic_cells(const Vec3& size, int across) {
  const double cell = *std::min_element(size.begin(), size.end()) / across;
  std::array<int, 3> cells;
  for (int k = 0; k < 3; ++k) cells[k] = std::max(1, static_cast<int>(std::lround(size[k] / cell)));
  return cells;
}

BoxPattern box_pattern(const std::string& name) {
  return name == "five" ? BoxPattern::five : name == "six" ? BoxPattern::six : BoxPattern::bcc;
}

TetMesh distorted_box(const BoxOptions& options, double amount, std::uint64_t seed) {
  TetMesh mesh = box(options);
  const Bounds b = bounds(mesh.vertices);
  const TetMesh regular = mesh;
  Random random(seed);
  for (double part = amount; part > 1e-3 * amount; part /= 2) {  // less when a tet would turn over
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const int k = static_cast<int>(i % 3);
      const double x = regular.vertices[i], cell = options.size[k] / options.cells[k];
      const bool surface = std::abs(x - b.lower[k]) < 1e-9 * cell || std::abs(x - b.upper[k]) < 1e-9 * cell;
      const double shift = part * cell * random.uniform(-1, 1);
      mesh.vertices[i] = x + (surface ? 0 : shift);
    }
    bool positive = true;
    for (int t = 0; t < mesh.tet_count(); ++t)
      positive = positive && tet_volume(mesh, t) > 0.05 * tet_volume(regular, t);
    if (positive) return mesh;
  }
  return regular;
}

namespace {

// Rest area vector's length of each boundary triangle on the face.
template <class Visit>
void visit_face(const TetMesh& mesh, const std::string& face, Visit&& visit) {
  std::vector<char> on(mesh.vertex_count(), 0);
  for (const int v : mesh.vertex_groups.at(face)) on[v] = 1;
  const std::vector<int> triangles = boundary_triangles(mesh);
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    const int* id = &triangles[t];
    if (!on[id[0]] || !on[id[1]] || !on[id[2]]) continue;
    double e[2][3];
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 2; ++j) e[j][k] = mesh.vertices[3 * id[j + 1] + k] - mesh.vertices[3 * id[0] + k];
    const double n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                         e[0][0] * e[1][1] - e[0][1] * e[1][0]};
    visit(id, std::hypot(n[0], n[1], n[2]) / 2);
  }
}

}  // namespace

void add_traction(const TetMesh& mesh, const std::string& face, const Vec3& traction, std::vector<double>& load) {
  load.resize(mesh.vertices.size());
  visit_face(mesh, face, [&](const int* id, double area) {
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) load[3 * id[j] + k] += traction[k] * area / 3;
  });
}

double face_area(const TetMesh& mesh, const std::string& face) {
  double sum = 0;
  visit_face(mesh, face, [&](const int*, double area) { sum += area; });
  return sum;
}

std::vector<double> affine(const std::vector<double>& rest, const double f[9]) {
  std::vector<double> y(rest.size());
  for (std::size_t i = 0; i < rest.size(); i += 3)
    for (int k = 0; k < 3; ++k)
      y[i + k] = f[3 * k] * rest[i] + f[3 * k + 1] * rest[i + 1] + f[3 * k + 2] * rest[i + 2];
  return y;
}

Statics::Statics(Model model, int threads)
    : model_(std::make_unique<Model>(std::move(model))),
      pool_(std::make_unique<ThreadPool>(threads > 0 ? threads : available_cores())),
      system_(std::make_unique<DynamicSystem>(*model_, *pool_)) {
  Stage stage;
  stage.tau = 1e12;  // M/tau^2 is far below the rounding of any stiffness
  stage.target = model_->rest;
  system_->begin(stage);
}

double Statics::energy(const std::vector<double>& y, std::vector<double>* gradient) {
  if (gradient != nullptr) gradient->resize(y.size());
  return system_->potential_energy(y.data(), gradient != nullptr ? gradient->data() : nullptr);
}

double Statics::residual(const std::vector<double>& load, const std::vector<double>& y, std::vector<double>& r,
                         double& merit) {
  merit = energy(y, &r);
  double squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    merit -= load[i] * y[i];
    r[i] = system_->space().free_index()[i / 3] < 0 ? 0 : load[i] - r[i];
    squares += r[i] * r[i];
  }
  return std::sqrt(squares);
}

Statics::Result Statics::equilibrium(const std::vector<double>& load, std::vector<double>& y, int iterations) {
  SymmetricMatrix matrix = system_->problem().linearise(system_->space().rest().data()).pattern();
  const auto solver = plugin<LinearSolverPlugin>("linear solver", "cholesky", "experiment").make();
  solver->analyse(matrix);
  const auto& free = system_->space().free_index();
  std::vector<double> r(y.size()), trial(y.size()), trial_r(y.size()),
      d(static_cast<std::size_t>(matrix.size()) * 3);
  double merit = 0, norm = residual(load, y, r, merit);
  Worst scale = norm;
  for (std::size_t i = 0; i < load.size(); ++i) scale.see(free[i / 3] < 0 ? 0 : std::abs(load[i]));
  Result out;
  bool improving = norm > 0;
  for (; improving && out.iterations < iterations; ++out.iterations) {
    system_->problem().linearise(y.data()).assemble(matrix, false);
    if (!solver->factorise(matrix, *pool_).positive_definite) {
      system_->problem().linearise(y.data()).assemble(matrix, true);
      if (!solver->factorise(matrix, *pool_).positive_definite) break;
    }
    for (std::size_t i = 0; i < y.size(); ++i)
      if (free[i / 3] >= 0) d[3 * free[i / 3] + i % 3] = r[i];
    solver->solve(d.data(), d.data(), *pool_);
    improving = false;
    double work = std::abs(merit);
    for (std::size_t i = 0; i < y.size(); ++i) work += std::abs(load[i] * y[i]);
    for (double alpha = 1; alpha > 1e-6 && !improving; alpha /= 2) {
      for (std::size_t i = 0; i < y.size(); ++i)
        trial[i] = y[i] + (free[i / 3] >= 0 ? alpha * d[3 * free[i / 3] + i % 3] : 0);
      double trial_merit = 0;
      const double trial_norm = residual(load, trial, trial_r, trial_merit);
      // Far away the energy has to fall; where it is flat to rounding only the forces can tell.
      improving = trial_norm < 0.9 * norm || trial_merit < merit - 1e-12 * work;
      if (!improving) continue;
      y.swap(trial), r.swap(trial_r);
      merit = trial_merit, norm = trial_norm;
    }
    scale.see(norm);
  }
  out.residual = scale > 0 ? norm / scale : 0;
  return out;
}

bool Statics::stable(const std::vector<double>& y) {
  SymmetricMatrix matrix = system_->problem().linearise(system_->space().rest().data()).pattern();
  const auto solver = plugin<LinearSolverPlugin>("linear solver", "cholesky", "experiment").make();
  solver->analyse(matrix);
  system_->problem().linearise(y.data()).assemble(matrix, false);
  return solver->factorise(matrix, *pool_).positive_definite;
}

std::array<double, 9> Statics::mean_stress(const std::vector<double>& y) {
  std::vector<double> g;
  energy(y, &g);
  double volume = 0;
  for (const Term& term : model_->terms)
    for (int i = 0; term.elements.rows() == 3 && i < term.elements.size(); ++i) volume += term.elements.measure(i);
  std::array<double, 9> p{};
  for (std::size_t v = 0; v < y.size(); v += 3)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) p[3 * i + j] += g[v + i] * model_->rest[v + j] / volume;
  return p;
}

}  // namespace resilin::lab
