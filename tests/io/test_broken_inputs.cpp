// Files that are cut, flipped, miscounted, not finite or huge: every reader throws InputError or gives a mesh that
// keeps its promises, within a second and 100 MB. The damage repeats from run to run.
#include <malloc.h>

#include <atomic>
#include <chrono>
#include <new>

#include "fuzz/mutate.h"
#include "io/mesh_samples.h"

namespace {

std::atomic<std::size_t> in_use{0}, peak{0};

void* counted(std::size_t size) {
  void* at = std::malloc(size);
  if (at == nullptr) throw std::bad_alloc();
  const std::size_t now = in_use += malloc_usable_size(at);
  if (now > peak) peak = now;  // one thread allocates here
  return at;
}

void uncounted(void* at) {
  if (at == nullptr) return;
  in_use -= malloc_usable_size(at);
  std::free(at);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}  // std::stable_sort's buffer
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* at) noexcept { uncounted(at); }
void operator delete[](void* at) noexcept { uncounted(at); }
void operator delete(void* at, std::size_t) noexcept { uncounted(at); }
void operator delete[](void* at, std::size_t) noexcept { uncounted(at); }

namespace resilin::test {
namespace {

struct Outcome {
  int inputs = 0, refused = 0;
};

void try_one(const std::string& format, const std::string& input, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t before = in_use;
  peak = before;
  ++outcome.inputs;
  try {
    EXPECT_EQ(broken_promise(read_as(format, input)), "") << format;
  } catch (const InputError& error) {
    ++outcome.refused;
    EXPECT_FALSE(error.where().empty()) << error.what();
    EXPECT_FALSE(error.problem().empty());
  }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0) << format;
  EXPECT_LT(peak - before, std::size_t{100} << 20) << format;
}

std::vector<std::string> seeds_of(const std::string& format) {
  const char* source = std::getenv("RESILIN_SOURCE");
  std::vector<std::string> names, out;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(source != nullptr ? source : ".") +
                                                               "/tests/fuzz/corpus/" + format))
    names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) out.push_back(slurp(name));
  return out;
}

std::vector<std::string> readers() {
  std::vector<std::string> out;
  for (const auto& [name, plugin] : registry<FormatPlugin>())
    if (plugin.read) out.push_back(name);
  return out;
}

class BrokenInputs : public testing::TestWithParam<std::string> {};

TEST_P(BrokenInputs, GiveTypedErrors) {
  const std::string format = GetParam();
  const std::vector<std::string> seeds = seeds_of(format);
  ASSERT_FALSE(seeds.empty()) << "a reader needs a seed in tests/fuzz/corpus/" << format;
  Outcome cut, damaged, huge;
  for (const std::string& seed : seeds) {
    Outcome whole;
    try_one(format, seed, whole);
    EXPECT_EQ(whole.refused, 0) << "a seed must be readable";
    for (std::size_t i = 0; i < 100; ++i) try_one(format, seed.substr(0, seed.size() * i / 100), cut);
    Mutator mutate(42);
    for (int i = 0; i < 300; ++i) try_one(format, mutate(seed), damaged);
    for (const char* number : {"nan", "-1", "4000000000", "399999999", "99999999999999999999", "1e999"})
      for (std::size_t at = seed.find_first_of("0123456789"); at != std::string::npos && at < 3000;
           at = seed.find_first_of("0123456789", at + 3))
        try_one(format,
                seed.substr(0, at) + number +
                    seed.substr(std::min(seed.find_first_not_of(".0123456789", at), seed.size())),
                huge);
  }
  EXPECT_GE(cut.inputs + damaged.inputs, 200);
  EXPECT_GT(cut.refused, cut.inputs / 2) << "cut files";
  EXPECT_GT(damaged.refused, damaged.inputs / 4) << "damaged files";
  EXPECT_GT(huge.refused, huge.inputs / 4) << "numbers that cannot be";
}

INSTANTIATE_TEST_SUITE_P(Every, BrokenInputs, testing::ValuesIn(readers()),
                         [](const auto& test) { return test.param; });

TEST(BrokenInputsOfAll, DeepNestingAndEndlessLines) {
  Outcome outcome;
  std::string deep, long_line(1 << 20, 'a'), long_list = "f";
  for (int i = 0; i < 100000; ++i) deep += "<a><!-- x -->", long_list += " 1";
  for (const std::string& format : readers())
    for (const std::string& input : {deep, long_line, std::string(1 << 20, '\n'), std::string(1 << 20, '\0'),
                                     std::string(1 << 20, '9'), "v 0 0 0\n" + long_list})
      try_one(format, input, outcome);
  EXPECT_GT(outcome.refused, outcome.inputs / 2);
}

}  // namespace
}  // namespace resilin::test
