// Progress of a run: a bar redrawn in place on a terminal, plain lines elsewhere, nothing when silent.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "terminal.h"

namespace resilin::cli {

/// Where a run stands after a frame.
struct FrameNews {
  int frame = 0;
  double simulated = 0;  // [s]
  double stepping = 0;   // wall-clock seconds in steps so far
  double elapsed = 0;    // wall-clock seconds of the run so far, with writing
  int iterations = 0;    // of this frame
  double residual = 0;   // |grad Phi| [N] at its end
};

class Progress {
 public:
  /// A resumed run starts after `first` frames and `first_time` simulated seconds, which cost nothing.
  Progress(const Terminal& terminal, int frames, bool silent, int first = 0, double first_time = 0)
      : terminal_(terminal), frames_(frames), first_(first), first_time_(first_time), silent_(silent) {}
  void show(const FrameNews& news);
  /// Ends the line of a bar, so that what follows starts on its own.
  void finish();

 private:
  std::string line(const FrameNews& news) const;
  bool plain_line_due(const FrameNews& news);

  const Terminal& terminal_;
  int frames_, first_;
  double first_time_;
  bool silent_, drawn_ = false;
  double last_shown_ = -1;
  int last_tenth_ = 0;
};

/// What is being done where no frames can be counted: shown as soon as it takes longer than a moment.
class Activity {
 public:
  Activity(const Terminal& terminal, bool silent) : terminal_(terminal), silent_(silent) {}
  ~Activity();
  void begin(const std::string& what);
  /// Clears the line.
  void end();
  const std::string& what() const { return what_; }

 private:
  using Clock = std::chrono::steady_clock;
  void show_when_due();
  void clear();

  const Terminal& terminal_;
  bool silent_, shown_ = false, over_ = false;
  std::string what_;
  Clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread clock_;  // looks now and then: what is done may be one long call
};

/// Draws the bar in place, on a terminal that is live; the text after it is cut to what fits.
void draw_bar(const Terminal& terminal, int done, int total, std::string text);

/// "0:07", "1:02:03".
std::string clock_time(double seconds);

}  // namespace resilin::cli
