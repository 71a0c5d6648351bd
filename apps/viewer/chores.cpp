#include "chores.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "findings.h"
#include "picture.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/render.h"
#include "resilin/scene.h"
#include "resilin/watch.h"

namespace resilin::viewer {
namespace {

namespace fs = std::filesystem;

constexpr int low_priority = 10;

// A plain name that keeps its extensions: formats are known by them.
std::string safe_name(const std::string& name) {
  std::string out = fs::path(name).filename().string();
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  while (out.starts_with('.')) out.erase(0, 1);
  if (out.size() > 100) out.erase(0, out.size() - 100);
  return out.empty() ? "mesh" : out;
}

}  // namespace

Chores::Chores() : thread_([this] { run(); }) {}

Chores::~Chores() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  thread_.join();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

void Chores::add(std::function<void()> chore) {
  {
    const std::lock_guard lock(mutex_);
    chores_.push_back(std::move(chore));
  }
  work_.notify_all();
}

void Chores::run() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), low_priority);  // of this thread alone
  const Watch watch([](const std::string&) {}, [this] { return stopping_.load(); });
  while (true) {
    std::function<void()> chore;
    {
      std::unique_lock lock(mutex_);
      work_.wait(lock, [this] { return stopping_ || !chores_.empty(); });
      if (stopping_) return;
      chore = std::move(chores_.front());
      chores_.erase(chores_.begin());
    }
    try {
      chore();
    } catch (const Cancelled&) {
    }
  }
}

// ---- pictures
// ----------------------------------------------------------------------------------------------------

SharedBytes Chores::draw(const std::string& name) {
  const auto all = gallery();
  if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.first == name; })) return nullptr;
  try {
    const Scene scene = load_scene(name);
    State state;
    const Model model = build_model(scene, state);
    RenderOptions options = cli::picture_options(scene);
    options.width = 320, options.height = 240, options.samples = 2, options.threads = 1;
    return std::make_shared<const std::string>(png(render(model, state.q, options)));
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void Chores::thumbnail(const std::string& scene, std::function<void(SharedBytes)> done) {
  add([this, scene, done = std::move(done)] {
    {
      const std::lock_guard lock(mutex_);
      const auto known = thumbnails_.find(scene);
      if (known != thumbnails_.end()) return done(known->second);
    }
    const SharedBytes bytes = draw(scene);
    if (bytes) {
      const std::lock_guard lock(mutex_);
      thumbnails_[scene] = bytes;
    }
    done(bytes);
  });
}

// ---- meshes
// ------------------------------------------------------------------------------------------------------

void Chores::upload(const std::string& name, std::string contents, std::function<void(bool, Value)> done) {
  add([this, name = safe_name(name), contents = std::move(contents), done = std::move(done)] {
    try {
      if (format_of_path(name).empty()) throw InputError(name, "is no mesh file: no format has this extension");
      std::string id, path;
      {
        const std::lock_guard lock(mutex_);
        if (folder_.empty()) {
          std::string pattern = (fs::temp_directory_path() / "resilin-view-XXXXXX").string();
          if (mkdtemp(pattern.data()) == nullptr) throw InputError(pattern, "the folder cannot be made");
          folder_ = pattern;
        }
        id = fmt::format("upload:{}", uploads_.size() + 1);
        path = fmt::format("{}/{}/{}", folder_, uploads_.size() + 1, name);
      }
      fs::create_directories(fs::path(path).parent_path());
      write_file(path, contents);
      const Value found = findings(path);  // InputError: it cannot be read
      const std::lock_guard lock(mutex_);
      uploads_[id] = path;
      done(true, Value::Object{{"file", id}, {"findings", found}});
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      done(false, Value::Object{{"error", error.what()}});
    }
  });
}

std::string Chores::uploaded(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  return found == uploads_.end() ? "" : found->second;
}

Value Chores::findings(const std::string& path) {
  if (format_of_path(path).empty()) return Value::List{};
  {
    const std::lock_guard lock(mutex_);
    const auto known = findings_.find(path);
    if (known != findings_.end()) return known->second;
  }
  watch_begin("examining " + fs::path(path).filename().string());
  Value found = mesh_findings(read_mesh(path));
  const std::lock_guard lock(mutex_);
  return findings_[path] = std::move(found);
}

}  // namespace resilin::viewer
