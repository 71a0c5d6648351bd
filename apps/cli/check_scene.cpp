#include "check_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "document.h"
#include "model/counts.h"
#include "resilin/scene.h"
#include "scene/start_check.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

Value bodies_value(const Model& model) {
  Value::List out;
  for (const Body& body : model.bodies) {
    const Counts counts = count_elements(model, body);
    out.emplace_back(Value::Object{{"name", body.name},
                                   {"vertices", body.vertex_count},
                                   {"tets", counts.tets},
                                   {"triangles", counts.triangles},
                                   {"springs", counts.springs}});
  }
  return out;
}

}  // namespace

bool is_scene(const std::string& name) {
  std::error_code error;
  if (std::filesystem::path(name).extension() == ".json") return true;
  const auto scenes = gallery();
  return !std::filesystem::is_regular_file(name, error) &&
         std::any_of(scenes.begin(), scenes.end(), [&](const auto& scene) { return scene.first == name; });
}

int check_scene(const std::string& name, const Shared& shared) {
  const Scene scene = load_scene(name, shared.overrides());
  std::vector<std::string> notes;
  State start;
  const Model model = build_model(scene, start, &notes);
  const std::vector<std::string> warnings = start_warnings(scene, model, start.q, start.time);
  const char* verdict = warnings.empty() ? "ready" : "doubtful";
  if (shared.json) {
    print_document(Value::Object{{"file", scene.file},
                                 {"scene", scene.name},
                                 {"vertices", model.vertex_count()},
                                 {"bodies", bodies_value(model)},
                                 {"contact", has_contact(model)},
                                 {"notes", list_of(notes)},
                                 {"warnings", list_of(warnings)},
                                 {"verdict", verdict},
                                 {"next", "resilin run " + name}});
    return done;
  }
  const Terminal terminal(stdout);
  fmt::print("{} (scene{}{})\n  {} vertices, {}\n", scene.name, scene.description.empty() ? "" : ": ",
             scene.description, model.vertex_count(), in_words(count_elements(model)));
  fmt::print("  {}\n", contact_in_words(model));
  for (const std::string& note : notes) fmt::print("  note: {}\n", wrapped(note, terminal.width(), 2));
  for (const std::string& warning : warnings)
    fmt::print("  {}: {}\n", terminal.paint(Style::yellow, "warning"), wrapped(warning, terminal.width(), 6));
  fmt::print("verdict: {}\n", terminal.paint(warnings.empty() ? Style::green : Style::yellow, verdict));
  fmt::print("next: resilin run {}\n", name);
  return done;
}

}  // namespace resilin::cli
