#pragma once
#include <memory>

#include "objective/subspace.h"
#include "resilin/reduction.h"

namespace resilin {

std::unique_ptr<Subspace> make_subspace(const Model& model, const ReductionOptions& options, ThreadPool& pool);

}  // namespace resilin
