// compare, reproduce and bench live in a second program, resilin-lab beside this one. `resilin` starts it as if it
// were one.
#pragma once
#include <vector>

#include "command.h"

namespace resilin::cli {

/// Their names and what they do, for `resilin --help`.
std::vector<Command> laboratory_commands();
/// One of these, or the list of experiments.
bool asks_for_laboratory(char** argv);
/// This process becomes the other one. Throws WorkFailed when that is not there.
[[noreturn]] void become_laboratory(char** argv);

}  // namespace resilin::cli
