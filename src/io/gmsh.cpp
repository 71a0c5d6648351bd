// Gmsh MSH 2.x and 4.1, ASCII and binary of either endianness. Physical groups become groups by their names, or
// physical_TAG. One reader serves text and bytes: number() and the like take the next value in whichever form the
// file has. Unknown sections are skipped. Format: https://gmsh.info/doc/texinfo/gmsh.html#File-formats
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "io/gmsh_write.h"
#include "io/mesh_builder.h"

namespace resilin {
namespace {

using Shape = CellType::Shape;

constexpr CellType cell_types[] = {{1, "line", Shape::edge, 2, 2},
                                   {2, "triangle", Shape::triangle, 3, 3},
                                   {3, "quadrangle", Shape::quad, 4, 4},
                                   {4, "tet", Shape::tet, 4, 4},
                                   {5, "hexahedron", Shape::other, 8, 8},
                                   {6, "prism", Shape::other, 6, 6},
                                   {7, "pyramid", Shape::other, 5, 5},
                                   {8, "line of order 2", Shape::edge, 2, 3},
                                   {9, "triangle of order 2", Shape::triangle, 3, 6},
                                   {10, "quadrangle of order 2", Shape::quad, 4, 9},
                                   {11, "tet of order 2", Shape::tet, 4, 10},
                                   {12, "hexahedron of order 2", Shape::other, 8, 27},
                                   {13, "prism of order 2", Shape::other, 6, 18},
                                   {14, "pyramid of order 2", Shape::other, 5, 14},
                                   {15, "point", Shape::point, 1, 1},
                                   {16, "quadrangle of order 2", Shape::quad, 4, 8},
                                   {17, "hexahedron of order 2", Shape::other, 8, 20},
                                   {20, "triangle of order 3", Shape::triangle, 3, 9},
                                   {21, "triangle of order 3", Shape::triangle, 3, 10},
                                   {22, "triangle of order 4", Shape::triangle, 3, 12},
                                   {23, "triangle of order 4", Shape::triangle, 3, 15},
                                   {26, "line of order 3", Shape::edge, 2, 4},
                                   {27, "line of order 4", Shape::edge, 2, 5},
                                   {29, "tet of order 3", Shape::tet, 4, 20},
                                   {30, "tet of order 4", Shape::tet, 4, 35},
                                   {31, "tet of order 5", Shape::tet, 4, 56}};

/// Node tags to vertex ids. Tags are nearly always 1, 2, 3, ...; otherwise they are sorted and searched.
class TagMap {
 public:
  void add(std::int64_t tag) {
    if (tags_.empty()) first_ = tag;
    if (tag != first_ + static_cast<std::int64_t>(tags_.size())) plain_ = false;
    tags_.emplace_back(tag, static_cast<int>(tags_.size()));
  }
  void reserve(std::size_t count) { tags_.reserve(tags_.size() + count); }
  /// The first tag that occurs twice, if any; called once all are known.
  const std::int64_t* sort() {
    if (plain_) return nullptr;
    std::sort(tags_.begin(), tags_.end());
    for (std::size_t i = 1; i < tags_.size(); ++i)
      if (tags_[i].first == tags_[i - 1].first) return &tags_[i].first;
    return nullptr;
  }
  int find(std::int64_t tag) const {
    if (plain_)
      return tag >= first_ && tag - first_ < static_cast<std::int64_t>(tags_.size())
                 ? static_cast<int>(tag - first_)
                 : -1;
    const auto it = std::lower_bound(tags_.begin(), tags_.end(), std::pair(tag, -1));
    return it != tags_.end() && it->first == tag ? it->second : -1;
  }
  std::size_t size() const { return tags_.size(); }

 private:
  std::vector<std::pair<std::int64_t, int>> tags_;
  std::int64_t first_ = 0;
  bool plain_ = true;
};

class Reader {
 public:
  Reader(const MeshSource& source, const ReadOptions& options) : in_(source), build_(in_, options) {}

