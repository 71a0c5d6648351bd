// resilin check SCENE: what a scene holds and what is doubtful about its start, without running it.
#pragma once
#include <string>

#include "command.h"

namespace resilin::cli {

/// A file that ends in .json, or the name of a scene of the gallery.
bool is_scene(const std::string& name);
/// Prints it and returns the exit status.
int check_scene(const std::string& name, const Shared& shared);

}  // namespace resilin::cli
