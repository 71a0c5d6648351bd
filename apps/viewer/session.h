// A session: what is on show, the thread that steps it, and what is to be sent about it. No sockets.
//
//   network thread                                  the session's own thread
//   ask(client, message), want_frame()  -------->   jobs between frames; steps; a Moment when somebody wants a
//   frame
//   collect(): encodes what is new      <--------   notify()
//
// The stepping thread never waits for the other one, and works for watchers only when a frame is wanted: the cost
// does not depend on how many there are.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "colours.h"
#include "resilin/scene.h"
#include "show.h"
#include "speed_meter.h"

namespace resilin::viewer {

/// A message to one client, or to all (0).
struct Outgoing {
  enum class Kind {
    text,
    mesh,
    status,
    convergence,
    frame
  };  // of the last three a newer one replaces one that waits
  Kind kind = Kind::text;
  int view = 0;
  std::uint64_t client = 0;
  std::shared_ptr<const std::string> bytes;
  bool binary() const { return kind == Kind::mesh || kind == Kind::frame; }
};

struct SessionOptions {
  std::string input = "default";  // a scene, a mesh, a checkpoint or the folder of a run
  std::vector<Override> overrides = {};
  int threads = 0;
  bool paused = false;
  double speed = 1;  // of real time; 0: as fast as possible
  /// Finds the file that `open` means; InputError when it means none.
  std::function<std::string(const std::string& scene)> find = {};
  /// What the mesh doctor says about a file (findings.h); [] for what is no mesh.
  std::function<Value(const std::string& path)> findings = {};
};

/// What the stepping thread has spent, in CPU seconds of its own.
struct Cost {
  std::int64_t frames = 0;
  double seconds = 0;
};

class Session {
 public:
  /// `notify`: called by the stepping thread when collect() has something to give.
  Session(SessionOptions options, std::function<void()> notify);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // ---- any thread ----
  void ask(std::uint64_t client, Message message);
  /// Time stands still while nobody watches.
  void set_audience(int watchers);
  /// One frame, as soon as there is another one than the last.
  void want_frame();
  /// `done` gets the contents of a file, or why there is none; called on the stepping thread.
  void export_file(const std::string& file, std::function<void(bool good, std::string contents)> done);
  Cost cost() const {
    const std::int64_t frames = frames_;
    return {frames, stepping_seconds_};
  }
  /// False: the input could not be opened, and nothing else was since.
  bool showing() const { return showing_; }

  // ---- one thread: the network's ----
  std::vector<Outgoing> collect();
  /// What a new client needs to know, after `hello`.
  std::vector<Outgoing> welcome() const;

 private:
  // What passes from the stepping thread to the network's.
  struct Moment {
    std::vector<Shot> shots;
    std::shared_ptr<const DrawnMesh> mesh;
    std::shared_ptr<const DrawnObstacles> obstacles;
    std::string colour, label;
    bool playing = false;
    double frame_ms = 0, scene_time = 0;
    std::optional<double> realtime;  // while it plays
  };

  // The stepping thread.
  void run();
  void wait_for_work();
  bool moving() const;
  void step_frame();
  void after_edits(bool described);
  void capture();
  void redraw();
  void send_scene();
  std::string open(const std::string& input, const std::vector<Override>& overrides);
  void run_jobs();
  void perform(const Asker& asker, const Request& request);
  // What each request does; members of its reply.
  struct Performer;
  void say(Outgoing::Kind kind, const Value& value, std::uint64_t client = 0, int view = 0);
  void say(Outgoing::Kind kind, std::string text, std::uint64_t client, int view = 0);
  void say_error(const std::string& text);
  void enqueue(std::function<void()> job);

  // The network thread.
  void encode(const Moment& moment, std::vector<Outgoing>& out);
  void put_status(const Moment& moment, std::vector<Outgoing>& out);
  static Value moved_obstacles(const Moment& moment);

  SessionOptions options_;
  std::function<void()> notify_;
  std::atomic<bool> stopping_ = false, showing_ = false;
  std::atomic<int> audience_ = 0, opens_waiting_ = 0;
  std::atomic<bool> wanted_ = false;
  std::atomic<std::int64_t> frames_ = 0;
  std::atomic<double> stepping_seconds_ = 0;

  std::mutex mutex_;  // of what follows
  std::condition_variable work_;
  std::vector<std::function<void()>> jobs_;
  std::vector<Outgoing> outbox_;
  std::shared_ptr<const Moment> moment_;
  Value::List refused_;  // edits since the last status

  // Of the stepping thread.
  std::unique_ptr<Show> show_;
  std::vector<std::string> notes_;
  Value findings_;
  std::string input_;
  bool playing_ = true, dirty_ = false, scene_dirty_ = false, opening_ = false, watching_ = false;
  int frames_to_go_ = 0;
  std::int64_t frame_count_ = 0;
  double speed_ = 1;
  std::string colour_ = "none";
  std::optional<std::array<double, 4>> plane_;
  std::shared_ptr<const DrawnMesh> mesh_;
  std::shared_ptr<const DrawnObstacles> obstacles_;
  std::uint32_t serial_ = 0;
  std::chrono::steady_clock::time_point due_;
  SpeedMeter speed_meter_;
  double frame_seconds_ = 0, scene_time_ = 0;  // of the last frame; when `scene` was told
  double measuring_seconds_ = 0, since_measured_ = 0;

  // Of the network thread.
  std::shared_ptr<const std::string> scene_bytes_, mesh_bytes_, status_bytes_, progress_bytes_;
  std::vector<std::shared_ptr<const std::string>> frame_bytes_;
  std::shared_ptr<const DrawnMesh> sent_mesh_;
  ColourRange range_;
  std::chrono::steady_clock::time_point last_status_;

  std::thread thread_;
};

}  // namespace resilin::viewer
