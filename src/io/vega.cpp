// Vega .veg (VegaFEM, Barbic et al. 2012): *VERTICES, *ELEMENTS, *MATERIAL, *REGION, *SET, *INCLUDE. Sets become
// groups of tets; a region gives a material to a set. Only ENU materials (density, Young's modulus, Poisson ratio)
// have a counterpart. An included file that is missing leaves its set incomplete, with a note: the mesh can be read
// all the same.
#include <fmt/format.h>

#include <algorithm>

#include "io/mesh_builder.h"
#include "io/put_text.h"

namespace resilin {
namespace {

using Shape = CellType::Shape;
constexpr CellType tet{4, "tet", Shape::tet, 4, 4};

struct Region {
  std::string set, material;
  std::size_t at;
};

class Reader {
 public:
  Reader(const MeshSource& source, const ReadOptions& options)
      : source_(source), in_(source), build_(in_, options) {
    in_.set_comment('#');
  }

  MeshData read() {
    while (at_keyword()) {
      const std::string keyword = lower_case(in_.word());
      if (keyword == "*vertices") vertices();
      else if (keyword == "*elements") elements();
      else if (keyword == "*material") material();
      else if (keyword == "*region") region();
      else if (keyword == "*set") set();
      else if (keyword == "*include")
        in_.fail("*INCLUDE is read only within a set: put the vertices and elements into the file");
      else
        in_.fail(fmt::format("\"{}\" is unknown: *VERTICES, *ELEMENTS, *MATERIAL, *REGION or *SET is expected",
                             shown(keyword)));
    }
    if (in_.remaining() > 0)
      in_.fail(fmt::format("\"{}\" stands where a section (*VERTICES, ...) is expected", shown(in_.word())));
    if (!have_vertices_) in_.fail("the file has no *VERTICES");
    apply_regions();
    return build_.finish();
  }

 private:
  bool at_keyword() { return in_.skip_space() && in_.text()[in_.at()] == '*'; }
  /// The next field of a comma- or space-separated line; empty at its end.

  std::string_view field() {
    while (in_.skip_blanks() && in_.text()[in_.at()] == ',') in_.move_to(in_.at() + 1);
    const std::size_t start = in_.at();
    while (in_.at() < in_.text().size() && !is_space(in_.text()[in_.at()]) && in_.text()[in_.at()] != ',')
      in_.move_to(in_.at() + 1);
    return in_.text().substr(start, in_.at() - start);
  }

  void vertices() {
    if (have_vertices_) in_.fail("a second *VERTICES");
    have_vertices_ = true;
    const std::int64_t announced = in_.integer("the number of vertices");
    if (const std::int64_t dimension = in_.integer("the dimension"); dimension != 3)
      in_.fail(fmt::format("the vertices have {} dimensions: 3 are expected", dimension));
    in_.line();  // attributes and markers are always 0
    const std::size_t n = in_.checked_count(announced, 8, "vertices");
    build_.mesh.vertices.reserve(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t number = in_.integer("a vertex's number");
      if (i == 0) vertex_base_ = number;
      if ((vertex_base_ != 0 && vertex_base_ != 1) || number != vertex_base_ + static_cast<std::int64_t>(i))
        in_.fail(fmt::format("vertex {} stands where {} is expected", number,
                             i == 0 ? 1 : vertex_base_ + static_cast<std::int64_t>(i)));
      for (int k = 0; k < 3; ++k) build_.mesh.vertices.push_back(in_.number("a coordinate"));
    }
  }

  void elements() {
    if (!have_vertices_) in_.fail("*ELEMENTS comes before *VERTICES");
    if (have_elements_) in_.fail("a second *ELEMENTS");
    have_elements_ = true;
    const std::string kind = lower_case(in_.word());
    if (kind != "tet" && kind != "tets")
      in_.fail(fmt::format("elements are \"{}\": only TET is simulated; mesh the body with tets", shown(kind)));
    const std::int64_t announced = in_.integer("the number of elements");
    if (const std::int64_t nodes = in_.integer("the number of vertices per element"); nodes != 4)
      in_.fail(fmt::format("a tet of {} vertices: 4 are expected", nodes));
    in_.line();
    const std::size_t n = in_.checked_count(announced, 10, "elements");
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t number = in_.integer("an element's number");
      if (i == 0) element_base_ = number;
      if ((element_base_ != 0 && element_base_ != 1) || number != element_base_ + static_cast<std::int64_t>(i))
        in_.fail(fmt::format("element {} stands where {} is expected", number,
                             i == 0 ? 1 : element_base_ + static_cast<std::int64_t>(i)));
      int corners[4];
      for (int& c : corners)
        c = build_.vertex(in_.integer("a vertex of a tet"), vertex_base_, static_cast<std::size_t>(number),
                          "element");
      build_.add(tet, corners);
    }
  }

  void material() {
    FileMaterial out;
    out.name = std::string(field());
    if (out.name.empty()) in_.fail("a material needs a name");
    if (!in_.skip_space()) in_.fail("the file ends within a material");
    const std::string type(field());
    if (type != "ENU") {
      build_.mesh.notes.push_back(
          fmt::format("material \"{}\" of type {} has no counterpart and is left out", out.name, shown(type)));
      in_.line();
      return;
    }
    for (double* value : {&out.density, &out.young, &out.poisson}) {
      while (in_.skip_blanks() && in_.text()[in_.at()] == ',') in_.move_to(in_.at() + 1);
      *value = in_.number("density, Young's modulus or Poisson ratio");
    }
    if (!(out.density > 0))
      in_.fail(fmt::format("the density of material \"{}\" is {}: > 0 is expected", out.name, out.density));
    if (!(out.young > 0))
      in_.fail(fmt::format("Young's modulus of material \"{}\" is {}: > 0 is expected", out.name, out.young));
    if (!(out.poisson > -1 && out.poisson < 0.5))
      in_.fail(fmt::format("the Poisson ratio of material \"{}\" is {}: > -1 and < 0.5 is expected", out.name,
                           out.poisson));
    materials_.push_back(out);
  }

