// Progress and cancellation of long computations: reading and meshing, the ordering of matrices and their factors
// tell the Watch of the calling thread what they do, and ask it whether to stop.
//
//   std::atomic<bool> enough = false;
//   const Watch watch([](const std::string& what) { show(what); }, [&] { return enough.load(); });
//   auto simulation = build_simulation(scene);     // throws Cancelled
//   simulation->step();                            // Status::cancelled, the state is as before
#pragma once
#include <exception>
#include <functional>
#include <string>

namespace resilin {

/// Thrown out of what was stopped; nothing half made is left behind.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// Watches what this thread calls for as long as it lives; the one before it then watches again.
class Watch {
 public:
  using Begin = std::function<void(const std::string& what)>;
  using Stop = std::function<bool()>;
  /// `begin` hears what is begun: "meshing gem.obj". `stop` is asked often, by any thread of the computation; once
  /// true, it stays true.
  Watch(Begin begin, Stop stop);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// That of this thread, or null.
  static const Watch* current();
  void begin(const std::string& what) const { begin_(what); }
  bool stops() const { return stop_(); }

 private:
  Begin begin_;
  Stop stop_;
  const Watch* before_;
};

// For computations.

/// Says what comes now; throws Cancelled if nothing more is wanted.
void watch_begin(const std::string& what);
/// Throws Cancelled if nothing more is wanted.
void watch_check();

}  // namespace resilin
