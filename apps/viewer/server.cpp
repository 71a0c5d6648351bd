// The only source that includes Boost.Beast: it costs half a minute to compile.
#include "server.h"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <csignal>
#include <functional>
#include <map>

#include "chores.h"
#include "describe.h"
#include "gate.h"
#include "outbox.h"
#include "resilin/errors.h"
#include "session.h"

namespace resilin::viewer {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Error = beast::error_code;

constexpr std::uint32_t header_limit = 8192;
constexpr std::uint64_t upload_limit = 64u << 20;
constexpr int most_connections = 64, ports_to_try = 32;
constexpr auto frame_interval = std::chrono::milliseconds(16);
constexpr auto request_time = std::chrono::seconds(20), transfer_time = std::chrono::seconds(120),
               idle_time = std::chrono::seconds(60);
constexpr auto closing_time = std::chrono::seconds(2);
constexpr auto farewell_time = std::chrono::milliseconds(300);

using HttpRequest = http::request<http::string_body>;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

Asked asked_by(const HttpRequest& request) {
  Asked out{view_of(request.method_string()), view_of(request.target()), {}, {}};
  for (const auto& field : request) {
    if (field.name() == http::field::host) out.hosts.push_back(view_of(field.value()));
    if (field.name() == http::field::origin) out.origins.push_back(view_of(field.value()));
  }
  return out;
}

// Nothing but this server, whatever stands in the page; `host` was checked.
std::string content_policy(std::string_view host) {
  return fmt::format(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; "
      "font-src 'self'; connect-src 'self' ws://{}; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; "
      "frame-ancestors 'none'",
      host);
}

}  // namespace

// All connections, the clock of frames and what they share.
class Server::Listener {
 public:
  explicit Listener(const ServerOptions& options);
  void serve(Session& session, Chores& chores);
  void notify();
  void stop();
  int port() const { return port_; }
  std::string url() const { return fmt::format("http://{}/?token={}", host_, gate_->token()); }
  const Gate& gate() const { return *gate_; }
  const Page& page() const { return page_; }
  Session& session() { return *session_; }
  Chores& chores() { return *chores_; }
  /// Runs `what` on the network's thread; from any thread.
  void post(std::function<void()> what) { asio::post(io_, std::move(what)); }

  class Socket;
  std::uint64_t enter(const std::shared_ptr<Socket>& socket);
  void leave(std::uint64_t client);
  void connection_ended() { --connections_; }

 private:
  void listen(const ServerOptions& options);
  void accept();
  void deliver();
  void want_next_frame();
  void close_all();

  std::unique_ptr<Gate> gate_;
  Page page_;
  const bool heeds_interrupts_;
  std::string host_;
  int port_ = 0, connections_ = 0;
  std::atomic<bool> notified_ = false;
  bool stopping_ = false;
  Session* session_ = nullptr;
  Chores* chores_ = nullptr;
  std::map<std::uint64_t, std::weak_ptr<Socket>> sockets_;
  std::uint64_t clients_ = 0;
  // Last, so that connections, which end with it, still find the rest.
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::signal_set signals_{io_};
  asio::steady_timer frame_clock_{io_}, farewell_{io_};
};

// ---- a WebSocket
// -------------------------------------------------------------------------------------------------

