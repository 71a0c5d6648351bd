#include "resilin/errors.h"

namespace resilin {

const char* name(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::iteration_limit: return "iteration_limit";
    case Status::time_limit: return "time_limit";
    case Status::stalled: return "stalled";
    case Status::not_finite: return "not_finite";
    case Status::cancelled: return "cancelled";
  }
  return "unknown";
}

}  // namespace resilin
