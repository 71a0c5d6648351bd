// The module resilin._core: what the Python layer in python/resilin is made of.
#include "bindings.h"
#include "cpu_check.h"
#include "resilin/version.h"

namespace py = pybind11;

// A path in a message may be no Unicode.
static py::object text(const std::string& bytes) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace"));
}

PYBIND11_MODULE(_core, m) {
  using namespace resilin;
  __builtin_cpu_init();
  const cli::CpuFeatures cpu{__builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("fma") != 0,
                             __builtin_cpu_supports("avx512f") != 0, __builtin_cpu_supports("avx512dq") != 0,
                             __builtin_cpu_supports("avx512vl") != 0};
  if (const char* missing = cli::missing_feature(simd_bits(), cpu))
    throw py::import_error(std::string("resilin was compiled for another CPU: this one has no ") + missing +
                           "; install it again on this machine, or with RESILIN_ARCH=x86-64-v3");
  m.doc() = "Resilin in C++, as the package `resilin` uses it.";
  m.attr("version") = version();
  m.attr("commit") = commit();
  m.attr("build_target") = build_target();
  // A ValueError with the place and the problem apart; what str() gives is the whole sentence.
  static const py::exception<InputError> input_error(m, "InputError", PyExc_ValueError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      py::object made = py::reinterpret_borrow<py::object>(input_error)(text(error.what()));
      made.attr("where") = text(error.where());
      made.attr("problem") = text(error.problem());
      PyErr_SetObject(input_error.ptr(), made.ptr());
    }
  });
  python::stop_when_python_ends();
  python::bind_meshes(m);
  python::bind_registry(m);
  python::bind_scenes(m);
  python::bind_simulation(m);
  python::bind_builder(m);
  python::bind_objective(m);
}
