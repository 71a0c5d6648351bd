// Fuzzes readers without a fuzzing engine: damages the files of a seed corpus in a repeatable way. For machines without
// clang and for a few seconds in every test run. Usage: fuzz_readers FORMAT CORPUS [-max_total_time=SECONDS] [-seed=N]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/mutate.h"
#include "fuzz/reader_target.h"

namespace {

using namespace resilin;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int fail(const std::string& format, const std::string& input, const std::string& why) {
  const std::string file = "crash-" + format;
  std::ofstream(file, std::ios::binary) << input;
  std::fprintf(stderr, "%s: %s; the input is in %s\n", format.c_str(), why.c_str(), file.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  double limit = 5;
  unsigned seed = 1;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("-max_total_time=")) limit = std::atof(word.c_str() + 16);
    else if (word.starts_with("-seed=")) seed = static_cast<unsigned>(std::atoi(word.c_str() + 6));
    else words.push_back(word);
  }
  if (words.size() != 2)
    return std::fprintf(stderr, "usage: fuzz_readers FORMAT CORPUS [-max_total_time=S] [-seed=N]\n"), 2;
  std::vector<std::string> names, seeds;
  for (const auto& entry : std::filesystem::directory_iterator(words[1] + "/" + words[0]))
    names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::ifstream stream(name, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  if (seeds.empty()) return std::fprintf(stderr, "no seeds in %s/%s\n", words[1].c_str(), words[0].c_str()), 2;
  test::Mutator mutate(seed);
  std::size_t runs = 0, meshes = 0;
  const Clock::time_point begin = Clock::now();
  for (; seconds_since(begin) < limit; ++runs) {
    const std::string input = mutate(seeds[runs % seeds.size()]);
    const Clock::time_point start = Clock::now();
    try {
      ReadOptions options;
      options.linearise = runs % 2 == 1;
      const std::string broken = test::broken_promise(test::read_as(words[0], input, options));
      if (!broken.empty()) return fail(words[0], input, broken);
      ++meshes;
    } catch (const InputError&) {
    } catch (const std::exception& error) {
      return fail(words[0], input, std::string("not an InputError: ") + error.what());
    }
    if (seconds_since(start) > 1) return fail(words[0], input, "it took more than a second");
  }
  std::printf("%s: %zu inputs, %zu of them meshes, none unexpected\n", words[0].c_str(), runs, meshes);
  return 0;
}
