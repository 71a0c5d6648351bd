// Experiments as pages: one page for a paper (a source), with the verdict of each experiment, its rows, its figures
// and what differs from the paper; and one index for several papers. Used by `resilin reproduce`.
#pragma once
#include <string>
#include <vector>

#include "lab/experiment.h"

namespace resilin::lab {

/// The experiments of one source, in the order in which they ran.
struct PaperResults {
  std::string source;
  std::vector<ExperimentReport> experiments;
};

/// Sources in the order of their first experiment. An experiment of several stands with those among `asked`; with
/// all of them when none is.
std::vector<PaperResults> by_source(const std::vector<ExperimentReport>& reports,
                                    const std::vector<std::string>& asked = {});

std::string paper_html(const PaperResults& paper);
/// `pages`: where each paper's page is, relative to the index.
std::string papers_index_html(const std::vector<PaperResults>& papers, const std::vector<std::string>& pages);

}  // namespace resilin::lab
