// VTK legacy files (.vtk), text and binary (always big-endian), unstructured grids and polygonal data, versions up
// to 5.1. Format: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html#legacy-file-formats
#include <fmt/format.h>

#include <bit>

#include "io/bytes.h"
#include "io/put_text.h"
#include "io/vtk_cells.h"

namespace resilin {
namespace {

class Reader {
 public:
  Reader(const MeshSource& source, const ReadOptions& options) : in_(source), build_(in_, options) {}

  MeshData read() {
    header();
    while (in_.skip_space()) {
      const std::string_view word = in_.word();
      const std::string key = lower_case(word);
      if (geometry(key) || data(key)) continue;
      if (data_of_ == 0) in_.fail(fmt::format("\"{}\" is unknown in a mesh", shown(word)));
      build_.mesh.notes.push_back(
          fmt::format("data from \"{}\" on was not read", shown(word)));  // the mesh itself is complete
      break;
    }
    if (!have_points_) in_.fail("the file has no POINTS");
    const std::pair<int, int> vertices{0, build_.mesh.vertex_count()};
    add_vtk_cells(build_, in_, connectivity_, ends_, types_, vertices, cell_arrays_);
    add_vtk_point_groups(build_, 0, point_arrays_);
    return build_.finish();
  }

 private:
  void header() {
    if (!in_.line().starts_with("# vtk DataFile Version"))
      in_.move_to(0), in_.fail("a VTK file begins with \"# vtk DataFile Version\"");
    in_.line();  // the title
    const std::string mode = lower_case(in_.word());
    if (mode != "ascii" && mode != "binary")
      in_.fail(fmt::format("\"{}\" stands where ASCII or BINARY is expected", shown(mode)));
    text_ = mode == "ascii";
    in_.set_binary(!text_);
    if (lower_case(in_.word()) != "dataset") in_.fail("DATASET is expected");
    const std::string kind = lower_case(in_.word());
    if (kind != "unstructured_grid" && kind != "polydata")
      in_.fail(fmt::format("the data set is \"{}\": only UNSTRUCTURED_GRID and POLYDATA are meshes", shown(kind)));
    poly_ = kind == "polydata";
  }

  bool geometry(const std::string& key) {
    if (key == "points") points();
    else if (key == "cells" && !poly_) cells(false);
    else if (key == "polygons" && poly_) cells(true);
    else if (key == "cell_types" && !poly_) {
      const std::size_t n = in_.checked_count(in_.integer("the number of cells"), text_ ? 2 : 4, "types of cells");
      types_ = numbers(n, {4, false, true}, "a type of a cell");
    } else if (poly_ && (key == "vertices" || key == "lines" || key == "triangle_strips")) {
      in_.fail(fmt::format("{} of polygonal data are not read", key));
    } else {
      return false;
    }
    return true;
  }

  bool data(const std::string& key) {
    if (key == "cell_data" || key == "point_data") {
      data_of_ = key == "point_data" ? 1 : 2;
      tuples_ = in_.integer("the number of values");
    } else if (key == "field") {
      field();
    } else if (key == "metadata") {
      skip_metadata();
    } else if (key == "scalars") {
      const std::string name(in_.word());
      const VtkNumber number = type("values");
      const int components = in_.skip_blanks() ? in_.integer_in("the number of components", 1, 4) : 1;
      const std::size_t at = in_.at();
      if (lower_case(in_.word()) == "lookup_table") in_.word();
      else in_.move_to(at);
      keep(name, components,
           numbers(in_.checked_count(tuples_, 1, "values") * static_cast<std::size_t>(components), number,
                   "a value"));
    } else if (key == "vectors" || key == "normals" || key == "tensors") {
      in_.word();
      const VtkNumber number = type("values");
      numbers(in_.checked_count(tuples_, 1, "values") * (key == "tensors" ? 9 : 3), number, "a value");
    } else {
      return false;
    }
    return true;
  }

  void points() {
    if (have_points_) in_.fail("a second list of points");
    have_points_ = true;
    const std::size_t n = in_.checked_count(in_.integer("the number of points"), text_ ? 6 : 3, "points");
    build_.mesh.vertices = numbers(3 * n, type("points"), "a coordinate");
    for (const double x : build_.mesh.vertices) in_.check_finite(x, "a coordinate");
  }

