// Reads the tags of an XML file one after the other, with a bounded depth and without recursion. It knows the five
// standard entities, skips comments and processing instructions, and refuses document types, where entity bombs
// live.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/cursor.h"

namespace resilin {

struct XmlTag {
  std::string name;
  bool closes = false, empty = false;  // </name>, <name/>
  std::vector<std::pair<std::string, std::string>> attributes;
  std::size_t start = 0, end = 0;  // places of '<' and after '>'

  /// The attribute's value, or `fallback`.
  const std::string& attribute(std::string_view key, const std::string& fallback) const;
};

class XmlScanner {
 public:
  explicit XmlScanner(Cursor& in) : in_(in) {}
  /// False at the end of the file, where every element must be closed. Closing tags are checked to match.
  bool next(XmlTag& tag);
  std::size_t depth() const { return open_.size(); }
  /// The element that this tag, the last one, stands in.
  std::string around(const XmlTag& tag) const;

 private:
  bool skip_markup();
  void read_attributes(XmlTag& tag);
  std::string unescaped(std::string_view text) const;

  Cursor& in_;
  std::vector<std::string> open_;
};

std::string xml_escaped(std::string_view text);

}  // namespace resilin
