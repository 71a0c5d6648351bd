#include "protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "resilin/errors.h"
#include "resilin/scene.h"

namespace resilin::viewer {
namespace {

static_assert(std::endian::native == std::endian::little, "binary messages are written as they lie in memory");

constexpr int most_frames = 1000, most_variants = 8, most_assignments = 64;

int depth(const Value& value) {
  int below = 0;
  if (value.is_list())
    for (const Value& item : value.list()) below = std::max(below, depth(item));
  if (value.is_object())
    for (const auto& [key, item] : value.object()) below = std::max(below, depth(item));
  return value.is_list() || value.is_object() ? 1 + below : 0;
}

const Value& member(const Value& message, const char* name) {
  const Value* found = message.find(name);
  if (found == nullptr) message.fail(fmt::format("\"{}\" is missing", name));
  return *found;
}

int count(const Value& value, int low, int high) {
  const int n = value.integer();
  if (n < low || n > high) value.fail(fmt::format("wanted is a whole number from {} to {}", low, high));
  return n;
}

Assignments assignments(const Value* list) {
  Assignments out;
  if (list == nullptr) return out;
  if (list->list().size() > most_assignments) list->fail("is too long");
  for (const Value& pair : list->list()) {
    if (pair.list().size() != 2) pair.fail("wanted is [path, value]");
    out.emplace_back(pair.list()[0].text(), pair.list()[1]);
  }
  return out;
}

Request read_compare(const Value& m) {
  Compare out;
  const Value& variants = member(m, "variants");
  if (variants.list().size() > most_variants) variants.fail(fmt::format("at most {} are compared", most_variants));
  for (const Value& variant : variants.list()) {
    variant.only_keys({"label", "set"});
    out.variants.push_back({member(variant, "label").text(), assignments(variant.find("set"))});
  }
  return out;
}

Request read_slice(const Value& m) {
  const Value& plane = member(m, "plane");
  if (plane.is_null()) return Slice{};
  const std::vector<double> numbers = plane.numbers();
  if (numbers.size() != 4) plane.fail("wanted is [nx, ny, nz, d]");
  std::array<double, 4> out{};
  std::copy(numbers.begin(), numbers.end(), out.begin());
  return Slice{out};
}

Request read_edit_request(const Value& m) {
  EditRequest out{read_edit(member(m, "edit")), {}};
  if (const Value* view = m.find("view"); view != nullptr && !view->is_null())
    out.view = count(*view, 0, most_variants - 1);
  return out;
}

std::string one_of(const Value& value, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), value.text()) == names.end()) value.fail("wanted is " + join_or(names));
  return value.text();
}

// A kind of message: its members besides "type" and "id", and what it is.
struct Form {
  std::string type;
  std::vector<std::string> members;
  std::function<Request(const Value&)> read;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"edit", {"edit", "view"}, read_edit_request},
      {"play", {}, [](const Value&) { return Play{}; }},
      {"pause", {}, [](const Value&) { return Pause{}; }},
      {"step", {"frames"}, [](const Value& m) { return StepFrames{count(member(m, "frames"), 1, most_frames)}; }},
      {"speed",
       {"factor"},
       [](const Value& m) {
         const Value& factor = member(m, "factor");
         if (!(factor.number() >= 0 && factor.number() <= 1e6)) factor.fail("wanted is 0 to 1e6");
         return Speed{factor.number()};
       }},
      {"open",
       {"scene", "set"},
       [](const Value& m) {
         return Open{member(m, "scene").text(), assignments(m.find("set"))};
       }},
      {"compare", {"variants"}, read_compare},
      {"watch_convergence", {"on"}, [](const Value& m) { return WatchConvergence{member(m, "on").boolean()}; }},
      {"colour", {"by"}, [](const Value& m) { return Colour{one_of(member(m, "by"), colour_names())}; }},
      {"slice", {"plane"}, read_slice},
      {"seek", {"frame"}, [](const Value& m) { return Seek{count(member(m, "frame"), 0, 1 << 30)}; }},
      {"curve",
       {"kind", "description"},
       [](const Value& m) {
         return SampleCurve{one_of(member(m, "kind"), {"material", "damping"}), member(m, "description")};
       }},
  };
  return all;
}

