// The main function of a program that has subcommands.
#pragma once
#include <functional>
#include <vector>

#include "command.h"

namespace resilin::cli {

/// Parses the command line and runs one of the commands, which are made inside: what they throw becomes a message.
/// Returns the exit status.
int command_main(int argc, char** argv, const std::function<std::vector<Command>()>& commands);

}  // namespace resilin::cli
