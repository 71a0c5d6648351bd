// Positions of all frames of a run on disk, until the formats that hold a whole animation can be written at its
// end. A run that was interrupted finds them again when it is resumed. Records of fixed size: frame, time, xyz of
// all vertices.
#pragma once
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace resilin {

class PositionSpool {
 public:
  /// Keeps the records at the beginning of an earlier file whose frames `keep` wants; without it, begins anew.
  /// Throws InputError.
  PositionSpool(std::string path, int vertices, const std::function<bool(std::int64_t frame)>& keep = {});

  void append(std::int64_t frame, double time, const std::vector<double>& positions);
  int count() const { return static_cast<int>(times_.size()); }
  const std::vector<double>& times() const { return times_; }
  /// -1 when there is none.
  std::int64_t first_frame() const { return first_frame_; }
  std::int64_t last_frame() const { return last_frame_; }
  std::vector<double> positions(int index) const;
  /// What was appended is on the disk after this.
  void sync();
  /// Deletes the file.
  void remove();

 private:
  void note(std::int64_t frame, double time);
  std::size_t record_bytes() const { return 16 + 24 * static_cast<std::size_t>(vertices_); }
  [[noreturn]] void fail(const char* what) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  int vertices_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<double> times_;
  std::int64_t first_frame_ = -1, last_frame_ = -1;
};

}  // namespace resilin
