#include "session.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <filesystem>

#include "drawn.h"
#include "findings.h"
#include "live.h"
#include "playback.h"
#include "resilin/watch.h"

namespace resilin::viewer {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr double measuring_share = 0.02;  // of the stepping thread's time that energies may take while it plays

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

}  // namespace

Session::Session(SessionOptions options, std::function<void()> notify)
    : options_(std::move(options)), notify_(std::move(notify)), playing_(!options_.paused), speed_(options_.speed) {
  ++opens_waiting_;
  jobs_.emplace_back([this] {
    --opens_waiting_;
    const std::string problem = open(options_.input, options_.overrides);
    if (!problem.empty()) say_error(problem);
  });
  thread_ = std::thread([this] { run(); });
}

Session::~Session() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  thread_.join();
}

// ---- any thread
// --------------------------------------------------------------------------------------------------

void Session::enqueue(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  work_.notify_all();
}

void Session::ask(std::uint64_t client, Message message) {
  const bool opens = std::holds_alternative<Open>(message.request);
  opens_waiting_ += opens ? 1 : 0;
  enqueue([this, opens, asker = Asker{client, message.id}, request = std::move(message.request)] {
    opens_waiting_ -= opens ? 1 : 0;
    perform(asker, request);
  });
}

void Session::set_audience(int watchers) {
  audience_ = watchers;
  const std::lock_guard lock(mutex_);
  work_.notify_all();
}

void Session::want_frame() {
  wanted_ = true;
  const std::lock_guard lock(mutex_);
  work_.notify_all();
}

void Session::export_file(const std::string& file, std::function<void(bool, std::string)> done) {
  enqueue([this, file, done = std::move(done)] {
    try {
      if (!show_) throw InputError("", "nothing is on show");
      done(true, show_->exported(file));
    } catch (const InputError& error) {
      done(false, error.what());
    }
  });
}

// ---- the stepping thread
// -----------------------------------------------------------------------------------------

void Session::say(Outgoing::Kind kind, std::string text, std::uint64_t client, int view) {
  const std::lock_guard lock(mutex_);
  outbox_.push_back({kind, view, client, std::make_shared<const std::string>(clean_text(std::move(text)))});
}

void Session::say(Outgoing::Kind kind, const Value& value, std::uint64_t client, int view) {
  say(kind, value.dump(), client, view);
}

void Session::say_error(const std::string& text) {
  say(Outgoing::Kind::text, Value::Object{{"type", "error"}, {"text", text}});
  notify_();
}

bool Session::moving() const { return show_ != nullptr && (frames_to_go_ > 0 || (playing_ && audience_ > 0)); }

void Session::run() {
  const Watch watch(
      [this](const std::string& what) {
        if (!opening_) return;
        say(Outgoing::Kind::text, Value::Object{{"type", "progress"}, {"text", what}});
        notify_();
      },
      [this] { return stopping_ || opens_waiting_ > 0; });
  while (!stopping_) {
    run_jobs();
    if (moving() && (frames_to_go_ > 0 || speed_ == 0 || Clock::now() >= due_)) step_frame();
    if (dirty_ && wanted_.exchange(false)) capture();
    stepping_seconds_ = cpu_seconds();  // before the count: who reads a count finds all that it took
    frames_ = frame_count_;
    wait_for_work();
  }
}

void Session::wait_for_work() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return stopping_ || !jobs_.empty() || (dirty_ && wanted_); };
  if (!moving()) {
    speed_meter_.clear();
    work_.wait(lock, [&] { return ready() || moving(); });
  } else if (frames_to_go_ == 0 && speed_ > 0) work_.wait_until(lock, due_, ready);
}

void Session::run_jobs() {
  std::vector<std::function<void()>> jobs;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(jobs_);
  }
  for (const auto& job : jobs) {
    if (stopping_) return;
    job();
  }
  // Whoever has paused sees at once what an edit does.
  if (!jobs.empty() && show_ && !moving()) after_edits(show_->apply());
  if (!jobs.empty()) notify_();
}

void Session::after_edits(bool described) {
  for (const EditAnswer& answer : show_->answers()) {
    dirty_ = true, wanted_ = true;  // who drags sees the very frame
    if (!answer.refused.empty()) {
      const std::lock_guard lock(mutex_);
      refused_.push_back(Value::Object{{"edit", write_edit(answer.edit)}, {"error", answer.refused}});
    }
    if (!answer.asker.id) continue;
    say(Outgoing::Kind::text,
        answer.refused.empty() ? reply(*answer.asker.id, {{"step", static_cast<double>(answer.step)}})
                               : refusal(*answer.asker.id, answer.refused),
        answer.asker.client);
  }
  if (!described) return;
  scene_dirty_ = true;
  obstacles_ = std::make_shared<const DrawnObstacles>(show_->obstacles());
}

