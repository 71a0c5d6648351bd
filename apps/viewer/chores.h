// Work that may take long and must not slow the simulation down: pictures of the gallery and uploaded meshes, one
// after the other on a thread of low priority.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "resilin/params.h"

namespace resilin::viewer {

using SharedBytes = std::shared_ptr<const std::string>;

class Chores {
 public:
  Chores();
  /// Drops what has not begun and stops what can be stopped.
  ~Chores();
  Chores(const Chores&) = delete;
  Chores& operator=(const Chores&) = delete;

  /// A picture of a scene of the gallery, made when it is first asked for; null: there is none. `done` runs on the
  /// thread of chores.
  void thumbnail(const std::string& scene, std::function<void(SharedBytes)> done);
  /// Keeps a mesh file and has the doctor look at it: {"file", "findings"}, or {"error"}.
  void upload(const std::string& name, std::string contents, std::function<void(bool good, Value answer)> done);

  /// The path of an uploaded file; "": there is no such.
  std::string uploaded(const std::string& id) const;
  /// What the doctor says about a mesh file, in its own coordinates; [] for what is none.
  Value findings(const std::string& path);

 private:
  void add(std::function<void()> chore);
  void run();
  SharedBytes draw(const std::string& scene);

  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::vector<std::function<void()>> chores_;
  std::atomic<bool> stopping_ = false;
  std::map<std::string, SharedBytes> thumbnails_;
  std::map<std::string, std::string> uploads_;
  std::map<std::string, Value> findings_;  // by path
  std::string folder_;                     // of uploads; made when there is one
  std::thread thread_;
};

}  // namespace resilin::viewer
