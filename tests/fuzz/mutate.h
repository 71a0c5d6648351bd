// Deterministic damage to files: what disks, networks and careless programs do, and what fuzzers try first.
#pragma once
#include <cctype>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace resilin::test {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  /// One of the ways below, at a random place; several of them now and then.
  std::string operator()(std::string text) {
    const int rounds = below(4) == 0 ? 1 + below(4) : 1;
    for (int i = 0; i < rounds; ++i) text = once(text);
    return text;
  }

 private:
  int below(std::size_t n) { return n == 0 ? 0 : static_cast<int>(random_() % n); }

  std::string once(std::string text) {
    if (text.empty()) return text;
    const auto at = static_cast<std::size_t>(below(text.size()));
    switch (below(8)) {
      case 0: return text.substr(0, at);
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); return text;
      case 2: text[at] = static_cast<char>(below(256)); return text;
      case 3: return text.erase(at, 1 + static_cast<std::size_t>(below(16)));
      case 4:
        return text.insert(
            at, text.substr(static_cast<std::size_t>(below(text.size())), 1 + static_cast<std::size_t>(below(64))));
      case 5: {  // a binary number
        static const unsigned char extremes[][8] = {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                                    {0, 0, 0, 0x80},
                                                    {0xff, 0xff, 0xff, 0x7f},
                                                    {0, 0, 0, 0, 0, 0, 0xf8, 0x7f},
                                                    {0, 0, 0, 0, 0, 0, 0xf0, 0x7f},
                                                    {0, 0, 0xc0, 0x7f},
                                                    {}};
        const auto& bytes = extremes[below(std::size(extremes))];
        const std::size_t size = below(2) == 0 ? 4 : 8;
        for (std::size_t k = 0; k < size && at + k < text.size(); ++k) text[at + k] = static_cast<char>(bytes[k]);
        return text;
      }
      default: return replace_number(text, at);
    }
  }

  // The next number in the text becomes one that is hard to swallow.
  std::string replace_number(std::string text, std::size_t at) {
    static const char* const hard[] = {"-1",
                                       "0",
                                       "nan",
                                       "inf",
                                       "1e999",
                                       "1e-999",
                                       "99999999999999999999",
                                       "4294967295",
                                       "2147483647",
                                       "-2147483648",
                                       "1000000000",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "3.5",
                                       "x",
                                       "",
                                       "1e",
                                       "0x10",
                                       "12345"};
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) == 0) ++at;
    std::size_t end = at;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.'))
      ++end;
    return text.replace(at, end - at, hard[below(std::size(hard))]);
  }

  std::mt19937 random_;
};

}  // namespace resilin::test
