// What the tests of file formats share: a small model, a folder that removes itself, a reader of our own.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "resilin/io.h"
#include "resilin/registry.h"

namespace resilin::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "resilin_io_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  int count() const {
    return static_cast<int>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::string path_;
};

inline std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Two tets that share a face, a triangle of cloth, an edge and a lone vertex; numbers that are hard to print.
struct Example {
  Model model;
  State state;

  Example() {
    const std::vector<double> hard = {0.1,         1.0 / 3, -1e-310,    1e300, 5e-324,
                                      -0.0,        2.0 / 7, 123456.789, 1e-5,  std::numeric_limits<double>::max(),
                                      1.0 + 1e-15, -2};
    for (int i = 0; i < 3 * 11; ++i) {
      state.q.push_back(hard[static_cast<std::size_t>(i) % hard.size()] * (1 + i / 12));
      if (!std::isfinite(state.q.back())) state.q.back() = i;
      state.v.push_back(hard[static_cast<std::size_t>(i + 5) % hard.size()]);
    }
    model.rest = state.q;
    model.mass.assign(11, 1.0);
    model.bodies = {
        {"two tets", 0, 5, {0, 1, 2, 3, 1, 2, 3, 4}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 1, 4, 3}, {}},
        {"cloth", 5, 3, {}, {5, 6, 7}, {5, 6, 6, 7}},
        {"rope", 8, 2, {}, {}, {8, 9}},
        {"dot", 10, 1, {}, {}, {}}};
    state.time = 0.1;
  }
  Frame frame(int number = 3) const { return {&model, &state.q, &state.v, number, state.time}; }
};

inline const FormatPlugin& format(const std::string& name) { return plugin<FormatPlugin>("format", name, "test"); }

}  // namespace resilin::test
