#include "video.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "command.h"
#include "resilin/errors.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

std::string extension(const std::string& path) { return fs::path(path).extension().string(); }

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

void Video::check(const std::string& path) {
  if (extension(path) != ".mp4" && extension(path) != ".gif")
    throw InputError("--video " + path, "the name must end in .mp4 or .gif");
  if (!is_installed("ffmpeg"))
    throw InputError("--video " + path,
                     "videos are made by ffmpeg, which is not installed (apt install ffmpeg, brew install ffmpeg); "
                     "without --video the frames are written as PNG files");
}

Video::Video(const std::string& path, int width, int height, double frames_per_second)
    : path_(path), temporary_(path + ".part" + extension(path)) {
  // H.264 wants even sizes; a GIF wants a palette of its own.
  const std::string filter =
      extension(path) == ".gif" ? "split[a][b];[a]palettegen[p];[b][p]paletteuse" : "pad=ceil(iw/2)*2:ceil(ih/2)*2";
  const std::string codec = extension(path) == ".gif" ? "" : " -pix_fmt yuv420p -movflags +faststart";
  const std::string command = fmt::format(
      "ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {}x{} -framerate {:.6g} -i - -vf {}{} {}", width,
      height, frames_per_second, quoted(filter), codec,
      quoted(temporary_.front() == '-' ? "./" + temporary_ : temporary_));
  ::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that gives up is an error of a write here
  pipe_ = ::popen(command.c_str(), "w");
  if (pipe_ == nullptr) fail("ffmpeg cannot be started");
}

Video::~Video() {
  if (pipe_ == nullptr) return;
  ::pclose(pipe_);
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void Video::fail(const std::string& problem) const { throw WorkFailed(path_ + ": " + problem); }

void Video::add(const Picture& picture) {
  if (std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), pipe_) != picture.rgb.size()) fail("ffmpeg gave up");
}

void Video::finish() {
  const int status = ::pclose(pipe_);
  pipe_ = nullptr;
  std::error_code error;
  if (status != 0) {
    fs::remove(temporary_, error);
    fail(fmt::format("ffmpeg failed (status {})", WIFEXITED(status) ? WEXITSTATUS(status) : status));
  }
  fs::rename(temporary_, path_, error);
  if (error) fail("cannot be written: " + error.message());
}

}  // namespace resilin::cli
