// A session with one watcher, for tests: asks, waits for what comes back, and reads it.
#pragma once
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "resilin/scene.h"
#include "session.h"

namespace resilin::viewer {

/// A clamped bar of 60 tets, five iterations per step.
inline const char* small_scene() {
  return R"({"name": "bar", "step": 0.02, "solver": {"type": "quasi_newton", "iterations": 5, "tolerance": 0},
    "bodies": [{"name": "bar", "shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [3, 2, 2]},
                "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3}}],
    "pins": [{"select": "x_min"}], "contact": false})";
}

/// A folder of its own, gone at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "resilin_viewer_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
    return path_ + "/" + name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct ReadFrame {
  int view = 0;
  std::uint32_t serial = 0, count = 0, edits = 0, step = 0;
  std::vector<float> positions, colours;
};

class Watcher {
 public:
  explicit Watcher(const std::string& input, SessionOptions options = {}) {
    options.input = input, options.paused = true, options.threads = 1;
    session_ = std::make_unique<Session>(std::move(options), [this] {
      const std::lock_guard lock(mutex_);
      news_ = true;
      changed_.notify_all();
    });
    session_->set_audience(1);
  }

  Session& session() { return *session_; }

  /// Reads until `done`; false: it does not come.
  template <class Done>
  bool until(Done&& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
      session_->want_frame();
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_until(lock, end, [this] { return news_; })) return false;
        news_ = false;
      }
      for (const Outgoing& message : session_->collect()) file(message);
    }
    return true;
  }
  /// The first frame of the scene.
  Watcher& ready() {
    EXPECT_TRUE(until([&] { return !frames.empty() && !status.is_null() && !scene.is_null(); })) << error;
    return *this;
  }
  /// Asks and waits for the reply.
  Value ask(Request request) {
    const double id = ++ids_;
    session_->ask(1, {id, std::move(request)});
    Value out;
    EXPECT_TRUE(until([&] {
      for (const Value& one : replies)
        if (one.find("id")->number() == id) out = one;
      return !out.is_null();
    }));
    return out;
  }
  bool good(Request request) {
    const Value answer = ask(std::move(request));
    if (!answer.find("ok")->boolean()) ADD_FAILURE() << answer.dump();
    return answer.find("ok")->boolean();
  }
  std::string refusal_of(Request request) {
    const Value answer = ask(std::move(request));
    return answer.find("ok")->boolean() ? "" : answer.find("error")->text();
  }
  double step() const { return status.find("step")->number(); }
  bool playing() const { return status.find("playing")->boolean(); }
  /// Steps and waits until that is shown.
  void step(int frames_) {
    const double wanted = step() + frames_;
    good(StepFrames{frames_});
    EXPECT_TRUE(until([&] { return step() >= wanted && !playing(); })) << error;
    EXPECT_EQ(step(), wanted);
  }
  /// Asks and waits for a status from then on, of a state that stands still. It may come before the reply.
  void see(Request request) {
    status = Value();
    good(std::move(request));
    EXPECT_TRUE(until([&] { return !status.is_null() && !playing(); })) << error;
  }
  const Value& view(int i = 0) const { return status.find("views")->list()[static_cast<std::size_t>(i)]; }
  std::string hash(int i = 0) const { return view(i).find("hash")->text(); }
  std::string exported(const std::string& name) {
    std::string out;
    bool done = false, well = false;
    session_->export_file(name, [&](bool good_, std::string contents) {
      const std::lock_guard lock(mutex_);
      out = std::move(contents), well = good_, done = true, news_ = true;
      changed_.notify_all();
    });
    until([&] {
      const std::lock_guard lock(mutex_);
      return done;
    });
    EXPECT_TRUE(well) << out;
    return out;
  }

  std::vector<ReadFrame> frames;
  std::vector<Value> replies, convergence;
  Value scene, status;
  std::string error;
  std::uint32_t serial = 0, triangles = 0;

 private:
  void file(const Outgoing& message) {
    const std::string& bytes = *message.bytes;
    const auto number = [&](std::size_t offset) {
      std::uint32_t out;
      std::memcpy(&out, bytes.data() + offset, 4);
      return out;
    };
    if (message.kind == Outgoing::Kind::mesh) serial = number(4), triangles = number(12);
    if (message.kind == Outgoing::Kind::frame) {
      ReadFrame frame{bytes[1], number(4), number(8), number(12), number(16), {}, {}};
      frame.positions.resize(3 * frame.count);
      if (frame.count > 0) std::memcpy(frame.positions.data(), bytes.data() + 32, 12 * frame.count);
      frame.colours.resize(bytes[2] != 0 ? frame.count : 0);
      if (!frame.colours.empty())
        std::memcpy(frame.colours.data(), bytes.data() + 32 + 12 * frame.count, 4 * frame.colours.size());
      frames.push_back(std::move(frame));
    }
    if (message.binary()) return;
    const Value text = parse_json(bytes, "message");
    const std::string& type = text.find("type")->text();
    if (type == "reply") replies.push_back(text);
    if (type == "scene") scene = text;
    if (type == "status") status = text;
    if (type == "convergence") convergence.push_back(text);
    if (type == "error") error = text.find("text")->text();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool news_ = false;
  double ids_ = 0;
  std::unique_ptr<Session> session_;  // last: its thread ends first
};

}  // namespace resilin::viewer