  void cells(bool polygons) {
    const std::int64_t n = in_.integer("the number of cells"), size = in_.integer("the size of the list");
    const std::size_t before = ends_.size();
    const std::size_t at = in_.at();
    const bool split = lower_case(in_.word()) == "offsets";
    in_.move_to(at);
    if (split) {
      if (n > 0) lists5(in_.checked_count(n, 1, "offsets"), in_.checked_count(size, 1, "points of cells"));
    } else {
      if (n > size) in_.fail(fmt::format("{} cells in a list of {} numbers", n, size));
      const std::size_t total = in_.checked_count(size, text_ ? 2 : 4, "numbers of cells");
      in_.checked_count(n, text_ ? 2 : 4, "cells");
      const std::vector<double> list = numbers(total, {4, false, true}, "a point of a cell");
      std::size_t i = 0;
      for (std::int64_t c = 0; c < n; ++c) {
        const double points = i < list.size() ? list[i] : -1;
        if (!(points >= 0 && points <= static_cast<double>(list.size() - i - 1)))
          in_.fail(fmt::format("cell {} has {} points, but the list ends", c, points));
        ++i;
        for (int k = 0; k < static_cast<int>(points); ++k) connectivity_.push_back(list[i++]);
        ends_.push_back(static_cast<double>(connectivity_.size()));
      }
      if (i != list.size())
        in_.fail(fmt::format("the list of cells has {} numbers, but its cells take {}", list.size(), i));
    }
    if (polygons) types_.resize(types_.size() + ends_.size() - before, 7);
  }

  // Version 5.1: offsets (one more than cells), then points.
  void lists5(std::size_t offsets, std::size_t points) {
    if (lower_case(in_.word()) != "offsets") in_.fail("OFFSETS are expected");
    std::vector<double> starts = numbers(offsets, type("offsets"), "an offset");
    if (lower_case(in_.word()) != "connectivity") in_.fail("CONNECTIVITY is expected");
    const auto base = static_cast<double>(connectivity_.size());
    const std::vector<double> more = numbers(points, type("points of cells"), "a point of a cell");
    connectivity_.insert(connectivity_.end(), more.begin(), more.end());
    for (std::size_t i = 1; i < starts.size(); ++i) ends_.push_back(base + starts[i]);
  }

  // In binary files, bytes begin after the line.
  std::vector<double> numbers(std::size_t count, const VtkNumber& number, const char* what) {
    if (!text_) {
      in_.line();
      in_.checked_count(static_cast<std::int64_t>(count), number.bytes, what);
      return vtk_decode(in_.bytes(count * number.bytes, what).data(), count, number,
                        std::endian::native == std::endian::little);
    }
    in_.checked_count(static_cast<std::int64_t>(count), 2, what);
    std::vector<double> out;
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) out.push_back(in_.number(what));
    return out;
  }

  VtkNumber type(const char* what) {
    const std::string_view word = in_.word();
    const VtkNumber out = vtk_number(word);
    if (out.bytes == 0) in_.fail(fmt::format("{} are of the unknown type \"{}\"", what, shown(word)));
    return out;
  }

  void keep(const std::string& name, int components, std::vector<double> values) {
    if (data_of_ != 0 && is_group_array(name))
      (data_of_ == 1 ? point_arrays_ : cell_arrays_).push_back({name, components, std::move(values)});
  }

  void field() {
    in_.word();  // its name
    const std::size_t arrays = in_.checked_count(in_.integer("the number of arrays"), 4, "arrays");
    for (std::size_t i = 0; i < arrays; ++i) {
      std::string name(in_.word());
      if (name == "METADATA") skip_metadata(), name = std::string(in_.word());
      const std::int64_t components = in_.integer_in("the number of components", 0, 1000);
      const std::size_t tuples = in_.checked_count(in_.integer("the number of tuples"), 1, "tuples");
      const VtkNumber number = type("values");
      std::vector<double> values = numbers(static_cast<std::size_t>(components) * tuples, number, "a value");
      if (name == "TimeValue" && values.size() == 1) build_.mesh.time = values[0];
      keep(name, static_cast<int>(components), std::move(values));
    }
  }

  // Information about arrays that newer versions write: ends with an empty line.
  void skip_metadata() {
    in_.line();
    while (in_.remaining() > 0 && !in_.line().empty()) {
    }
  }

