// What watchers cost. viewer_16: CPU time of the stepping thread per frame with 16 watchers over that with none,
// 10,000 vertices, in turn, 60 s of each. viewer_drag: scene A with two watchers, one of which drags: simulated
// frames per second, and how many simulated frames lie between a move of the mouse and the picture that shows it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "chores.h"
#include "measure.h"
#include "page_clients.h"
#include "resilin/scene.h"
#include "server.h"
#include "session.h"

namespace resilin {
namespace {

using viewer::Cost;
using Clock = std::chrono::steady_clock;

constexpr int warm_up_frames = 10;  // frames

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

void wait_for(const viewer::Session& session) {
  for (const bench::Stopwatch watch; !session.showing(); sleep_for(0.05))
    if (watch.ms() > 3e5) throw std::runtime_error("the scene could not be opened in five minutes");
}

viewer::SessionOptions session_of(const std::string& scene, const BenchmarkContext& context, int threads) {
  viewer::SessionOptions out;
  out.input = scene;
  out.overrides = {{"solver", R"({"type": "quasi_newton", "iterations": 10, "tolerance": 0, "method": "paper"})"},
                   {"contact", "false"}};
  out.overrides.insert(out.overrides.end(), context.overrides.begin(), context.overrides.end());
  out.threads = threads, out.paused = true, out.speed = 0;
  return out;
}

// A session with its server on a thread of its own.
class Served {
 public:
  explicit Served(const viewer::SessionOptions& options)
      : server_(page()), session_(options, [this] { server_.notify(); }) {
    thread_ = std::thread([this] { server_.serve(session_, chores_); });
  }
  ~Served() {
    server_.stop();
    thread_.join();
  }
  viewer::Session& session() { return session_; }
  viewer::Server& server() { return server_; }

 private:
  static viewer::ServerOptions page() {
    viewer::ServerOptions out;
    out.page = {"page", "page", "page"};
    out.heeds_interrupts = false;
    return out;
  }
  viewer::Server server_;
  viewer::Chores chores_;
  viewer::Session session_;
  std::thread thread_;
};

// CPU milliseconds of the stepping thread per frame, of the first so many frames of the scene as fast as possible:
// the same work each time.
double step(viewer::Session& session, int frames) {
  const Cost before = session.cost();
  session.ask(0, {{}, viewer::EditRequest{Reset{}, {}}});
  session.ask(0, {{}, viewer::StepFrames{frames}});
  while (session.cost().frames < before.frames + frames) sleep_for(0.005);
  return 1e3 * (session.cost().seconds - before.seconds) / frames;
}

// "16 watchers cost 2.1 % (at most 5 %): met"
std::string verdict(const std::string& what, bool met) { return what + (met ? ": met" : ": MISSED"); }

CaseResult sixteen(const BenchmarkContext& context) {
  constexpr int watchers = 16;
  constexpr double most = 1.05;
  viewer::SessionOptions options = session_of("shaken_creature", context, 1);
  // It sags by its weight from rest, again and again.
  options.overrides.emplace_back("bodies[0].damping", "[]");
  options.overrides.emplace_back("pins[0].motion", "[]");
  if (!context.quick) options.overrides.emplace_back("bodies[0].shape.spacing", "0.0314");  // 10,000 vertices
  Served served(options);
  wait_for(served.session());
  const double phase_ms = context.quick ? 300 : 5e3, all_ms = context.quick ? 300 : 6e4;
  step(served.session(), warm_up_frames);
  const int trial = context.quick ? 10 : 100;
  const bench::Stopwatch pace;
  step(served.session(), trial);
  const int frames = std::max(trial, static_cast<int>(trial * phase_ms / pace.ms()));
  bench::Samples without, with, ratios;
  double shown = 0, bytes = 0, watched_ms = 0;
  int done = 0;
  for (; watched_ms < all_ms; ++done) {
    const double alone = step(served.session(), frames);
    const bench::PageClients clients(watchers, served.server().port(), served.server().token());
    const bench::Stopwatch watch;
    const double watched = step(served.session(), frames);
    watched_ms += watch.ms();
    without.add(alone), with.add(watched), ratios.add(watched / alone);
    shown += static_cast<double>(clients.frames()) / watchers, bytes += static_cast<double>(clients.bytes());
  }
  CaseResult result{.name = "viewer_16", .threads = 1};
  with.report(result);
  result.extra = {{"watchers", watchers},           {"ms_without", without.median()},
                  {"cpu_ratio", ratios.median()},   {"cpu_ratio_least", ratios.min()},
                  {"cpu_ratio_most", ratios.max()}, {"seconds_watched", watched_ms / 1e3},
                  {"frames", done * frames},        {"frames_seen_by_each", shown},
                  {"mb_sent", bytes / 1e6}};
  result.note = verdict(
      fmt::format(
          "CPU time of the stepping thread per frame, phases with and without watchers in turn; {} watchers add "
          "{:.1f} % (at most {:.0f} %)",
          watchers, 100 * (ratios.median() - 1), 100 * (most - 1)),
      ratios.median() <= most);
  return result;
}

// A mouse that moves all the time, at times of its own.
class Mover {
 public:
  explicit Mover(viewer::Session& session) : session_(session) {}
  ~Mover() { stop(); }

