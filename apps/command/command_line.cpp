// Parses the command line, calls a subcommand, turns errors into messages and exit statuses. The only source that
// includes CLI11.
#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "core/thread_pool.h"
#include "document.h"
#include "resilin/errors.h"
#include "resilin/version.h"

namespace resilin::cli {

std::vector<std::pair<std::string, std::string>> Shared::overrides() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("--set " + text, "wanted is path=value, e.g. --set solver.iterations=20");
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

namespace {

void add_argument(CLI::App& app, const Argument& argument) {
  CLI::Option* option = nullptr;
  if (auto* const* flag = std::get_if<bool*>(&argument.target)) {
    app.add_flag(argument.names, **flag, argument.help);
    return;
  }
  if (auto* const* number = std::get_if<int*>(&argument.target))
    option = app.add_option(argument.names, **number, argument.help);
  if (auto* const* text = std::get_if<std::string*>(&argument.target))
    option = app.add_option(argument.names, **text, argument.help);
  if (auto* const* texts = std::get_if<std::vector<std::string>*>(&argument.target)) {
    option = app.add_option(argument.names, **texts, argument.help);
    // One value per --name: `--set a=1 SCENE` must not swallow the scene.
    if (argument.names.front() == '-') option->allow_extra_args(false);
  }
  option->required(argument.required);
}

void add_shared(CLI::App& app, const std::vector<std::string>& taken, Shared& shared) {
  const std::vector<Argument> known = {
      {"--set", "PATH=VALUE: override a field (repeatable), e.g. solver.iterations=20", &shared.set},
      {"--threads", "threads to use; 0: all cores", &shared.threads},
      {"--solver", "solver to use instead of the scene's (resilin list solver)", &shared.solver},
      {"--iterations", "iterations per stage at most", &shared.iterations},
      {"--frames", "frames to simulate", &shared.frames},
      {"--out", "folder for the results; must not exist", &shared.out},
  };
  app.add_flag("--json", shared.json, "print one JSON document on standard output and nothing else there");
  for (const Argument& argument : known)
    if (std::find(taken.begin(), taken.end(), argument.names.substr(2)) != taken.end()) add_argument(app, argument);
}

// CLI11 has stored -1 for what was not given: a negative number that was given is an error here.
void check_counts(const CLI::App& app) {
  const std::pair<const char*, int> counts[] = {
      {"--threads", 0}, {"--iterations", 0}, {"--frames", 0}, {"--checkpoint-every", 1}};
  for (const auto& [name, least] : counts) {
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    const int value = option->as<int>();
    if (value < least)
      throw InputError(name, fmt::format("{} is not allowed: wanted is a whole number >= {}", value, least));
  }
}

int print_version(bool json) {
  const int threads = available_cores();
  if (json) {
    print_document(Value::Object{{"version", version()},
                                 {"commit", commit()},
                                 {"architecture", architecture()},
                                 {"simd_bits", simd_bits()},
                                 {"build_target", build_target()},
                                 {"threads", threads}});
  } else {
    fmt::print("resilin {} (commit {})\nbuilt by: {}\nSIMD: {} bits ({})\nthreads: {}\n", version(), commit(),
               build_target(), simd_bits(), architecture(), threads);
  }
  return done;
}

int report(bool json, int status, const std::string& where, const std::string& problem) {
  std::fflush(stdout);
  if (json) print_document(Value::Object{{"error", Value::Object{{"where", where}, {"problem", problem}}}});
  else fmt::print(stderr, "resilin: {}{}{}\n", where, where.empty() ? "" : ": ", problem);
  return status;
}

int parse_and_run(int argc, char** argv, const std::vector<Command>& all) {
  CLI::App app("Simulation of deformable bodies: solids, cloth and springs", "resilin");
  app.require_subcommand(0, 1);
  bool version_wanted = false, json = false;
  app.add_flag("--version", version_wanted, "version, commit, SIMD width and threads");
  app.add_flag("--json", json, "print one JSON document on standard output and nothing else there");
  app.footer("resilin COMMAND --help tells more. Start with: resilin run");
  Shared shared;
  std::vector<CLI::App*> parsers;
  for (const Command& command : all) {
    CLI::App* parser = app.add_subcommand(command.name, command.doc);
    for (const Argument& argument : command.arguments) add_argument(*parser, argument);
    add_shared(*parser, command.shared, shared);
    parsers.push_back(parser);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    throw InputError("command line", std::string(error.what()) + " (resilin --help)");
  }
  shared.json = shared.json || json;
  if (version_wanted) return print_version(shared.json);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!parsers[i]->parsed()) continue;
    check_counts(*parsers[i]);
    return all[i].run(shared);
  }
  fmt::print("{}", app.help());
  return done;
}

int guarded(int argc, char** argv, const std::function<int()>& body) {
  bool json = false;
  for (int i = 1; i < argc; ++i) json = json || std::string(argv[i]) == "--json";
  try {
    return body();
  } catch (const InputError& error) {
    return report(json, bad_input, error.where(), error.problem());
  } catch (const WorkFailed& error) {
    return report(json, failed, "", error.what());
  } catch (const std::bad_alloc&) {
    return report(json, failed, "", "out of memory");
  } catch (const std::exception& error) {
    return report(json, failed, "", fmt::format("unexpected error: {}", error.what()));
  }
}

}  // namespace

int command_main(int argc, char** argv, const std::function<std::vector<Command>()>& commands) {
  const int status = guarded(argc, argv, [&] { return parse_and_run(argc, argv, commands()); });
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::perror("resilin: standard output");  // a document that got lost is a failure
  return status == done ? failed : status;
}

}  // namespace resilin::cli
