#include "gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <stdexcept>

namespace resilin::viewer {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// False: an escape is broken.
bool decode(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const bool whole = i + 2 < text.size();
    const int high = whole ? digit(text[i + 1]) : -1, low = whole ? digit(text[i + 2]) : -1;
    if (high < 0 || low < 0 || (high == 0 && low == 0)) return false;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return true;
}

}  // namespace

const std::string* Target::find(const std::string& name) const {
  for (const auto& [key, value] : query)
    if (key == name) return &value;
  return nullptr;
}

Target parse_target(std::string_view target) {
  Target out;
  const std::size_t mark = std::min(target.find('?'), target.size());
  if (!target.starts_with('/') || !decode(target.substr(0, mark), out.path)) return {};
  for (std::size_t at = mark + 1; at < target.size();) {
    const std::size_t end = std::min(target.find('&', at), target.size());
    const std::string_view item = target.substr(at, end - at);
    const std::size_t equals = std::min(item.find('='), item.size());
    std::string key, value;
    if (!decode(item.substr(0, equals), key) || !decode(item.substr(std::min(equals + 1, item.size())), value))
      return {};
    out.query.emplace_back(std::move(key), std::move(value));
    at = end + 1;
  }
  return out;
}

Access Gate::admit(const Asked& asked, const Target& target, bool from_page) const {
  const auto known = [&](std::string_view host) {
    return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
  };
  if (asked.hosts.size() != 1 || !known(asked.hosts.front())) return Access::refused_host;
  constexpr std::string_view scheme = "http://";
  if (from_page && (asked.origins.size() != 1 || !asked.origins.front().starts_with(scheme) ||
                    !known(asked.origins.front().substr(scheme.size()))))
    return Access::refused_origin;
  const std::string* token = target.find("token");
  if (token == nullptr) return Access::watch;
  return equal_secrets(*token, token_) ? Access::control : Access::refused_token;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<unsigned char>(difference |
                                            (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
  return difference == 0;
}

std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw std::runtime_error("the system gives no random numbers");
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

}  // namespace resilin::viewer
