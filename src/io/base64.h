// Base64 (RFC 4648), and zlib where it was found when building.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace resilin {

std::string base64(std::string_view bytes);

/// The first `count` bytes that `text` encodes; nothing when it is shorter or holds other characters. `used`: the
/// characters that were read, in whole groups of four.
std::optional<std::string> base64_prefix(std::string_view text, std::size_t count, std::size_t& used);

bool has_zlib();
/// A gzip file (RFC 1952).
bool is_gzip(std::string_view bytes);
/// At most `limit` bytes come out; nothing when the data is damaged or there would be more. Needs zlib.
std::optional<std::string> gunzip(std::string_view bytes, std::size_t limit);
/// A zlib stream of exactly `size` bytes. Needs zlib.
std::optional<std::string> inflate_exactly(std::string_view bytes, std::size_t size);
/// A zlib stream at its fastest level; the same bytes come out for the same bytes. Needs zlib.
std::string deflate_fast(std::string_view bytes);
/// Gzipped at the default level; the same bytes come out for the same bytes. Needs zlib.
std::string gzip(std::string_view bytes);

/// The most bytes that an honest file of this size unpacks to: a bomb of a few bytes must not fill the memory.
inline std::size_t unpacked_limit(std::size_t packed) { return (std::size_t{16} << 20) + 50 * packed; }

}  // namespace resilin
