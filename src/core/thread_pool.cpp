#include "core/thread_pool.h"

#include <sched.h>

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace resilin {
namespace {

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return std::max(1, CPU_COUNT(&set));
}

FlushDenormals::FlushDenormals() {
#if defined(__x86_64__)
  saved_ = _mm_getcsr();
  _mm_setcsr(saved_ | 0x8040);  // FTZ | DAZ
#endif
}

FlushDenormals::~FlushDenormals() {
#if defined(__x86_64__)
  _mm_setcsr(saved_);
#endif
}

// More threads than four for each core only wait for each other, and a hundred thousand of them end the process.
static int sensible(int threads) { return std::clamp(threads, 1, std::max(8, 4 * available_cores())); }

ThreadPool::ThreadPool(int threads) : queues_(sensible(threads)) {
  for (int i = 1; i < static_cast<int>(queues_.size()); ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  generation_.fetch_add(1);
  generation_.notify_all();
  for (auto& w : workers_) w.join();
}

void ThreadPool::take_parts(int self) {
  const int count = static_cast<int>(queues_.size());
  for (int k = 0; k < count; ++k) {
    const int number = (self + k) % count;
    std::atomic<std::uint64_t>& queue = queues_[number].ticket;
    for (;;) {
      const std::uint64_t ticket = queue.fetch_add(1, std::memory_order_acq_rel);
      const auto turn = static_cast<std::uint32_t>(ticket), turns = static_cast<std::uint32_t>(ticket >> 32);
      if (turn >= turns) break;
      (*run_)(number + count * static_cast<int>(turn));
      done_.fetch_add(1, std::memory_order_release);
    }
  }
}

// A worker that wakes may be put on the core of the thread that woke it, where the two take turns until the kernel
// notices, which is many regions later. Asking for any other core and then for all of them again moves it at once.
// True when it had to.
bool ThreadPool::leave_callers_core() const {
  const int core = sched_getcpu();
  if (core < 0 || core != caller_core_.load(std::memory_order_relaxed)) return false;
  cpu_set_t all, others;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) return false;
  others = all;
  CPU_CLR(core, &others);
  if (sched_setaffinity(0, sizeof others, &others) == 0) sched_setaffinity(0, sizeof all, &all);
  return true;
}

// Spin briefly (a step has many short regions), then yield, then sleep: a pure spin can starve the thread it waits
// for.
void ThreadPool::work(int self) {
  const FlushDenormals flush;
  constexpr int patience = 1000;  // regions: where cores are few and others need them too, moving does not help
  std::uint64_t seen = 0;
  int since_moved = patience;
  for (;;) {
    for (int spin = 0; generation_.load(std::memory_order_acquire) == seen; ++spin) {
      if (spin < 2000) pause();
      else if (spin < 2200) std::this_thread::yield();
      else generation_.wait(seen, std::memory_order_acquire);
    }
    seen = generation_.load(std::memory_order_acquire);
    if (stop_) return;
    if (since_moved < patience) ++since_moved;
    else if (leave_callers_core()) since_moved = 0;
    take_parts(self);
  }
}

void ThreadPool::parallel(int parts, FunctionRef<void(int)> run) {
  const FlushDenormals flush;  // the caller computes parts too
  if (workers_.empty() || parts <= 1) {
    for (int part = 0; part < parts; ++part) run(part);
    return;
  }
  run_ = &run;
  caller_core_.store(sched_getcpu(), std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  const int count = static_cast<int>(queues_.size());
  for (int i = 0; i < count; ++i) {
    const auto turns = static_cast<std::uint64_t>(std::max(0, (parts - i + count - 1) / count));
    queues_[i].ticket.store(turns << 32, std::memory_order_release);
  }
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  take_parts(0);
  for (int spin = 0; done_.load(std::memory_order_acquire) != parts; ++spin) {
    if (spin < 2000) pause();
    else std::this_thread::yield();
  }
}

}  // namespace resilin