class Server::Listener::Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(tcp::socket socket, Listener& server, bool control)
      : stream_(std::move(socket)), server_(server), control_(control) {}
  ~Socket() {
    if (client_ != 0) server_.leave(client_);
    server_.connection_ended();
  }

  void start(const HttpRequest& request) {
    websocket::stream_base::timeout limits{request_time, idle_time, true};
    stream_.set_option(limits);
    stream_.read_message_max(longest_message);
    stream_.auto_fragment(false);
    stream_.async_accept(request, [self = shared_from_this()](Error error) {
      if (error) return;
      self->client_ = self->server_.enter(self);
      self->put({Outgoing::Kind::text, 0, 0, std::make_shared<const std::string>(hello(self->control_))});
      for (const Outgoing& message : self->server_.session().welcome()) self->put(message);
      self->read();
    });
  }
  void put(const Outgoing& message) {
    if (closing_) return;
    if (!outbox_.put(message)) return close(Close::refused, "too much waits to be read");
    write();
  }
  bool frame_waits() const { return outbox_.frame_waits(); }
  void close(Close code, const std::string& why) {
    close(websocket::close_reason(static_cast<websocket::close_code>(code), clean_text(why.substr(0, 120))));
  }
  void close(const websocket::close_reason& reason) {
    if (std::exchange(closing_, true)) return;
    reason_ = reason;
    if (!writing_) say_goodbye();
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
      if (error) return self->give_up();
      self->receive();
    });
  }
  void receive() {
    if (!stream_.got_text()) return close(Close::not_text, "messages are JSON texts");
    const auto bytes = buffer_.cdata();
    try {
      Message message = parse_message({static_cast<const char*>(bytes.data()), bytes.size()});
      if (control_) {
        server_.session().ask(client_, std::move(message));
      } else {
        const std::string why = "this page may only watch: open the link that `resilin view` has printed";
        const std::string text =
            message.id ? refusal(*message.id, why) : Value(Value::Object{{"type", "error"}, {"text", why}}).dump();
        put({Outgoing::Kind::text, 0, client_, std::make_shared<const std::string>(text)});
      }
    } catch (const BadMessage& bad) {
      return close(bad.code, bad.what());
    }
    buffer_.clear();
    if (!closing_) read();
  }
  void write() {
    if (writing_ || closing_) return;
    std::optional<Outgoing> next = outbox_.take();
    if (!next) return;
    writing_ = true;
    stream_.binary(next->binary());
    const auto& bytes = next->bytes;
    stream_.async_write(asio::buffer(*bytes), [self = shared_from_this(), bytes](Error error, std::size_t) {
      self->writing_ = false;
      if (error) return self->give_up();
      if (self->closing_) return self->say_goodbye();
      self->write();
    });
  }
  void say_goodbye() {
    beast::get_lowest_layer(stream_).expires_after(closing_time);
    stream_.async_close(reason_, [self = shared_from_this()](Error) {});
  }
  // The other side is gone, or what it says is no WebSocket.
  void give_up() {
    closing_ = true;
    beast::get_lowest_layer(stream_).cancel();
  }

  websocket::stream<beast::tcp_stream> stream_;
  Listener& server_;
  const bool control_;
  std::uint64_t client_ = 0;
  beast::flat_buffer buffer_;
  Outbox outbox_;
  bool writing_ = false, closing_ = false;
  websocket::close_reason reason_;
};

// ---- a request
// ---------------------------------------------------------------------------------------------------

namespace {

// One request and its answer; then the connection ends, or becomes a WebSocket.
template <class Listener>
class Exchange : public std::enable_shared_from_this<Exchange<Listener>> {
 public:
  Exchange(tcp::socket socket, Listener& server) : stream_(std::move(socket)), server_(&server) {
    parser_.header_limit(header_limit);
    parser_.body_limit(upload_limit);
  }
  ~Exchange() {
    if (server_) server_->connection_ended();
  }

  void start() {
    stream_.expires_after(request_time);
    http::async_read_header(stream_, buffer_, parser_, [self = this->shared_from_this()](Error error, std::size_t) {
      if (error == http::error::header_limit)
        return self->fail(http::status::request_header_fields_too_large, "the header is too long");
      if (error == http::error::body_limit)
        return self->fail(http::status::payload_too_large, "the file is too large: 64 MiB at most");
      if (error.category() == make_error_code(http::error::bad_method).category() &&
          error != http::error::end_of_stream)
        return self->fail(http::status::bad_request, "this is no HTTP request");
      if (!error) self->route();
    });
  }

