// Expects an InputError and returns it, so that a test can look at its place and its words.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "resilin/errors.h"

namespace resilin::test {

template <class Run>
InputError input_error(Run&& run) {
  try {
    std::forward<Run>(run)();
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no InputError was thrown";
  return {"", ""};
}

inline bool says(const InputError& error, const std::string& words) {
  if (std::string(error.what()).find(words) != std::string::npos) return true;
  ADD_FAILURE() << "expected \"" << words << "\" in: " << error.what();
  return false;
}

}  // namespace resilin::test
