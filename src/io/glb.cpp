// GLB: binary glTF 2.0 of the surfaces (browsers, Blender, engines). A node per body; a run becomes morph targets,
// one per frame after the first, and an animation of their weights that shows each frame at its time and blends
// between them. Specification: Khronos glTF 2.0.

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/bytes.h"
#include "io/drawn.h"
#include "resilin/errors.h"
#include "resilin/params.h"

namespace resilin {
namespace {

constexpr int float_type = 5126, uint_type = 5125, array_buffer = 34962, element_buffer = 34963;

class Document {
 public:
  /// Returns the number of an accessor of the values that were appended since the last one.
  int accessor(int component, const char* type, std::size_t count, int target) {
    Value::Object view{
        {"buffer", 0}, {"byteOffset", number(start_)}, {"byteLength", number(bytes_.size() - start_)}};
    if (target != 0) view.emplace_back("target", target);
    views_.emplace_back(std::move(view));
    start_ = bytes_.size();
    accessors_.push_back(Value::Object{{"bufferView", static_cast<int>(views_.size()) - 1},
                                       {"componentType", component},
                                       {"count", number(count)},
                                       {"type", type}});
    return static_cast<int>(accessors_.size()) - 1;
  }
  /// Positions need their bounds.
  int vectors(const std::vector<float>& xyz) {
    append_values<float>(bytes_, xyz);
    const int id = accessor(float_type, "VEC3", xyz.size() / 3, array_buffer);
    Value::List low, high;
    for (std::size_t k = 0; k < 3; ++k) {
      float a = std::numeric_limits<float>::max(), b = std::numeric_limits<float>::lowest();
      for (std::size_t i = k; i < xyz.size(); i += 3) a = std::min(a, xyz[i]), b = std::max(b, xyz[i]);
      low.emplace_back(static_cast<double>(a)), high.emplace_back(static_cast<double>(b));
    }
    accessors_.back().set("min", low);
    accessors_.back().set("max", high);
    return id;
  }
  int scalars(const std::vector<float>& values, bool bounds) {
    append_values<float>(bytes_, values);
    const int id = accessor(float_type, "SCALAR", values.size(), 0);
    if (bounds) {
      accessors_.back().set("min",
                            Value::List{static_cast<double>(*std::min_element(values.begin(), values.end()))});
      accessors_.back().set("max",
                            Value::List{static_cast<double>(*std::max_element(values.begin(), values.end()))});
    }
    return id;
  }
  int indices(const std::vector<int>& ids) {
    for (const int id : ids) append_value(bytes_, static_cast<std::uint32_t>(id));
    return accessor(uint_type, "SCALAR", ids.size(), element_buffer);
  }

  std::string finish(Value root) {
    root.set("accessors", accessors_);
    root.set("bufferViews", views_);
    root.set("buffers", Value::List{Value::Object{{"byteLength", number(bytes_.size())}}});
    std::string json = root.dump();
    json.append((4 - json.size() % 4) % 4, ' ');
    bytes_.append((4 - bytes_.size() % 4) % 4, '\0');
    const std::size_t total = 12 + 8 + json.size() + 8 + bytes_.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
      throw InputError("glb", "the run is larger than 4 GiB, which this format cannot hold: write fewer frames");
    std::string out = "glTF";
    append_value(out, std::uint32_t{2});
    append_value(out, static_cast<std::uint32_t>(total));
    append_value(out, static_cast<std::uint32_t>(json.size()));
    out += "JSON" + json;
    append_value(out, static_cast<std::uint32_t>(bytes_.size()));
    out.append("BIN\0", 4);
    return out + bytes_;
  }

 private:
  static Value number(std::size_t value) { return Value(static_cast<double>(value)); }
  std::string bytes_;
  std::size_t start_ = 0;
  Value::List views_, accessors_;
};

// Of vertices: the sum of the normals of their triangles, by area; up where there is none.
std::vector<float> normals(const std::vector<float>& xyz, const std::vector<int>& triangles) {
  std::vector<float> out(xyz.size(), 0.0f);
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    const auto corner = [&](std::size_t k, std::size_t axis) {
      return static_cast<double>(xyz[3 * triangles[t + k] + axis]);
    };
    double e[2][3];
    for (std::size_t a = 0; a < 3; ++a)
      e[0][a] = corner(1, a) - corner(0, a), e[1][a] = corner(2, a) - corner(0, a);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      const double n = e[0][b] * e[1][c] - e[0][c] * e[1][b];
      for (std::size_t k = 0; k < 3; ++k) out[3 * triangles[t + k] + a] += static_cast<float>(n);
    }
  }
  for (std::size_t i = 0; i < out.size(); i += 3) {
    const float length = std::hypot(out[i], out[i + 1], out[i + 2]);
    const bool known = length > 0 && std::isfinite(length);
    for (std::size_t k = 0; k < 3; ++k) out[i + k] = known ? out[i + k] / length : (k == 1 ? 1.0f : 0.0f);
  }
  return out;
}

