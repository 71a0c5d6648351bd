// CRC-32 (the polynomial of zip, gzip and PNG, reflected): finds every flipped bit and every burst of up to 32
// bits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace resilin {

/// `previous`: the checksum of what came before, so that parts can be summed one after the other.
inline std::uint32_t crc32(std::string_view bytes, std::uint32_t previous = 0) {
  static const auto tables = [] {  // table k: a byte followed by k zero bytes
    std::array<std::array<std::uint32_t, 256>, 8> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0u);
      t[0][i] = c;
    }
    for (std::size_t k = 1; k < 8; ++k)
      for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
    return t;
  }();
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  std::uint32_t c = ~previous;
  for (; left >= 8; left -= 8, p += 8) {
    c ^= static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
         static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
    c = tables[7][c & 255] ^ tables[6][c >> 8 & 255] ^ tables[5][c >> 16 & 255] ^ tables[4][c >> 24] ^
        tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^ tables[0][p[7]];
  }
  for (; left > 0; --left, ++p) c = tables[0][(c ^ *p) & 255] ^ c >> 8;
  return ~c;
}

}  // namespace resilin
