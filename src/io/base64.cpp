#include "io/base64.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#if RESILIN_ZLIB
#include <zlib.h>
#endif

namespace resilin {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> values_of_digits() {
  std::array<std::int8_t, 256> out{};
  for (auto& v : out) v = -1;
  for (std::size_t i = 0; i < digits.size(); ++i)
    out[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  return out;
}
constexpr std::array<std::int8_t, 256> digit_values = values_of_digits();

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  std::size_t o = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3, o += 4) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k <= n; ++k) out[o + k] = digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

std::optional<std::string> base64_prefix(std::string_view text, std::size_t count, std::size_t& used) {
  used = 0;
  if (count > text.size() / 4 * 3) return std::nullopt;
  std::string out;
  out.reserve(count + 2);
  while (out.size() < count) {
    if (used + 4 > text.size()) return std::nullopt;
    std::uint32_t group = 0;
    std::size_t bytes = 3;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[used + k];
      const int value = digit_values[static_cast<unsigned char>(c)];
      if (c == '=' && k >= 2) bytes = std::min(bytes, k - 1);
      else if (value < 0 || bytes < 3) return std::nullopt;
      group = group << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : value);
    }
    for (std::size_t k = 0; k < bytes; ++k) out.push_back(static_cast<char>(group >> (16 - 8 * k) & 255));
    used += 4;
  }
  out.resize(count);
  return out;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

#if RESILIN_ZLIB

bool has_zlib() { return true; }

namespace {

std::optional<std::string> inflated(std::string_view bytes, std::size_t limit, int window) {
  z_stream stream{};
  if (inflateInit2(&stream, window) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  std::size_t left = bytes.size();
  std::string out;
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min<std::size_t>(left, 1u << 30));
      left -= stream.avail_in;
    }
    char buffer[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = sizeof buffer - stream.avail_out;
    if (got > limit - out.size()) status = Z_MEM_ERROR;
    else out.append(buffer, got);
    // gzip files may be written one after the other
    if (status == Z_STREAM_END && window > 15 && stream.avail_in + left > 0) {
      if (stream.avail_in > 0 && *stream.next_in == 0x1f) status = inflateReset(&stream);
    }
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return out;
}

std::string deflated(std::string_view bytes, int level, int window) {
  z_stream stream{};
  [[maybe_unused]] int status = deflateInit2(&stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  assert(status == Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  status = deflate(&stream, Z_FINISH);
  assert(status == Z_STREAM_END && bytes.size() < (1u << 31));
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::optional<std::string> gunzip(std::string_view bytes, std::size_t limit) {
  return inflated(bytes, limit, 15 + 16);
}

std::optional<std::string> inflate_exactly(std::string_view bytes, std::size_t size) {
  std::optional<std::string> out = inflated(bytes, size, 15);
  if (out && out->size() != size) return std::nullopt;
  return out;
}

std::string deflate_fast(std::string_view bytes) { return deflated(bytes, Z_BEST_SPEED, 15); }
std::string gzip(std::string_view bytes) { return deflated(bytes, Z_DEFAULT_COMPRESSION, 15 + 16); }

#else

bool has_zlib() { return false; }
std::optional<std::string> gunzip(std::string_view, std::size_t) { return std::nullopt; }
std::optional<std::string> inflate_exactly(std::string_view, std::size_t) { return std::nullopt; }
std::string deflate_fast(std::string_view bytes) { return std::string(bytes); }
std::string gzip(std::string_view bytes) { return std::string(bytes); }

#endif

}  // namespace resilin
