#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "resilin/errors.h"
#include "resilin/params.h"

namespace resilin {
namespace {

std::string brief(const Value& v) {
  std::string text = v.dump();
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else out += c;
  }
  return out + "\"";
}

template <class T, class Data>
const T& held(const Value& value, const Data& data, const char* wanted) {
  if (const T* found = std::get_if<T>(&data)) return *found;
  value.fail(fmt::format("{} stands where {} is wanted", brief(value), wanted));
}

}  // namespace

Value::Value() = default;
Value::Value(bool v) : data_(v) {}
Value::Value(double v) : data_(v) {}
Value::Value(int v) : data_(static_cast<double>(v)) {}
Value::Value(const char* v) : data_(std::string(v)) {}
Value::Value(std::string v) : data_(std::move(v)) {}
Value::Value(List v) : data_(std::move(v)) {}
Value::Value(Object v) : data_(std::move(v)) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

bool Value::is_null() const { return std::holds_alternative<std::monostate>(data_); }
bool Value::is_bool() const { return std::holds_alternative<bool>(data_); }
bool Value::is_number() const { return std::holds_alternative<double>(data_); }
bool Value::is_text() const { return std::holds_alternative<std::string>(data_); }
bool Value::is_list() const { return std::holds_alternative<List>(data_); }
bool Value::is_object() const { return std::holds_alternative<Object>(data_); }

void Value::fail(const std::string& problem) const { throw InputError(where_, problem); }

bool Value::boolean() const { return held<bool>(*this, data_, "true or false"); }
double Value::number() const { return held<double>(*this, data_, "a number"); }
int Value::integer() const {
  const double v = number();
  if (v != std::floor(v) || std::abs(v) > 2147483647.0)
    fail(fmt::format("{} stands where a whole number is wanted", v));
  return static_cast<int>(v);
}
const std::string& Value::text() const { return held<std::string>(*this, data_, "text in quotes"); }
const Value::List& Value::list() const { return held<List>(*this, data_, "a list [...]"); }
const Value::Object& Value::object() const { return held<Object>(*this, data_, "an object {...}"); }
Value::List& Value::list() { return const_cast<List&>(std::as_const(*this).list()); }
Value::Object& Value::object() { return const_cast<Object&>(std::as_const(*this).object()); }

std::array<double, 3> Value::vector3() const {
  const auto v = numbers();
  if (v.size() != 3) fail(fmt::format("{} stands where three numbers [x, y, z] are wanted", brief(*this)));
  for (const double x : v)
    if (!std::isfinite(x)) fail(fmt::format("{} holds a number that is not finite", brief(*this)));
  return {v[0], v[1], v[2]};
}
std::vector<double> Value::numbers() const {
  std::vector<double> out;
  for (const Value& v : list()) out.push_back(v.number());
  return out;
}
std::vector<int> Value::integers() const {
  std::vector<int> out;
  for (const Value& v : list()) out.push_back(v.integer());
  return out;
}

const Value* Value::find(const std::string& key) const {
  for (const auto& [name, value] : object())
    if (name == key) return &value;
  return nullptr;
}

void Value::set(const std::string& key, Value v) {
  if (is_null()) data_ = Object{};
  for (auto& [name, value] : object())
    if (name == key) {
      value = std::move(v);
      return;
    }
  object().emplace_back(key, std::move(v));
}

void Value::only_keys(const std::vector<std::string>& allowed) const {
  for (const auto& [name, value] : object()) {
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    const std::string near = nearest_name(name, allowed);
    fail(fmt::format("unknown key \"{}\"{}; allowed: {}", name,
                     near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near), join_or(allowed)));
  }
}

void Value::locate(const std::string& file, const std::string& path) {
  where_ = path.empty() ? file : file + ": " + path;
  if (is_list()) {
    List& items = list();
    for (std::size_t i = 0; i < items.size(); ++i) items[i].locate(file, fmt::format("{}[{}]", path, i));
  } else if (is_object()) {
    for (auto& [name, value] : object()) value.locate(file, path.empty() ? name : path + "." + name);
  }
}

std::string Value::dump() const {
  if (is_null()) return "null";
  if (is_bool()) return boolean() ? "true" : "false";
  if (is_number()) return fmt::format("{}", number());
  if (is_text()) return quoted(text());
  std::string out;
  if (is_list()) {
    for (const Value& v : list()) out += (out.empty() ? "" : ",") + v.dump();
    return "[" + out + "]";
  }
  for (const auto& [name, value] : object()) out += (out.empty() ? "" : ",") + quoted(name) + ":" + value.dump();
  return "{" + out + "}";
}

}  // namespace resilin
