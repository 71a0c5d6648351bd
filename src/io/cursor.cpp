#include "io/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace resilin {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string shown(std::string_view text) {
  std::string out(text.substr(0, 40));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out + (text.size() > 40 ? "..." : "");
}

void Cursor::fail_at(std::size_t at, const std::string& problem) const {
  at = std::min(at, text_.size());
  if (binary_) throw InputError(fmt::format("{}: byte {}", *name_, at), problem);
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError(fmt::format("{}:{}", *name_, line), problem);
}

bool Cursor::skip_space() {
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) ++at_;
    else if (comment_ != '\0' && text_[at_] == comment_) at_ = std::min(text_.find('\n', at_), text_.size());
    else return true;
  }
  return false;
}

bool Cursor::skip_blanks() {
  while (at_ < text_.size() && is_space(text_[at_]) && text_[at_] != '\n') ++at_;
  if (at_ < text_.size() && comment_ != '\0' && text_[at_] == comment_)
    at_ = std::min(text_.find('\n', at_), text_.size());
  return at_ < text_.size() && text_[at_] != '\n';
}

std::string_view Cursor::word() {
  skip_space();
  const std::size_t start = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

std::string_view Cursor::line() {
  const std::size_t start = at_, end = std::min(text_.find('\n', at_), text_.size());
  at_ = std::min(end + 1, text_.size());
  std::string_view out = text_.substr(start, end - start);
  if (!out.empty() && out.back() == '\r') out.remove_suffix(1);
  return out;
}

double Cursor::number(const char* what) {
  if (!skip_space()) fail(fmt::format("the file ends where {} is expected", what));
  const std::size_t start = at_;
  const char *from = text_.data() + at_, *end = text_.data() + text_.size();
  if (*from == '+' && from + 1 < end) ++from;
  double out = 0;
  const auto [rest, error] = std::from_chars(from, end, out);
  if (error == std::errc::result_out_of_range)  // too small is zero, too large is refused below
    out = std::strtod(std::string(from, rest).c_str(), nullptr);
  if (error == std::errc::invalid_argument || (rest != end && !is_space(*rest) && *rest != ','))
    fail_at(start, fmt::format("\"{}\" stands where {} is expected", shown(word()), what));
  at_ = static_cast<std::size_t>(rest - text_.data());
  if (!std::isfinite(out))
    fail_at(start, fmt::format("{} is \"{}\", which is not finite", what, shown({from, rest})));
  return out;
}

std::int64_t Cursor::integer(const char* what) {
  if (!skip_space()) fail(fmt::format("the file ends where {} is expected", what));
  const std::size_t start = at_;
  const char *from = text_.data() + at_, *end = text_.data() + text_.size();
  if (*from == '+' && from + 1 < end) ++from;
  std::int64_t out = 0;
  const auto [rest, error] = std::from_chars(from, end, out);
  if (error != std::errc() || (rest != end && !is_space(*rest) && *rest != ','))
    fail_at(start, fmt::format("\"{}\" stands where {} is expected: a whole number", shown(word()), what));
  at_ = static_cast<std::size_t>(rest - text_.data());
  return out;
}

int Cursor::integer_in(const char* what, std::int64_t low, std::int64_t high) {
  skip_space();
  const std::size_t start = at_;
  const std::int64_t out = integer(what);
  if (out < low || out > high) fail_at(start, fmt::format("{} is {}: allowed is {} to {}", what, out, low, high));
  return static_cast<int>(out);
}

std::string_view Cursor::bytes(std::size_t count, const char* what) {
  if (count > remaining())
    fail(fmt::format("the file ends within {}: {} bytes are expected, {} remain", what, count, remaining()));
  at_ += count;
  return text_.substr(at_ - count, count);
}

std::size_t Cursor::checked_count(std::int64_t count, std::size_t bytes_each, const char* what) const {
  constexpr std::int64_t most = 400'000'000;  // ids of corners stay ints
  if (count < 0 || count > most ||
      static_cast<std::size_t>(count) > (remaining() + 1) / std::max<std::size_t>(1, bytes_each))
    fail(fmt::format("{} {} are announced, but {} bytes of the file remain", count, what, remaining()));
  return static_cast<std::size_t>(count);
}

void Cursor::check_finite(double value, const char* what) const {
  if (!std::isfinite(value)) fail(fmt::format("{} is {}, which is not finite", what, value));
}

}  // namespace resilin
