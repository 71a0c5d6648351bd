// The server of the page: HTTP and WebSockets on one thread. It checks who may ask for what, bounds everything that
// a client can make grow, and hands messages to a Session. protocol.md is the contract.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace resilin::viewer {

class Chores;
class Session;

/// The three files of the page.
struct Page {
  std::string_view html, js, css;
  bool empty() const { return html.empty() || js.empty(); }
};
/// What was bundled when this program was built; empty: node was not there.
Page bundled_page();

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;                         // 0: any that is free
  bool next_free = false;               // take one of the following ports if this one is taken
  std::vector<std::string> names = {};  // of hosts besides 127.0.0.1, localhost, [::1] and the address
  Page page = bundled_page();
  bool heeds_interrupts = true;  // SIGINT and SIGTERM end serve(); false: they are the program's
};

class Server {
 public:
  /// Listens; InputError when it cannot.
  explicit Server(const ServerOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// With the token of this run.
  std::string url() const;
  const std::string& token() const;

  /// Until stop() or an interrupt.
  void serve(Session& session, Chores& chores);
  /// Any thread: the session has something to send.
  void notify();
  /// Any thread: connections are closed and serve() returns.
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace resilin::viewer