void Session::step_frame() {
  const auto start = Clock::now();
  try {
    after_edits(show_->apply());
    show_->advance();
    ++frame_count_;
  } catch (const std::exception& error) {
    playing_ = false, frames_to_go_ = 0;
    say_error(error.what());
  }
  for (const Convergence& one : show_->convergence()) {
    Value::List rows;
    for (const auto& row : one.iterations) rows.push_back(Value::List(row.begin(), row.end()));
    say(Outgoing::Kind::convergence,
        Value::Object{{"type", "convergence"}, {"view", one.view}, {"iterations", std::move(rows)}}, 0, one.view);
  }
  dirty_ = true;
  if (frames_to_go_ > 0) --frames_to_go_;
  const auto end = Clock::now();
  frame_seconds_ = seconds_between(start, end);
  since_measured_ += frame_seconds_;
  const double length = show_->frame_time();
  speed_meter_.add_frame(length, start, end);
  // Late frames are not made up for: after a pause nothing runs away.
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(speed_ > 0 ? length / speed_ : 0));
  due_ = std::max(due_ + interval, end - interval);
}

// Energies cost an evaluation of all elements: while it plays they get a small share of the time.
void Session::capture() {
  auto moment = std::make_shared<Moment>();
  Wanted wanted{colour_, true, true};
  if (moving()) wanted.energies = measuring_seconds_ <= measuring_share * since_measured_, wanted.hash = false;
  try {
    const auto start = Clock::now();
    for (int i = 0; i < show_->views(); ++i) moment->shots.push_back(show_->shoot(i, wanted));
    if (wanted.energies) measuring_seconds_ = seconds_between(start, Clock::now()), since_measured_ = 0;
    if (scene_dirty_) send_scene();
  } catch (const std::exception& error) {
    dirty_ = false;
    return say_error(error.what());
  }
  moment->mesh = mesh_, moment->obstacles = obstacles_, moment->scene_time = scene_time_;
  moment->colour = colour_, moment->label = show_->colour_label(colour_);
  moment->playing = moving(), moment->frame_ms = 1e3 * frame_seconds_,
  moment->realtime = playing_ ? speed_meter_.speed() : std::nullopt;
  dirty_ = false;
  {
    const std::lock_guard lock(mutex_);
    moment_ = std::move(moment);
  }
  notify_();
}

void Session::redraw() {
  DrawnMesh mesh = draw(show_->model(), plane_);
  mesh.serial = ++serial_;
  mesh_ = std::make_shared<const DrawnMesh>(std::move(mesh));
  dirty_ = true;
}

void Session::send_scene() {
  scene_dirty_ = false;
  scene_time_ = show_->time();
  Value::Object scene{{"type", "scene"}};
  for (auto& item : show_->describe()) scene.push_back(std::move(item));
  scene.emplace_back("notes", Value::List(notes_.begin(), notes_.end()));
  scene.emplace_back("findings", findings_);
  scene.emplace_back("input", input_);
  say(Outgoing::Kind::text, Value(std::move(scene)));
}

