#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace resilin::cli {

std::string clock_time(double seconds) {
  const long s = std::lround(std::clamp(seconds, 0.0, 1e8));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

void draw_bar(const Terminal& terminal, int done, int total, std::string text) {
  constexpr int bar_width = 20;
  const int full = static_cast<int>(static_cast<long long>(bar_width) * done / std::max(1, total));
  const int room = std::max(10, terminal.width() - bar_width - 4);
  if (static_cast<int>(text.size()) > room) text.resize(static_cast<std::size_t>(room));
  const std::string bar(static_cast<std::size_t>(full), '='), rest(static_cast<std::size_t>(bar_width - full), ' ');
  fmt::print(terminal.stream(), "\r\033[K[{}{}] {}", terminal.paint(Style::green, bar), rest, text);
  std::fflush(terminal.stream());
}

std::string Progress::line(const FrameNews& news) const {
  const double real_time = news.stepping > 0 ? (news.simulated - first_time_) / news.stepping : 0;
  const int done = news.frame - first_;
  const double left = done > 0 ? news.elapsed / done * (frames_ - news.frame) : 0;
  return fmt::format("frame {}/{}  time {:.3f} s  {:.2f}x real time  {} iterations  residual {:.1e} N  ETA {}",
                     news.frame, frames_, news.simulated, real_time, news.iterations, news.residual,
                     clock_time(left));
}

// At every tenth of the frames; between them about every second at first, then less and less often.
bool Progress::plain_line_due(const FrameNews& news) {
  const int tenth = static_cast<int>(10LL * news.frame / std::max(1, frames_));
  const double interval = std::clamp(news.elapsed / 10, 1.0, 60.0);
  const bool due = tenth > last_tenth_ || news.elapsed - std::max(0.0, last_shown_) >= interval;
  last_tenth_ = std::max(last_tenth_, tenth);
  return due;
}

void Progress::show(const FrameNews& news) {
  if (silent_) return;
  const bool last = news.frame >= frames_;
  if (!terminal_.live()) {
    if (!plain_line_due(news) && !last) return;
    last_shown_ = news.elapsed;
    fmt::print(terminal_.stream(), "{}\n", line(news));
    std::fflush(terminal_.stream());
    return;
  }
  if (!last && drawn_ && news.elapsed - last_shown_ < 0.05) return;  // redrawing must not cost what is measured
  last_shown_ = news.elapsed;
  drawn_ = true;
  draw_bar(terminal_, news.frame, frames_, line(news));
}

void Progress::finish() {
  if (!drawn_) return;
  fmt::print(terminal_.stream(), "\n");
  std::fflush(terminal_.stream());
  drawn_ = false;
}

Activity::~Activity() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  if (clock_.joinable()) clock_.join();
}

void Activity::begin(const std::string& what) {
  const std::lock_guard lock(mutex_);
  clear();
  what_ = what;
  start_ = Clock::now();
  if (silent_ || clock_.joinable()) return;
  clock_ = std::thread([this] {
    std::unique_lock waiting(mutex_);
    while (!over_) {
      wake_.wait_for(waiting, std::chrono::milliseconds(200));
      show_when_due();
    }
  });
}

void Activity::show_when_due() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (over_ || what_.empty() || seconds < 1 || (shown_ && !terminal_.live())) return;
  if (terminal_.live()) fmt::print(terminal_.stream(), "\r\033[K{} ... {}", what_, clock_time(seconds));
  else fmt::print(terminal_.stream(), "{} ...\n", what_);
  std::fflush(terminal_.stream());
  shown_ = true;
}

void Activity::end() {
  const std::lock_guard lock(mutex_);
  clear();
  what_.clear();
}

void Activity::clear() {
  if (shown_ && terminal_.live()) fmt::print(terminal_.stream(), "\r\033[K");
  shown_ = false;
}

}  // namespace resilin::cli