  Cursor in_;
  MeshBuilder build_;
  bool text_ = true, poly_ = false, have_points_ = false;
  std::vector<double> connectivity_, ends_, types_;
  std::vector<VtkArray> cell_arrays_, point_arrays_;
  std::int64_t tuples_ = 0;
  int data_of_ = 0;  // 1: points, 2: cells
};

MeshData read(const MeshSource& source, const ReadOptions& options) { return Reader(source, options).read(); }

// ---- writing ------------------------------------------------------------------------------------------------

class Writer {
 public:
  Writer(const MeshData& mesh, bool text) : mesh_(mesh), cells_(mesh), text_(text) {}

  std::string write() {
    out_ = fmt::format("# vtk DataFile Version 3.0\nresilin\n{}\nDATASET UNSTRUCTURED_GRID\n",
                       text_ ? "ASCII" : "BINARY");
    out_ += fmt::format("POINTS {} double\n", mesh_.vertex_count());
    values(mesh_.vertices, 3);
    const std::size_t n = cells_.types.size();
    std::vector<std::int32_t> list;
    for (std::size_t c = 0, i = 0; c < n; ++c) {
      list.push_back(cells_.offsets[c] - static_cast<std::int32_t>(i));
      for (; i < static_cast<std::size_t>(cells_.offsets[c]); ++i) list.push_back(cells_.connectivity[i]);
    }
    out_ += fmt::format("CELLS {} {}\n", n, list.size());
    values(list, 8);
    out_ += fmt::format("CELL_TYPES {}\n", n);
    values(std::vector<std::int32_t>(cells_.types.begin(), cells_.types.end()), 16);
    data();
    return std::move(out_);
  }

 private:
  // Names are one word in this format.
  static std::string word(std::string name) {
    for (char& c : name)
      if (static_cast<unsigned char>(c) <= ' ') c = '_';
    return name;
  }

  template <class T>
  void values(const std::vector<T>& list, std::size_t per_line) {
    if (text_) {
      for (std::size_t i = 0; i < list.size(); ++i)
        put_text(out_, "{}{}", list[i], (i + 1) % per_line == 0 || i + 1 == list.size() ? '\n' : ' ');
      return;
    }
    for (const T value : list) append_big_endian(out_, value);
    out_ += '\n';
  }

  void fields(const std::vector<NamedField>& list, std::size_t tuples) {
    for (const NamedField& field : list) {
      const auto components = static_cast<std::size_t>(field.components);
      std::vector<double> padded = field.values;
      padded.resize(components * tuples, 0.0);
      out_ += fmt::format("{} {} {} double\n", word(field.name), components, tuples);
      values(padded, components);
    }
  }

  void data() {
    const std::size_t n = cells_.types.size(), vertices = mesh_.vertices.size() / 3;
    if (cells_.groups.size() + mesh_.tet_fields.size() > 0) {
      out_ += fmt::format("CELL_DATA {}\nFIELD cells {}\n", n, cells_.groups.size() + mesh_.tet_fields.size());
      for (const auto& [name, flags] : cells_.groups) {
        out_ += fmt::format("group:{} 1 {} int\n", word(name), n);
        values(std::vector<std::int32_t>(flags.begin(), flags.end()), 16);
      }
      fields(mesh_.tet_fields, n);
    }
    if (mesh_.vertex_groups.size() + mesh_.vertex_fields.size() == 0) return;
    out_ += fmt::format("POINT_DATA {}\nFIELD points {}\n", vertices,
                        mesh_.vertex_groups.size() + mesh_.vertex_fields.size());
    for (const auto& [name, ids] : mesh_.vertex_groups) {
      std::vector<std::int32_t> flags(vertices, 0);
      for (const int id : ids) flags[id] = 1;
      out_ += fmt::format("group:{} 1 {} int\n", word(name), vertices);
      values(flags, 16);
    }
    fields(mesh_.vertex_fields, vertices);
  }

  const MeshData& mesh_;
  VtkCells cells_;
  bool text_;
  std::string out_;
};

std::string write(const MeshData& mesh, const WriteOptions& options) {
  return Writer(mesh, options.variant == "ascii").write();
}

}  // namespace

FormatPlugin format_vtk() {
  return {.doc = "VTK legacy meshes, text and binary",
          .extension = ".vtk",
          .recognises = [](std::string_view text) { return text.starts_with("# vtk DataFile"); },
          .read = read,
          .write = write,
          .variants = {"binary", "ascii"}};
}

}  // namespace resilin