Message read_message(const Value& m) {
  if (!m.is_object()) m.fail("a message is an object");
  const Value& type = member(m, "type");
  for (const Form& form : forms()) {
    if (form.type != type.text()) continue;
    std::vector<std::string> allowed = form.members;
    allowed.insert(allowed.end(), {"type", "id"});
    m.only_keys(allowed);
    Message out{{}, form.read(m)};
    if (const Value* id = m.find("id"); id != nullptr && !id->is_null()) out.id = id->number();
    return out;
  }
  type.fail(fmt::format("there is no message \"{}\"", type.text()));
}

template <class T>
void append(std::string& out, std::span<const T> values) {
  static_assert(sizeof(T) % 4 == 0);
  if (!values.empty()) out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

template <class T>
void put(std::string& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

constexpr std::size_t header_size = 32;

// Bytes of the letter that begins here (RFC 3629); 0: none does.
std::size_t letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xc2 && first < 0xe0   ? 2
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xf0 && first < 0xf5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : size;
}

}  // namespace

const std::vector<std::string>& colour_names() {
  static const std::vector<std::string> names = {"none", "stretch", "stress", "energy", "speed", "region"};
  return names;
}

Message parse_message(std::string_view text) {
  if (text.size() > longest_message) throw BadMessage(Close::too_long, "the message is too long");
  try {
    const Value value = parse_json(std::string(text), "message");
    if (depth(value) > deepest_message) throw BadMessage(Close::refused, "the message is nested too deeply");
    return read_message(value);
  } catch (const InputError& error) {
    throw BadMessage(Close::refused, error.what());
  }
}

std::vector<float> DrawnMesh::place(std::span<const double> values, int components) const {
  const auto width = static_cast<std::size_t>(components);
  std::vector<float> out(width * vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < width; ++k) {
      if (corners.empty()) {
        out[width * i + k] = static_cast<float>(values[width * vertices[i] + k]);
        continue;
      }
      double sum = 0;
      for (std::size_t c = 0; c < 4; ++c)
        sum += static_cast<double>(weights[i][c]) * values[width * corners[i][c] + k];
      out[width * i + k] = static_cast<float>(sum);
    }
  return out;
}

std::string encode_mesh(const DrawnMesh& mesh) {
  const std::size_t n = mesh.vertices.size(), m = mesh.triangles.size() / 3, e = mesh.edges.size() / 2;
  std::string out(header_size, '\0');
  out.reserve(header_size + 4 * (n + 4 * m + 2 * e + 8 * mesh.corners.size()));
  out[0] = 1;
  out[2] = mesh.corners.empty() ? 0 : 1;
  put(out, 4, mesh.serial);
  put(out, 8, static_cast<std::uint32_t>(n));
  put(out, 12, static_cast<std::uint32_t>(m));
  put(out, 16, static_cast<std::uint32_t>(e));
  append(out, std::span<const std::uint32_t>(mesh.vertices));
  append(out, std::span<const std::uint32_t>(mesh.triangles));
  append(out, std::span<const std::uint32_t>(mesh.edges));
  append(out, std::span<const std::uint32_t>(mesh.bodies));
  append(out, std::span<const std::array<std::uint32_t, 4>>(mesh.corners));
  append(out, std::span<const std::array<float, 4>>(mesh.weights));
  return out;
}

std::string encode_frame(const FrameHeader& header, std::span<const float> positions,
                         std::span<const float> colours) {
  std::string out(header_size, '\0');
  out.reserve(header_size + positions.size_bytes() + colours.size_bytes());
  out[0] = 2;
  out[1] = static_cast<char>(header.view);
  out[2] = colours.empty() ? 0 : 1;
  put(out, 4, header.serial);
  put(out, 8, static_cast<std::uint32_t>(positions.size() / 3));
  put(out, 12, header.edits);
  put(out, 16, static_cast<std::uint32_t>(header.step));
  put(out, 24, header.time);
  append(out, positions);
  append(out, colours);
  return out;
}

std::string clean_text(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = letter(std::string_view(text).substr(i));
    if (size == 0) text[i] = '?';
    i += std::max<std::size_t>(size, 1);
  }
  return text;
}

std::string reply(double id, Value::Object more) {
  Value::Object out{{"type", "reply"}, {"id", id}, {"ok", true}};
  for (auto& item : more) out.push_back(std::move(item));
  return Value(std::move(out)).dump();
}

std::string refusal(double id, const std::string& error) {
  return Value(Value::Object{{"type", "reply"}, {"id", id}, {"ok", false}, {"error", error}}).dump();
}

}  // namespace resilin::viewer
