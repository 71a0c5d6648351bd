// A finished run on show: its frames/*.vtu, with a time line, again and again.
#pragma once
#include <map>

#include "render/frame_file.h"
#include "resilin/scene.h"
#include "show.h"

namespace resilin::viewer {

class Playback final : public Show {
 public:
  /// InputError where there is no run.
  explicit Playback(const std::string& folder);

  Value::Object describe() const override;
  const Model& model() const override { return model_; }
  const DrawnObstacles& obstacles() const override { return obstacles_; }
  int views() const override { return 1; }
  double time() const override { return time_; }
  double frame_time() const override { return scene_.step * scene_.output_every; }
  /// After the last frame the first one comes again.
  void advance() override { seek((frame_ + 1) % static_cast<int>(files_.size())); }
  Shot shoot(int view, const Wanted& wanted) override;
  std::string colour_label(const std::string& colour) const override;
  void seek(int frame) override;
  std::string exported(const std::string& file) override;

 private:
  const FrameFile& frame(int number);

  Scene scene_;
  std::vector<FrameName> files_;
  Model model_;
  DrawnObstacles obstacles_;
  int frame_ = 0;
  double time_ = 0;
  std::map<int, FrameFile> read_;  // a few
};

}  // namespace resilin::viewer
