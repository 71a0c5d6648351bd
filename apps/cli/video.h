// A video out of pictures, by an ffmpeg that is installed; never linked.
#pragma once
#include <cstdio>
#include <string>

#include "resilin/render.h"

namespace resilin::cli {

class Video {
 public:
  /// Throws InputError when the file is neither .mp4 nor .gif, or when there is no ffmpeg.
  static void check(const std::string& path);
  Video(const std::string& path, int width, int height, double frames_per_second);
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;
  void add(const Picture& picture);
  /// Waits for ffmpeg; throws WorkFailed when it did not succeed. The file appears only then.
  void finish();

 private:
  [[noreturn]] void fail(const std::string& problem) const;
  std::string path_, temporary_;
  std::FILE* pipe_ = nullptr;
};

}  // namespace resilin::cli
