// `--set path=value`: one value of a scene replaced before anything reads it.
#include <fmt/format.h>

#include "resilin/errors.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

// One step of a path: a member's name, or an index into a list.
struct PathStep {
  std::string key;
  int index = 0;
  bool is_index = false;
};

std::vector<PathStep> split(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw InputError("--set " + path, why + "; a path looks like bodies[0].material.young");
  };
  std::vector<PathStep> steps;
  std::size_t i = 0;
  bool name_wanted = true;
  while (i < path.size() || name_wanted) {
    if (name_wanted) {
      const std::size_t end = std::min(path.find_first_of(".[]", i), path.size());
      if (end == i) refuse(path.empty() ? "the path is empty" : "a name is missing");
      steps.push_back({path.substr(i, end - i), 0, false});
      i = end;
      name_wanted = false;
    } else if (path[i] == '.') {
      ++i;
      name_wanted = true;
    } else if (path[i] == '[') {
      const std::size_t end = path.find(']', i);
      if (end == std::string::npos) refuse("] is missing");
      const std::string digits = path.substr(i + 1, end - i - 1);
      std::size_t used = 0;
      int index = 0;
      try {
        index = std::stoi(digits, &used);
      } catch (const std::exception&) {
        used = 0;
      }
      if (digits.empty() || used != digits.size()) refuse(fmt::format("[{}] is no index", digits));
      steps.push_back({"", index, true});
      i = end + 1;
    } else {
      refuse(fmt::format("\"{}\" is not expected", path[i]));
    }
  }
  return steps;
}

// Short forms that are only a name grow into the object they stand for, so that a member can be set.
void expand(Value& v, const std::string& name) {
  const char* key = name == "solver" || name == "integrator" ? "type" : name == "material" ? "like" : nullptr;
  if (v.is_text() && key != nullptr) v = Value::Object{{key, Value(v.text())}};
}

Value& descend(Value& at, const PathStep& step, const std::string& name, const std::string& path) {
  if (step.is_index) {
    if (!at.is_list())
      throw InputError("--set " + path,
                       fmt::format("[{}] is applied to {}, which is no list", step.index, at.dump()));
    const int size = static_cast<int>(at.list().size()), index = step.index < 0 ? size + step.index : step.index;
    if (index < 0 || index >= size)
      throw InputError("--set " + path, fmt::format("there is no [{}]: the list has {} entries", step.index, size));
    return at.list()[index];
  }
  expand(at, name);
  if (!at.is_null() && !at.is_object())
    throw InputError("--set " + path,
                     fmt::format("\"{}\" is wanted of {}, which is no object", step.key, at.dump()));
  if (at.is_null() || at.find(step.key) == nullptr) at.set(step.key, Value());
  for (auto& [key, value] : at.object())
    if (key == step.key) return value;
  return at;  // not reached: it was just set
}

}  // namespace

void apply_override(Value& root, const Override& override_) {
  const auto& [path, text] = override_;
  Value* at = &root;
  std::string name;
  for (const PathStep& step : split(path)) {
    at = &descend(*at, step, name, path);
    if (!step.is_index) name = step.key;
  }
  try {
    *at = parse_json(text, "--set " + path);
  } catch (const InputError&) {
    *at = Value(text);  // bare text: --set solver.type=newton
  }
}

}  // namespace resilin
