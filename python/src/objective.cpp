// The function that a step minimises, and solvers that are Python functions.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "linear/sparse_matrix.h"
#include "problem/dynamic_system.h"

namespace resilin::python {
namespace {

// Phi of a stage at any x. Either of the next step of a simulation, which it keeps and begins again before each
// call, or of the stage that a solver is in, for the length of that.
class Phi {
 public:
  explicit Phi(std::shared_ptr<Held> held) : held_(std::move(held)) {
    const Using now(*held_);
    run_watched([&] { stage_ = held_->simulation->first_stage(); }, held_->failures);
    problem_ = &held_->simulation->system().problem();
  }
  explicit Phi(Problem& problem) : stage_(problem.stage()), problem_(&problem) {}
  void end() { problem_ = nullptr; }

  const Stage& stage() const { return stage_; }
  const std::vector<double>& rest() const { return problem().space().rest(); }
  std::vector<char> free() const {
    std::vector<char> out;
    for (const int index : problem().space().free_index()) out.insert(out.end(), 3, index >= 0 ? 1 : 0);
    return out;
  }

  double value(py::handle x) {
    double out = 0;
    run(x, [&](const std::vector<double>& y) { out = problem().evaluate(y.data(), nullptr).value(); });
    return out;
  }
  py::array gradient(py::handle x) {
    std::vector<double> g;
    run(x, [&](const std::vector<double>& y) {
      g.assign(y.size(), 0.0);
      problem().evaluate(y.data(), g.data());
    });
    return shaped(x, g);
  }
  py::tuple value_and_gradient(py::handle x) {
    std::vector<double> g;
    double out = 0;
    run(x, [&](const std::vector<double>& y) {
      g.assign(y.size(), 0.0);
      out = problem().evaluate(y.data(), g.data()).value();
    });
    return py::make_tuple(out, shaped(x, g));
  }
  // Rows, columns and values of the whole matrix; rows of pinned unknowns are those of the identity.
  py::tuple hessian(py::handle x, bool filter) {
    if (!problem().space().rows_are_vertices())
      throw InputError("hessian", "the unknowns of a reduced simulation have none");
    SymmetricMatrix matrix;
    run(x, [&](const std::vector<double>& y) {
      matrix = problem().linearise(problem().space().rest().data()).pattern();
      problem().linearise(y.data()).assemble(matrix, filter);
    });
    return entries(matrix);
  }

 private:
  Problem& problem() const {
    if (problem_ == nullptr) throw std::runtime_error("the stage of this objective has ended");
    return *problem_;
  }
  template <class Work>
  void run(py::handle x, Work&& work) {
    const auto n = static_cast<std::ptrdiff_t>(problem().space().size());
    const py::array array = py::array::ensure(x);
    const std::vector<double> y = array && array.ndim() == 1 ? to_numbers(x, n, "x") : to_rows(x, n / 3, "x");
    if (held_ == nullptr) {
      const py::gil_scoped_release release;
      work(y);
      return;
    }
    const Using now(*held_);
    run_watched(
        [&] {
          held_->simulation->system().begin(stage_, held_->simulation->state().solver);
          work(y);
        },
        held_->failures);
  }
  static py::array shaped(py::handle x, const std::vector<double>& values) {
    return to_array(values, py::array::ensure(x).ndim() == 1 ? 0 : 3);
  }
  py::tuple entries(const SymmetricMatrix& matrix) const {
    const std::vector<int>& free = problem().space().free_index();
    std::vector<int> vertex(static_cast<std::size_t>(matrix.size())), rows, columns;
    std::vector<double> values;
    for (std::size_t v = 0; v < free.size(); ++v) {
      if (free[v] >= 0) vertex[static_cast<std::size_t>(free[v])] = static_cast<int>(v);
      else
        for (int k = 0; k < 3; ++k)
          rows.push_back(3 * static_cast<int>(v) + k), columns.push_back(rows.back()), values.push_back(1);
    }
    const auto add = [&](int row, int column, double value) {
      rows.push_back(row), columns.push_back(column), values.push_back(value);
    };
    for (int i = 0; i < matrix.size(); ++i)
      for (int slot = matrix.start[static_cast<std::size_t>(i)];
           slot < matrix.start[static_cast<std::size_t>(i) + 1]; ++slot) {
        const int j = matrix.column[static_cast<std::size_t>(slot)];
        const double* block = &matrix.value[9 * static_cast<std::size_t>(slot)];
        const int row = 3 * vertex[static_cast<std::size_t>(i)], column = 3 * vertex[static_cast<std::size_t>(j)];
        for (int k = 0; k < 9; ++k) {
          add(row + k / 3, column + k % 3, block[k]);
          if (i != j) add(column + k % 3, row + k / 3, block[k]);
        }
      }
    return py::make_tuple(to_array(rows, 0), to_array(columns, 0), to_array(values, 0), 3 * free.size());
  }