 private:
  void route() {
    const HttpRequest& request = parser_.get();
    const Asked asked = asked_by(request);
    target_ = parse_target(asked.target);
    const bool socket = target_.path == "/ws", post = asked.method == "POST";
    access_ = server_->gate().admit(asked, target_, socket || post);
    if (access_ == Access::refused_host)
      return fail(http::status::misdirected_request, "this server is not called like that");
    if (access_ == Access::refused_origin) return fail(http::status::forbidden, "only its own page may do that");
    if (access_ == Access::refused_token) return fail(http::status::forbidden, "the token is not that of this run");
    host_ = asked.hosts.front();
    if (socket) return become_socket();
    if (post) return receive_upload();
    if (asked.method != "GET") return fail(http::status::method_not_allowed, "only GET and POST are understood");
    answer_get();
  }
  void become_socket() {
    if (!websocket::is_upgrade(parser_.get())) return fail(http::status::upgrade_required, "here is a WebSocket");
    stream_.expires_never();
    Listener& server = *std::exchange(server_, nullptr);  // the socket counts as this connection from now on
    std::make_shared<typename Listener::Socket>(stream_.release_socket(), server, access_ == Access::control)
        ->start(parser_.release());
  }
  void answer_get() {
    const std::string& path = target_.path;
    const Page& page = server_->page();
    if (path == "/") return send("text/html; charset=utf-8", std::string(page.html));
    if (path == "/page.js") return send("text/javascript; charset=utf-8", std::string(page.js));
    if (path == "/page.css") return send("text/css; charset=utf-8", std::string(page.css));
    constexpr std::string_view pictures = "/thumbnails/", ending = ".png", files = "/export/";
    if (path.starts_with(pictures) && path.ends_with(ending) && path.size() > pictures.size() + ending.size())
      return send_thumbnail(path.substr(pictures.size(), path.size() - pictures.size() - ending.size()));
    if (path.starts_with(files)) return send_export(path.substr(files.size()));
    fail(http::status::not_found, "there is nothing of that name");
  }
  void send_thumbnail(const std::string& scene) {
    stream_.expires_after(transfer_time);
    server_->chores().thumbnail(scene, [self = held_elsewhere()](SharedBytes bytes) {
      self->server_->post([self, bytes] {
        if (bytes) self->send("image/png", *bytes);
        else self->fail(http::status::not_found, "there is no such picture");
      });
    });
  }
  void send_export(const std::string& file) {
    if (access_ != Access::control) return fail(http::status::forbidden, "the token is missing");
    if (file != "edits.jsonl" && file != "scene.json" && file != "state.npz")
      return fail(http::status::not_found, "there is no such file");
    stream_.expires_after(transfer_time);
    server_->session().export_file(file, [self = held_elsewhere(), file](bool good, std::string contents) {
      self->server_->post([self, file, good, contents = std::move(contents)] {
        if (!good) return self->fail(http::status::conflict, contents);
        self->send(file.ends_with(".npz") ? "application/octet-stream" : "application/json", contents,
                   "attachment; filename=\"" + file + "\"");
      });
    });
  }
  void receive_upload() {
    const std::string* name = target_.find("name");
    if (access_ != Access::control) return fail(http::status::forbidden, "the token is missing");
    if (target_.path != "/upload" || name == nullptr)
      return fail(http::status::not_found, "files go to /upload?name=FILE");
    stream_.expires_after(transfer_time);
    http::async_read(
        stream_, buffer_, parser_, [self = this->shared_from_this(), name = *name](Error error, std::size_t) {
          if (error == http::error::body_limit)
            return self->fail(http::status::payload_too_large, "the file is too large: 64 MiB at most");
          if (error) return;
          self->server_->chores().upload(name, std::move(self->parser_.get().body()),
                                         [self = self->held_elsewhere()](bool good, const Value& answer) {
                                           self->server_->post([self, good, text = answer.dump()] {
                                             self->send("application/json", text, "",
                                                        good ? http::status::ok : http::status::bad_request);
                                           });
                                         });
        });
  }

