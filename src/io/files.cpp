#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <regex>
#include <vector>

#include "resilin/errors.h"
#include "resilin/io.h"

namespace resilin {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw InputError(path, fmt::format("{}: {}", what, std::strerror(error)));
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  /// The error of close(2), which is where some file systems report a full disk.
  int close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int fd_;
};

int write_all(int fd, const std::string& contents) {
  std::size_t done = 0;
  while (done < contents.size()) {
    const ssize_t n = ::write(fd, contents.data() + done, contents.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    done += static_cast<std::size_t>(n);
  }
  return 0;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The rename itself survives a power cut only when its folder is synced. Some file systems cannot; the file is
// whole anyway.
void sync_folder(const std::string& path) {
  const Descriptor folder(folder_of(path), O_RDONLY | O_DIRECTORY);
  if (folder.is_open()) (void)::fsync(folder.fd());
}

// Unique among threads and processes, so that two writers of one file do not mix.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.tmp-{}-{}", path, ::getpid(), count++);
}

}  // namespace

void write_file(const std::string& path, const std::string& contents) {
  const std::string temporary = temporary_name(path);
  Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  if (!file.is_open()) fail(path, "cannot be written", errno);
  int error = write_all(file.fd(), contents);
  if (error == 0 && ::fsync(file.fd()) != 0 && errno != EINVAL) error = errno;
  const int close_error = file.close();
  if (error == 0) error = close_error;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", error);
  }
  sync_folder(path);
}

void remove_temporary_files(const std::string& folder) {
  static const std::regex temporary(R"(.*\.tmp-\d+-\d+)");  // as temporary_name() makes them
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    if (std::regex_match(i->path().filename().string(), temporary)) found.push_back(i->path());
  for (const std::filesystem::path& file : found) std::filesystem::remove(file, error);
}

std::string read_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file.is_open()) fail(path, "cannot be read", errno);
  struct stat info {};
  if (::fstat(file.fd(), &info) != 0) fail(path, "cannot be read", errno);
  if (S_ISDIR(info.st_mode)) fail(path, "cannot be read", EISDIR);
  std::string contents;
  if (info.st_size > 0) contents.reserve(static_cast<std::size_t>(info.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.fd(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "cannot be read", errno);
    if (n == 0) return contents;
    contents.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace resilin
