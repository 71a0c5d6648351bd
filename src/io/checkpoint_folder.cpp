// Checkpoints of a run's folder: the newest and the one before.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/io.h"

namespace resilin {
namespace {

namespace fs = std::filesystem;

/// The frame in "checkpoint_00012.rck"; none for every other name.
std::optional<long> frame_of(const std::string& name) {
  const std::string head = "checkpoint_", tail = ".rck";
  if (!name.starts_with(head) || !name.ends_with(tail) || name.size() <= head.size() + tail.size()) return {};
  const char *first = name.data() + head.size(), *last = name.data() + name.size() - tail.size();
  long frame = 0;
  const auto [end, error] = std::from_chars(first, last, frame);
  if (error != std::errc() || end != last || frame < 0) return {};
  return frame;
}

void remove_older(const std::string& folder, long than, int all_but) {
  for (const std::string& file : checkpoint_files(folder)) {
    std::error_code ignored;
    if (*frame_of(fs::path(file).filename().string()) < than && --all_but < 0) fs::remove(file, ignored);
  }
}

}  // namespace

std::vector<std::string> checkpoint_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::pair<long, std::string>> found;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    if (const auto frame = frame_of(i->path().filename().string())) found.emplace_back(*frame, i->path().string());
  if (error) throw InputError(folder, fmt::format("the folder cannot be read: {}", error.message()));
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> files;
  for (auto& [frame, file] : found) files.push_back(std::move(file));
  return files;
}

std::string add_checkpoint(const std::string& folder, const Checkpoint& checkpoint) {
  const std::string path = fmt::format("{}/checkpoint_{:05}.rck", folder, checkpoint.frame);
  remove_older(folder, checkpoint.frame, 2);  // what runs left that were killed before they removed it
  save_checkpoint(path, checkpoint);
  remove_temporary_files(folder);
  remove_older(folder, checkpoint.frame, 1);
  // After a resume from an older checkpoint, newer files are damaged ones.
  for (const std::string& file : checkpoint_files(folder)) {
    std::error_code ignored;
    if (*frame_of(fs::path(file).filename().string()) > checkpoint.frame) fs::remove(file, ignored);
  }
  return path;
}

FoundCheckpoint newest_checkpoint(const std::string& folder) {
  FoundCheckpoint found;
  for (const std::string& file : checkpoint_files(folder)) {
    try {
      found.checkpoint = load_checkpoint(file);
      found.file = file;
      return found;
    } catch (const InputError& error) {
      found.damage.emplace_back(error.what());
    }
  }
  if (found.damage.empty())
    throw InputError(folder, "holds no checkpoint (resilin run --checkpoint-every N writes them)");
  std::string all;
  for (const std::string& one : found.damage) all += (all.empty() ? "" : "; ") + one;
  throw InputError(folder, "no checkpoint in it can be read: " + all);
}

}  // namespace resilin