// Why it cannot be, or "". The scene that is on show stays there until the next one is ready.
std::string Session::open(const std::string& input, const std::vector<Override>& overrides) {
  opening_ = true;
  std::string problem;
  try {
    std::unique_ptr<Show> next;
    std::vector<std::string> notes;
    Value findings = Value::List{};
    if (fs::is_directory(input)) {
      next = std::make_unique<Playback>(input);
    } else {
      Opened opened = open_input(input, overrides);
      const Scene scene = opened.scene;
      if (options_.findings) findings = options_.findings(scene.file);
      next = std::make_unique<Live>(std::move(opened), options_.threads, notes);
      findings = placed_findings(findings, scene, next->model());
    }
    show_ = std::move(next), notes_ = std::move(notes), findings_ = std::move(findings), input_ = input;
    obstacles_ = std::make_shared<const DrawnObstacles>(show_->obstacles());
    plane_.reset(), frames_to_go_ = 0, speed_meter_.clear();
    if (watching_) show_->watch_convergence(true);
    redraw();
    scene_dirty_ = true, showing_ = true;
    send_scene();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  opening_ = false;
  say(Outgoing::Kind::text, Value::Object{{"type", "progress"}, {"text", Value()}});
  notify_();
  return problem;
}

// ---- the network thread
// ------------------------------------------------------------------------------------------

std::vector<Outgoing> Session::collect() {
  std::vector<Outgoing> out;
  std::shared_ptr<const Moment> moment;
  {
    const std::lock_guard lock(mutex_);
    out.swap(outbox_);
    moment.swap(moment_);
  }
  for (const Outgoing& one : out) {
    if (one.client != 0) continue;
    if (one.bytes->starts_with(R"({"type":"scene")")) scene_bytes_ = one.bytes;
    if (one.bytes->starts_with(R"({"type":"progress")")) progress_bytes_ = one.bytes;
  }
  if (moment) encode(*moment, out);
  return out;
}

std::vector<Outgoing> Session::welcome() const {
  std::vector<Outgoing> out;
  using Kind = Outgoing::Kind;
  if (progress_bytes_) out.push_back({Kind::text, 0, 0, progress_bytes_});
  if (scene_bytes_) out.push_back({Kind::text, 0, 0, scene_bytes_});
  if (mesh_bytes_) out.push_back({Kind::mesh, 0, 0, mesh_bytes_});
  for (std::size_t i = 0; i < frame_bytes_.size(); ++i)
    out.push_back({Kind::frame, static_cast<int>(i), 0, frame_bytes_[i]});
  if (status_bytes_) out.push_back({Kind::status, 0, 0, status_bytes_});
  return out;
}

void Session::encode(const Moment& moment, std::vector<Outgoing>& out) {
  using Kind = Outgoing::Kind;
  const auto share = [](std::string bytes) { return std::make_shared<const std::string>(std::move(bytes)); };
  if (moment.mesh != sent_mesh_) {
    sent_mesh_ = moment.mesh;
    mesh_bytes_ = share(encode_mesh(*moment.mesh));
    out.push_back({Kind::mesh, 0, 0, mesh_bytes_});
  }
  frame_bytes_.resize(moment.shots.size());
  std::vector<float> all;
  for (std::size_t i = 0; i < moment.shots.size(); ++i) {
    const Shot& shot = moment.shots[i];
    const std::vector<float> positions = moment.mesh->place(shot.positions, 3);
    std::vector<float> colours;
    if (!shot.values.empty()) colours = moment.mesh->place(shot.values, 1);
    all.insert(all.end(), colours.begin(), colours.end());
    frame_bytes_[i] = share(encode_frame(
        {static_cast<int>(i), moment.mesh->serial, shot.edits, shot.step, shot.time}, positions, colours));
    out.push_back({Kind::frame, static_cast<int>(i), 0, frame_bytes_[i]});
  }
  range_.follow(moment.colour, all, moment.playing);
  // A moment that stands still is the last of its kind: it is always told.
  const auto now = Clock::now();
  if (moment.playing && seconds_between(last_status_, now) < 1.0 / 30) return;
  last_status_ = now;
  put_status(moment, out);
}

void Session::put_status(const Moment& moment, std::vector<Outgoing>& out) {
  const Shot& first = moment.shots.front();
  Value::List views, refused;
  for (const Shot& shot : moment.shots) views.push_back(shot.status);
  {
    const std::lock_guard lock(mutex_);
    refused.swap(refused_);
  }
  Value::Object status{
      {"type", "status"},
      {"step", static_cast<double>(first.step)},
      {"time", first.time},
      {"playing", moment.playing},
      {"frame_ms", moment.frame_ms},
      {"realtime", moment.realtime ? Value(*moment.realtime) : Value()},
      {"views", std::move(views)},
      {"colour",
       Value::Object{
           {"by", moment.colour}, {"label", moment.label}, {"low", range_.low()}, {"high", range_.high()}}},
      {"refused", std::move(refused)}};
  if (const Value moved = moved_obstacles(moment); !moved.is_null()) status.emplace_back("obstacles", moved);
  status_bytes_ = std::make_shared<const std::string>(Value(std::move(status)).dump());
  out.push_back({Outgoing::Kind::status, 0, 0, status_bytes_});
}

// Those that stand elsewhere than in the message `scene`: [{obstacle, vertices}].
Value Session::moved_obstacles(const Moment& moment) {
  const std::vector<TriangleMesh> now = moment.obstacles->at(moment.shots.front().time),
                                  told = moment.obstacles->at(moment.scene_time);
  Value::List out;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].vertices == told[i].vertices) continue;
    Value::List vertices(now[i].vertices.begin(), now[i].vertices.end());
    out.push_back(Value::Object{{"obstacle", static_cast<int>(i)}, {"vertices", std::move(vertices)}});
  }
  return out.empty() ? Value() : Value(std::move(out));
}

}  // namespace resilin::viewer
