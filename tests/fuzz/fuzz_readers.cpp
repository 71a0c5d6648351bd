// Fuzzes readers without a fuzzing engine: damages the files of a seed corpus in a repeatable way. For machines
// without clang and for a few seconds in every test run. FORMAT: of meshes, or "message" (of the page of `resilin
// view`). Usage: fuzz_readers FORMAT CORPUS [-max_total_time=SECONDS] [-seed=N]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/message_target.h"
#include "fuzz/mutate.h"
#include "fuzz/reader_target.h"

namespace {

using namespace resilin;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What is wrong with what came out, or ""; InputError: the input was refused, as it may be.
std::string broken(const std::string& format, const std::string& input, bool linearise) {
  if (format == "message") return test::broken_message(input);
  ReadOptions options;
  options.linearise = linearise;
  return test::broken_promise(test::read_as(format, input, options));
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
  std::size_t runs = 0, good = 0;
  const Clock::time_point begin = Clock::now();
  for (; seconds_since(begin) < limit; ++runs) {
    const std::string input = mutate(seeds[runs % seeds.size()]);
    const Clock::time_point start = Clock::now();
    try {
      const std::string problem = broken(words[0], input, runs % 2 == 1);
      if (!problem.empty()) return fail(words[0], input, problem);
      ++good;
    } catch (const InputError&) {
    } catch (const std::exception& error) {
      return fail(words[0], input, std::string("not an InputError: ") + error.what());
    }
    if (seconds_since(start) > 1) return fail(words[0], input, "it took more than a second");
  }
  std::printf("%s: %zu inputs, %zu of them good, none unexpected\n", words[0].c_str(), runs, good);
  return 0;
}
