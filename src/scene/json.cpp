// JSON text to located Values. The only file that knows the JSON library: it costs seconds to compile.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "resilin/errors.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

// Values are destroyed recursively: bounded, so that no file can exhaust the stack.
constexpr std::size_t max_depth = 200;

// Builds the tree bottom-up; what is unfinished lies on the stack.
class Reader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader(const std::string& text, const std::string& where) : text_(text), where_(where) {}
  Value result;

  bool null() override { return put(Value()); }
  bool boolean(bool v) override { return put(Value(v)); }
  bool number_integer(number_integer_t v) override { return put(Value(static_cast<double>(v))); }
  bool number_unsigned(number_unsigned_t v) override { return put(Value(static_cast<double>(v))); }
  bool number_float(number_float_t v, const string_t&) override { return put(Value(v)); }
  bool string(string_t& v) override { return put(Value(std::move(v))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Value(Value::Object{})); }
  bool start_array(std::size_t) override { return open(Value(Value::List{})); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& k) override {
    if (open_.back().value.find(k) != nullptr)
      throw InputError(where_, fmt::format("{}: the key \"{}\" stands there twice", path(), k));
    open_.back().key = std::move(k);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
    std::size_t line = 1, start = 0;
    const std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    for (std::size_t i = 0; i < at; ++i)
      if (text_[i] == '\n') ++line, start = i + 1;
    throw InputError(fmt::format("{}:{}:{}", where_, line, at - start + 1),
                     fmt::format("{}; near: {}", words_of(error.what()), excerpt(start, at)));
  }

 private:
  struct Open {
    Value value;
    std::string key;
  };

  // Without the library's "[json.exception...] parse error at line 1, column 2: ".
  static std::string words_of(std::string words) {
    if (const auto end = words.find("] "); words.starts_with('[') && end != std::string::npos)
      words.erase(0, end + 2);
    if (const auto column = words.find("column ");
        words.starts_with("parse error at") && column != std::string::npos)
      words.erase(0, words.find(": ", column) + 2);
    return words;
  }
  // What the line that begins at `start` holds around `at`.
  std::string excerpt(std::size_t start, std::size_t at) const {
    const std::size_t line_end = std::min(text_.find('\n', start), text_.size());
    const std::size_t from = at > start + 40 ? at - 40 : start, to = std::min(line_end, at + 20);
    std::string out = text_.substr(from, std::max(from, to) - from);
    out.erase(0, std::min(out.find_first_not_of(" \t\r"), out.size()));
    for (char& c : out)
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
        c = '?';  // may be cut or broken UTF-8
    return out;
  }
  std::string path() const {
    std::string out;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const Value& v = open_[i].value;
      if (v.is_list()) out += fmt::format("[{}]", v.list().size());
      else out += (out.empty() ? "" : ".") + open_[i].key;
    }
    return out.empty() ? "the outermost object" : out;
  }
  bool open(Value v) {
    if (open_.size() >= max_depth) throw InputError(where_, fmt::format("nested deeper than {} levels", max_depth));
    open_.push_back({std::move(v), {}});
    return true;
  }
  bool close() {
    Value done = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(done));
  }
  bool put(Value v) {
    if (open_.empty()) {
      result = std::move(v);
    } else if (Open& parent = open_.back(); parent.value.is_list()) {
      parent.value.list().push_back(std::move(v));
    } else {
      parent.value.object().emplace_back(std::move(parent.key), std::move(v));
    }
    return true;
  }

  const std::string& text_;
  const std::string& where_;
  std::vector<Open> open_;
};

}  // namespace

Value parse_json(const std::string& text, const std::string& where) {
  Reader reader(text, where);
  nlohmann::json::sax_parse(text, &reader, nlohmann::json::input_format_t::json, true, true);
  reader.result.locate(where);
  return std::move(reader.result);
}

}  // namespace resilin
