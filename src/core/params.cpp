#include "resilin/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "resilin/errors.h"

namespace resilin {
namespace {

std::string shown(double v) { return fmt::format("{}", v); }

// Checks one value against its declaration.
void check_number(const Param& p, const Value& v) {
  const double x = v.number();
  if (!std::isfinite(x)) v.fail(fmt::format("{} is not a finite number", x));
  if (!p.range.contains(x)) {
    v.fail(fmt::format("{} is out of range: {} must be {}{}{}", shown(x), p.name, p.range.text(),
                       p.unit.empty() ? "" : " ", p.unit));
  }
}

void check(const Param& p, const Value& v) {
  switch (p.type) {
    case Param::Type::number:
      if (p.per_element && v.is_list()) {
        for (const Value& item : v.list()) check_number(p, item);
      } else {
        check_number(p, v);
      }
      break;
    case Param::Type::integer:
      v.integer();
      check_number(p, v);
      break;
    case Param::Type::boolean: v.boolean(); break;
    case Param::Type::text: v.text(); break;
    case Param::Type::choice:
      if (std::find(p.choices.begin(), p.choices.end(), v.text()) == p.choices.end()) {
        v.fail(fmt::format("\"{}\" is not allowed: {} is one of {}", v.text(), p.name, join_or(p.choices)));
      }
      break;
    case Param::Type::vector3: v.vector3(); break;
    case Param::Type::numbers:
      for (const Value& item : v.list()) check_number(p, item);
      break;
    case Param::Type::points:
      for (const Value& item : v.list()) {
        const auto xy = item.numbers();
        if (xy.size() != 2 || !std::isfinite(xy[0]) || !std::isfinite(xy[1]))
          item.fail("a control point is a pair [x, y] of finite numbers");
      }
      break;
    case Param::Type::any: break;
  }
}

int distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

Param declared(Param::Type type, std::string name, std::string unit, Value fallback, Range range, std::string doc) {
  return {.name = std::move(name),
          .type = type,
          .unit = std::move(unit),
          .fallback = std::move(fallback),
          .range = range,
          .choices = {},
          .doc = std::move(doc)};
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  int best_distance = static_cast<int>(std::max<std::size_t>(2, name.size() / 2));
  for (const auto& c : candidates) {
    const int d = distance(name, c);
    if (d <= best_distance && (best.empty() || d < best_distance)) best = c, best_distance = d;
  }
  return best;
}

std::string join_or(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

bool Range::contains(double v) const {
  return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high);
}

std::string Range::text() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (has_low && has_high)
    return fmt::format("in {}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
  if (has_low) return fmt::format("{} {}", low_open ? ">" : ">=", low);
  if (has_high) return fmt::format("{} {}", high_open ? "<" : "<=", high);
  return "any number";
}

const char* type_name(Param::Type type) {
  switch (type) {
    case Param::Type::number: return "number";
    case Param::Type::integer: return "integer";
    case Param::Type::boolean: return "boolean";
    case Param::Type::text: return "text";
    case Param::Type::choice: return "choice";
    case Param::Type::vector3: return "vector3";
    case Param::Type::numbers: return "numbers";
    case Param::Type::points: return "points";
    case Param::Type::any: return "any";
  }
  return "any";
}

// ---- Declaring ----

Param number(std::string name, std::string unit, double fallback, Range range, std::string doc) {
  return declared(Param::Type::number, std::move(name), std::move(unit), fallback, range, std::move(doc));
}
Param field(std::string name, std::string unit, double fallback, Range range, std::string doc) {
  Param p = number(std::move(name), std::move(unit), fallback, range, std::move(doc));
  p.per_element = true;
  return p;
}
Param integer(std::string name, int fallback, Range range, std::string doc) {
  return declared(Param::Type::integer, std::move(name), "", fallback, range, std::move(doc));
}
Param boolean(std::string name, bool fallback, std::string doc) {
  return declared(Param::Type::boolean, std::move(name), "", fallback, {}, std::move(doc));
}
Param text(std::string name, std::string fallback, std::string doc) {
  return declared(Param::Type::text, std::move(name), "", std::move(fallback), {}, std::move(doc));
}
Param choice(std::string name, std::vector<std::string> choices, std::string doc) {
  Param p = declared(Param::Type::choice, std::move(name), "", choices.front(), {}, std::move(doc));
  p.choices = std::move(choices);
  return p;
}
Param vector3(std::string name, std::string unit, std::array<double, 3> fallback, std::string doc) {
  return declared(Param::Type::vector3, std::move(name), std::move(unit),
                  Value::List(fallback.begin(), fallback.end()), {}, std::move(doc));
}
Param numbers(std::string name, std::string unit, std::vector<double> fallback, Range range, std::string doc) {
  return declared(Param::Type::numbers, std::move(name), std::move(unit),
                  Value::List(fallback.begin(), fallback.end()), range, std::move(doc));
}
Param points(std::string name, std::string doc) {
  return declared(Param::Type::points, std::move(name), "", {}, {}, std::move(doc));
}
Param any(std::string name, std::string doc) {
  return declared(Param::Type::any, std::move(name), "", {}, {}, std::move(doc));
}
Param required(Param p) {
  p.required = true;
  p.fallback = {};
  return p;
}
Param optional(Param p) {
  p.fallback = {};
  return p;
}

Params::Params(std::initializer_list<Param> list) : list_(list) {}

Params& Params::add(const Params& more) {
  list_.insert(list_.end(), more.list_.begin(), more.list_.end());
  presets_.insert(presets_.end(), more.presets_.begin(), more.presets_.end());
  return *this;
}

Params& Params::add(Preset preset) {
  presets_.push_back(std::move(preset));
  return *this;
}

const Param* Params::find(const std::string& name) const {
  for (const Param& p : list_)
    if (p.name == name) return &p;
  return nullptr;
}

std::vector<std::string> Params::names() const {
  std::vector<std::string> out;
  for (const Param& p : list_) out.push_back(p.name);
  return out;
}

// ---- Reading ----

Settings Params::read(const Value& object, const std::vector<std::string>& reserved) const {
  std::vector<std::string> allowed = names();
  allowed.insert(allowed.end(), reserved.begin(), reserved.end());
  Settings out;
  out.where_ = object.where();
  if (!object.is_null()) object.only_keys(allowed);
  for (const Param& p : list_) {
    const Value* given = object.is_null() ? nullptr : object.find(p.name);
    if (given != nullptr) check(p, *given);
    if (given == nullptr && p.required) {
      object.fail(fmt::format("\"{}\" is missing ({})", p.name, p.doc));
    }
    out.entries_.push_back({p.name, given ? *given : p.fallback, given != nullptr, p.per_element});
  }
  for (const Preset& preset : presets_) {
    if (out.value(preset.param).text() != preset.choice) continue;
    for (const auto& [name, value] : preset.values)
      for (Settings::Entry& e : out.entries_)
        if (e.name == name && !e.given) e.value = value;
  }
  return out;
}

Settings Params::defaults() const {
  Settings out;
  for (const Param& p : list_) out.entries_.push_back({p.name, p.fallback, false, p.per_element});
  return out;
}

const Settings::Entry& Settings::entry(const std::string& name) const {
  for (const Entry& e : entries_)
    if (e.name == name) return e;
  assert(false && "asked for a parameter that was not declared");
  throw std::logic_error("undeclared parameter: " + name);
}

double Settings::number(const std::string& name, int element) const {
  const Value& v = value(name);
  if (!v.is_list()) return v.number();
  const auto& items = v.list();
  if (element >= static_cast<int>(items.size()))
    v.fail(fmt::format("a list of {} values, but element {} needs one", items.size(), element));
  return items[element].number();
}
int Settings::integer(const std::string& name) const { return value(name).integer(); }
bool Settings::boolean(const std::string& name) const { return value(name).boolean(); }
std::string Settings::text(const std::string& name) const { return value(name).text(); }
std::array<double, 3> Settings::vector3(const std::string& name) const { return value(name).vector3(); }
std::vector<double> Settings::numbers(const std::string& name) const { return value(name).numbers(); }
std::vector<std::array<double, 2>> Settings::points(const std::string& name) const {
  std::vector<std::array<double, 2>> out;
  if (value(name).is_null()) return out;
  for (const Value& item : value(name).list()) {
    const auto xy = item.numbers();
    out.push_back({xy[0], xy[1]});
  }
  return out;
}
const Value& Settings::value(const std::string& name) const { return entry(name).value; }
bool Settings::declares(const std::string& name) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
}
bool Settings::has(const std::string& name) const { return entry(name).given; }
int Settings::element_count() const {
  for (const Entry& e : entries_)
    if (e.per_element && e.value.is_list()) return static_cast<int>(e.value.list().size());
  return 0;
}
void Settings::set(const std::string& name, Value v) {
  for (Entry& e : entries_)
    if (e.name == name) {
      e.value = std::move(v);
      e.given = true;
      return;
    }
  entries_.push_back({name, std::move(v), true, false});
}

}  // namespace resilin