  // For callbacks of other threads. The last reference may go there, but sockets and the count of connections
  // belong to the network's thread: the release is posted to it.
  std::shared_ptr<Exchange> held_elsewhere() {
    return {this, [self = this->shared_from_this()](Exchange*) mutable {
              Listener& server = *self->server_;
              server.post([released = std::move(self)] {});
            }};
  }
  void fail(http::status status, const std::string& why) {
    send("application/json", Value(Value::Object{{"error", why}}).dump(), "", status);
  }
  void send(const std::string& type, std::string body, const std::string& disposition = "",
            http::status status = http::status::ok) {
    response_ = {status, 11};
    response_.set(http::field::content_type, type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("Content-Security-Policy", content_policy(host_));
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");  // the token stands in the address
    response_.set("X-Frame-Options", "DENY");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    if (!disposition.empty()) response_.set(http::field::content_disposition, disposition);
    response_.keep_alive(false);
    response_.body() = std::move(body);
    response_.prepare_payload();
    stream_.expires_after(transfer_time);
    http::async_write(stream_, response_, [self = this->shared_from_this()](Error, std::size_t) {
      Error ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  Listener* server_;  // null: the connection is another's
  beast::flat_buffer buffer_{header_limit + 65536};
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
  Target target_;
  Access access_ = Access::refused_host;
  std::string host_ = "127.0.0.1";
};

}  // namespace

// ---- the listener
// ------------------------------------------------------------------------------------------------

Server::Listener::Listener(const ServerOptions& options)
    : page_(options.page), heeds_interrupts_(options.heeds_interrupts) {
  listen(options);
  std::vector<std::string> hosts;
  const auto named = [&](const std::string& name) { hosts.push_back(fmt::format("{}:{}", name, port_)); };
  const bool six = options.address.find(':') != std::string::npos;
  const std::string own = six ? "[" + options.address + "]" : options.address;
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) named(name);
  named(own);
  for (const std::string& name : options.names) named(name);
  host_ = fmt::format("{}:{}", own == "0.0.0.0" || own == "[::]" ? "127.0.0.1" : own, port_);
  gate_ = std::make_unique<Gate>(std::move(hosts), random_token());
}

void Server::Listener::listen(const ServerOptions& options) {
  Error error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) throw InputError("--bind " + options.address, "is no address, e.g. 127.0.0.1");
  for (int i = 0;; ++i) {
    const tcp::endpoint endpoint(address, static_cast<unsigned short>(options.port + i));
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) break;
    acceptor_.close();
    const bool more = options.next_free && options.port > 0 && i + 1 < ports_to_try && options.port + i < 65535;
    if (!more) throw InputError(fmt::format("--port {}", options.port), "cannot listen: " + error.message());
  }
  port_ = acceptor_.local_endpoint().port();
}

void Server::Listener::accept() {
  acceptor_.async_accept([this](Error error, tcp::socket socket) {
    if (stopping_ || error == asio::error::operation_aborted) return;
    if (!error && connections_ < most_connections) {
      ++connections_;
      Error ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Exchange<Listener>>(std::move(socket), *this)->start();
    }
    accept();  // one too many is closed at once
  });
}

void Server::Listener::serve(Session& session, Chores& chores) {
  session_ = &session, chores_ = &chores;
  if (heeds_interrupts_) signals_.add(SIGINT), signals_.add(SIGTERM);
  signals_.async_wait([this](Error error, int) {
    if (!error) close_all();
  });
  accept();
  notify();
  io_.run();
}

std::uint64_t Server::Listener::enter(const std::shared_ptr<Socket>& socket) {
  sockets_[++clients_] = socket;
  session_->set_audience(static_cast<int>(sockets_.size()));
  session_->want_frame();
  return clients_;
}

void Server::Listener::leave(std::uint64_t client) {
  sockets_.erase(client);
  if (!stopping_) session_->set_audience(static_cast<int>(sockets_.size()));
}

void Server::Listener::notify() {
  if (notified_.exchange(true)) return;
  asio::post(io_, [this] { deliver(); });
}

void Server::Listener::deliver() {
  notified_ = false;
  if (stopping_ || session_ == nullptr) return;
  bool frame = false;
  for (const Outgoing& message : session_->collect()) {
    frame = frame || message.kind == Outgoing::Kind::frame;
    for (const auto& [client, weak] : std::map(sockets_)) {
      const auto socket = weak.lock();
      if (socket && (message.client == 0 || message.client == client)) socket->put(message);
    }
  }
  if (frame) want_next_frame();
}

// No more often than screens show them, and not while nobody has read the last one.
void Server::Listener::want_next_frame() {
  frame_clock_.expires_after(frame_interval);
  frame_clock_.async_wait([this](Error error) {
    if (error || stopping_) return;
    bool read = false;
    for (const auto& [client, weak] : sockets_) {
      const auto socket = weak.lock();
      read = read || (socket && !socket->frame_waits());
    }
    if (read) session_->want_frame();
    else want_next_frame();
  });
}

void Server::Listener::stop() {
  asio::post(io_, [this] { close_all(); });
}

void Server::Listener::close_all() {
  if (std::exchange(stopping_, true)) return;
  Error ignored;
  acceptor_.close(ignored);
  signals_.cancel(ignored);
  frame_clock_.cancel();
  for (const auto& [client, weak] : std::map(sockets_))
    if (const auto socket = weak.lock()) socket->close(websocket::close_code::going_away);
  farewell_.expires_after(farewell_time);
  farewell_.async_wait([this](Error) { io_.stop(); });
}

// ---- what others see
// ---------------------------------------------------------------------------------------------

Server::Server(const ServerOptions& options) : listener_(std::make_unique<Listener>(options)) {}
Server::~Server() = default;
int Server::port() const { return listener_->port(); }
std::string Server::url() const { return listener_->url(); }
const std::string& Server::token() const { return listener_->gate().token(); }
void Server::serve(Session& session, Chores& chores) { listener_->serve(session, chores); }
void Server::notify() { listener_->notify(); }
void Server::stop() { listener_->stop(); }

}  // namespace resilin::viewer
