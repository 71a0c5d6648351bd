// A number made of numbers: equal contents give equal stamps, in this process and in the next one, so that what was
// made of them can be found again or known to be stale. 64 bits of FNV-1a over words with a rotation, mixed at the
// end.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace resilin {

class Stamp {
 public:
  void add(std::uint64_t word) { value_ = std::rotl((value_ ^ word) * 0x100000001b3u, 29); }
  void add(std::int64_t word) { add(static_cast<std::uint64_t>(word)); }
  void add(int word) { add(static_cast<std::uint64_t>(word)); }
  void add(bool word) { add(static_cast<std::uint64_t>(word)); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  template <class Number>
  void add(std::span<const Number> numbers) {
    add(static_cast<std::uint64_t>(numbers.size()));
    for (const Number number : numbers) add(number);
  }
  /// Never zero.
  std::uint64_t value() const {
    std::uint64_t h = value_;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    h ^= h >> 33;
    return h == 0 ? 1 : h;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace resilin
