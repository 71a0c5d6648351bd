// USDA: USD as text (Omniverse, Houdini, Blender, usdview). A mesh per body, points as time samples in seconds
// times timeCodesPerSecond. Specification: https://openusd.org/release/index.html
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "io/drawn.h"
#include "io/put_text.h"

namespace resilin {
namespace {

// A time code per frame, where frames are even: then players show each of them.
double codes_per_second(const Animation& animation) {
  double shortest = 0;
  for (std::size_t i = 1; i < animation.times.size(); ++i) {
    const double gap = animation.times[i] - animation.times[i - 1];
    if (gap > 0 && (shortest == 0 || gap < shortest)) shortest = gap;
  }
  if (!(shortest > 0)) return 24;
  const double rate = 1 / shortest, whole = std::round(rate);
  return std::abs(rate - whole) <= 1e-6 * rate ? whole : rate;
}

// Within 1e-6 of a whole number it is that number.
double code(double seconds, double rate) {
  const double at = seconds * rate, whole = std::round(at);
  return std::abs(at - whole) <= 1e-6 * std::max(1.0, std::abs(at)) ? whole : at;
}

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

void put_points(std::string& out, const std::vector<float>& xyz) {
  put_text(out, "[");
  for (std::size_t i = 0; i < xyz.size(); i += 3)
    put_text(out, "{}({}, {}, {})", i == 0 ? "" : ", ", xyz[i], xyz[i + 1], xyz[i + 2]);
  put_text(out, "]");
}

void put_list(std::string& out, const std::vector<int>& values) {
  put_text(out, "[");
  for (std::size_t i = 0; i < values.size(); ++i) put_text(out, "{}{}", i == 0 ? "" : ", ", values[i]);
  put_text(out, "]");
}

// The least and the largest corner of the box around them.
void put_extent(std::string& out, const std::vector<float>& xyz) {
  std::array<float, 3> low{}, high{};
  for (std::size_t i = 0; i < xyz.size(); ++i) {
    low[i % 3] = i < 3 ? xyz[i] : std::min(low[i % 3], xyz[i]);
    high[i % 3] = i < 3 ? xyz[i] : std::max(high[i % 3], xyz[i]);
  }
  put_text(out, "[({}, {}, {}), ({}, {}, {})]", low[0], low[1], low[2], high[0], high[1], high[2]);
}

// `type name = value`, or its samples in time; `write` puts the value of given points.
template <class Write>
void put_samples(std::string& out, const Animation& animation, const std::vector<int>& vertices, const char* what,
                 Write&& write) {
  if (animation.frame_count() == 1) {
    put_text(out, "\n        {} = ", what);
    write(pick(animation.positions(0), vertices));
    return;
  }
  const double rate = codes_per_second(animation);
  put_text(out, "\n        {}.timeSamples = {{\n", what);
  for (int i = 0; i < animation.frame_count(); ++i) {
    put_text(out, "            {}: ", code(animation.times[i], rate));
    write(pick(animation.positions(i), vertices));
    put_text(out, ",\n");
  }
  put_text(out, "        }}");
}

void put_part(std::string& out, const Animation& animation, const Part& part, const std::string& name) {
  const bool lines = part.triangles.empty();
  put_text(out, "\n    def {} \"{}\"\n    {{\n", lines ? "BasisCurves" : "Mesh", name);
  if (lines) {
    put_text(out, "        uniform token type = \"linear\"\n        int[] curveVertexCounts = ");
    put_list(out, std::vector<int>(part.edges.size() / 2, 2));
  } else {
    put_text(out, "        uniform token subdivisionScheme = \"none\"\n        int[] faceVertexCounts = ");
    put_list(out, std::vector<int>(part.triangles.size() / 3, 3));
    put_text(out, "\n        int[] faceVertexIndices = ");
    put_list(out, part.triangles);
  }
  // Curves have no indices: every edge brings its own two points.
  std::vector<int> vertices = part.vertices;
  if (lines) {
    vertices.clear();
    for (const int id : part.edges) vertices.push_back(part.vertices[id]);
  }
  if (!lines) put_text(out, "\n        uniform bool doubleSided = 1");
  put_samples(out, animation, vertices, "float3[] extent",
              [&](const std::vector<float>& xyz) { put_extent(out, xyz); });
  put_samples(out, animation, vertices, "point3f[] points",
              [&](const std::vector<float>& xyz) { put_points(out, xyz); });
  put_text(out, "\n    }}\n");
}

std::string write_sequence(const Animation& animation) {
  std::string out;
  const double rate = codes_per_second(animation);
  put_text(out,
           "#usda 1.0\n(\n    defaultPrim = \"run\"\n    metersPerUnit = 1\n    upAxis = \"{}\"\n    "
           "timeCodesPerSecond = {}\n",
           animation.z_is_up ? "Z" : "Y", rate);
  put_text(out, "    startTimeCode = {}\n    endTimeCode = {}\n)\n\ndef Xform \"run\"\n{{",
           code(animation.times.front(), rate), code(animation.times.back(), rate));
  std::set<std::string> taken;
  for (const Part& part : parts_of(animation.mesh)) put_part(out, animation, part, identifier(part.name, taken));
  put_text(out, "}}\n");
  return out;
}

}  // namespace

FormatPlugin format_usda() {
  return {.doc = "USD text; the frames of a run are time samples (Omniverse, Houdini, Blender)",
          .extension = ".usda",
          .write = [](const MeshData& mesh, const WriteOptions&) { return write_sequence(still(mesh)); },
          .write_sequence = write_sequence,
          .written = drawn_once};
}

}  // namespace resilin
