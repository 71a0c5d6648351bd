// Figures that were computed, or windows that were measured, at one setting. An experiment that judges by such
// numbers refuses another setting before it runs: elsewhere its verdict would mean nothing.
#pragma once
#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "resilin/params.h"

namespace resilin::lab {

/// Throws InputError, naming the parameter, unless each has the value at which the windows hold.
inline void windows_hold_at(const Settings& s, std::initializer_list<std::pair<const char*, double>> values) {
  for (const auto& [name, value] : values)
    if (s.value(name).number() != value)
      s.value(name).fail(
          fmt::format("{} is {:g}, and what this experiment expects holds at {:g} only. Leave it at its default",
                      name, s.value(name).number(), value));
}

/// The same for a parameter that may be larger: records up to `least` are judged.
inline void windows_need_at_least(const Settings& s, const char* name, double least) {
  if (!(s.value(name).number() >= least))
    s.value(name).fail(
        fmt::format("{} is {:g}, and this experiment judges what is there after {:g}. Use that or more", name,
                    s.value(name).number(), least));
}

}  // namespace resilin::lab
