// resilin-lab, started by `resilin`: the commands that judge simulations. A new one is one .cpp and two lines here,
// and a line in apps/cli/laboratory.cpp.
#include "command_line.h"
#include "lab/experiment.h"
#include "list.h"

namespace resilin::cli {

Command bench_command();
Command compare_command();
Command reproduce_command();

namespace {

std::vector<Command> commands() {
  std::vector<Kind> kinds = simulation_kinds();
  kinds.push_back(
      {"experiment", "experiments with expected values: resilin reproduce ID", entries_of<ExperimentPlugin>});
  return {compare_command(), reproduce_command(), bench_command(), list_command(std::move(kinds))};
}

}  // namespace
}  // namespace resilin::cli

int main(int argc, char** argv) { return resilin::cli::command_main(argc, argv, resilin::cli::commands); }
