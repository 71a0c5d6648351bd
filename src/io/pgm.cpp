#include "io/pgm.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "resilin/errors.h"
#include "resilin/io.h"

namespace resilin {
namespace {

class Reader {
 public:
  Reader(const std::string& text, const std::string& where) : text_(text), where_(where) {}

  GreyPicture read() {
    const bool plain = text_.starts_with("P2");
    if (!plain && !text_.starts_with("P5")) fail("is no grey Netpbm picture: it begins with P2 or P5");
    at_ = 2;
    GreyPicture out;
    out.width = number("width", 1, 32768), out.height = number("height", 1, 32768);
    const int white = number("value of white", 1, 65535), bytes = white > 255 ? 2 : 1;
    const std::size_t count = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
    ++at_;  // one blank before the bytes
    if (!plain && text_.size() < at_ + count * static_cast<std::size_t>(bytes))
      fail(fmt::format("ends within its {} x {} pixels", out.width, out.height));
    for (std::size_t i = 0; i < count; ++i)
      out.values.push_back(static_cast<double>(plain ? number("pixel", 0, white) : pixel(bytes)) / white);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InputError(where_, why); }
  int pixel(int bytes) {
    int value = 0;
    for (int i = 0; i < bytes; ++i) value = 256 * value + static_cast<unsigned char>(text_[at_++]);
    return value;
  }
  int number(const char* what, int low, int high) {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '#'))
      at_ = text_[at_] == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    int value = 0, digits = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 && digits < 6; ++digits)
      value = 10 * value + (text_[at_++] - '0');
    if (digits == 0) fail(fmt::format("its {} is missing", what));
    if (value < low || value > high) fail(fmt::format("its {} is {}: {} to {} is allowed", what, value, low, high));
    return value;
  }

  const std::string& text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

GreyPicture parse_pgm(const std::string& text, const std::string& where) { return Reader(text, where).read(); }

GreyPicture read_pgm(const Value& name, const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / name.text()).string();
  try {
    return parse_pgm(read_file(path), path);
  } catch (const InputError& problem) {
    name.fail(problem.what());
  }
}

}  // namespace resilin
