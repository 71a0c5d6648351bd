// PNG with its own deflate: rows filtered by the predictor that leaves the least, matches found by hashing, fixed
// Huffman codes. Somewhat larger than what zlib would make, and no dependency.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>

#include "io/checksum.h"
#include "resilin/render.h"

namespace resilin {
namespace {

/// Bits from the lowest on, as deflate wants them.
class Bits {
 public:
  void put(std::uint32_t value, int count) {
    held_ |= static_cast<std::uint64_t>(value) << filled_;
    for (filled_ += count; filled_ >= 8; filled_ -= 8, held_ >>= 8) bytes_ += static_cast<char>(held_ & 255);
  }
  /// Huffman codes go in from their highest bit on.
  void code(std::uint32_t value, int count) {
    std::uint32_t turned = 0;
    for (int i = 0; i < count; ++i) turned |= (value >> i & 1) << (count - 1 - i);
    put(turned, count);
  }
  /// A literal byte, the end (256) or a length symbol in the fixed code of RFC 1951, 3.2.6.
  void symbol(std::uint32_t s) {
    if (s < 144) code(0x30 + s, 8);
    else if (s < 256) code(0x190 + s - 144, 9);
    else if (s < 280) code(s - 256, 7);
    else code(0xc0 + s - 280, 8);
  }
  std::string finish() {
    if (filled_ > 0) bytes_ += static_cast<char>(held_ & 255);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  std::uint64_t held_ = 0;
  int filled_ = 0;
};

constexpr std::array<int, 29> length_base = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<int, 29> length_extra = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                              2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<int, 30> distance_base = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                               33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                               1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

void put_match(Bits& bits, int length, int distance) {
  const auto l = static_cast<std::size_t>(std::upper_bound(length_base.begin(), length_base.end(), length) -
                                          length_base.begin() - 1);
  bits.symbol(static_cast<std::uint32_t>(257 + l));
  bits.put(static_cast<std::uint32_t>(length - length_base[l]), length_extra[l]);
  const auto d = static_cast<std::size_t>(std::upper_bound(distance_base.begin(), distance_base.end(), distance) -
                                          distance_base.begin() - 1);
  bits.code(static_cast<std::uint32_t>(d), 5);
  bits.put(static_cast<std::uint32_t>(distance - distance_base[d]), d < 2 ? 0 : static_cast<int>(d / 2) - 1);
}

std::string deflate(const std::string& in) {
  constexpr std::size_t window = 32768, longest = 258;
  constexpr int tries = 12;
  Bits bits;
  bits.put(1, 1), bits.put(1, 2);  // the last block; fixed codes
  std::vector<std::int64_t> head(1 << 15, -1), previous(window, -1);
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(in[i])); };
  const auto remember = [&](std::size_t i) {
    if (i + 3 > in.size()) return;
    auto& slot = head[(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2)) * 2654435761u >> 17];
    previous[i % window] = slot;
    slot = static_cast<std::int64_t>(i);
  };
  for (std::size_t i = 0; i < in.size();) {
    std::size_t best = 0, at = 0;
    const std::size_t most = std::min(longest, in.size() - i);
    if (most >= 3) {
      std::int64_t j = head[(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2)) * 2654435761u >> 17];
      for (int t = 0; t < tries && j >= 0 && i - static_cast<std::size_t>(j) <= window - 1 && best < most; ++t) {
        const auto from = static_cast<std::size_t>(j);
        std::size_t n = 0;
        if (in[from + best] == in[i + best])
          while (n < most && in[from + n] == in[i + n]) ++n;
        if (n > best) best = n, at = from;
        const std::int64_t older = previous[from % window];
        if (older >= j) break;  // overwritten: the chain ends
        j = older;
      }
    }
    if (best >= 4) put_match(bits, static_cast<int>(best), static_cast<int>(i - at));
    else bits.symbol(byte(i)), best = 1;
    for (const std::size_t end = i + best; i < end; ++i) remember(i);
  }
  bits.symbol(256);
  return bits.finish();
}

std::uint32_t adler32(const std::string& bytes) {
  std::uint32_t a = 1, b = 0;
  std::size_t since = 0;
  for (const char c : bytes) {
    a += static_cast<unsigned char>(c), b += a;
    if (++since == 5000) a %= 65521, b %= 65521, since = 0;
  }
  return (b % 65521) << 16 | a % 65521;
}

void put_big(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
}

void put_chunk(std::string& out, const std::string& type, const std::string& data) {
  put_big(out, static_cast<std::uint32_t>(data.size()));
  out += type + data;
  put_big(out, crc32(data, crc32(type)));
}

int predict(int filter, int left, int above, int corner) {
  if (filter == 1) return left;
  if (filter == 2) return above;
  if (filter != 4) return 0;
  const int p = left + above - corner, a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;  // Paeth
}

std::string filtered(const Picture& picture) {
  const std::size_t row = 3 * static_cast<std::size_t>(picture.width);
  const std::vector<std::uint8_t> zero(row, 0);
  std::string out, line(row, '\0'), best;
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* now = picture.rgb.data() + static_cast<std::size_t>(y) * row;
    const std::uint8_t* before = y > 0 ? now - row : zero.data();
    long least = -1;
    for (const int filter : {1, 2, 4}) {
      long sum = 0;
      for (std::size_t i = 0; i < row; ++i) {
        const int left = i >= 3 ? now[i - 3] : 0, corner = i >= 3 ? before[i - 3] : 0;
        line[i] = static_cast<char>(now[i] - predict(filter, left, before[i], corner));
        sum += std::abs(static_cast<signed char>(line[i]));
      }
      if (least >= 0 && sum >= least) continue;
      least = sum;
      best = static_cast<char>(filter) + line;
    }
    out += best;
  }
  return out;
}

}  // namespace

std::string png(const Picture& picture) {
  assert(picture.width > 0 && picture.height > 0 &&
         picture.rgb.size() ==
             3 * static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  std::string out = "\x89PNG\r\n\x1a\n", header;
  put_big(header, static_cast<std::uint32_t>(picture.width));
  put_big(header, static_cast<std::uint32_t>(picture.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, adaptive filters, not interlaced
  put_chunk(out, "IHDR", header);
  put_chunk(out, "sRGB", std::string(1, '\0'));
  const std::string rows = filtered(picture);
  std::string data = "\x78\x01" + deflate(rows);
  put_big(data, adler32(rows));
  put_chunk(out, "IDAT", data);
  put_chunk(out, "IEND", "");
  return out;
}

}  // namespace resilin