  MeshData read() {
    while (in_.skip_space()) {
      const std::string_view word = in_.word();
      if (!word.starts_with('$'))
        in_.fail(fmt::format("\"{}\" stands where a section ($Nodes, ...) is expected", shown(word)));
      const std::string section(word.substr(1));
      if (section == "MeshFormat") header();
      else if (version_ == 0) in_.fail("a section before $MeshFormat: the file is not MSH 2 or 4.1");
      else if (section == "PhysicalNames") physical_names();
      else {
        const bool known = section == "Entities" || section == "Nodes" || section == "Elements";
        if (!known) {
          skip(section);
          continue;
        }
        if (bytes_) in_.line();
        if (section == "Entities") entities();
        else if (section == "Nodes") {
          if (have_nodes_) in_.fail("a second section $Nodes");
          version_ == 2 ? nodes2() : nodes4();
        } else {
          if (!have_nodes_) in_.fail("elements come before the nodes");
          version_ == 2 ? elements2() : elements4();
        }
      }
      close(section);
    }
    if (!have_nodes_) in_.fail("the file has no section $Nodes");
    return build_.finish();
  }

 private:
  void header() {
    const std::size_t start = in_.at();
    const double version = in_.number("the version");
    const bool two = version >= 2 && version<3, four = version> 4.05 && version < 4.15;
    if (!two && !four)
      in_.fail_at(
          start, fmt::format("MSH version {} is not read: save as 4.1 or 2.2 (gmsh -save -format msh41)", version));
    version_ = two ? 2 : 4;
    bytes_ = in_.integer_in("the file type", 0, 1) == 1;
    const int data_size = in_.integer_in("the size of numbers", 4, 8);
    if (data_size != 4 && data_size != 8) in_.fail("numbers of 4 or 8 bytes are known");
    if (two && bytes_ && data_size != 8) in_.fail("binary numbers of 4 bytes are not read: save with 8");
    size_bytes_ = static_cast<std::size_t>(data_size);
    if (!bytes_) return;
    in_.line();
    in_.set_binary(true);
    const auto one = in_.value<std::uint32_t>("the endianness mark", false);
    if (one != 1 && one != 0x01000000u) in_.fail(fmt::format("the endianness mark is {:#x}: 1 is expected", one));
    swap_ = one != 1;
  }

  void physical_names() {
    const std::size_t n = in_.checked_count(in_.integer("the number of physical names"), 6, "physical names");
    for (std::size_t i = 0; i < n; ++i) {
      const int dimension = in_.integer_in("a dimension", 0, 3);
      const std::int64_t tag = in_.integer("a physical tag");
      const std::string_view line = in_.line();
      const std::size_t open = line.find('"'), shut = line.rfind('"');
      if (open == std::string_view::npos || shut == open) in_.fail("a physical name in quotes is expected");
      names_[{dimension, tag}] = std::string(line.substr(open + 1, shut - open - 1));
    }
  }

  void entities() {
    std::size_t counts[4];
    for (std::size_t& n : counts) n = count(size("a number of entities"), 8, 24, "entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::size_t i = 0; i < counts[dimension]; ++i) {
        const std::int64_t tag = integer("an entity's tag");
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) number("a bound of an entity");
        const std::size_t physical = count(size("a number of physical tags"), 2, 4, "physical tags");
        for (std::size_t k = 0; k < physical; ++k)
          entity_groups_[{dimension, tag}].push_back(
              group_name(dimension, std::abs(bounded(integer("a physical tag")))));
        if (dimension == 0) continue;
        const std::size_t bounding = count(size("a number of bounding entities"), 2, 4, "bounding entities");
        for (std::size_t k = 0; k < bounding; ++k) integer("a bounding entity");
      }
  }

  void nodes2() {
    const std::size_t n = count(text_count("the number of nodes"), 8, 28, "nodes");
    build_.mesh.vertices.reserve(3 * n);
    tags_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      tags_.add(bounded(integer("a node's number")));
      for (int k = 0; k < 3; ++k) build_.mesh.vertices.push_back(number("a coordinate"));
    }
    finish_nodes();
  }