  void region() {
    if (!in_.skip_space()) in_.fail("the file ends within a region");
    const std::size_t at = in_.at();
    const std::string set(field()), material(field());
    if (set.empty() || material.empty()) in_.fail("a region is \"set, material\"");
    regions_.push_back({set, material, at});
  }

  void set() {
    if (!have_elements_) in_.fail("*SET comes before *ELEMENTS");
    const std::string name(field());
    if (name.empty()) in_.fail("a set needs a name");
    std::vector<int>& list = build_.mesh.tet_groups[name];
    while (true) {
      ids(in_, list, name);
      if (in_.remaining() == 0 || lower_case(in_.text().substr(in_.at(), 8)) != "*include") return;
      include(name, list);
    }
  }

  void ids(Cursor& in, std::vector<int>& list, const std::string& name) {
    const auto comma_or_end = [&] {
      while (in.skip_space() && in.text()[in.at()] == ',') in.move_to(in.at() + 1);
      return in.remaining() == 0 || in.text()[in.at()] == '*';
    };
    while (!comma_or_end()) {
      const std::int64_t id = in.integer("an element's number");
      const std::int64_t count = build_.mesh.tet_count();
      if (id < element_base_ || id >= element_base_ + count)
        in.fail(fmt::format("set \"{}\" names element {}: there are {} of them from {}", name, id, count,
                            element_base_));
      list.push_back(static_cast<int>(id - element_base_));
    }
  }

  void include(const std::string& set, std::vector<int>& list) {
    in_.word();
    const std::string file(field());
    const std::optional<std::string> text = source_.companion ? source_.companion(file) : std::nullopt;
    if (!text) {
      build_.mesh.notes.push_back(fmt::format(
          "set \"{}\" is incomplete: it includes \"{}\", which is not beside the file", set, shown(file)));
      return;
    }
    Cursor in(*text, file);
    in.set_comment('#');
    ids(in, list, set);
  }

  // Later regions win, as in Vega.
  void apply_regions() {
    for (const Region& region : regions_) {
      const auto material = std::find_if(materials_.begin(), materials_.end(),
                                         [&](const FileMaterial& m) { return m.name == region.material; });
      if (region.set == "allElements" && !build_.mesh.tet_groups.contains(region.set)) {
        std::vector<int>& all = build_.mesh.tet_groups[region.set];
        for (int t = 0; t < build_.mesh.tet_count(); ++t) all.push_back(t);
      }
      if (!build_.mesh.tet_groups.contains(region.set))
        in_.fail_at(region.at, fmt::format("a region uses set \"{}\", which is not defined", shown(region.set)));
      if (material == materials_.end()) continue;
      build_.mesh.materials.push_back(*material);
      build_.mesh.materials.back().group = region.set;
    }
  }

  const MeshSource& source_;
  Cursor in_;
  MeshBuilder build_;
  std::int64_t vertex_base_ = 1, element_base_ = 1;
  bool have_vertices_ = false, have_elements_ = false;
  std::vector<FileMaterial> materials_;
  std::vector<Region> regions_;
};

MeshData read(const MeshSource& source, const ReadOptions& options) { return Reader(source, options).read(); }

std::string one_word(std::string name) {
  for (char& c : name)
    if (is_space(c) || c == ',' || c == '#' || c == '*') c = '_';
  return name;
}

std::string write(const MeshData& mesh, const WriteOptions&) {
  if (mesh.tets.empty()) throw InputError("", "a .veg file holds tets, and there are none");
  std::string out;
  put_text(out, "*VERTICES\n{} 3 0 0\n", mesh.vertex_count());
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
    put_text(out, "{} {} {} {}\n", i / 3 + 1, mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
  put_text(out, "\n*ELEMENTS\nTET\n{} 4 0\n", mesh.tet_count());
  for (std::size_t i = 0; i < mesh.tets.size(); i += 4)
    put_text(out, "{} {} {} {} {}\n", i / 4 + 1, mesh.tets[i] + 1, mesh.tets[i + 1] + 1, mesh.tets[i + 2] + 1,
             mesh.tets[i + 3] + 1);
  for (const auto& [name, ids] : mesh.tet_groups) {
    put_text(out, "\n*SET {}\n", one_word(name));
    for (const int id : ids) put_text(out, "{}\n", id + 1);
  }
  for (const FileMaterial& m : mesh.materials)
    put_text(out, "\n*MATERIAL {}\nENU, {}, {}, {}\n", one_word(m.name), m.density, m.young, m.poisson);
  for (const FileMaterial& m : mesh.materials)
    put_text(out, "\n*REGION\n{}, {}\n", one_word(m.group), one_word(m.name));
  return out;
}

bool recognises(std::string_view contents) {
  const std::string head = lower_case(contents.substr(0, 4096));
  return head.starts_with("*vertices") || head.find("\n*vertices") != std::string::npos;
}

}  // namespace

FormatPlugin format_vega() {
  return {.doc = "Vega .veg tets with materials, regions and sets",
          .extension = ".veg",
          .recognises = recognises,
          .read = read,
          .write = write};
}

}  // namespace resilin
