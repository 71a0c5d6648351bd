// A fixed sample of the elements that stand in the constant Hessian: enough for a Hessian that is only wanted on a
// few smooth functions, such as that of a coarse space. One element of every stratum of neighbours is taken, by a
// seeded choice, since a fixed stride would always meet the same tet of a cell; what is taken stands for its term
// and component by measure. A small model is taken whole.
#pragma once
#include <vector>

#include "potentials/evaluate.h"

namespace resilin {

struct ElementSample {
  /// The unit of parallel work: part `part` of terms[term], all of one connected component.
  struct Group {
    int term, part, component;
    bool whole;  // no element of its term and component was left out
  };
  std::vector<Group> groups;
  std::vector<PackedTerm> terms;  // local ids are rows of the objective's copies of all parts
  std::vector<TermKernels> kernels;
  struct Corner {
    int vertex, row;
  };
  std::vector<Corner> corners;  // all that the sampled elements have, each once
};

ElementSample sample_elements(const Model& model, const Partition& partition);

}  // namespace resilin
