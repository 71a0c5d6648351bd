// What the stream that a person reads can do: escape codes or not, colour or not, how wide.
#pragma once
#include <cstdio>
#include <string>

namespace resilin::cli {

enum class Style { bold, dim, green, yellow, red };

class Terminal {
 public:
  explicit Terminal(std::FILE* stream);
  std::FILE* stream() const { return stream_; }
  /// A terminal that understands escape codes: lines may be redrawn in place.
  bool live() const { return live_; }
  int width() const;
  /// The text in that style, or as it is where colour is not wanted (NO_COLOR, a file, a pipe).
  std::string paint(Style style, const std::string& text) const;

 private:
  std::FILE* stream_;
  bool live_, colour_;
};

/// `text` in lines of at most `width` columns, each after the first preceded by `indent` spaces.
std::string wrapped(const std::string& text, int width, int indent);

/// A word of a command line as a shell reads it: quoted where it has to be.
std::string shell_word(const std::string& word);

}  // namespace resilin::cli