  std::shared_ptr<Held> held_;  // null: of a solver
  Stage stage_;
  Problem* problem_ = nullptr;
};

// minimise(objective, x) -> x, where x is (n, 3).
class PythonSolver final : public Solver {
 public:
  PythonSolver(py::object minimise, std::shared_ptr<Failure> failure)
      : minimise_(shared_object(std::move(minimise))), failure_(std::move(failure)) {}

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory&, const StopRule&) override {
    SolveReport report;
    std::vector<double> gradient(y.size());
    const Evaluation before = problem.evaluate(y.data(), gradient.data());
    report.first_residual = before.gradient_norm();
    if (!python_ends()) {
      const py::gil_scoped_acquire gil;
      const auto phi = std::make_shared<Phi>(problem);
      try {
        const py::object result = (*minimise_)(phi, to_array(y, 3));
        y = to_rows(result, static_cast<std::ptrdiff_t>(y.size() / 3), "solver: result");
      } catch (py::error_already_set& error) {
        failure_->keep(error);
      } catch (const InputError& bad) {
        PyErr_SetString(PyExc_ValueError, bad.what());
        py::error_already_set error;
        failure_->keep(error);
      }
      phi->end();
    }
    if (failure_->any() || python_ends()) {
      report.status = Status::cancelled;
      return report;
    }
    std::vector<double> ignored(y.size());
    problem.space().coordinates().prescribe(problem.stage().time, y.data(), ignored.data());
    const Evaluation after = problem.evaluate(y.data(), gradient.data());
    report.objective = after.value(), report.residual = after.gradient_norm();
    report.iterations = 1, report.evaluations = 2;
    return report;
  }

  std::shared_ptr<py::object> minimise_;
  std::shared_ptr<Failure> failure_;
};

}  // namespace

std::unique_ptr<Solver> own_solver(py::object minimise, std::shared_ptr<Failure> failure) {
  return std::make_unique<PythonSolver>(std::move(minimise), std::move(failure));
}

void bind_objective(py::module_& m) {
  py::class_<Phi, std::shared_ptr<Phi>>(m, "Objective",
                                        "Phi of a stage: value, gradient and second derivatives at any x.")
      .def(py::init<std::shared_ptr<Held>>())
      .def("value", &Phi::value, py::arg("x"), "Phi(x) [J]; x is (n, 3) or flat")
      .def("gradient", &Phi::gradient, py::arg("x"), "[N], in the shape of x; zero where vertices are pinned")
      .def("value_and_gradient", &Phi::value_and_gradient, py::arg("x"), "both, by one evaluation")
      .def("hessian_entries", &Phi::hessian, py::arg("x"), py::arg("positive_definite"))
      .def_property_readonly(
          "start", [](const Phi& p) { return to_array(p.stage().guess, 3); },
          "(n, 3) where solvers begin: free flight, with pinned vertices in place")
      .def_property_readonly("target", [](const Phi& p) { return to_array(p.stage().target, 3); })
      .def_property_readonly(
          "tau", [](const Phi& p) { return p.stage().tau; }, "[s] of the stage")
      .def_property_readonly(
          "free",
          [](const Phi& p) {
            const std::vector<char> free = p.free();
            py::array_t<bool> out(static_cast<py::ssize_t>(free.size()));
            std::copy(free.begin(), free.end(), out.mutable_data());
            return out;
          },
          "mask of the 3n unknowns that are not pinned");
}

}  // namespace resilin::python
