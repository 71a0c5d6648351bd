// Work without the GIL that Ctrl-C stops.
#include <pthread.h>

#include "bindings.h"

namespace resilin::python {

void Failure::keep(py::error_already_set& error) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  error_.emplace(error);
  any_ = true;
}

void Failure::throw_again() {
  if (!any_) return;
  const std::lock_guard lock(mutex_);
  any_ = false;
  py::error_already_set error = std::move(*error_);
  error_.reset();
  throw error;
}

std::shared_ptr<py::object> shared_object(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire gil;
            delete held;
          }};
}

namespace {

std::atomic<bool> ending = false;
std::atomic<int> running = 0;  // calls of run_watched that will ask for the GIL

// A thread that asks for the GIL of an interpreter that ends is torn out of its functions, which C++ does not
// survive.
void park() {
  --running;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

constexpr auto patience = std::chrono::milliseconds(50);  // between looks for Ctrl-C: each waits for the GIL

// Asked by any thread of the computation. Only the main thread of Python can hear signals, and only where it is the
// one that waits.
class Interrupts {
 public:
  explicit Interrupts(const std::vector<std::shared_ptr<Failure>>& failures) : failures_(failures) {}
  bool stops() {
    if (stopped_ || ending) return true;
    for (const auto& failure : failures_)
      if (failure->any()) return stopped_ = true;
    if (std::this_thread::get_id() != caller_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < patience) return false;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) {
      py::error_already_set error;
      failure_.keep(error);
      stopped_ = true;
    }
    looked_ = std::chrono::steady_clock::now();
    return stopped_;
  }
  void throw_again() { failure_.throw_again(); }

 private:
  const std::vector<std::shared_ptr<Failure>>& failures_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::atomic<bool> stopped_ = false;
  Failure failure_;
};

}  // namespace

bool python_ends() { return ending; }

void stop_when_python_ends() {
  pthread_atfork(nullptr, nullptr, [] { running = 0; });  // a child has none of the other threads
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    ending = true;
    const py::gil_scoped_release release;
    for (int i = 0; running > 0 && i < 10000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }));
}

void run_watched(const std::function<void()>& work, const std::vector<std::shared_ptr<Failure>>& failures) {
  if (ending) throw std::runtime_error("Python is ending");
  Interrupts interrupts(failures);
  std::exception_ptr thrown;
  ++running;
  {
    const py::gil_scoped_release release;
    const Watch watch([](const std::string&) {}, [&] { return interrupts.stops(); });
    try {
      work();
    } catch (const Cancelled&) {
    } catch (...) {
      thrown = std::current_exception();
    }
    if (ending) park();
  }
  --running;
  std::exception_ptr first;  // the others say the same
  for (const auto& failure : failures) {
    try {
      failure->throw_again();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
  interrupts.throw_again();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace resilin::python
