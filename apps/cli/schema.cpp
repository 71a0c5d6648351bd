// resilin schema: the JSON schema of scenes, for editors that complete and check while typing.
#include <cstdio>

#include "command.h"
#include "resilin/scene.h"

namespace resilin::cli {

Command schema_command() {
  Command command{"schema", "Print the JSON schema of scenes", {}, {}, nullptr};
  command.run = [](const Shared&) {  // with --json or without: the schema is a JSON document
    std::string text = scene_schema();
    if (text.empty() || text.back() != '\n') text += '\n';
    std::fwrite(text.data(), 1, text.size(), stdout);
    return done;
  };
  return command;
}

}  // namespace resilin::cli
