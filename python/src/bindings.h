// What the translation units of the Python module share: conversions with located errors, and the objects that
// Python holds.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "resilin/builder.h"
#include "resilin/errors.h"
#include "resilin/scene.h"
#include "resilin/simulation.h"
#include "resilin/watch.h"

namespace resilin::python {

namespace py = pybind11;

// ---- values (values.cpp)
// ----------------------------------------------------------------------------------------------

/// None, bool, numbers, text, paths, lists, arrays, dicts. InputError for everything else.
Value to_value(py::handle object, const std::string& where);
py::object to_python(const Value& value);
double to_number(py::handle object, const std::string& where);
std::string to_text(py::handle object, const std::string& where);
/// Text, bytes or what has __fspath__; TypeError for everything else.
std::string to_path(py::handle object);
/// A dict that has no other keys.
py::dict to_dict(py::handle object, const std::string& where, std::initializer_list<const char*> keys);
/// (name, parameters), as the Python layer hands plugins over.
Choice to_choice(py::handle object, const std::string& where);

/// xyz of `count` rows of an (n, 3) array, finite; negative: any number of rows.
std::vector<double> to_rows(py::handle object, std::ptrdiff_t count, const std::string& where);
/// All numbers of an array, finite; `count` negative: any.
std::vector<double> to_numbers(py::handle object, std::ptrdiff_t count, const std::string& where);
/// Ids in rows of `width`, from 0 to below `limit`; a list of ids where width is 0.
std::vector<int> to_ids(py::handle object, int width, int limit, const std::string& where);
/// Vertices by a mask of `count`, or by ids.
std::vector<int> to_selection(py::handle object, int count, const std::string& where);
std::array<double, 3> to_vector3(py::handle object, const std::string& where);
/// One number, or one for each.
PerElement to_per_element(py::handle object, const std::string& where);

/// A copy with rows of `width`, or flat where that is 0.
py::array to_array(const std::vector<double>& values, int width);
py::array to_array(const std::vector<int>& values, int width);
/// No copy: read-only rows of 3 that keep `owner` alive.
py::array view_of(const std::vector<double>& values, py::object owner, int width = 3);
py::array view_of(const std::vector<int>& values, py::object owner, int width);

// ---- calls that take long (watched.cpp)
// ---------------------------------------------------------------------------------

/// What a Python callback has thrown while no Python code could hear of it: the first one, until it is thrown
/// again.
class Failure {
 public:
  /// With the GIL.
  void keep(py::error_already_set& error);
  bool any() const { return any_; }
  /// With the GIL: throws what was kept, if something was.
  void throw_again();

 private:
  std::mutex mutex_;
  std::atomic<bool> any_ = false;
  std::optional<py::error_already_set> error_;
};

/// A Python object that any thread may drop.
std::shared_ptr<py::object> shared_object(py::object object);

/// Runs `work` without the GIL; Ctrl-C stops it and is thrown. `failures`: of callbacks, which stop it too.
void run_watched(const std::function<void()>& work, const std::vector<std::shared_ptr<Failure>>& failures = {});
/// Python is ending: no thread may ask for the GIL any more.
bool python_ends();
/// Tells Python to call us before it ends: what other threads compute stops, and they never come back.
void stop_when_python_ends();

// ---- what Python holds
// ----------------------------------------------------------------------------------------------------

/// A simulation with what stands beside it.
struct Held {
  void take(std::unique_ptr<Simulation> made) {
    simulation = std::move(made);
    vertices = simulation->model().vertex_count();
    for (const Body& body : simulation->model().bodies) bodies.push_back(body.name);
  }
  std::unique_ptr<Simulation> simulation;
  int vertices = 0;  // they and the names of bodies never change: other threads may ask while it steps
  std::vector<std::string> bodies;
  std::optional<Scene> scene;  // that it was made from, or that has its obstacles
  std::vector<std::string> notes;
  std::vector<std::shared_ptr<Failure>> failures;  // of callbacks in its model and solver
  std::shared_ptr<Failure> failure = std::make_shared<Failure>();
  std::shared_ptr<py::object> each_iteration;  // null: none
  bool tracing = false;
  std::atomic<bool> busy = false;
};

/// One call at a time: while it steps only its arrays can be read.
class Using {
 public:
  explicit Using(Held& held) : held_(held) {
    if (held_.busy.exchange(true))
      throw std::runtime_error(
          "the simulation is busy: with a step in another thread, or this is called from one of its callbacks");
  }
  ~Using() { held_.busy = false; }
  Using(const Using&) = delete;
  Using& operator=(const Using&) = delete;

 private:
  Held& held_;
};

struct OwnMaterial {
  std::shared_ptr<const MaterialPlugin> plugin;
  std::shared_ptr<Failure> failure;
};
struct OwnDamping {
  std::shared_ptr<const DampingPlugin> plugin;
  std::shared_ptr<Failure> failure;
};
/// `evaluate(F, derivatives, filter)`: see python/resilin/custom.py.
OwnMaterial own_material(py::object evaluate, std::string name, double stiffness, bool membrane);
OwnDamping own_damping(py::object rate, std::string name, double viscosity);

/// A solver that is a Python function; see objective.cpp.
std::unique_ptr<Solver> own_solver(py::object minimise, std::shared_ptr<Failure> failure);

void bind_meshes(py::module_& m);
void bind_registry(py::module_& m);
void bind_scenes(py::module_& m);
void bind_simulation(py::module_& m);
void bind_builder(py::module_& m);
void bind_edits(py::class_<Held, std::shared_ptr<Held>>& held);
void bind_objective(py::module_& m);

}  // namespace resilin::python
