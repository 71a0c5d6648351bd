// Watchers of `resilin view` for benchmarks: plain sockets that read what a page would read, on one thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace resilin::bench {

/// What a frame says about itself.
struct SeenFrame {
  std::uint32_t edits = 0, step = 0;
};

class PageClients {
 public:
  /// Throws std::runtime_error when the server refuses. `on_frame`: frames of the first client, called on the
  /// reading thread.
  PageClients(int count, int port, const std::string& token, std::function<void(const SeenFrame&)> on_frame = {});
  ~PageClients();
  PageClients(const PageClients&) = delete;
  PageClients& operator=(const PageClients&) = delete;

  /// A text from the first client.
  void send(const std::string& text);
  std::int64_t frames() const { return frames_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Client {
    int socket = -1;
    std::string buffer;
  };
  void read_all();
  void take_messages(Client& client, bool first);

  std::vector<Client> clients_;
  std::function<void(const SeenFrame&)> on_frame_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::int64_t> frames_ = 0, bytes_ = 0;
  std::thread thread_;
};

}  // namespace resilin::bench
