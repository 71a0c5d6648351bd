#include "document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "io/run_log.h"

namespace resilin::cli {
namespace {

bool is_plain(const Value& value) { return !value.is_list() && !value.is_object(); }

std::string text_of(const Value& value, int depth) {
  if (value.is_number() && !std::isfinite(value.number())) return "null";
  if (is_plain(value)) return value.dump();
  const std::string inner(static_cast<std::size_t>(2 * depth + 2), ' '),
      outer(static_cast<std::size_t>(2 * depth), ' ');
  std::string out;
  if (value.is_object()) {
    for (const auto& [key, member] : value.object())
      out +=
          fmt::format("{}\n{}{}: {}", out.empty() ? "" : ",", inner, Value(key).dump(), text_of(member, depth + 1));
    return out.empty() ? "{}" : "{" + out + "\n" + outer + "}";
  }
  const auto& items = value.list();
  const bool one_line = std::all_of(items.begin(), items.end(), is_plain);
  for (const Value& item : items) {
    if (!out.empty()) out += one_line ? ", " : ",";
    if (!one_line) out += "\n" + inner;
    out += text_of(item, depth + 1);
  }
  return one_line ? "[" + out + "]" : "[" + out + "\n" + outer + "]";
}

}  // namespace

std::string pretty(const Value& value) { return text_of(value, 0) + "\n"; }

void print_document(const Value& value) {
  const std::string text = pretty(value);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

Value vector_value(const std::array<double, 3>& v) {
  return Value::List{finite_or_null(v[0]), finite_or_null(v[1]), finite_or_null(v[2])};
}

Value list_of(const std::vector<std::string>& names) {
  Value::List out;
  for (const std::string& name : names) out.emplace_back(name);
  return out;
}

}  // namespace resilin::cli