Value mesh_of(Document& document, const Animation& animation, const Part& part) {
  const std::vector<float> first = pick(animation.positions(0), part.vertices);
  const bool lines = part.triangles.empty();
  const std::vector<float> up = normals(first, part.triangles);
  Value attributes = Value::Object{{"POSITION", document.vectors(first)}};
  if (!lines) attributes.set("NORMAL", document.vectors(up));
  Value primitive = Value::Object{{"attributes", attributes},
                                  {"indices", document.indices(lines ? part.edges : part.triangles)},
                                  {"mode", lines ? 1 : 4},
                                  {"material", 0}};
  Value mesh = Value::Object{{"name", part.name}};
  Value::List targets, weights;
  for (int i = 1; i < animation.frame_count(); ++i) {
    std::vector<float> moved = pick(animation.positions(i), part.vertices);
    std::vector<float> turned = normals(moved, part.triangles);
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] -= first[k], turned[k] -= up[k];
    Value target = Value::Object{{"POSITION", document.vectors(moved)}};
    if (!lines) target.set("NORMAL", document.vectors(turned));
    targets.push_back(target);
    weights.emplace_back(0);
  }
  if (!targets.empty()) primitive.set("targets", targets), mesh.set("weights", weights);
  mesh.set("primitives", Value::List{primitive});
  return mesh;
}

// Weight i - 1 is 1 at frame i and 0 at all others: linear interpolation blends neighbours.
Value animation_of(Document& document, const Animation& animation, std::size_t nodes) {
  const auto frames = static_cast<std::size_t>(animation.frame_count()), targets = frames - 1;
  std::vector<float> times, weights(frames * targets, 0.0f);
  for (const double t : animation.times) times.push_back(static_cast<float>(t - animation.times.front()));
  for (std::size_t i = 1; i < frames; ++i) weights[i * targets + i - 1] = 1;
  const int input = document.scalars(times, true), output = document.scalars(weights, false);
  Value::List channels;
  for (std::size_t n = 0; n < nodes; ++n)
    channels.push_back(Value::Object{
        {"sampler", 0}, {"target", Value::Object{{"node", static_cast<int>(n)}, {"path", "weights"}}}});
  return Value::Object{
      {"name", "run"},
      {"samplers", Value::List{Value::Object{{"input", input}, {"output", output}, {"interpolation", "LINEAR"}}}},
      {"channels", channels}};
}

// Readers such as ParaView 5.11 end when a material has no pbrMetallicRoughness, though the specification makes it
// optional.
Value material() {
  return Value::Object{{"doubleSided", true},
                       {"pbrMetallicRoughness", Value::Object{{"baseColorFactor", Value::List{0.75, 0.42, 0.28, 1}},
                                                              {"metallicFactor", 0},
                                                              {"roughnessFactor", 0.7}}}};
}

std::string write_sequence(const Animation& animation) {
  const std::vector<Part> parts = parts_of(animation.mesh);
  if (parts.empty()) throw InputError("glb", "there is no surface or line to write");
  Document document;
  Value::List meshes, nodes, ids;
  for (const Part& part : parts) {
    const int id = static_cast<int>(meshes.size());
    meshes.push_back(mesh_of(document, animation, part));
    nodes.push_back(Value::Object{{"name", part.name}, {"mesh", id}});
    if (animation.z_is_up)
      nodes.back().set("rotation", Value::List{-std::sqrt(0.5), 0, 0, std::sqrt(0.5)});  // y is up in glTF
    ids.emplace_back(id);
  }
  Value root = Value::Object{{"asset", Value::Object{{"version", "2.0"}, {"generator", "resilin"}}},
                             {"scene", 0},
                             {"scenes", Value::List{Value::Object{{"nodes", ids}}}},
                             {"nodes", nodes},
                             {"meshes", meshes},
                             {"materials", Value::List{material()}}};
  if (animation.frame_count() > 1)
    root.set("animations", Value::List{animation_of(document, animation, parts.size())});
  return document.finish(root);
}

}  // namespace

FormatPlugin format_glb() {
  return {.doc = "Binary glTF 2.0 surfaces; the frames of a run are morph targets (browsers, Blender)",
          .extension = ".glb",
          .write = [](const MeshData& mesh, const WriteOptions&) { return write_sequence(still(mesh)); },
          .write_sequence = write_sequence,
          .written = drawn_once};
}

}  // namespace resilin
