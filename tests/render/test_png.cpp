// The PNG writer, read back by a decoder of our own (fixed Huffman codes are all that it makes).
#include <gtest/gtest.h>

#include <random>

#include "io/checksum.h"
#include "resilin/render.h"

namespace resilin {
namespace {

std::uint32_t big(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return out;
}

class Inflate {
 public:
  explicit Inflate(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string all() {
    EXPECT_EQ(bits(1), 1u);
    EXPECT_EQ(bits(2), 1u);
    for (std::uint32_t s; (s = symbol()) != 256;) {
      if (s < 256) out_ += static_cast<char>(s);
      else match(s - 257);
    }
    return out_;
  }

 private:
  std::uint32_t bit() {
    const std::uint32_t b = static_cast<unsigned char>(bytes_.at(at_ / 8)) >> at_ % 8 & 1;
    ++at_;
    return b;
  }
  std::uint32_t bits(int n) {
    std::uint32_t v = 0;
    for (int i = 0; i < n; ++i) v |= bit() << i;
    return v;
  }
  std::uint32_t code(int n) {
    std::uint32_t v = 0;
    for (int i = 0; i < n; ++i) v = v << 1 | bit();
    return v;
  }
  std::uint32_t symbol() {
    std::uint32_t v = code(7);
    if (v < 24) return 256 + v;
    v = v << 1 | bit();
    if (v < 0xc0) return v - 0x30;
    if (v < 0xc8) return 280 + v - 0xc0;
    return 144 + (v << 1 | bit()) - 0x190;
  }
  void match(std::uint32_t l) {
    std::uint32_t length = l < 8 ? 3 + l : 258;
    if (l >= 8 && l < 28) {
      const int extra = static_cast<int>(l / 4) - 1;
      length = 3 + ((4 + l % 4) << extra) + bits(extra);
    }
    const std::uint32_t d = code(5);
    const int extra = d < 2 ? 0 : static_cast<int>(d / 2) - 1;
    const std::uint32_t distance = (d < 2 ? d : (2 + d % 2) << extra) + bits(extra) + 1;
    for (std::uint32_t i = 0; i < length; ++i) out_ += out_.at(out_.size() - distance);
  }
  std::string bytes_, out_;
  std::size_t at_ = 0;
};

std::vector<std::uint8_t> decode(const std::string& file, int width, int height) {
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string data;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = big(file, at);
    const std::string type = file.substr(at + 4, 4), body = file.substr(at + 8, size);
    EXPECT_EQ(big(file, at + 8 + size), crc32(type + body)) << type;
    if (type == "IHDR") {
      EXPECT_EQ(std::make_pair(big(body, 0), big(body, 4)),
                std::make_pair(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)));
    }
    if (type == "IDAT") data += body;
    at += 12 + size;
  }
  const std::string rows = Inflate(data.substr(2)).all();
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  EXPECT_EQ(rows.size(), (row + 1) * static_cast<std::size_t>(height));
  std::vector<std::uint8_t> out;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
    for (std::size_t i = 0; i < row; ++i) {
      const int a = i >= 3 ? out[y * row + i - 3] : 0, b = y > 0 ? out[(y - 1) * row + i] : 0,
                c = i >= 3 && y > 0 ? out[(y - 1) * row + i - 3] : 0;
      const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
      const int paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const int filter = rows[y * (row + 1)];
      out.push_back(static_cast<std::uint8_t>(rows[y * (row + 1) + 1 + i] + (filter == 1   ? a
                                                                             : filter == 2 ? b
                                                                             : filter == 4 ? paeth
                                                                                           : 0)));
    }
  return out;
}

TEST(Png, ComesBackWhateverTheContents) {
  std::mt19937 random(3);
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 3}, {200, 150}, {257, 64}}) {
    for (const int kind : {0, 1, 2}) {
      Picture p{width, height, {}};
      for (int i = 0; i < 3 * width * height; ++i)
        p.rgb.push_back(static_cast<std::uint8_t>(kind == 0   ? 255
                                                  : kind == 1 ? random()
                                                              : static_cast<unsigned>(i / 40 + i / width)));
      EXPECT_EQ(decode(png(p), width, height), p.rgb) << width << "x" << height << " kind " << kind;
    }
  }
}

TEST(Png, CompressesWhatIsEven) {
  Picture p{300, 200, std::vector<std::uint8_t>(300 * 200 * 3, 128)};
  EXPECT_LT(png(p).size(), 3000u);
}

}  // namespace
}  // namespace resilin
