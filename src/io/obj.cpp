// OBJ: the surface of every body, one file per frame, for renderers and modelling programs. A body without triangles gives
// its edges as lines. Only vertices of the surface are written, in ascending order, so that all frames of a run have the
// same numbering. Numbers have as many digits as it takes to read the same double back.
#include <fmt/format.h>

#include <iterator>

#include "resilin/io.h"

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
    for (const int id : body.triangles.empty() ? body.edges : body.triangles)
      number[static_cast<std::size_t>(id)] = 1;
  int count = 0;
  for (int& n : number)
    if (n != 0) n = ++count;
  return number;
}

std::string write_frame(const Frame& frame) {
  const std::vector<double>& q = frame.state->q;
  const std::vector<int> number = numbering(*frame.model, q.size() / 3);
  fmt::memory_buffer out;
  const auto put = std::back_inserter(out);
  fmt::format_to(put, "# frame {} at {} s\n", frame.number, frame.time);
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] != 0) fmt::format_to(put, "v {} {} {}\n", q[3 * i], q[3 * i + 1], q[3 * i + 2]);
  for (const Body& body : frame.model->bodies) {
    fmt::format_to(put, "o {}\n", one_word(body.name));
    const auto id = [&](const std::vector<int>& list, std::size_t i) {
      return number[static_cast<std::size_t>(list[i])];
    };
    for (std::size_t i = 0; i + 2 < body.triangles.size(); i += 3)
      fmt::format_to(put, "f {} {} {}\n", id(body.triangles, i), id(body.triangles, i + 1),
                     id(body.triangles, i + 2));
    if (!body.triangles.empty()) continue;
    for (std::size_t i = 0; i + 1 < body.edges.size(); i += 2)
      fmt::format_to(put, "l {} {}\n", id(body.edges, i), id(body.edges, i + 1));
  }
  return fmt::to_string(out);
}

}  // namespace

FormatPlugin format_obj() {
  return {.doc = "Wavefront OBJ of the surfaces, one file per frame",
          .extension = ".obj",
          .write_frame = write_frame,
          .write_index = nullptr,
          .index_extension = ""};
}

}  // namespace resilin
