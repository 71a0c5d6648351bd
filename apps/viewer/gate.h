// Who may ask for what: hosts, origins and the token of a run. Pure functions of what a request says.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace resilin::viewer {

/// The parts of a request that decide. Headers that are absent are null.
struct Asked {
  std::string_view method, target;
  std::vector<std::string_view> hosts, origins;  // every header of that name
};

/// "/export/edits.jsonl?token=..." as path and members, decoded.
struct Target {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;
  const std::string* find(const std::string& name) const;
};
/// Without a leading slash, or with a broken escape: an empty path.
Target parse_target(std::string_view target);

enum class Access { refused_host, refused_origin, refused_token, watch, control };

class Gate {
 public:
  Gate(std::vector<std::string> hosts, std::string token) : hosts_(std::move(hosts)), token_(std::move(token)) {}
  /// `from_page`: the request must come from a page of this server. A wrong token is refused, none at all lets
  /// watch.
  Access admit(const Asked& asked, const Target& target, bool from_page) const;
  const std::string& token() const { return token_; }

 private:
  std::vector<std::string> hosts_;  // with the port
  std::string token_;
};

/// In a time that does not depend on where they differ.
bool equal_secrets(std::string_view a, std::string_view b);
/// 128 random bits of the system, in hex.
std::string random_token();

}  // namespace resilin::viewer
