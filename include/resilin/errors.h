// What went wrong, as a type. A bug is an assert; bad input (file, scene, parameter) throws InputError;
// a numerical outcome is a Status value and never an exception.
#pragma once
#include <stdexcept>
#include <string>

namespace resilin {

/// Bad input: where it was found, what stood there and what is allowed. what() is the whole sentence.
class InputError : public std::runtime_error {
 public:
  /// `where`: "scene.json: bodies[0].material.poisson" or "mesh.msh:12"; `problem`: what is wrong there.
  InputError(const std::string& where, const std::string& problem)
      : std::runtime_error(where.empty() ? problem : where + ": " + problem), where_(where), problem_(problem) {}
  const std::string& where() const { return where_; }
  const std::string& problem() const { return problem_; }

 private:
  std::string where_, problem_;
};

/// How a numerical procedure ended. `stalled`: round-off or a plateau let it gain no more, before the tolerance was
/// met. Only not_finite means that the result must not be used.
enum class Status { converged, iteration_limit, time_limit, stalled, not_finite, cancelled };

const char* name(Status status);

}  // namespace resilin
