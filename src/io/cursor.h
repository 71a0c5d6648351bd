// A place in a file that is being read: words and numbers of text, values and runs of bytes, and errors that say
// where. The line is counted only when an error needs it, so that reading costs nothing for it. Used by all
// readers.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "resilin/errors.h"
#include "resilin/io.h"

namespace resilin {

class Cursor {
 public:
  explicit Cursor(const MeshSource& source) : text_(source.contents), name_(&source.name) {}
  Cursor(std::string_view text, const std::string& name) : text_(text), name_(&name) {}

  /// A copy that ends there; places and lines stay the same.
  Cursor up_to(std::size_t end) const {
    Cursor out = *this;
    out.text_ = text_.substr(0, end);
    return out;
  }
  std::size_t at() const { return at_; }
  void move_to(std::size_t at) { at_ = at; }
  std::string_view text() const { return text_; }
  std::size_t remaining() const { return text_.size() - at_; }
  /// Errors name the byte instead of the line.
  void set_binary(bool binary) { binary_ = binary; }
  bool binary() const { return binary_; }
  /// Text from here to the end of the line is skipped like a space.
  void set_comment(char mark) { comment_ = mark; }

  [[noreturn]] void fail(const std::string& problem) const { fail_at(at_, problem); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& problem) const;

  // ---- text
  /// Skips spaces, line ends and comments; false at the end of the file.
  bool skip_space();
  /// Skips spaces and tabs; false when the line (or the file) ends here.
  bool skip_blanks();
  /// The next word, or an empty one at the end.
  std::string_view word();
  /// The rest of this line without its end.
  std::string_view line();
  /// A finite number.
  double number(const char* what);
  std::int64_t integer(const char* what);
  /// A whole number within [low, high].
  int integer_in(const char* what, std::int64_t low, std::int64_t high);

  // ---- bytes
  std::string_view bytes(std::size_t count, const char* what);
  template <class T>
  T value(const char* what, bool swap) {
    return decode<T>(bytes(sizeof(T), what).data(), swap);
  }
  template <class T>
  static T decode(const char* from, bool swap) {
    char raw[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) raw[i] = from[swap ? sizeof(T) - 1 - i : i];
    T out;
    std::memcpy(&out, raw, sizeof(T));
    return out;
  }

  /// Fails unless `count` things of at least `bytes_each` bytes can still come: called before room is made for
  /// them.
  std::size_t checked_count(std::int64_t count, std::size_t bytes_each, const char* what) const;
  void check_finite(double value, const char* what) const;

 private:
  std::string_view text_;
  const std::string* name_;
  std::size_t at_ = 0;
  bool binary_ = false;
  char comment_ = '\0';
};

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
std::string lower_case(std::string_view text);
/// For messages: at most 40 printable characters.
std::string shown(std::string_view text);

}  // namespace resilin
