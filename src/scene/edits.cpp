#include <fmt/format.h>

#include <algorithm>

#include "resilin/errors.h"
#include "resilin/scene.h"

namespace resilin {

std::vector<EditRecord> read_edits(const std::string& text, const std::string& where) {
  std::vector<EditRecord> out;
  const auto add = [&](const std::string& json, const std::string& at) {
    Value value = parse_json(json, at);
    value.locate(at);
    if (!value.is_list()) return out.push_back(read_record(value));
    for (const Value& item : value.list()) out.push_back(read_record(item));
  };
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '[') {
    add(text, where);
  } else {
    int line = 1;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string one = text.substr(begin, end - begin);
      if (one.find_first_not_of(" \t\r") != std::string::npos) add(one, fmt::format("{}: line {}", where, line));
      begin = end + 1;
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const EditRecord& a, const EditRecord& b) { return a.step < b.step; });
  return out;
}

}  // namespace resilin
