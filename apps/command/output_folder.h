// Where a command puts its results: out/NAME, out/NAME-2, ... or what --out says. An existing folder is never
// overwritten; --overwrite moves one of an earlier run aside.
#pragma once
#include <string>

namespace resilin::cli {

struct OutputRequest {
  std::string folder;      // empty: out/NAME, or out/NAME-2, ... when that exists
  bool overwrite = false;  // move an existing folder of an earlier run aside
};

class OutputFolder {
 public:
  /// `marker`: the file by which a folder of an earlier run is known.
  OutputFolder(const std::string& name, std::string marker, OutputRequest request);
  /// Throws InputError for what can be seen without creating anything: call it before the costly part.
  void check() const;
  /// Makes the folder and returns its path. `moved` receives where the one that was there went, if --overwrite
  /// moved it.
  std::string create(std::string* moved = nullptr) const;

 private:
  std::string base_, marker_;
  OutputRequest request_;
};

/// True when this call made the folder: two runs at once do not share one.
bool create_folder(const std::string& path);
/// Also true for a link that leads nowhere.
bool is_there(const std::string& path);

/// A name that is one plain folder or file name whatever stands in the scene.
std::string file_name(const std::string& scene_name);

}  // namespace resilin::cli
