// A frame of a run, read back from the VTU file that the run wrote, with all that is needed to draw it: bodies and
// fields, which read_mesh (io.h) leaves out.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "resilin/model.h"

namespace resilin {

struct FrameFile {
  Model model;  // bodies with surfaces and springs; its rest shape is this frame's
  std::vector<double> q;
  double time = 0;
  /// A number per vertex: lengths of vectors, means of the elements around it.
  std::map<std::string, std::vector<double>> fields;
};

/// A frame in a run's folder: FOLDER/frames/NAME_00012.vtu.
struct FrameName {
  int number = 0;
  std::string path;
};
/// In the order of their numbers; InputError when there are none.
std::vector<FrameName> frame_names(const std::string& folder);

/// Throws InputError for everything that is wrong with the file.
FrameFile read_frame_file(const std::string& path);

}  // namespace resilin
