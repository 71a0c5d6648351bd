// What waits to be sent to one client. Bounded: of frames and statuses only the newest waits, and who leaves too
// many texts waiting is given up.
#pragma once
#include <deque>
#include <map>
#include <optional>

#include "session.h"

namespace resilin::viewer {

class Outbox {
 public:
  static constexpr std::size_t most_texts = 64;

  /// False: too much waits already.
  bool put(const Outgoing& message) {
    if (message.kind != Outgoing::Kind::text && message.kind != Outgoing::Kind::mesh) {
      newest_[{message.kind, message.view}] = message;
      return true;
    }
    // Frames of another mesh could not be drawn.
    if (message.kind == Outgoing::Kind::mesh)
      std::erase_if(newest_, [](const auto& item) { return item.second.kind == Outgoing::Kind::frame; });
    if (texts_.size() >= most_texts) return false;
    texts_.push_back(message);
    return true;
  }
  /// The next to send: texts in order, then what is newest, each in its turn.
  std::optional<Outgoing> take() {
    if (!texts_.empty()) {
      Outgoing out = std::move(texts_.front());
      texts_.pop_front();
      return out;
    }
    if (newest_.empty()) return {};
    auto next = newest_.upper_bound(last_);
    if (next == newest_.end()) next = newest_.begin();
    last_ = next->first;
    Outgoing out = std::move(next->second);
    newest_.erase(next);
    return out;
  }
  bool frame_waits() const {
    for (const auto& [key, message] : newest_)
      if (message.kind == Outgoing::Kind::frame) return true;
    return false;
  }

 private:
  using Key = std::pair<Outgoing::Kind, int>;
  std::deque<Outgoing> texts_;
  std::map<Key, Outgoing> newest_;
  Key last_{Outgoing::Kind::text, 0};
};

}  // namespace resilin::viewer
