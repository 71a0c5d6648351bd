// The formats of a run that hold a whole animation in one file (.glb, .npz, point caches): positions are collected
// on disk as the run goes and become files when it ends.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/position_spool.h"
#include "resilin/io.h"
#include "resilin/simulation.h"

namespace resilin::cli {

class RunSequence {
 public:
  /// Files are called `stem` + extension.
  RunSequence(std::string stem, std::vector<FormatPlugin> formats, bool z_is_up, const Model& model);
  /// Goes on with the frames of a run that is resumed: those up to `last` that `keep` wants. False when some are
  /// lost; what is written then begins at the next frame and is called STEM_from_FRAME, so that it replaces no
  /// longer file.
  bool go_on(const std::function<bool(std::int64_t frame)>& keep, std::int64_t last);

  bool empty() const { return formats_.empty(); }
  void add(const Simulation& simulation, int frame);
  /// The positions are on the disk after this.
  void sync();
  /// Writes all files, if there was a frame.
  void write() const;
  /// Deletes the positions: nobody will go on with them.
  void forget();

 private:
  std::string stem_, name_;
  std::vector<FormatPlugin> formats_;
  bool z_is_up_;
  MeshData mesh_;
  std::unique_ptr<PositionSpool> spool_;
};

}  // namespace resilin::cli
