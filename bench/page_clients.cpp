#include "page_clients.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace resilin::bench {
namespace {

int connect_page(int port, const std::string& token) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  const int at_once = 1;  // as browsers do: a small message does not wait for the answer to the last one
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  sockaddr_in address{};
  address.sin_family = AF_INET, address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string host = fmt::format("127.0.0.1:{}", port);
  const std::string request = fmt::format(
      "GET /ws?token={} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: cmVzaWxpbi1iZW5jaC0xNg==\r\nSec-WebSocket-Version: 13\r\n\r\n",
      token, host, host);
  std::string answer;
  char c = 0;
  if (connect(s, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      send(s, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()))
    while (!answer.ends_with("\r\n\r\n") && recv(s, &c, 1, 0) == 1) answer += c;
  if (answer.find(" 101 ") != std::string::npos) return s;
  close(s);
  throw std::runtime_error("the viewer refused a client: " + answer.substr(0, answer.find('\r')));
}

}  // namespace

PageClients::PageClients(int count, int port, const std::string& token,
                         std::function<void(const SeenFrame&)> on_frame)
    : on_frame_(std::move(on_frame)) {
  for (int i = 0; i < count; ++i) clients_.push_back({connect_page(port, token), {}});
  thread_ = std::thread([this] { read_all(); });
}

PageClients::~PageClients() {
  stopping_ = true;
  thread_.join();
  for (const Client& client : clients_) close(client.socket);
}

// A masked frame (RFC 6455, 5.3) whose mask is zero.
void PageClients::send(const std::string& text) {
  std::string frame = "\x81";
  if (text.size() < 126) {
    frame += static_cast<char>(0x80 | text.size());
  } else {
    frame += static_cast<char>(0x80 | 126);
    frame += static_cast<char>(text.size() >> 8), frame += static_cast<char>(text.size() & 255);
  }
  frame += std::string(4, '\0') + text;
  if (::send(clients_.front().socket, frame.data(), frame.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(frame.size()))
    throw std::runtime_error("the viewer has closed the connection");
}

void PageClients::read_all() {
  std::vector<pollfd> polled;
  for (const Client& client : clients_) polled.push_back({client.socket, POLLIN, 0});
  std::vector<char> block(1 << 20);
  while (!stopping_) {
    if (poll(polled.data(), polled.size(), 50) <= 0) continue;
    for (std::size_t i = 0; i < polled.size(); ++i) {
      if ((polled[i].revents & POLLIN) == 0) continue;
      const ssize_t n = recv(polled[i].fd, block.data(), block.size(), 0);
      if (n <= 0) continue;
      bytes_ += n;
      clients_[i].buffer.append(block.data(), static_cast<std::size_t>(n));
      take_messages(clients_[i], i == 0);
    }
  }
}

void PageClients::take_messages(Client& client, bool first) {
  std::size_t at = 0;
  const std::string& b = client.buffer;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(b[i]); };
  while (b.size() >= at + 10) {
    std::size_t head = 2, size = byte(at + 1) & 127u;
    if (size == 126) head = 4, size = 256u * byte(at + 2) + byte(at + 3);
    else if (size == 127) {
      head = 10, size = 0;
      for (std::size_t i = 2; i < 10; ++i) size = 256 * size + byte(at + i);
    }
    if (b.size() < at + head + size) break;
    if ((byte(at) & 15u) == 2 && size >= 32 && b[at + head] == 2) {
      ++frames_;
      SeenFrame seen;
      std::memcpy(&seen.edits, &b[at + head + 12], 4), std::memcpy(&seen.step, &b[at + head + 16], 4);
      if (first && on_frame_) on_frame_(seen);
    }
    at += head + size;
  }
  client.buffer.erase(0, at);
}

}  // namespace resilin::bench