  void nodes4() {
    const std::size_t blocks = count(size("the number of blocks"), 8, 20, "blocks of nodes");
    const std::size_t total = count(size("the number of nodes"), 8, 28, "nodes");
    size("the smallest tag"), size("the largest tag");
    build_.mesh.vertices.reserve(3 * total);
    tags_.reserve(total);
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = integer("an entity's dimension");
      integer("an entity's tag");
      const std::int64_t parametric = integer("the parametric flag");
      if (dimension < 0 || dimension > 3)
        in_.fail(fmt::format("an entity of dimension {}: 0 to 3 is expected", dimension));
      const std::size_t n = count(size("a number of nodes"), 8, 28, "nodes");
      if (n > total - tags_.size())
        in_.fail(fmt::format("the blocks hold more than the {} announced nodes", total));
      for (std::size_t i = 0; i < n; ++i) tags_.add(bounded(size("a node's tag")));
      for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) build_.mesh.vertices.push_back(number("a coordinate"));
        if (parametric != 0)
          for (std::int64_t k = 0; k < dimension; ++k) number("a parametric coordinate");
      }
    }
    if (tags_.size() != total)
      in_.fail(fmt::format("{} nodes were announced, but the blocks hold {}", total, tags_.size()));
    finish_nodes();
  }

  // The values of a text element up to the end of its line: tags, then nodes. Some programs announce tags and write
  // none.
  void line2(const CellType& type, std::size_t tags) {
    raw_.clear();
    while (in_.skip_blanks()) raw_.push_back(in_.integer("a value of an element"));
    const auto nodes = static_cast<std::size_t>(type.nodes);
    if (tags > 0 && raw_.size() == nodes) {
      if (missing_tags_++ == 0)
        build_.mesh.notes.push_back("elements announce tags that are not there: they are read as having none");
      raw_.insert(raw_.begin(), tags, 0);
    }
    if (raw_.size() != tags + nodes)
      in_.fail(fmt::format("a {} with {} tags has {} values: {} are expected", type.name, tags, raw_.size(),
                           tags + nodes));
  }

  void elements2() {
    const std::size_t n = count(text_count("the number of elements"), 8, 12, "elements");
    std::vector<std::string> groups;
    for (std::size_t done = 0; done < n;) {
      const std::int64_t number_or_type = integer("an element");
      std::int64_t code = number_or_type, in_block = 1;
      if (bytes_) in_block = integer("the number of elements in a block");
      else code = integer("an element's type");
      const std::size_t tags = count(integer("the number of tags"), 2, 4, "tags");
      const CellType& type = cell_type(code);
      build_.check(type);
      if (in_block < 0 || static_cast<std::size_t>(in_block) > n - done)
        in_.fail(fmt::format("a block of {} elements where {} remain", in_block, n - done));
      const int dimension = type.shape == Shape::tet     ? 3
                            : type.shape == Shape::point ? 0
                            : type.shape == Shape::edge  ? 1
                                                         : 2;
      for (std::int64_t i = 0; i < in_block; ++i, ++done) {
        const std::int64_t tag = bytes_ ? integer("an element's number") : number_or_type;
        if (bytes_) {
          raw_.resize(tags + static_cast<std::size_t>(type.nodes));
          for (std::int64_t& value : raw_) value = integer("a value of an element");
        } else {
          line2(type, tags);
        }
        groups.clear();
        if (tags > 0 && raw_[0] != 0) groups.push_back(group_name(dimension, raw_[0]));
        raw_.erase(raw_.begin(), raw_.begin() + static_cast<std::ptrdiff_t>(tags));
        element(type, tag, groups);
      }
    }
  }

  void elements4() {
    const std::size_t blocks = count(size("the number of blocks"), 8, 20, "blocks of elements");
    const std::size_t total = count(size("the number of elements"), 4, 16, "elements");
    size("the smallest tag"), size("the largest tag");
    std::size_t found = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = integer("an entity's dimension"), entity = integer("an entity's tag");
      const CellType& type = cell_type(integer("an element type"));
      build_.check(type);
      const auto nodes = static_cast<std::size_t>(type.nodes);
      const std::size_t n =
          count(size("a number of elements"), 2 + 2 * nodes, size_bytes_ * (1 + nodes), "elements");
      if (n > total - found) in_.fail(fmt::format("the blocks hold more than the {} announced elements", total));
      found += n;
      const auto groups = entity_groups_.find({static_cast<int>(dimension), entity});
      static const std::vector<std::string> none;
      raw_.resize(nodes);
      for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t tag = size("an element's tag");
        for (std::int64_t& node : raw_) node = size("a node of an element");
        element(type, tag, groups == entity_groups_.end() ? none : groups->second);
      }
    }
    if (found != total) in_.fail(fmt::format("{} elements were announced, but the blocks hold {}", total, found));
  }

  void skip(const std::string& section) {
    const std::size_t end = in_.text().find("$End" + section, in_.at());
    if (end == std::string_view::npos) in_.fail(fmt::format("the section ${} has no end", section));
    in_.move_to(end + 4 + section.size());
  }

  void close(const std::string& section) {
    const std::string_view found = in_.word();
    if (found != "$End" + section)
      in_.fail(fmt::format("\"{}\" stands where $End{} is expected", shown(found), section));
  }

  std::int64_t integer(const char* what) {
    return bytes_ ? in_.value<std::int32_t>(what, swap_) : in_.integer(what);
  }
  std::int64_t size(const char* what) {
    if (!bytes_) return in_.integer(what);
    return size_bytes_ == 4 ? in_.value<std::uint32_t>(what, swap_) : in_.value<std::int64_t>(what, swap_);
  }
  double number(const char* what) {
    if (!bytes_) return in_.number(what);
    const double out = in_.value<double>(what, swap_);
    in_.check_finite(out, what);
    return out;
  }
  /// The least bytes that a value of so many takes.
  std::size_t least(std::size_t text, std::size_t binary) const { return bytes_ ? binary : text; }
  std::size_t count(std::int64_t n, std::size_t text, std::size_t binary, const char* what) {
    return in_.checked_count(n, least(text, binary), what);
  }
  /// Counts stand in text in version 2 and end with one line end before bytes begin.
  std::int64_t text_count(const char* what) {
    const std::int64_t n = in_.integer(what);
    if (bytes_) in_.line();
    return n;
  }
  /// Bounded, so that arithmetic on tags cannot overflow.
  std::int64_t bounded(std::int64_t tag) const {
    if (tag < -(std::int64_t{1} << 60) || tag > std::int64_t{1} << 60)
      in_.fail(fmt::format("the tag {} is too large", tag));
    return tag;
  }

  const CellType& cell_type(std::int64_t code) const {
    for (const CellType& type : cell_types)
      if (type.code == code) return type;
    in_.fail(fmt::format("an element of type {} is unknown", code));
  }

  // raw_ holds the node tags.
  void element(const CellType& type, std::int64_t tag, const std::vector<std::string>& groups) {
    ids_.clear();
    for (const std::int64_t node : raw_) {
      const int id = tags_.find(node);
      if (id < 0) in_.fail(fmt::format("element {} names node {}, which is not defined", tag, node));
      ids_.push_back(id);
    }
    const Added added = build_.add(type, ids_);
    for (const std::string& group : groups) build_.put(added, group);
  }

  void finish_nodes() {
    have_nodes_ = true;
    if (const std::int64_t* twice = tags_.sort()) in_.fail(fmt::format("node {} is defined twice", *twice));
  }

  const std::string& group_name(int dimension, std::int64_t tag) {
    std::string& name = names_[{dimension, tag}];
    if (name.empty()) name = tag_group("physical", tag);
    return name;
  }

  Cursor in_;
  MeshBuilder build_;
  bool bytes_ = false, swap_ = false, have_nodes_ = false;
  int version_ = 0;
  std::size_t size_bytes_ = 8;
  TagMap tags_;
  std::vector<std::int64_t> raw_;
  std::vector<int> ids_;
  std::size_t missing_tags_ = 0;
  std::map<std::pair<int, std::int64_t>, std::string> names_;
  std::map<std::pair<int, std::int64_t>, std::vector<std::string>> entity_groups_;
};

MeshData read(const MeshSource& source, const ReadOptions& options) { return Reader(source, options).read(); }

}  // namespace

FormatPlugin format_gmsh() {
  return {
      .doc = "Gmsh MSH 2.2 and 4.1, text and binary; physical groups become groups",
      .extension = ".msh",
      .recognises =
          [](std::string_view text) { return text.substr(0, 4096).find("$MeshFormat") != std::string_view::npos; },
      .read = read,
      .write = write_gmsh,
      .variants = {"4.1", "2.2"}};
}

}  // namespace resilin
