// A precomputed reduction in a file.
#include <unistd.h>

#include <filesystem>

#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/reduction.h"

namespace resilin {
namespace {

namespace fs = std::filesystem;

class FileStore final : public ReductionStore {
 public:
  explicit FileStore(std::string path) : path_(std::move(path)) {}
  std::string where() const override { return path_; }
  std::optional<std::string> load() const override {
    std::error_code error;
    if (fs::exists(path_, error) || error) return read_file(path_);
    // Said before the minutes that large bodies take, not after.
    const fs::path folder = fs::path(path_).parent_path();
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
      throw InputError(path_, "cannot be written: its folder does not exist or takes no files");
    return std::nullopt;
  }
  void save(const std::string& bytes) const override { write_file(path_, bytes); }

 private:
  std::string path_;
};

}  // namespace

std::shared_ptr<const ReductionStore> reduction_file(const std::string& path) {
  return std::make_shared<FileStore>(path);
}

}  // namespace resilin
