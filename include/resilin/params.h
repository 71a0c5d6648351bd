// Parameters, declared once. A plugin lists its fields (name, unit, range, doc); scene parsing with located errors,
// command-line help, the JSON schema, Python arguments and the page's sliders all derive from that list.
// Value is the neutral tree that they all read (JSON without a JSON library in the headers).
#pragma once
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace resilin {

/// A parsed value that remembers where it stood: "scene.json: bodies[0].material.young".
class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<std::pair<std::string, Value>>;

  // Not inline: the code of the variant is compiled once, and not in every file that hands a Value on (a fifth of
  // all compile time).
  Value();
  Value(bool v);
  Value(double v);
  Value(int v);
  Value(const char* v);
  Value(std::string v);
  Value(List v);
  Value(Object v);
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  bool is_null() const;
  bool is_bool() const;
  bool is_number() const;
  bool is_text() const;
  bool is_list() const;
  bool is_object() const;

  // Typed access; a wrong type throws InputError that names the place, what stands there and what is wanted.
  bool boolean() const;
  double number() const;
  int integer() const;
  const std::string& text() const;
  const List& list() const;
  const Object& object() const;
  std::array<double, 3> vector3() const;
  std::vector<double> numbers() const;
  std::vector<int> integers() const;

  /// The member of that name, or null when absent.
  const Value* find(const std::string& key) const;
  /// Sets (or adds) a member of an object.
  void set(const std::string& key, Value v);
  List& list();
  Object& object();

  /// Throws InputError unless every key of this object is among `allowed`; suggests the nearest name.
  void only_keys(const std::vector<std::string>& allowed) const;
  [[noreturn]] void fail(const std::string& problem) const;

  const std::string& where() const { return where_; }
  /// Names this value and everything below it: `file: path`.
  void locate(const std::string& file, const std::string& path = "");
  /// Compact JSON text.
  std::string dump() const;

 private:
  std::variant<std::monostate, bool, double, std::string, List, Object> data_;
  std::string where_;
};

struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  bool contains(double v) const;
  std::string text() const;  // "> 0", "in [0, 0.5)"
};
inline Range positive() { return {0, std::numeric_limits<double>::infinity(), true, false}; }
inline Range at_least(double low) { return {low, std::numeric_limits<double>::infinity(), false, false}; }
inline Range between(double low, double high) { return {low, high, false, false}; }
inline Range any_number() { return {}; }

struct Param {
  enum class Type { number, integer, boolean, text, choice, vector3, numbers, points, any };
  std::string name;
  Type type = Type::number;
  std::string unit;
  Value fallback;  // null: no default; then `required` or optional
  Range range;
  std::vector<std::string> choices;
  std::string doc;
  bool required = false;
  bool per_element = false;  // a number that may differ from element to element
};

const char* type_name(Param::Type type);

// Short ways to declare one.
Param number(std::string name, std::string unit, double fallback, Range range, std::string doc);
Param field(std::string name, std::string unit, double fallback, Range range, std::string doc);  // per element
Param integer(std::string name, int fallback, Range range, std::string doc);
Param boolean(std::string name, bool fallback, std::string doc);
Param text(std::string name, std::string fallback, std::string doc);
Param choice(std::string name, std::vector<std::string> choices, std::string doc);  // the first is the default
Param vector3(std::string name, std::string unit, std::array<double, 3> fallback, std::string doc);
Param numbers(std::string name, std::string unit, std::vector<double> fallback, Range range, std::string doc);
Param points(std::string name, std::string doc);  // list of [x, y]
Param any(std::string name, std::string doc);
Param required(Param p);
Param optional(Param p);  // no default: has() tells whether it was given

class Settings;

/// What a choice means for other parameters: the defaults of those that are not stated.
struct Preset {
  std::string param, choice;
  Value::Object values;
};

class Params {
 public:
  Params() = default;
  Params(std::initializer_list<Param> list);
  Params& add(const Params& more);
  Params& add(Preset preset);

  const std::vector<Param>& list() const { return list_; }
  const std::vector<Preset>& presets() const { return presets_; }
  const Param* find(const std::string& name) const;
  std::vector<std::string> names() const;
  /// Checks an object against the list (strict keys, types, ranges) and fills in defaults.
  /// Keys in `reserved` (such as "type") are the caller's business.
  Settings read(const Value& object, const std::vector<std::string>& reserved = {}) const;
  Settings defaults() const;

 private:
  std::vector<Param> list_;
  std::vector<Preset> presets_;
};

/// Checked values of a Params list. Asking for a name that was not declared is a bug.
class Settings {
 public:
  double number(const std::string& name) const { return number(name, 0); }
  double number(const std::string& name, int element) const;
  int integer(const std::string& name) const;
  bool boolean(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::array<double, 3> vector3(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::vector<std::array<double, 2>> points(const std::string& name) const;
  const Value& value(const std::string& name) const;
  bool declares(const std::string& name) const;
  /// Stated by the user, as opposed to a default.
  bool has(const std::string& name) const;
  /// True when a per-element list was given for any field; its length, or 0.
  int element_count() const;
  /// Where these settings came from, for messages about combinations of fields.
  const std::string& where() const { return where_; }
  void set(const std::string& name, Value v);

 private:
  friend class Params;
  struct Entry {
    std::string name;
    Value value;
    bool given, per_element;
  };
  const Entry& entry(const std::string& name) const;
  std::vector<Entry> entries_;
  std::string where_;
};

/// The candidate that is spelled most like `name`, or "" when none is close.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);
/// "a, b or c"
std::string join_or(const std::vector<std::string>& names);

}  // namespace resilin
