// Part counts and thread counts are chosen larger than the machine's cores on purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "core/thread_pool.h"

namespace resilin {
namespace {

class ThreadPoolOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolOf, testing::Values(1, 2, 3, 4, 5, 6, 7, 8));

TEST_P(ThreadPoolOf, HasThatManyThreads) { EXPECT_EQ(ThreadPool(GetParam()).threads(), GetParam()); }

TEST_P(ThreadPoolOf, EveryPartRunsExactlyOnce) {
  ThreadPool pool(GetParam());
  for (const int parts : {0, 1, 2, 3, 7, 8, 64, 1000}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(parts));
    pool.parallel(parts, [&](int part) { runs.at(static_cast<std::size_t>(part)).fetch_add(1); });
    for (int part = 0; part < parts; ++part)
      EXPECT_EQ(runs[static_cast<std::size_t>(part)], 1) << part << " of " << parts;
  }
}

// Plain writes of a region are seen by the caller after it and by every part of the next one: under the thread
// sanitizer this also proves that a region synchronises.
TEST_P(ThreadPoolOf, ManyRegionsInARow) {
  constexpr int parts = 16, regions = 1000;
  ThreadPool pool(GetParam());
  std::vector<int> a(parts, 0), b(parts, 0);
  for (int region = 0; region < regions; ++region) {
    pool.parallel(parts, [&](int part) { a[static_cast<std::size_t>(part)] += 1; });
    pool.parallel(parts, [&](int part) {  // reads a neighbour's part
      b[static_cast<std::size_t>(part)] += a[static_cast<std::size_t>((part + 1) % parts)] == region + 1;
    });
  }
  EXPECT_EQ(a, std::vector<int>(parts, regions));
  EXPECT_EQ(b, std::vector<int>(parts, regions));
}

TEST_P(ThreadPoolOf, OrderedSumsDoNotDependOnTheThreads) {
  const auto sum = [](int threads) {
    ThreadPool pool(threads);
    std::vector<double> partial(37);
    pool.parallel(37, [&](int part) {
      for (int i = 0; i < 100; ++i) partial[static_cast<std::size_t>(part)] += 1.0 / (1 + part * 100 + i);
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  };
  EXPECT_EQ(sum(GetParam()), sum(1));
}

TEST_P(ThreadPoolOf, WakesAfterSleepingAndEndsWhileIdle) {
  ThreadPool pool(GetParam());
  for (int region = 0; region < 3; ++region) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // long enough for every worker to go to sleep
    std::atomic<int> runs{0};
    pool.parallel(8, [&](int) { ++runs; });
    EXPECT_EQ(runs, 8);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST_P(ThreadPoolOf, EndsAtOnceWithoutHavingWorked) {
  for (int i = 0; i < 50; ++i) ThreadPool pool(GetParam());
}

TEST_P(ThreadPoolOf, UnevenPartsAllFinishBeforeParallelReturns) {
  ThreadPool pool(GetParam());
  std::vector<std::uint64_t> work(12, 0);
  pool.parallel(12, [&](int part) {
    std::uint64_t x = 1;
    for (int i = 0; i < part * 20000; ++i) x = x * 6364136223846793005u + 1;
    work[static_cast<std::size_t>(part)] = x | 1;
  });
  for (const std::uint64_t w : work) EXPECT_NE(w, 0u);
}

TEST(ThreadPool, AnAbsurdNumberOfThreadsIsCapped) {
  const int most = std::max(8, 4 * available_cores());
  EXPECT_EQ(ThreadPool(100000).threads(), most);
  EXPECT_EQ(ThreadPool(-3).threads(), 1);
}

TEST(ThreadPool, OneThreadRunsPartsInOrderOnTheCaller) {
  ThreadPool pool(1);
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  pool.parallel(5, [&](int part) {
    order.push_back(part);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, TwoPoolsDoNotDisturbEachOther) {
  std::vector<int> counts(2, 0);
  const auto drive = [&](std::size_t which) {
    ThreadPool pool(3);
    std::vector<int> runs(10, 0);
    for (int region = 0; region < 500; ++region)
      pool.parallel(10, [&](int part) { ++runs[static_cast<std::size_t>(part)]; });
    counts[which] = std::accumulate(runs.begin(), runs.end(), 0);
  };
  std::thread other(drive, 1);
  drive(0);
  other.join();
  EXPECT_EQ(counts, (std::vector<int>{5000, 5000}));
}

TEST(ThreadPool, CountsTheCoresItMayUse) {
  EXPECT_GE(available_cores(), 1);
  EXPECT_LE(available_cores(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

TEST(FunctionRef, CallsTheOriginalNotACopy) {
  int calls = 0;
  auto count = [calls = &calls, own = 0](int by) mutable { return *calls += by, own += by; };
  FunctionRef<int(int)> ref(count);
  EXPECT_EQ(ref(2), 2);
  EXPECT_EQ(ref(3), 5);
  EXPECT_EQ(count(0), 5);
  EXPECT_EQ(calls, 5);
}

TEST(FlushDenormals, MakesTinyNumbersZeroWhileItLives) {
#if defined(__x86_64__)
  volatile double tiny = 1e-308, tenth = 0.1;
  {
    const FlushDenormals flush;
    EXPECT_EQ(tiny * tenth, 0);
  }
  EXPECT_GT(tiny * tenth, 0);
#endif
}

TEST(FlushDenormals, HoldsInEveryPartAndNotAfterwards) {
#if defined(__x86_64__)
  volatile double tiny = 1e-308, tenth = 0.1;
  ThreadPool pool(3);
  std::vector<double> seen(64, -1);
  pool.parallel(64, [&](int part) { seen[part] = tiny * tenth; });
  for (const double v : seen) EXPECT_EQ(v, 0);
  EXPECT_GT(tiny * tenth, 0);
#endif
}

}  // namespace
}  // namespace resilin
