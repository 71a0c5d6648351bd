// resilin new NAME: a commented starter scene.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "command.h"
#include "document.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/scene.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

int write_starter(const std::string& given, bool json) {
  namespace fs = std::filesystem;
  fs::path path(given);
  if (path.extension() != ".json") path += ".json";
  const std::string name = path.stem().string();
  if (name.empty() || name == "." || name == "..")
    throw InputError("new", fmt::format("\"{}\" is not a name for a scene", given));
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored)))
    throw InputError(path.string(), "exists already and is left as it is; choose another name or remove it first");
  write_file(path.string(), starter_scene(name));
  if (json) print_document(Value::Object{{"scene", name}, {"file", path.string()}});
  else fmt::print("wrote {}; try: resilin run {}\n", path.string(), shell_word(path.string()));
  return done;
}

}  // namespace

Command new_command() {
  const auto name = std::make_shared<std::string>();
  Command command{"new", "Write a commented starter scene NAME.json", {}, {}, nullptr};
  command.arguments = {{"name", "the scene's name; the file is NAME.json", name.get(), true}};
  command.run = [name](const Shared& shared) { return write_starter(*name, shared.json); };
  return command;
}

}  // namespace resilin::cli
