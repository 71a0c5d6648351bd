// What watchers cost. viewer_16: CPU time of the stepping thread per frame with 16 watchers over that with none, 10,000 vertices, in turn. viewer_drag: scene
// A with two watchers, one of which drags: simulated frames per second, and how many simulated frames lie between the last frame that was seen
// when the mouse moved and the first one that shows it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
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

// CPU milliseconds per frame while it plays: for so long, and for so many frames.
struct Phase {
  double ms = 0, frames = 0;
};
Phase play(viewer::Session& session, double seconds, std::int64_t frames) {
  const Cost before = session.cost();
  const bench::Stopwatch watch;
  session.ask(0, {{}, viewer::Play{}});
  while (watch.ms() < 1e3 * seconds || session.cost().frames < before.frames + frames) sleep_for(0.01);
  session.ask(0, {{}, viewer::Pause{}});
  Cost after = session.cost();
  for (Cost last{-1, 0}; last.frames != after.frames; after = session.cost())
    last = after, sleep_for(0.3);  // the last frame ends
  const auto played = static_cast<double>(after.frames - before.frames);
  return {1e3 * (after.seconds - before.seconds) / std::max(1.0, played), played};
}

CaseResult sixteen(const BenchmarkContext& context) {
  constexpr int watchers = 16;
  viewer::SessionOptions options = session_of("shaken_creature", context, 1);
  options.overrides.emplace_back("bodies[0].damping", "[]");
  if (!context.quick) options.overrides.emplace_back("bodies[0].shape.spacing", "0.0314");  // 10,000 vertices
  viewer::Session alone(options, [] {});
  alone.set_audience(1);  // it plays, and nobody asks for a frame
  Served served(options);
  const bench::PageClients clients(watchers, served.server().port(), served.server().token());
  const double seconds = context.quick ? 0.3 : 10;
  const int rounds = context.quick ? 1 : 6, frames = context.quick ? 3 : 30;
  wait_for(alone), wait_for(served.session());
  play(alone, 0, frames), play(served.session(), 0, frames);  // the factor, caches
  bench::Samples without, with, ratios;
  double shown = 0, played = 0;
  for (int i = 0; i < rounds; ++i) {
    const Phase a = play(alone, seconds, frames);
    const auto before = clients.frames();
    const Phase b = play(served.session(), seconds, frames);
    without.add(a.ms), with.add(b.ms), ratios.add(b.ms / a.ms);
    shown += static_cast<double>(clients.frames() - before) / watchers, played += b.frames;
  }
  CaseResult result{.name = "viewer_16", .threads = 1};
  with.report(result);
  result.extra = {{"watchers", watchers},           {"ms_without", without.median()},
                  {"cpu_ratio", ratios.median()},   {"cpu_ratio_least", ratios.min()},
                  {"cpu_ratio_most", ratios.max()}, {"frames", played},
                  {"frames_seen_by_each", shown},   {"mb_sent", static_cast<double>(clients.bytes()) / 1e6}};
  result.note = "CPU time of the stepping thread per frame, phases with and without watchers in turn";
  return result;
}

// Moves the handle whenever the page has seen a frame, as a mouse that moves all the time would.
struct Hand {
  std::mutex mutex;
  bench::PageClients* page = nullptr;
  std::uint32_t posted = 0;
  std::vector<std::uint32_t> seen_at = {};  // step that was on the screen when edit i was sent
  std::vector<double> latency = {};

  void frame(const bench::SeenFrame& seen) {
    const std::lock_guard lock(mutex);
    if (page == nullptr) return;
    for (; latency.size() < std::min<std::size_t>(seen.edits, seen_at.size());)
      latency.push_back(static_cast<double>(seen.step - seen_at[latency.size()]));
    page->send(fmt::format(
        R"({{"type":"edit","edit":{{"edit":"drag","name":"hand","vertices":[20],"target":[0.5,{},0.1],"stiffness":2000}}}})",
        0.2 + 0.001 * (posted % 100)));
    ++posted;
    seen_at.push_back(seen.step);
  }
};

CaseResult dragged(const BenchmarkContext& context, const std::string& name, double speed) {
  viewer::SessionOptions options = session_of("twisting_bar", context, context.threads);
  options.speed = speed;
  Served served(options);
  Hand hand;
  bench::PageClients clients(2, served.server().port(), served.server().token(),
                             [&](const bench::SeenFrame& seen) { hand.frame(seen); });
  wait_for(served.session());
  served.session().ask(0, {{}, viewer::Play{}});
  while (served.session().cost().frames < warm_up_frames) sleep_for(0.01);
  {
    const std::lock_guard lock(hand.mutex);
    hand.page = &clients;
  }
  const Cost before = served.session().cost();
  const bench::Stopwatch watch;
  sleep_for(context.quick ? 0.5 : 10);
  const Cost after = served.session().cost();
  const double seconds = watch.ms() / 1e3, frames = static_cast<double>(after.frames - before.frames);
  const std::lock_guard lock(hand.mutex);
  hand.page = nullptr;
  bench::Samples latency;
  for (const double one : hand.latency) latency.add(one);
  if (latency.size() == 0) latency.add(-1);
  CaseResult result{.name = name, .threads = context.threads};
  result.median_ms = 1e3 * (after.seconds - before.seconds) / std::max(1.0, frames);
  result.extra = {{"frames_per_second", frames / seconds},
                  {"edits", static_cast<double>(hand.latency.size())},
                  {"latency_frames_median", latency.median()},
                  {"latency_frames_p99", latency.quantile(0.99)},
                  {"latency_frames_most", latency.max()}};
  result.note = speed > 0 ? "in real time" : "as fast as possible";
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
