#include "reduction/reduced_subspace.h"

#include "resilin/errors.h"

namespace resilin {

std::unique_ptr<Subspace> make_subspace(const Model&, const ReductionOptions&, ThreadPool&) {
  throw InputError("reduction", "not yet");
}

}  // namespace resilin
