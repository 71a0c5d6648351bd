#include "io/external_mesher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "resilin/errors.h"
#include "resilin/io.h"

extern char** environ;

namespace resilin {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "resilin-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) throw InputError("mesher", "no temporary folder can be made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path file = fs::path(folder.empty() ? "." : folder) / program;
    if (fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// The exit status, or -1 when it could not be started or was killed. What it says goes to `log`.
int run_program(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failure != 0) return -1;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string last_words(const std::string& log) {
  std::error_code error;
  if (!fs::is_regular_file(log, error)) return "";
  std::string text = read_file(log);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  if (text.size() > 400) text = "..." + text.substr(text.size() - 400);
  return text.empty() ? "" : "; it said: " + text;
}

/// Edge length that is asked for. A regular tet of edge s has the volume s^3 / (6 sqrt 2).
double edge_length(const TriangleMesh& surface, const SurfaceFillOptions& options) {
  if (options.spacing > 0) return options.spacing;
  const Bounds box = bounds(surface.vertices);
  double extent = 0;
  for (std::size_t k = 0; k < 3; ++k) extent = std::max(extent, box.upper[k] - box.lower[k]);
  if (options.cells > 0) return extent / options.cells;
  return std::cbrt(6 * std::sqrt(2.0) * std::abs(enclosed_volume(surface)) / options.tets);
}

struct Job {
  std::vector<std::string> command;
  std::string result;  // the file to read
};

// -p: fill a surface, -q: quality, -a: largest volume of a tet, -Q: quiet.
Job tetgen_job(const TemporaryFolder& folder, const TriangleMesh& surface, double edge) {
  write_file(folder.file("surface.ply"), write_mesh("surface.ply", to_mesh_data(surface), {"ascii"}));
  const double volume = edge * edge * edge / (6 * std::sqrt(2.0));
  return {{"tetgen", fmt::format("-pqQa{:.6g}", volume), folder.file("surface.ply")},
          folder.file("surface.1.node")};
}

Job gmsh_job(const TemporaryFolder& folder, const TriangleMesh& surface, double edge) {
  write_file(folder.file("surface.stl"), write_mesh("surface.stl", to_mesh_data(surface)));
  write_file(folder.file("volume.geo"),
             fmt::format("Merge \"surface.stl\";\nSurface Loop(1) = Surface{{:}};\nVolume(1) = {{1}};\n"
                         "Mesh.MeshSizeMax = {};\n",
                         edge));
  return {{"gmsh", "-3", "-v", "2", "-format", "msh41", "-o", folder.file("volume.msh"), folder.file("volume.geo")},
          folder.file("volume.msh")};
}

}  // namespace

TetMesh run_external_mesher(const std::string& mesher, const TriangleMesh& surface,
                            const SurfaceFillOptions& options) {
  if (!on_path(mesher))
    throw InputError("mesher", fmt::format("the program \"{}\" is not installed (Debian: apt install {}); leave "
                                           "\"mesher\" out to use our own, which needs no program",
                                           mesher, mesher));
  const TemporaryFolder folder;
  const double edge = edge_length(surface, options);
  const Job job = mesher == "tetgen" ? tetgen_job(folder, surface, edge) : gmsh_job(folder, surface, edge);
  const int status = run_program(job.command, folder.file("log"));
  std::error_code error;
  if (status != 0 || !fs::is_regular_file(job.result, error))
    throw InputError("mesher", fmt::format("{} failed{}{}; it wants a closed surface that does not intersect "
                                           "itself: the mesher \"stuffing\" takes any",
                                           mesher, status > 0 ? fmt::format(" with status {}", status) : "",
                                           last_words(folder.file("log"))));
  TetMesh mesh = to_tet_mesh(read_mesh(job.result), mesher);
  drop_unreferenced(mesh);
  return mesh;
}

}  // namespace resilin
