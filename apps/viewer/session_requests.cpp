// What the page may ask for, and what that does to a session. Runs on the stepping thread, between frames.
#include "curve.h"
#include "live.h"
#include "session.h"

namespace resilin::viewer {

// Gives the members of the reply; nothing where the reply comes later. InputError: it is refused and changes
// nothing.
struct Session::Performer {
  Session& s;
  const Asker& asker;

  using Reply = std::optional<Value::Object>;

  Show& show() const {
    if (!s.show_) throw InputError("", "nothing is on show");
    return *s.show_;
  }

  Reply operator()(const EditRequest& request) const {
    show().post(request, asker);
    return {};
  }
  Reply operator()(const Play&) const {
    s.playing_ = true, s.frames_to_go_ = 0;
    return still();
  }
  Reply operator()(const Pause&) const {
    s.playing_ = false, s.frames_to_go_ = 0;
    return still();
  }
  Reply operator()(const StepFrames& request) const {
    show();
    s.playing_ = false, s.frames_to_go_ = request.frames;
    return Value::Object{};
  }
  Reply operator()(const Speed& request) const {
    s.speed_ = request.factor;
    s.due_ = std::chrono::steady_clock::now();
    return Value::Object{};
  }
  Reply operator()(const Open& request) const {
    std::vector<Override> overrides;
    for (const auto& [path, value] : request.set) overrides.emplace_back(path, value.dump());
    const std::string file = s.options_.find ? s.options_.find(request.scene) : request.scene;
    if (const std::string problem = s.open(file, overrides); !problem.empty()) throw InputError("", problem);
    return Value::Object{};
  }
  Reply operator()(const Compare& request) const {
    show().apply();
    show().compare(request.variants);
    s.scene_dirty_ = true;
    return still();
  }
  Reply operator()(const WatchConvergence& request) const {
    show().watch_convergence(request.on);
    s.watching_ = request.on;
    return Value::Object{};
  }
  Reply operator()(const Colour& request) const {
    s.colour_ = request.by;
    return still();
  }
  Reply operator()(const Slice& request) const {
    show();
    s.plane_ = request.plane;
    s.redraw();
    return still();
  }
  Reply operator()(const Seek& request) const {
    show().seek(request.frame);
    return still();
  }
  Reply operator()(const SampleCurve& request) const { return sample_curve(request.kind, request.description); }

  // Nothing moves, and yet there is something new to see.
  Reply still() const {
    s.dirty_ = s.show_ != nullptr;
    return Value::Object{};
  }
};

void Session::perform(const Asker& asker, const Request& request) {
  std::string problem;
  try {
    const Performer::Reply more = std::visit(Performer{*this, asker}, request);
    if (more && asker.id) say(Outgoing::Kind::text, reply(*asker.id, *more), asker.client);
    return;
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (asker.id) say(Outgoing::Kind::text, refusal(*asker.id, problem), asker.client);
  else say(Outgoing::Kind::text, Value(Value::Object{{"type", "error"}, {"text", problem}}).dump(), asker.client);
}

}  // namespace resilin::viewer
