// TetGen .node, .ele and .face, counted from 0 or 1. Either of the first two finds the others. Attributes of tets
// become groups region_N, boundary markers of vertices marker_N, those of facets facet_N; 0 is none.
// https://wias-berlin.de/software/tetgen/fformats.html
#include <fmt/format.h>

#include <cmath>

#include "io/mesh_builder.h"

namespace resilin {
namespace {

using Shape = CellType::Shape;
constexpr CellType tet{4, "tet", Shape::tet, 4, 4}, tet10{10, "tet of order 2", Shape::tet, 4, 10},
    facet{3, "facet", Shape::triangle, 3, 3};

// The first number of the first row; all others must follow it.
void check_number(const Cursor& in, std::int64_t number, std::int64_t& base, std::size_t row) {
  if (row == 0) {
    base = number;
    if (base != 0 && base != 1) in.fail(fmt::format("rows are counted from {}: 0 or 1 is expected", base));
  }
  if (number != base + static_cast<std::int64_t>(row))
    in.fail(fmt::format("row {} follows row {}", number, base + static_cast<std::int64_t>(row) - 1));
}

std::int64_t read_nodes(Cursor& in, MeshBuilder& build) {
  in.set_comment('#');
  const std::int64_t announced = in.integer("the number of vertices");
  if (const std::int64_t dimension = in.integer("the dimension"); dimension != 3)
    in.fail(fmt::format("the vertices have {} dimensions: 3 are expected", dimension));
  const int attributes = in.integer_in("the number of attributes", 0, 1000),
            markers = in.integer_in("the number of markers", 0, 1);
  const std::size_t n =
      in.checked_count(announced, 8 + 2 * static_cast<std::size_t>(attributes + markers), "vertices");
  build.mesh.vertices.reserve(3 * n);
  std::int64_t base = 0;
  for (std::size_t i = 0; i < n; ++i) {
    check_number(in, in.integer("a row's number"), base, i);
    for (int k = 0; k < 3; ++k) build.mesh.vertices.push_back(in.number("a coordinate"));
    for (int k = 0; k < attributes; ++k) in.number("an attribute");
    if (markers == 0) continue;
    const std::int64_t marker = in.integer("a marker");
    if (marker != 0) build.mesh.vertex_groups[tag_group("marker", marker)].push_back(static_cast<int>(i));
  }
  if (in.skip_space()) in.fail(fmt::format("the file goes on after the {} announced vertices", n));
  return base;
}

// Region attributes are written as real numbers.
std::string region_name(double attribute) {
  return attribute == std::floor(attribute) && std::abs(attribute) < 1e15
             ? tag_group("region", static_cast<std::int64_t>(attribute))
             : fmt::format("region_{}", attribute);
}

void read_tets(Cursor& in, MeshBuilder& build, std::int64_t vertex_base) {
  in.set_comment('#');
  const std::int64_t announced = in.integer("the number of tets");
  const std::int64_t nodes = in.integer("the number of nodes per tet");
  if (nodes != 4 && nodes != 10) in.fail(fmt::format("tets of {} nodes: 4 or 10 are expected", nodes));
  const int attributes = in.integer_in("the number of attributes", 0, 1000);
  const std::size_t n = in.checked_count(announced, 2 + 2 * static_cast<std::size_t>(nodes + attributes), "tets");
  const CellType& type = nodes == 4 ? tet : tet10;
  if (n > 0) build.check(type);
  std::vector<int> ids(static_cast<std::size_t>(nodes));
  std::int64_t base = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t number = in.integer("a row's number");
    check_number(in, number, base, i);
    for (int& id : ids)
      id = build.vertex(in.integer("a vertex of a tet"), vertex_base, static_cast<std::size_t>(number), "tet");
    const Added added = build.add(type, ids);
    for (int k = 0; k < attributes; ++k) {
      const double attribute = in.number("an attribute");
      if (k == 0 && attribute != 0) build.put(added, region_name(attribute));
    }
  }
  if (in.skip_space()) in.fail(fmt::format("the file goes on after the {} announced tets", n));
}

// Faces of the surface that have a marker: what the user has named. The others are known from the tets.
void read_facets(Cursor& in, MeshBuilder& build, std::int64_t vertex_base) {
  in.set_comment('#');
  const std::int64_t announced = in.integer("the number of facets");
  const int markers = in.integer_in("the number of markers", 0, 1);
  const std::size_t n = in.checked_count(announced, 8 + 2 * static_cast<std::size_t>(markers), "facets");
  std::vector<int> ids(3);
  std::int64_t base = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t number = in.integer("a row's number");
    check_number(in, number, base, i);
    for (int& id : ids)
      id = build.vertex(in.integer("a vertex of a facet"), vertex_base, static_cast<std::size_t>(number), "facet");
    const std::int64_t marker = markers == 0 ? 0 : in.integer("a marker");
    in.line();  // with -nn the two tets beside it follow
    if (marker != 0) build.put(build.add(facet, ids), tag_group("facet", marker));
  }
}

std::string file_part(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// "a.node" -> "a.ele"; ".gz" is the companion's own business.
std::string with_ending(std::string name, const char* ending) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name.substr(0, name.find_last_of('.')) + ending;
}

MeshData read(const MeshSource& source, const ReadOptions& options) {
  const bool is_tets = with_ending(source.name, ".ele") == source.name || source.name.ends_with(".ele.gz");
  const std::string other_name = with_ending(source.name, is_tets ? ".node" : ".ele");
  std::optional<std::string> other = source.companion ? source.companion(file_part(other_name)) : std::nullopt;
  if (!other && is_tets)
    throw InputError(source.name,
                     fmt::format("the vertices are missing: there is no {} beside it", file_part(other_name)));
  const std::string_view node_text = is_tets ? std::string_view(*other) : source.contents;
  const std::string& node_name = is_tets ? other_name : source.name;
  Cursor nodes(node_text, node_name);
  const std::string& tet_name = is_tets ? source.name : other_name;
  const std::string_view tet_text = is_tets ? source.contents
                                    : other ? std::string_view(*other)
                                            : std::string_view();
  Cursor tets(tet_text, tet_name);
  MeshBuilder build(tets, options);
  const std::int64_t base = read_nodes(nodes, build);
  if (is_tets || other) {
    read_tets(tets, build, base);
    const std::string face_name = with_ending(source.name, ".face");
    if (const auto faces = source.companion ? source.companion(file_part(face_name)) : std::nullopt) {
      Cursor in(*faces, face_name);
      read_facets(in, build, base);
    }
  }
  if (!is_tets && !other)
    build.mesh.notes.push_back(
        fmt::format("there is no {} beside it: the file gives vertices only", file_part(other_name)));
  return build.finish();
}

}  // namespace

FormatPlugin format_tetgen() {
  return {.doc =
              "TetGen .node, .ele and .face, with ids from 0 or 1; attributes become groups region_N, facet "
              "markers facet_N",
          .extension = ".node",
          .more_extensions = {".ele"},
          .read = read};
}

}  // namespace resilin