  void start(bench::PageClients& page) {
    thread_ = std::thread([this, &page] {
      for (; !stopping_; sleep_for(1.0 / moves_per_second)) move(page);
    });
  }
  void stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  /// On the thread that reads frames.
  void see(const bench::SeenFrame& seen) {
    const std::lock_guard lock(mutex_);
    for (; latencies_.size() < std::min<std::size_t>(seen.edits, moved_at_.size());)
      latencies_.add(static_cast<double>(seen.step - moved_at_[latencies_.size()]));
  }
  /// Frames between the last one that was done before a move and the first one that shows it.
  bench::Samples latencies() {
    const std::lock_guard lock(mutex_);
    return latencies_;
  }

 private:
  static constexpr double moves_per_second = 125;

  void move(bench::PageClients& page) {
    const std::lock_guard lock(mutex_);
    const std::size_t moves = moved_at_.size();
    // As many vertices as the page takes, in the middle of the bar; from then on the handle goes by its name.
    std::vector<int> patch(moves == 0 ? 32 : 0);
    std::iota(patch.begin(), patch.end(), 1720);
    const std::string held = moves == 0 ? fmt::format(R"("vertices":[{}],)", fmt::join(patch, ",")) : "";
    moved_at_.push_back(session_.cost().frames);
    page.send(fmt::format(
        R"({{"type":"edit","edit":{{"edit":"drag","name":"drag",{}"target":[0.05,{},0],"stiffness":2000}}}})", held,
        0.001 * static_cast<double>(moves % 100)));
  }

  viewer::Session& session_;
  std::mutex mutex_;
  std::vector<std::int64_t> moved_at_;  // frames that were done when edit i was sent
  bench::Samples latencies_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

CaseResult dragged(const BenchmarkContext& context, const std::string& name, double speed) {
  constexpr double least_rate = 60, most_frames = 2;
  viewer::SessionOptions options = session_of("twisting_bar", context, context.threads);
  options.speed = speed;
  Served served(options);
  Mover mover(served.session());
  bench::PageClients clients(2, served.server().port(), served.server().token(),
                             [&](const bench::SeenFrame& seen) { mover.see(seen); });
  wait_for(served.session());
  served.session().ask(0, {{}, viewer::Play{}});
  while (served.session().cost().frames < warm_up_frames) sleep_for(0.01);
  mover.start(clients);
  const Cost before = served.session().cost();
  const bench::Stopwatch watch;
  sleep_for(context.quick ? 0.5 : 10);
  const Cost after = served.session().cost();
  const double seconds = watch.ms() / 1e3, frames = static_cast<double>(after.frames - before.frames);
  mover.stop();
  const bench::Samples latencies = mover.latencies();
  if (latencies.size() == 0) throw std::runtime_error("no frame showed a move of the mouse");
  CaseResult result{.name = name, .threads = context.threads};
  result.median_ms = 1e3 * (after.seconds - before.seconds) / std::max(1.0, frames);
  result.extra = {{"frames_per_second", frames / seconds},
                  {"moves", static_cast<double>(latencies.size())},
                  {"latency_frames_median", latencies.median()},
                  {"latency_frames_p99", latencies.quantile(0.99)},
                  {"latency_frames_most", latencies.max()}};
  const double slow = latencies.quantile(0.99);
  const std::string rate = fmt::format("{:.0f} frames per second (at least {:.0f})", frames / seconds, least_rate),
                    latency = fmt::format(
                        "99 % of the moves of the mouse are on screen after {:.0f} frames (at most {:.0f})", slow,
                        most_frames);
  result.note = verdict(latency, slow <= most_frames);
  if (speed > 0) result.note = "in real time; " + result.note;
  else result.note = "as fast as possible; " + verdict(rate, frames / seconds >= least_rate) + "; " + result.note;
  return result;
}

}  // namespace

BenchmarkPlugin benchmark_viewer() {
  return {"Watchers of `resilin view`: what 16 of them cost the stepping thread; scene A while a handle is dragged",
          [](const BenchmarkContext& context) {
            return std::vector<CaseResult>{sixteen(context), dragged(context, "viewer_drag", 0),
                                           dragged(context, "viewer_drag_realtime", 1)};
          }};
}

}  // namespace resilin
