// A pool that runs a FIXED number of parts on however many threads there are. Which thread runs a part is not
// determined; what a part computes and in which order results are combined must not depend on it: that is how
// results become independent of the thread count. Called by the objective, the linear solver and vector loops.
#pragma once
#include <atomic>
#include <concepts>
#include <cstdint>
#include <thread>
#include <vector>

namespace resilin {

/// A reference to a callable, valid during the call only: no allocation, one indirect call.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
  requires(
      !std::same_as<std::remove_cvref_t<F>, FunctionRef>)  // a copy must refer to the callable, not to the copied
      FunctionRef(F&& f)                                   // NOLINT: implicit by purpose
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* o, Args... args) -> R { return (*static_cast<std::remove_reference_t<F>*>(o))(args...); }) {}
  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

class ThreadPool {
 public:
  explicit ThreadPool(int threads = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  /// Calls run(part) once for each part in [0, parts), the caller taking its share. Not reentrant; `run` must not
  /// throw.
  void parallel(int parts, FunctionRef<void(int)> run);

 private:
  // The parts p with p % threads() == the number of the queue. A thread empties its own queue first, so that what a
  // part works on tends to be in its cache from the last time, then helps the others.
  struct alignas(64) Queue {
    // Number of parts and the next one to take, in one word: a worker that wakes late sees either a part that is
    // really there or none at all, so the caller waits for finished parts and never for sleeping workers.
    std::atomic<std::uint64_t> ticket{0};
  };
  void work(int self);
  bool leave_callers_core() const;
  void take_parts(int self);

  std::vector<std::thread> workers_;
  std::atomic<std::uint64_t> generation_{0};
  std::vector<Queue> queues_;
  alignas(64) std::atomic<int> done_{0};
  std::atomic<bool> stop_{false};
  std::atomic<int> caller_core_{-1};
  const FunctionRef<void(int)>* run_ = nullptr;
};

/// Cores this process may run on (its affinity mask, not the machine's count).
int available_cores();

/// Denormals count as zero in the calling thread while this lives: a decaying motion must not become slow, and bits
/// must not depend on which thread computes. The host's mode comes back afterwards.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_ = 0;
};

}  // namespace resilin
