// USDA: USD as text (Omniverse, Houdini, Blender, usdview). A mesh per body, points as time samples in seconds times
// timeCodesPerSecond. Specification: https://openusd.org/release/index.html
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "io/drawn.h"

namespace resilin {
namespace {

constexpr double codes_per_second = 24;

// Letters, digits and '_', unlike all others.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
  std::string out = name;
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 || static_cast<unsigned char>(c) > 127) c = '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out = "_" + out;
  const std::string plain = out;
  for (int k = 2; !taken.insert(out).second; ++k) out = fmt::format("{}_{}", plain, k);
  return out;
}

void put_points(fmt::memory_buffer& out, const std::vector<float>& xyz) {
  const auto put = std::back_inserter(out);
  fmt::format_to(put, "[");
  for (std::size_t i = 0; i < xyz.size(); i += 3)
    fmt::format_to(put, "{}({}, {}, {})", i == 0 ? "" : ", ", xyz[i], xyz[i + 1], xyz[i + 2]);
  fmt::format_to(put, "]");
}

void put_list(fmt::memory_buffer& out, const std::vector<int>& values) {
  const auto put = std::back_inserter(out);
  fmt::format_to(put, "[");
  for (std::size_t i = 0; i < values.size(); ++i) fmt::format_to(put, "{}{}", i == 0 ? "" : ", ", values[i]);
  fmt::format_to(put, "]");
}

void put_part(fmt::memory_buffer& out, const Animation& animation, const Part& part, const std::string& name) {
  const auto put = std::back_inserter(out);
  const bool lines = part.triangles.empty();
  fmt::format_to(put, "\n    def {} \"{}\"\n    {{\n", lines ? "BasisCurves" : "Mesh", name);
  if (lines) {
    fmt::format_to(put, "        uniform token type = \"linear\"\n        int[] curveVertexCounts = ");
    put_list(out, std::vector<int>(part.edges.size() / 2, 2));
  } else {
    fmt::format_to(put, "        uniform token subdivisionScheme = \"none\"\n        int[] faceVertexCounts = ");
    put_list(out, std::vector<int>(part.triangles.size() / 3, 3));
    fmt::format_to(put, "\n        int[] faceVertexIndices = ");
    put_list(out, part.triangles);
  }
  // Curves have no indices: every edge brings its own two points.
  std::vector<int> vertices = part.vertices;
  if (lines) {
    vertices.clear();
    for (const int id : part.edges) vertices.push_back(part.vertices[static_cast<std::size_t>(id)]);
  }
  if (animation.frame_count() == 1) {
    fmt::format_to(put, "\n        point3f[] points = ");
    put_points(out, pick(animation.positions(0), vertices));
  } else {
    fmt::format_to(put, "\n        point3f[] points.timeSamples = {{\n");
    for (int i = 0; i < animation.frame_count(); ++i) {
      fmt::format_to(put, "            {}: ", animation.times[static_cast<std::size_t>(i)] * codes_per_second);
      put_points(out, pick(animation.positions(i), vertices));
      fmt::format_to(put, ",\n");
    }
    fmt::format_to(put, "        }}");
  }
  fmt::format_to(put, "\n    }}\n");
}

std::string write_sequence(const Animation& animation) {
  fmt::memory_buffer out;
  const auto put = std::back_inserter(out);
  fmt::format_to(put,
                 "#usda 1.0\n(\n    defaultPrim = \"run\"\n    metersPerUnit = 1\n    upAxis = \"{}\"\n    "
                 "timeCodesPerSecond = {}\n",
                 animation.z_is_up ? "Z" : "Y", codes_per_second);
  fmt::format_to(put, "    startTimeCode = {}\n    endTimeCode = {}\n)\n\ndef Xform \"run\"\n{{",
                 animation.times.front() * codes_per_second, animation.times.back() * codes_per_second);
  std::set<std::string> taken;
  for (const Part& part : parts_of(animation.mesh)) put_part(out, animation, part, identifier(part.name, taken));
  fmt::format_to(put, "}}\n");
  return fmt::to_string(out);
}

}  // namespace

FormatPlugin format_usda() {
  return {.doc = "USD as text with time samples (Omniverse, Houdini, Blender)",
          .extension = ".usda",
          .write = [](const MeshData& mesh, const WriteOptions&) { return write_sequence(still(mesh)); },
          .write_sequence = write_sequence};
}

}  // namespace resilin
