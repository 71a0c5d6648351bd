#include "io/run_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "resilin/errors.h"

namespace resilin {

Value finite_or_null(double number) { return std::isfinite(number) ? Value(number) : Value(); }

RunLog::RunLog(std::string path, Open how)
    : path_(std::move(path)),
      fd_(::open(path_.c_str(), O_WRONLY | O_CREAT | (how == Open::create ? O_EXCL : 0) | O_APPEND | O_CLOEXEC,
                 0666)) {
  if (fd_ < 0) throw InputError(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return;  // some file systems cannot lock: go on without
  ::close(fd_);
  fd_ = -1;
  throw InputError(path_, "another process is writing this run");
}

RunLog::~RunLog() {
  if (fd_ < 0) return;
  ::fsync(fd_);
  ::close(fd_);
}

void RunLog::append(const Value& line) {
  assert(fd_ >= 0 && "appending to a closed run log");
  const std::string text = line.dump() + "\n";
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      if (before >= 0) (void)!::ftruncate(fd_, before);
      throw InputError(path_, fmt::format("cannot be written: {}", std::strerror(error)));
    }
    done += static_cast<std::size_t>(n);
  }
}

void RunLog::cut(std::size_t bytes) {
  if (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0)
    throw InputError(path_, fmt::format("cannot be cut: {}", std::strerror(errno)));
}

void RunLog::sync() {
  if (::fsync(fd_) != 0 && errno != EINVAL)
    throw InputError(path_, fmt::format("cannot be synced: {}", std::strerror(errno)));
}

void RunLog::close() {
  if (fd_ < 0) return;
  const bool failed = ::fsync(fd_) != 0 && errno != EINVAL;
  const int error = errno;
  ::close(fd_);
  fd_ = -1;
  if (failed) throw InputError(path_, fmt::format("cannot be synced: {}", std::strerror(error)));
}

}  // namespace resilin
