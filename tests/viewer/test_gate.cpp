#include <gtest/gtest.h>

#include "gate.h"
#include "outbox.h"

namespace resilin::viewer {
namespace {

const Gate gate({"127.0.0.1:7345", "localhost:7345", "[::1]:7345"}, "secret");

Access admit(std::vector<std::string_view> hosts, std::vector<std::string_view> origins, const std::string& target,
             bool from_page) {
  return gate.admit({"GET", target, std::move(hosts), std::move(origins)}, parse_target(target), from_page);
}

TEST(Gate, HostsOriginsAndTokens) {
  EXPECT_EQ(admit({"127.0.0.1:7345"}, {}, "/", false), Access::watch);
  EXPECT_EQ(admit({"localhost:7345"}, {"http://localhost:7345"}, "/ws?token=secret", true), Access::control);
  EXPECT_EQ(admit({"[::1]:7345"}, {"http://127.0.0.1:7345"}, "/ws", true), Access::watch);
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:7346", "127.0.0.1:7345.", "evil.example:7345",
                           "LOCALHOST:7345", "localhost:7345 ", "x@localhost:7345"})
    EXPECT_EQ(admit({host}, {}, "/", false), Access::refused_host) << host;
  EXPECT_EQ(admit({}, {}, "/", false), Access::refused_host);
  EXPECT_EQ(admit({"localhost:7345", "localhost:7345"}, {}, "/", false), Access::refused_host);
  for (const char* origin :
       {"", "null", "https://localhost:7345", "http://localhost", "http://localhost:7345/", "http://evil.example",
        "http://localhost:7345.evil.example", "localhost:7345", "http://localhost:73450"})
    EXPECT_EQ(admit({"localhost:7345"}, {origin}, "/ws?token=secret", true), Access::refused_origin) << origin;
  EXPECT_EQ(admit({"localhost:7345"}, {}, "/ws?token=secret", true), Access::refused_origin);
  for (const char* token : {"", "secre", "secrets", "Secret", "secret%00"})
    EXPECT_NE(admit({"localhost:7345"}, {"http://localhost:7345"}, std::string("/ws?token=") + token, true),
              Access::control)
        << token;
}

TEST(Gate, Targets) {
  const Target target = parse_target("/upload?name=a%20b+c.obj&token=x%26y&empty");
  EXPECT_EQ(target.path, "/upload");
  EXPECT_EQ(*target.find("name"), "a b c.obj");
  EXPECT_EQ(*target.find("token"), "x&y");
  EXPECT_EQ(*target.find("empty"), "");
  EXPECT_EQ(target.find("other"), nullptr);
  for (const char* bad : {"", "page.js", "http://localhost/", "/%", "/%4", "/%zz", "/%00", "/?a=%f"})
    EXPECT_EQ(parse_target(bad).path, "") << bad;
}

TEST(Gate, TokensDiffer) {
  const std::string a = random_token(), b = random_token();
  EXPECT_EQ(a.size(), 32u);
  EXPECT_NE(a, b);
}

Outgoing message(Outgoing::Kind kind, int view, const std::string& text) {
  return {kind, view, 0, std::make_shared<const std::string>(text)};
}

TEST(Outbox, KeepsTextsInOrderAndTheNewestOfFrames) {
  using Kind = Outgoing::Kind;
  Outbox box;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(box.put(message(Kind::frame, 0, "old")));
    EXPECT_TRUE(box.put(message(Kind::frame, 1, "old")));
    EXPECT_TRUE(box.put(message(Kind::status, 0, "old")));
  }
  EXPECT_TRUE(box.frame_waits());
  box.put(message(Kind::text, 0, "first")), box.put(message(Kind::text, 0, "second"));
  box.put(message(Kind::frame, 0, "new 0")), box.put(message(Kind::frame, 1, "new 1")),
      box.put(message(Kind::status, 0, "status"));
  std::vector<std::string> sent;
  while (const auto next = box.take()) sent.push_back(*next->bytes);
  EXPECT_EQ(sent, (std::vector<std::string>{"first", "second", "status", "new 0", "new 1"}));
  EXPECT_FALSE(box.frame_waits());
}

TEST(Outbox, NobodyIsStarvedAndAMeshDropsWaitingFrames) {
  using Kind = Outgoing::Kind;
  Outbox box;
  box.put(message(Kind::frame, 0, "frame")), box.put(message(Kind::status, 0, "a"));
  EXPECT_EQ(*box.take()->bytes, "a");
  box.put(message(Kind::status, 0, "b"));
  EXPECT_EQ(*box.take()->bytes, "frame");
  box.put(message(Kind::frame, 0, "frame of the old mesh")), box.put(message(Kind::mesh, 0, "mesh"));
  EXPECT_EQ(*box.take()->bytes, "mesh");
  EXPECT_EQ(*box.take()->bytes, "b");
  EXPECT_FALSE(box.take());
}

TEST(Outbox, TextsAreBounded) {
  Outbox box;
  for (std::size_t i = 0; i < Outbox::most_texts; ++i) EXPECT_TRUE(box.put(message(Outgoing::Kind::text, 0, "x")));
  EXPECT_FALSE(box.put(message(Outgoing::Kind::text, 0, "x")));
}

}  // namespace
}  // namespace resilin::viewer
