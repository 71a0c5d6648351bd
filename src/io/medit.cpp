// MEDIT .mesh (INRIA; written by Mmg, Tetgen -g, CGAL, ftetwild). Text only. References become groups ref_N, 0 is
// none. Sections may come in any order, so they are listed first and the vertices read before what names them.
#include <fmt/format.h>

#include <cctype>

#include "io/element_tags.h"
#include "io/mesh_builder.h"
#include "io/put_text.h"

namespace resilin {
namespace {

using Shape = CellType::Shape;

constexpr CellType cell_types[] = {
    {0, "Edges", Shape::edge, 2, 2},           {0, "Triangles", Shape::triangle, 3, 3},
    {0, "Quadrilaterals", Shape::quad, 4, 4},  {0, "Tetrahedra", Shape::tet, 4, 4},
    {0, "Hexahedra", Shape::other, 8, 8},      {0, "Prisms", Shape::other, 6, 6},
    {0, "Pyramids", Shape::other, 5, 5},       {0, "EdgesP2", Shape::edge, 2, 3},
    {0, "TrianglesP2", Shape::triangle, 3, 6}, {0, "TetrahedraP2", Shape::tet, 4, 10}};

struct Section {
  std::string_view name;
  std::size_t start;  // after its name
};

bool is_name(std::string_view word) { return std::isalpha(static_cast<unsigned char>(word[0])) != 0; }

// Everything but names is numbers.
std::vector<Section> sections_of(Cursor& in) {
  std::vector<Section> out;
  while (in.skip_space()) {
    const std::string_view word = in.word();
    if (is_name(word)) out.push_back({word, in.at()});
    if (word == "End") break;
  }
  return out;
}

const Section* find(const std::vector<Section>& sections, std::string_view name) {
  for (const Section& s : sections)
    if (s.name == name) return &s;
  return nullptr;
}

void read_vertices(Cursor& in, MeshBuilder& build) {
  const std::size_t n = in.checked_count(in.integer("the number of vertices"), 8, "vertices");
  build.mesh.vertices.reserve(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) build.mesh.vertices.push_back(in.number("a coordinate"));
    const std::int64_t ref = in.integer("a vertex's reference");
    if (ref != 0) build.mesh.vertex_groups[tag_group("ref", ref)].push_back(static_cast<int>(i));
  }
}

void read_cells(Cursor& in, MeshBuilder& build, const CellType& type) {
  const auto nodes = static_cast<std::size_t>(type.nodes);
  const std::size_t n = in.checked_count(in.integer("the number of elements"), 2 * nodes + 2, "elements");
  if (n > 0) build.check(type);
  std::vector<int> ids(nodes);
  for (std::size_t i = 0; i < n; ++i) {
    for (int& id : ids) id = build.vertex(in.integer("a vertex of an element"), 1, i + 1, type.name);
    const std::int64_t ref = in.integer("an element's reference");
    const Added added = build.add(type, ids);
    if (ref != 0) build.put(added, tag_group("ref", ref));
  }
}

MeshData read(const MeshSource& source, const ReadOptions& options) {
  Cursor in(source);
  if (!source.contents.empty() && (source.contents[0] == '\1' || source.contents[0] == '\0'))
    throw InputError(source.name, "is a binary MEDIT file (.meshb), which is not read: save it as text (.mesh)");
  in.set_comment('#');
  MeshBuilder build(in, options);
  const std::vector<Section> sections = sections_of(in);
  if (find(sections, "MeshVersionFormatted") == nullptr) {
    in.move_to(0);
    in.fail("a MEDIT file begins with MeshVersionFormatted");
  }
  for (const char* name : {"Dimension", "Vertices"})
    if (find(sections, name) == nullptr) in.fail(fmt::format("the file has no section {}", name));
  in.move_to(find(sections, "Dimension")->start);
  if (const std::int64_t dimension = in.integer("the dimension"); dimension != 3)
    in.fail(fmt::format("the mesh has {} dimensions: 3 are expected", dimension));
  in.move_to(find(sections, "Vertices")->start);
  read_vertices(in, build);
  for (const Section& section : sections)
    for (const CellType& type : cell_types) {
      if (section.name != type.name) continue;
      in.move_to(section.start);
      read_cells(in, build, type);
    }
  return build.finish();
}

void write_cells(std::string& out, const char* name, const std::vector<int>& ids, std::size_t corners,
                 const ElementTags& tags) {
  put_text(out, "\n{}\n{}\n", name, ids.size() / corners);
  for (std::size_t i = 0; i < ids.size() / corners; ++i) {
    for (std::size_t k = 0; k < corners; ++k) put_text(out, "{} ", ids[i * corners + k] + 1);
    put_text(out, "{}\n", tags.tag[i]);
  }
}

std::string write(const MeshData& mesh, const WriteOptions&) {
  std::string out;
  const ElementTags vertex(mesh.vertex_groups, mesh.vertices.size() / 3),
      tet(mesh.tet_groups, mesh.tets.size() / 4), triangle(mesh.triangle_groups, mesh.triangles.size() / 3),
      edge(mesh.edge_groups, mesh.edges.size() / 2);
  put_text(out, "MeshVersionFormatted 2\nDimension 3\n");
  for (const auto& [what, tags] :
       {std::pair("vertices", &vertex), {"tets", &tet}, {"triangles", &triangle}, {"edges", &edge}})
    for (std::size_t i = 0; i < tags->names.size(); ++i)
      put_text(out, "# {} of reference {}: {}\n", what, i + 1, tags->names[i]);
  put_text(out, "\nVertices\n{}\n", mesh.vertex_count());
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
    put_text(out, "{} {} {} {}\n", mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2], vertex.tag[i / 3]);
  if (!mesh.tets.empty()) write_cells(out, "Tetrahedra", mesh.tets, 4, tet);
  if (!mesh.triangles.empty()) write_cells(out, "Triangles", mesh.triangles, 3, triangle);
  if (!mesh.edges.empty()) write_cells(out, "Edges", mesh.edges, 2, edge);
  put_text(out, "\nEnd\n");
  return out;
}

bool recognises(std::string_view contents) {
  using namespace std::string_view_literals;
  return contents.substr(0, 4096).find("MeshVersionFormatted") != std::string_view::npos ||
         contents.starts_with("\1\0\0\0"sv) || contents.starts_with("\0\0\0\1"sv);
}

}  // namespace

FormatPlugin format_medit() {
  return {.doc = "MEDIT .mesh, text; references become groups ref_N",
          .extension = ".mesh",
          .more_extensions = {".meshb"},
          .recognises = recognises,
          .read = read,
          .write = write};
}

}  // namespace resilin
