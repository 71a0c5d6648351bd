// STL, text and binary. Its triangles share no vertices: corners with equal coordinates are welded into one vertex.
// Written as binary floats.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <unordered_map>

#include "geometry/vec3.h"
#include "io/bytes.h"
#include "io/drawn.h"
#include "io/mesh_builder.h"

namespace resilin {
namespace {

using Shape = CellType::Shape;
constexpr CellType triangle{0, "facet", Shape::triangle, 3, 3};
constexpr std::size_t header_bytes = 84, facet_bytes = 50;

struct Hash {
  std::size_t operator()(const Vec3& p) const {
    std::uint64_t h = 0;
    for (const double x : p) h = (h ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ull, h ^= h >> 32;
    return static_cast<std::size_t>(h);
  }
};

class Welder {
 public:
  explicit Welder(MeshBuilder& build) : build_(build) {}
  int operator()(Vec3 p) {
    for (double& x : p) x += 0.0;  // -0 becomes 0
    const auto [at, fresh] = ids_.try_emplace(p, build_.mesh.vertex_count());
    if (fresh) build_.mesh.vertices.insert(build_.mesh.vertices.end(), p.begin(), p.end());
    return at->second;
  }

 private:
  MeshBuilder& build_;
  std::unordered_map<Vec3, int, Hash> ids_;
};

std::uint64_t announced(std::string_view contents) {
  const bool swap = std::endian::native != std::endian::little;
  return contents.size() < header_bytes ? 0 : Cursor::decode<std::uint32_t>(contents.data() + 80, swap);
}

// Many binary files begin with "solid" too: the size tells.
bool is_binary(std::string_view contents) {
  if (contents.size() < header_bytes) return false;
  return header_bytes + facet_bytes * announced(contents) == contents.size() || !contents.starts_with("solid");
}

void read_binary(Cursor& in, MeshBuilder& build) {
  in.set_binary(true);
  const bool swap = std::endian::native != std::endian::little;
  const auto n = announced(in.text());
  in.move_to(header_bytes);
  if (header_bytes + facet_bytes * n != in.text().size())
    in.fail(fmt::format("{} facets are announced ({} bytes), but the file has {} bytes", n,
                        header_bytes + facet_bytes * n, in.text().size()));
  Welder weld(build);
  for (std::uint64_t i = 0; i < n; ++i) {
    in.bytes(12, "a normal");
    int ids[3];
    for (int& id : ids) {
      Vec3 p;
      for (double& x : p) {
        x = static_cast<double>(in.value<float>("a coordinate", swap));
        in.check_finite(x, "a coordinate");
      }
      id = weld(p);
    }
    in.bytes(2, "the attribute of a facet");
    build.add(triangle, ids);
  }
}

void expect(Cursor& in, const char* keyword) {
  const std::string found = lower_case(in.word());
  if (found != keyword) in.fail(fmt::format("\"{}\" stands where \"{}\" is expected", shown(found), keyword));
}

void read_text(Cursor& in, MeshBuilder& build) {
  Welder weld(build);
  while (in.skip_space()) {
    const std::string word = lower_case(in.word());
    if (word == "solid" || word == "endsolid") {
      in.line();
      continue;
    }
    if (word != "facet")
      in.fail(fmt::format("\"{}\" stands where \"facet\" or \"endsolid\" is expected", shown(word)));
    expect(in, "normal");
    for (int k = 0; k < 3; ++k)
      if (in.word().empty()) in.fail("the file ends within a facet");  // normals may be nan: they are not used
    expect(in, "outer"), expect(in, "loop");
    int ids[3];
    for (int& id : ids) {
      expect(in, "vertex");
      Vec3 p;
      for (double& x : p) x = in.number("a coordinate");
      id = weld(p);
    }
    expect(in, "endloop"), expect(in, "endfacet");
    build.add(triangle, ids);
  }
}

MeshData read(const MeshSource& source, const ReadOptions& options) {
  Cursor in(source);
  MeshBuilder build(in, options);
  if (is_binary(source.contents)) read_binary(in, build);
  else read_text(in, build);
  if (build.mesh.triangles.empty()) in.fail("there is no facet: the file is not an STL surface");
  return build.finish();
}

std::string write(const MeshData& data, const WriteOptions&) {
  const MeshData mesh = drawn(data);
  if (mesh.triangles.empty())
    throw InputError(
        "stl",
        "there is no surface to write: the format has triangles only; lines go into .obj, .ply, .vtk or .glb");
  std::string out(80, ' ');
  out.replace(0, 7, "resilin");
  append_value(out, static_cast<std::uint32_t>(mesh.triangle_count()));
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    const auto corner = [&](std::size_t k) { return vertex_at(mesh.vertices, mesh.triangles[t + k]); };
    const Vec3 n = cross(corner(1) - corner(0), corner(2) - corner(0));
    const double length = std::hypot(n[0], n[1], n[2]);
    for (const double x : n)
      append_value(out, static_cast<float>(length > 0 && std::isfinite(length) ? x / length : 0.0));
    for (std::size_t k = 0; k < 3; ++k)
      for (const double x : corner(k)) append_value(out, static_cast<float>(x));
    append_value(out, std::uint16_t{0});
  }
  return out;
}

bool recognises(std::string_view contents) {
  if (contents.size() >= header_bytes && announced(contents) > 0 &&
      header_bytes + facet_bytes * announced(contents) == contents.size())
    return true;
  return contents.starts_with("solid") && contents.substr(0, 4096).find("facet") != std::string_view::npos;
}

}  // namespace

FormatPlugin format_stl() {
  return {.doc = "STL surfaces, text and binary; equal corners are merged",
          .extension = ".stl",
          .recognises = recognises,
          .read = read,
          .write = write,
          .written = [](const MeshData& mesh) {
            MeshData out = drawn(mesh);
            out.edges.clear();
            return out;
          }};
}

}  // namespace resilin
