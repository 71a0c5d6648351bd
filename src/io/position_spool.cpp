#include "io/position_spool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "resilin/errors.h"

namespace resilin {

void PositionSpool::fail(const char* what) const {
  throw InputError(path_, fmt::format("{}: {}", what, std::strerror(errno)));
}

PositionSpool::PositionSpool(std::string path, int vertices, const std::function<bool(std::int64_t)>& keep)
    : path_(std::move(path)), vertices_(vertices) {
  if (keep) file_.reset(std::fopen(path_.c_str(), "r+b"));
  if (!file_) file_.reset(std::fopen(path_.c_str(), "w+b"));
  if (!file_) fail("cannot be written");
  std::int64_t frame = 0;
  double time = 0;
  while (std::fread(&frame, 8, 1, file_.get()) == 1 && std::fread(&time, 8, 1, file_.get()) == 1) {
    const long end = static_cast<long>(record_bytes() * (times_.size() + 1));
    if (!keep(frame) || frame <= last_frame_ || std::fseek(file_.get(), end - 1, SEEK_SET) != 0 ||
        std::fgetc(file_.get()) == EOF)
      break;
    note(frame, time);
  }
  std::clearerr(file_.get());
  if (::ftruncate(::fileno(file_.get()), static_cast<off_t>(record_bytes() * times_.size())) != 0)
    fail("cannot be cut");
  if (std::fseek(file_.get(), 0, SEEK_END) != 0) fail("cannot be written");
}

void PositionSpool::note(std::int64_t frame, double time) {
  if (times_.empty()) first_frame_ = frame;
  times_.push_back(time);
  last_frame_ = frame;
}

void PositionSpool::append(std::int64_t frame, double time, const std::vector<double>& positions) {
  assert(positions.size() == 3 * static_cast<std::size_t>(vertices_));
  if (frame <= last_frame_) return;
  std::FILE* file = file_.get();
  if (std::fseek(file, static_cast<long>(record_bytes() * times_.size()), SEEK_SET) != 0 ||
      std::fwrite(&frame, 8, 1, file) != 1 || std::fwrite(&time, 8, 1, file) != 1 ||
      std::fwrite(positions.data(), 8, positions.size(), file) != positions.size() || std::fflush(file) != 0)
    fail("cannot be written");
  note(frame, time);
}

std::vector<double> PositionSpool::positions(int index) const {
  assert(index >= 0 && index < count());
  std::vector<double> out(3 * static_cast<std::size_t>(vertices_));
  if (std::fseek(file_.get(), static_cast<long>(record_bytes() * static_cast<std::size_t>(index) + 16), SEEK_SET) !=
          0 ||
      std::fread(out.data(), 8, out.size(), file_.get()) != out.size())
    fail("cannot be read back");
  return out;
}

void PositionSpool::sync() {
  if (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL) fail("cannot be written");
}

void PositionSpool::remove() { ::unlink(path_.c_str()); }

}  // namespace resilin
