// The formats of a run that hold a whole animation in one file (.glb, .npz, point caches): positions are collected on disk as
// the run goes and become files when it ends.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "io/position_spool.h"
#include "resilin/io.h"
#include "resilin/simulation.h"

namespace resilin::cli {

class RunSequence {
 public:
  /// Files are called `stem` + extension. `keep_frame`: of a run that is resumed, or -1.
  RunSequence(std::string stem, std::vector<FormatPlugin> formats, bool z_is_up, int keep_frame);

  void add(const Simulation& simulation, int frame);
  /// Writes all files, if there was a frame.
  void finish();

 private:
  std::string stem_, name_;
  std::vector<FormatPlugin> formats_;
  bool z_is_up_;
  int keep_frame_;
  MeshData mesh_;
  std::unique_ptr<PositionSpool> spool_;
};

}  // namespace resilin::cli
