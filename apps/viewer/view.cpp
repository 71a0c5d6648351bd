// resilin view [SCENE | MESH | CHECKPOINT | DIR]: simulates in the browser: watch, drag, tune and compare.
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "chores.h"
#include "document.h"
#include "live.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/scene.h"
#include "server.h"
#include "session.h"
#include "view_command.h"

namespace resilin::cli {
namespace {

constexpr int default_port = 7345;

struct ViewArguments {
  std::string input = "default", address = "127.0.0.1", page;
  int port = -1;  // not given
  std::vector<std::string> hosts;
  bool no_open = false, paused = false;
};

// In the background, where there is a screen. What becomes of it is not our business.
void open_browser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open", address = url;
  char* words[] = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), &silent, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&silent);
}

// Bad input is told here and now, not in the browser.
std::string check_input(const std::string& input, const Shared& shared) {
  std::error_code error;
  if (!std::filesystem::is_directory(input, error)) return viewer::open_input(input, shared.overrides()).scene.name;
  return load_scene(input + "/scene.json").name;
}

// Names of the gallery, uploaded files and what this was started with; no other files.
std::string find_input(const std::string& wanted, const std::string& first, const std::string& first_name,
                       const viewer::Chores& chores) {
  if (const std::string path = chores.uploaded(wanted); !path.empty()) return path;
  if (wanted == first || wanted == first_name) return first;
  for (const auto& [name, description] : gallery())
    if (name == wanted) return name;
  throw InputError(wanted, "is no scene of the gallery and no uploaded file");
}

int view(const ViewArguments& arguments, const Shared& shared) {
  if (arguments.port > 65535 || arguments.port < -1)
    throw InputError(fmt::format("--port {}", arguments.port), "wanted is 0 to 65535; 0: any that is free");
  viewer::ServerOptions options;
  options.address = arguments.address;
  options.port = arguments.port < 0 ? default_port : arguments.port;
  options.next_free = arguments.port < 0;
  options.names = arguments.hosts;
  const std::string& folder = arguments.page;
  std::string html, js, css;  // outlive the server
  if (!folder.empty()) {
    html = read_file(folder + "/index.html"), js = read_file(folder + "/page.js"),
    css = read_file(folder + "/page.css");
    options.page = {html, js, css};
  }
  if (options.page.empty())
    throw WorkFailed(
        "this program was built without the page: node and npm were missing, or their packages could not be "
        "fetched. "
        "`./run view` installs what is missing and builds it");
  const std::string name = check_input(arguments.input, shared);
  viewer::Server server(options);
  viewer::Chores chores;
  viewer::SessionOptions session_options;
  session_options.input = arguments.input;
  session_options.overrides = shared.overrides();
  session_options.threads = std::max(0, shared.threads);
  session_options.paused = arguments.paused;
  session_options.find = [&](const std::string& wanted) {
    return find_input(wanted, arguments.input, name, chores);
  };
  session_options.findings = [&](const std::string& path) { return chores.findings(path); };
  viewer::Session session(session_options, [&] { server.notify(); });
  if (shared.json)
    print_document(Value::Object{{"url", server.url()}, {"port", server.port()}, {"token", server.token()}});
  else fmt::print("{} is at\n  {}\nCtrl-C ends it.\n", name, server.url());
  std::fflush(stdout);
  if (!arguments.no_open) open_browser(server.url());
  server.serve(session, chores);
  if (!shared.json) fmt::print("\n");
  return done;
}

}  // namespace

Command view_command() {
  const auto arguments = std::make_shared<ViewArguments>();
  Command command{"view",
                  "Show a scene, a mesh, a checkpoint or a finished run in the browser: watch, drag, tune, compare",
                  {"set", "threads"},
                  {},
                  nullptr};
  command.arguments = {
      {"input",
       "a scene, a mesh file, a checkpoint (.rck), which it goes on from, or the folder of a run; default when not "
       "given",
       &arguments->input},
      {"--port",
       fmt::format("port to listen on, 0 for any that is free; {} or the next free one when not given",
                   default_port),
       &arguments->port},
      {"--bind", "address to listen on; 127.0.0.1 when not given: this machine alone", &arguments->address},
      {"--host", "a name under which browsers reach it, besides localhost and the address (repeatable)",
       &arguments->hosts},
      {"--page",
       "folder with index.html, page.js and page.css to show in place of the bundled page: for work on it",
       &arguments->page},
      {"--no-open", "do not start a browser", &arguments->no_open},
      {"--paused", "begin paused", &arguments->paused}};
  command.run = [arguments](const Shared& shared) { return view(*arguments, shared); };
  return command;
}

}  // namespace resilin::cli
