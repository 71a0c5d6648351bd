// A Reduction as the Objective sees it (objective/subspace.h): unknowns are rows of the position subspace, elements
// are samples, local steps are fitted.
#pragma once
#include <memory>

#include "problem/subspace.h"
#include "reduction/reduction.h"

namespace resilin {

/// Takes what was precomputed for that model. The pool must outlive it.
std::unique_ptr<Subspace> make_subspace(std::unique_ptr<const Reduction> reduction, const Model& model,
                                        ThreadPool& pool);

}  // namespace resilin
