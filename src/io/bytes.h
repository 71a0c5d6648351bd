// Little helpers to write binary formats.
#pragma once
#include <bit>
#include <cstring>
#include <span>
#include <string>

namespace resilin {

static_assert(std::endian::native == std::endian::little,
              "the writers of binary formats append numbers as they lie in memory");

template <class T>
void append_value(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  out.append(raw, sizeof(T));
}

template <class T>
void append_big_endian(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  for (std::size_t k = sizeof(T); k-- > 0;) out += raw[k];
}

template <class T>
void append_values(std::string& out, std::span<const T> values) {
  if (!values.empty()) out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace resilin
