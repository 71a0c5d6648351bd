#include "io/xml.h"

#include <fmt/format.h>

#include <algorithm>

namespace resilin {
namespace {

constexpr std::size_t deepest = 32, most_attributes = 64;
constexpr std::pair<std::string_view, char> entities[] = {
    {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == ':' || c == '.';
}

std::string_view read_name(Cursor& in) {
  const std::size_t start = in.at();
  std::size_t at = start;
  while (at < in.text().size() && is_name_char(in.text()[at])) ++at;
  if (at == start) in.fail("a name is expected in a tag");
  in.move_to(at);
  return in.text().substr(start, at - start);
}

char peek(const Cursor& in) { return in.remaining() > 0 ? in.text()[in.at()] : '\0'; }

}  // namespace

const std::string& XmlTag::attribute(std::string_view key, const std::string& fallback) const {
  for (const auto& entry : attributes)
    if (entry.first == key) return entry.second;
  return fallback;
}

std::string XmlScanner::around(const XmlTag& tag) const {
  const std::size_t own = tag.empty || tag.closes ? 0 : 1;
  return open_.size() > own ? open_[open_.size() - 1 - own] : "";
}

std::string XmlScanner::unescaped(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '&') {
      out += text[i++];
      continue;
    }
    const auto* known = std::find_if(std::begin(entities), std::end(entities),
                                     [&](const auto& e) { return text.substr(i).starts_with(e.first); });
    if (known == std::end(entities))
      in_.fail(fmt::format("the entity \"{}\" is unknown", shown(text.substr(i, 12))));
    out += known->second;
    i += known->first.size();
  }
  return out;
}

// Comments, instructions and CDATA: true when one was skipped.
bool XmlScanner::skip_markup() {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}};
  const std::string_view here = in_.text().substr(in_.at(), 12);
  for (const auto& [open, shut] : kinds) {
    if (!here.starts_with(open)) continue;
    const std::size_t end = in_.text().find(shut, in_.at() + open.size());
    if (end == std::string_view::npos) in_.fail(fmt::format("\"{}\" is not closed", open));
    in_.move_to(end + shut.size());
    return true;
  }
  if (here.starts_with("<!")) in_.fail("document types are refused");
  return false;
}

void XmlScanner::read_attributes(XmlTag& tag) {
  while (in_.skip_space() && peek(in_) != '>' && peek(in_) != '/') {
    if (tag.attributes.size() == most_attributes) in_.fail("a tag with too many attributes");
    std::string name(read_name(in_));
    if (!in_.skip_space() || peek(in_) != '=') in_.fail(fmt::format("the attribute {} has no value", shown(name)));
    in_.move_to(in_.at() + 1);
    in_.skip_space();
    const char quote = peek(in_);
    if (quote != '"' && quote != '\'') in_.fail(fmt::format("the value of {} is not in quotes", shown(name)));
    const std::size_t start = in_.at() + 1, end = in_.text().find(quote, start);
    if (end == std::string_view::npos) in_.fail(fmt::format("the value of {} has no end", shown(name)));
    tag.attributes.emplace_back(std::move(name), unescaped(in_.text().substr(start, end - start)));
    in_.move_to(end + 1);
  }
}

bool XmlScanner::next(XmlTag& tag) {
  tag = {};
  do {
    const std::size_t start = in_.text().find('<', in_.at());
    if (start == std::string_view::npos) {
      in_.move_to(in_.text().size());
      if (!open_.empty()) in_.fail(fmt::format("the file ends within <{}>", open_.back()));
      return false;
    }
    in_.move_to(start);
  } while (skip_markup());
  tag.start = in_.at();
  in_.move_to(in_.at() + 1);
  tag.closes = peek(in_) == '/';
  if (tag.closes) in_.move_to(in_.at() + 1);
  tag.name = std::string(read_name(in_));
  read_attributes(tag);
  tag.empty = peek(in_) == '/';
  if (tag.empty) in_.move_to(in_.at() + 1);
  if (peek(in_) != '>') in_.fail(fmt::format("the tag <{}> has no end", shown(tag.name)));
  in_.move_to(in_.at() + 1);
  tag.end = in_.at();
  if (tag.closes) {
    if (open_.empty() || open_.back() != tag.name)
      in_.fail(
          fmt::format("</{}> closes {}", shown(tag.name), open_.empty() ? "nothing" : "<" + open_.back() + ">"));
    open_.pop_back();
  } else if (!tag.empty) {
    if (open_.size() == deepest) in_.fail(fmt::format("elements are nested deeper than {}", deepest));
    open_.push_back(tag.name);
  }
  return true;
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto* known =
        std::find_if(std::begin(entities), std::end(entities), [&](const auto& e) { return e.second == c; });
    if (known != std::end(entities) && c != '\'') out += known->first;
    else out += c;
  }
  return out;
}

}  // namespace resilin
