// resilin. A new subcommand is one .cpp and two lines here.
#include "command_line.h"
#include "laboratory.h"
#include "list.h"
#include "view_command.h"

namespace resilin::cli {

Command check_command();
Command convert_command();
Command new_command();
Command render_command();
Command replay_command();
Command resume_command();
Command run_command();
Command schema_command();

namespace {

std::vector<Command> commands(char** argv) {
  if (asks_for_laboratory(argv)) become_laboratory(argv);
  std::vector<Kind> kinds = simulation_kinds();
  kinds.push_back({"experiment", "experiments with expected values; resilin list experiment shows them", nullptr});
  std::vector<Command> all = {run_command(),     resume_command(), replay_command(),
                              render_command(),  view_command(),   check_command(),
                              convert_command(), new_command(),    list_command(std::move(kinds)),
                              schema_command()};
  for (Command& command : laboratory_commands()) all.push_back(std::move(command));
  return all;
}

}  // namespace
}  // namespace resilin::cli

int main(int argc, char** argv) {
  using namespace resilin::cli;
  return command_main(argc, argv, [&] { return commands(argv); });
}
