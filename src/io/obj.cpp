// OBJ: surfaces from modelling programs (polygons are fanned, groups and objects become groups), and the surface of
// every body of a run, one file per frame. A body without triangles gives its edges as lines. Only vertices of the
// surface are written, in ascending order, so that all frames of a run have the same numbering. Numbers have as
// many digits as it takes to read the same double back.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "io/drawn.h"
#include "io/mesh_builder.h"
#include "io/put_text.h"

namespace resilin {
namespace {

// OBJ names end at white space.
std::string one_word(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) c = '_';
  return text.empty() ? "body" : text;
}

/// OBJ numbers (from 1) of the vertices that some body draws; 0 elsewhere.
std::vector<int> numbering(const Model& model, std::size_t vertices) {
  std::vector<int> number(vertices, 0);
  for (const Body& body : model.bodies)
    for (const int id : body.triangles.empty() ? body.edges : body.triangles) number[id] = 1;
  int count = 0;
  for (int& n : number)
    if (n != 0) n = ++count;
  return number;
}

std::string write_frame(const Frame& frame) {
  const Model model = with_embedded(*frame.model);
  const std::vector<double> q = with_embedded(*frame.model, *frame.positions);
  const std::vector<int> number = numbering(model, q.size() / 3);
  std::string out;
  put_text(out, "# frame {} at {} s\n", frame.number, frame.time);
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] != 0) put_text(out, "v {} {} {}\n", q[3 * i], q[3 * i + 1], q[3 * i + 2]);
  for (const Body& body : model.bodies) {
    put_text(out, "o {}\n", one_word(body.name));
    const auto id = [&](const std::vector<int>& list, std::size_t i) { return number[list[i]]; };
    for (std::size_t i = 0; i + 2 < body.triangles.size(); i += 3)
      put_text(out, "f {} {} {}\n", id(body.triangles, i), id(body.triangles, i + 1), id(body.triangles, i + 2));
    if (!body.triangles.empty()) continue;
    for (std::size_t i = 0; i + 1 < body.edges.size(); i += 2)
      put_text(out, "l {} {}\n", id(body.edges, i), id(body.edges, i + 1));
  }
  return out;
}

using Shape = CellType::Shape;
constexpr CellType line_type{0, "line", Shape::edge, 2, 2}, face_type{0, "face", Shape::polygon, 0, 0};

std::size_t count_vertices(std::string_view text) {
  std::size_t count = text.starts_with("v ") || text.starts_with("v\t") ? 1 : 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    std::size_t k = at + 1;
    while (k < text.size() && (text[k] == ' ' || text[k] == '\t')) ++k;
    count += k + 1 < text.size() && text[k] == 'v' && (text[k + 1] == ' ' || text[k + 1] == '\t') ? 1 : 0;
  }
  return count;
}

class Reader {
 public:
  Reader(const MeshSource& source, const ReadOptions& options)
      : in_(source), build_(in_, options), total_(count_vertices(source.contents)) {}

  MeshData read() {
    build_.mesh.vertices.reserve(3 * total_);
    while (in_.skip_space()) {
      const std::string_view key = in_.word();
      if (key == "v") vertex();
      else if (key == "f") corners(3), put(build_.add(face_type, ids_));
      else if (key == "l") lines();
      else if (key == "g" || key == "o") group();
      else if (key == "#") comment();
      else if (key == "call" || key == "csh") in_.fail("commands in the file are refused");
      if (key != "#" || in_.remaining() == 0) in_.line();
    }
    if (build_.mesh.vertices.empty()) in_.fail("there is no vertex (\"v x y z\"): the file is not an OBJ mesh");
    return build_.finish();
  }

 private:
  // "default" is the group of what is in none, as the format has it.
  void group() {
    group_ = in_.skip_blanks() ? std::string(in_.word()) : "";
    if (group_ == "default") group_.clear();
  }
  void vertex() {
    for (int k = 0; k < 3; ++k) {
      if (!in_.skip_blanks()) in_.fail("a vertex has three coordinates");
      build_.mesh.vertices.push_back(in_.number("a coordinate"));
    }
  }

  // "# frame 3 at 0.1 s" is ours.
  void comment() {
    const std::string_view words = in_.line();
    int frame = 0;
    double time = 0;
    const std::string text(words.substr(0, 80));
    if (std::sscanf(text.c_str(), " frame %d at %lf s", &frame, &time) == 2) build_.mesh.time = time;
  }

  // Vertex ids of the rest of the line: "7", "7/1", "7//3", or -1 for the latest.
  void corners(std::size_t least) {
    ids_.clear();
    ++elements_;
    while (in_.skip_blanks()) {
      const std::string_view text = in_.word();
      std::int64_t id = 0;
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), id);
      if (error != std::errc() || (rest != text.data() + text.size() && *rest != '/'))
        in_.fail(fmt::format("\"{}\" stands where a vertex is expected", shown(text)));
      const auto so_far = static_cast<std::int64_t>(build_.mesh.vertices.size() / 3);
      const std::int64_t from_one = id < 0 ? so_far + 1 + std::max(id, -so_far - 1) : id;
      if (from_one < 1 || from_one > static_cast<std::int64_t>(total_))
        in_.fail(fmt::format("element {} names vertex {}: the file has {}", elements_, id, total_));
      ids_.push_back(static_cast<int>(from_one - 1));
    }
    if (ids_.size() < least)
      in_.fail(fmt::format("element {} has {} vertices: {} are needed", elements_, ids_.size(), least));
  }

  void lines() {
    corners(2);
    for (std::size_t i = 1; i < ids_.size(); ++i) put(build_.add(line_type, std::span(ids_).subspan(i - 1, 2)));
  }

  void put(const Added& added) {
    if (!group_.empty()) build_.put(added, group_);
  }

  Cursor in_;
  MeshBuilder build_;
  std::size_t total_, elements_ = 0;
  std::vector<int> ids_;
  std::string group_;
};

MeshData read(const MeshSource& source, const ReadOptions& options) { return Reader(source, options).read(); }

std::string write(const MeshData& data, const WriteOptions&) {
  const MeshData mesh = drawn(data);
  std::string out;
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
    put_text(out, "v {} {} {}\n", mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
  std::string current;
  const std::vector<std::string> groups = first_groups(mesh.triangle_groups, mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    if (groups[i / 3] != current) {
      current = groups[i / 3];
      put_text(out, "g {}\n", current.empty() ? "default" : one_word(current));
    }
    put_text(out, "f {} {} {}\n", mesh.triangles[i] + 1, mesh.triangles[i + 1] + 1, mesh.triangles[i + 2] + 1);
  }
  if (!current.empty() && !mesh.edges.empty()) put_text(out, "g default\n");
  for (std::size_t i = 0; i < mesh.edges.size(); i += 2)
    put_text(out, "l {} {}\n", mesh.edges[i] + 1, mesh.edges[i + 1] + 1);
  return out;
}

}  // namespace

FormatPlugin format_obj() {
  return {.doc = "Wavefront OBJ surfaces and lines, one file per frame",
          .extension = ".obj",
          .write_frame = write_frame,
          .read = read,
          .write = write,
          .written = [](const MeshData& mesh) { return drawn(mesh); }};
}

}  // namespace resilin
