#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace resilin::cli {

Terminal::Terminal(std::FILE* stream) : stream_(stream) {
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  live_ = ::isatty(::fileno(stream)) == 1 && term != nullptr && std::strcmp(term, "dumb") != 0;
  colour_ = live_ && (no_color == nullptr || *no_color == '\0');
}

int Terminal::width() const {
  winsize size{};
  if (::ioctl(::fileno(stream_), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return size.ws_col;
}

std::string Terminal::paint(Style style, const std::string& text) const {
  if (!colour_) return text;
  const char* codes[] = {"1", "2", "32", "33", "31"};
  return std::string("\033[") + codes[static_cast<int>(style)] + "m" + text + "\033[0m";
}

std::string wrapped(const std::string& text, int width, int indent) {
  const std::size_t room = static_cast<std::size_t>(std::max(20, width - indent));
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.size(), at + room);
    if (end < text.size()) {
      const std::size_t space = text.rfind(' ', end);
      if (space != std::string::npos && space > at) end = space;
    }
    if (!out.empty()) out.append("\n").append(static_cast<std::size_t>(indent), ' ');
    out += text.substr(at, end - at);
    at = end < text.size() && text[end] == ' ' ? end + 1 : end;
  }
  return out;
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-./,:=@%+", c) != nullptr;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace resilin::cli
