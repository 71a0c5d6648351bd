// Positions of all frames of a run on disk, until the formats that hold a whole animation can be written at its end. A run
// that was interrupted finds them again when it is resumed. Records of fixed size: frame, time, xyz of all vertices.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace resilin {

class PositionSpool {
 public:
  /// Keeps the records of an earlier file up to and including `keep_frame`; -1: begins anew. Throws InputError.
  PositionSpool(std::string path, int vertices, std::int64_t keep_frame = -1);

  void append(std::int64_t frame, double time, const std::vector<double>& positions);
  int count() const { return static_cast<int>(times_.size()); }
  const std::vector<double>& times() const { return times_; }
  std::int64_t last_frame() const { return last_frame_; }
  std::vector<double> positions(int index) const;
  /// Deletes the file.
  void remove();

 private:
  std::size_t record_bytes() const { return 16 + 24 * static_cast<std::size_t>(vertices_); }
  [[noreturn]] void fail(const char* what) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  int vertices_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<double> times_;
  std::int64_t last_frame_ = -1;
};

}  // namespace resilin
