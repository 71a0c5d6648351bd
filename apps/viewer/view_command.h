// resilin view, for the main.cpp of the program.
#pragma once
#include "command.h"

namespace resilin::cli {

Command view_command();

}  // namespace resilin::cli
