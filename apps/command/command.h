// A subcommand: one .cpp with a function that describes it, and two lines in the main.cpp of its program. Commands
// know nothing of the option parser: they name their arguments and the variables that receive them.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace resilin::cli {

/// Exit statuses.
constexpr int done = 0, failed = 1, bad_input = 2;

/// The work failed although the input was right (a full disk in the middle of a run): status 1.
class WorkFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Options that several commands take. Numbers below 0: not given.
struct Shared {
  bool json = false;
  std::vector<std::string> set;
  int threads = -1, iterations = -1, frames = -1;
  std::string solver, out;
  /// `--set` as (path, value); throws InputError for what has no '='.
  std::vector<std::pair<std::string, std::string>> overrides() const;
};

struct Argument {
  std::string names;  // "--overwrite", or "scene" for a positional one
  std::string help;
  std::variant<bool*, int*, std::string*, std::vector<std::string>*> target;
  bool required = false;
};

struct Command {
  std::string name, doc;
  std::vector<std::string> shared;  // names of the members of Shared that it takes besides json
  std::vector<Argument> arguments;  // targets live as long as `run`
  std::function<int(const Shared&)> run;
};

}  // namespace resilin::cli
