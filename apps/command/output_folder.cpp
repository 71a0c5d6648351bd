#include "output_folder.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "resilin/errors.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

bool is_empty_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_empty(path, error) && !error;
}

// Only what looks like an earlier run is ever moved: `--out ~ --overwrite` must not rename a home folder.
std::string move_aside(const std::string& path, const std::string& marker) {
  if (!is_there(path + "/" + marker))
    throw InputError(path, "exists and is not the folder of an earlier run; --overwrite does not touch it");
  for (int k = 1;; ++k) {
    const std::string aside = fmt::format("{}.old-{}", path, k);
    if (is_there(aside)) continue;
    std::error_code error;
    fs::rename(path, aside, error);
    if (error) throw InputError(path, fmt::format("cannot be moved aside to {}: {}", aside, error.message()));
    return aside;
  }
}

}  // namespace

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool create_folder(const std::string& name) {
  const fs::path path = name;
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (!error && fs::create_directory(path, error)) return true;
  if (error) throw InputError(name, fmt::format("the output folder cannot be created: {}", error.message()));
  return false;
}

std::string file_name(const std::string& scene_name) {
  std::string out = scene_name.empty() ? "scene" : scene_name;
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  if (out.front() == '.' || out.front() == '-') out.front() = '_';
  return out.substr(0, 120);
}

OutputFolder::OutputFolder(const std::string& name, std::string marker, OutputRequest request)
    : base_(request.folder.empty() ? "out/" + file_name(name) : request.folder),
      marker_(std::move(marker)),
      request_(std::move(request)) {
  while (base_.size() > 1 && base_.back() == '/') base_.pop_back();
}

void OutputFolder::check() const {
  if (request_.folder.empty() || request_.overwrite || !is_there(base_) || is_empty_folder(base_)) return;
  throw InputError(
      base_, "the output folder exists already; choose another --out, or --overwrite to move the old one aside");
}

std::string OutputFolder::create(std::string* moved) const {
  if (request_.overwrite && is_there(base_) && !is_empty_folder(base_)) {
    const std::string aside = move_aside(base_, marker_);
    if (moved != nullptr) *moved = aside;
  }
  if (!request_.folder.empty()) {
    if (!create_folder(base_) && !is_empty_folder(base_))
      throw InputError(base_, "the output folder exists already");
    return base_;
  }
  if (create_folder(base_)) return base_;
  for (int k = 2;; ++k) {
    const std::string next = fmt::format("{}-{}", base_, k);
    if (create_folder(next)) return next;
  }
}

}  // namespace resilin::cli
