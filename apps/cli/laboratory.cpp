#include "laboratory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

namespace resilin::cli {
namespace {

// The words of the command line; no option that stands before a command takes a value.
std::vector<std::string> words(char** argv) {
  std::vector<std::string> out;
  for (char** argument = argv + 1; *argument != nullptr; ++argument)
    if (**argument != '-') out.emplace_back(*argument);
  out.resize(std::max<std::size_t>(2, out.size()));
  return out;
}

constexpr std::array<std::pair<const char*, const char*>, 3> names = {
    {{"compare", "Compare solvers from one state, with a report"},
     {"reproduce", "Run the experiments of the papers and judge them"},
     {"bench", "Measure speed, as a ratio to a floor and to a plain reference"}}};

}  // namespace

std::vector<Command> laboratory_commands() {
  std::vector<Command> out;
  for (const auto& [name, doc] : names) out.push_back({name, doc, {}, {}, nullptr});
  return out;
}

bool asks_for_laboratory(char** argv) {
  const std::vector<std::string> given = words(argv);
  if (given[0] == "list") return given[1] == "experiment" || given[1] == "experiments";
  return std::any_of(names.begin(), names.end(), [&](const auto& entry) { return given[0] == entry.first; });
}

void become_laboratory(char** argv) {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path program = self.parent_path() / "resilin-lab";
  ::execv(program.c_str(), argv);
  if (errno == ENOENT)
    throw WorkFailed(
        "the laboratory (compare, reproduce, bench) is not built. In a checkout ./run builds it: ./run reproduce "
        "E1. "
        "Elsewhere install resilin-lab beside resilin");
  throw WorkFailed(fmt::format("cannot start {}: {}", program.string(), std::strerror(errno)));
}

}  // namespace resilin::cli
