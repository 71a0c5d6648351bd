// File formats, one .cpp each in src/io. A format writes frames of a model and says what it can hold.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "resilin/model.h"
#include "resilin/params.h"
#include "resilin/state.h"

namespace resilin {

/// One frame as formats see it.
struct Frame {
  const Model* model;
  const State* state;
  int number;
  double time;
};

struct FormatPlugin {
  std::string doc;
  std::string extension;  // ".vtu"
  /// The contents of one frame's file; null when the format cannot write frames.
  std::function<std::string(const Frame&)> write_frame;
  /// Contents of a file that names all frames (".pvd"), from (time, file name); null when it needs none.
  std::function<std::string(const std::vector<std::pair<double, std::string>>&)> write_index;
  std::string index_extension;
};

/// Writes to a temporary name beside it, syncs, renames, syncs the folder: the file is either the old one or the new one.
/// Throws InputError when the folder cannot be written.
void write_file(const std::string& path, const std::string& contents);
std::string read_file(const std::string& path);

}  // namespace resilin
