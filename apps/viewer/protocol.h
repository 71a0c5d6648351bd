// What `resilin view` and the page say to each other (protocol.md), as values: messages of the page are parsed,
// what goes to it is encoded. Pure functions: no sockets, no simulation, no state.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "resilin/edit.h"
#include "resilin/params.h"

namespace resilin::viewer {

constexpr int protocol_version = 1;
constexpr std::size_t longest_message = 65536;  // bytes
constexpr int deepest_message = 16;

/// Codes with which sockets are closed (RFC 6455, 7.4.1).
enum class Close { not_text = 1003, refused = 1008, too_long = 1009 };

/// A message that is none: its connection ends.
class BadMessage : public std::runtime_error {
 public:
  BadMessage(Close close, const std::string& problem) : std::runtime_error(problem), code(close) {}
  Close code;
};

// ---- from the page -------------------------------------------------------------------------------------------

using Assignments = std::vector<std::pair<std::string, Value>>;  // by path in the scene

struct EditRequest {
  Edit edit;
  std::optional<int> view;  // none: all
};
struct Play {};
struct Pause {};
struct StepFrames {
  int frames = 1;
};
struct Speed {
  double factor = 1;  // of real time; 0: as fast as possible
};
struct Open {
  std::string scene;
  Assignments set;
};
struct Variant {
  std::string label;
  Assignments set;
};
struct Compare {
  std::vector<Variant> variants;
};
struct WatchConvergence {
  bool on = false;
};
struct Colour {
  std::string by = "none";
};
struct Slice {
  std::optional<std::array<double, 4>> plane;  // n . x <= d stays
};
struct Seek {
  int frame = 0;
};
struct SampleCurve {
  std::string kind;
  Value description;
};

using Request = std::variant<EditRequest, Play, Pause, StepFrames, Speed, Open, Compare, WatchConvergence, Colour,
                             Slice, Seek, SampleCurve>;

struct Message {
  std::optional<double> id;  // repeated in the reply; none: no reply is wanted
  Request request;
};

/// BadMessage for everything that is not in protocol.md.
Message parse_message(std::string_view text);

/// What colours may show: none, stretch, ...
const std::vector<std::string>& colour_names();

// ---- to the page ---------------------------------------------------------------------------------------------

/// What is drawn of a model. An embedded vertex is a combination of four vertices of the model, others are one of
/// them.
struct DrawnMesh {
  std::uint32_t serial = 0;
  std::vector<std::uint32_t> vertices;                  // of the model; the first corner of an embedded one
  std::vector<std::uint32_t> triangles, edges, bodies;  // of drawn vertices; the body of each triangle
  std::vector<std::array<std::uint32_t, 4>> corners;    // empty: nothing is embedded
  std::vector<std::array<float, 4>> weights;

  std::size_t vertex_count() const { return vertices.size(); }
  /// Values of the model's vertices (`components` each) at the drawn ones.
  std::vector<float> place(std::span<const double> values, int components) const;
};

struct FrameHeader {
  int view = 0;
  std::uint32_t serial = 0;  // of the mesh
  std::uint32_t edits = 0;   // applied so far
  std::int64_t step = 0;
  double time = 0;
};

std::string encode_mesh(const DrawnMesh& mesh);
/// `positions`: 3 per drawn vertex; `colours`: one, or none at all.
std::string encode_frame(const FrameHeader& header, std::span<const float> positions,
                         std::span<const float> colours);

/// The same in UTF-8: what is none becomes '?'. Messages about bad input may quote half a letter.
std::string clean_text(std::string text);

/// {"type": "reply", "id": ..., "ok": true, ...}
std::string reply(double id, Value::Object more = {});
std::string refusal(double id, const std::string& error);

}  // namespace resilin::viewer
