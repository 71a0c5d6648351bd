#include "io/vtu_read.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "io/base64.h"
#include "io/vtk_cells.h"
#include "io/xml.h"

namespace resilin {
namespace {

/// A DataArray as it stands in the file: where, and how to get at its numbers.
struct StoredArray {
  std::string name, section, format;  // section: the element that it stands in
  VtkNumber type;
  int components = 1;
  std::size_t text_start = 0, text_end = 0;  // inline
  std::uint64_t offset = 0;                  // appended
  bool exists = false;
};

struct Piece {
  std::size_t at = 0;
  std::int64_t points = 0, cells = 0;
  std::vector<StoredArray> arrays;
};

class Reader {
 public:
  Reader(const MeshSource& source, const ReadOptions& options) : in_(source), build_(in_, options) {}

  MeshData read() {
    scan();
    if (pieces_.empty()) in_.fail("there is no <Piece>");
    for (const Piece& piece : pieces_) add(piece);
    build_.mesh.time = time();
    return build_.finish();
  }

  VtuArrays arrays() {
    scan();
    if (pieces_.size() != 1) in_.fail(fmt::format("is no frame of a run: it has {} pieces", pieces_.size()));
    VtuArrays out;
    for (const StoredArray& array : pieces_[0].arrays)
      out.arrays.push_back({array.section, array.name, array.components, numbers(array)});
    out.time = time();
    return out;
  }

 private:
  void scan() {
    budget_ = unpacked_limit(in_.text().size());
    XmlScanner xml(in_);
    XmlTag tag;
    bool begun = false;
    while (xml.next(tag)) {
      if (tag.closes) continue;
      if (!begun && tag.name != "VTKFile")
        in_.fail_at(tag.start, fmt::format("<{}> stands where <VTKFile> is expected", shown(tag.name)));
      begun = true;
      if (tag.name == "VTKFile") begin_file(tag);
      else if (tag.name == "Piece")
        pieces_.push_back({tag.start, whole(tag, "NumberOfPoints", "0"), whole(tag, "NumberOfCells", "0"), {}});
      else if (tag.name == "AppendedData") return begin_appended(tag);
      else if (tag.name == "DataArray" || tag.name == "Array") {
        const std::string section = xml.around(tag);
        if (tag.name == "Array" || vtk_number(tag.attribute("type", "")).bytes == 0) {
          if (section == "Points" || section == "Cells")
            in_.fail_at(tag.start,
                        fmt::format("an array of the unknown type \"{}\"", shown(tag.attribute("type", ""))));
          continue;  // strings and bits about something else
        }
        const StoredArray array = stored(tag, section);
        if (section == "FieldData" && array.name == "TimeValue") time_ = array;
        else if (!pieces_.empty()) pieces_.back().arrays.push_back(array);
      }
    }
    if (!begun) in_.fail("there is no <VTKFile>");
  }

  double time() {
    const std::vector<double> time = time_.exists ? numbers(time_) : std::vector<double>();
    return time.size() == 1 ? time[0] : std::numeric_limits<double>::quiet_NaN();
  }

  void begin_file(const XmlTag& tag) {
    const std::string type = tag.attribute("type", "");
    if (type != "UnstructuredGrid")
      in_.fail_at(tag.start, fmt::format("the file holds \"{}\": only UnstructuredGrid is read", shown(type)));
    const std::string order = tag.attribute("byte_order", "LittleEndian");
    swap_ = (order == "BigEndian") == (std::endian::native == std::endian::little);
    header_bytes_ = tag.attribute("header_type", "UInt32") == "UInt64" ? 8 : 4;
    const std::string compressor = tag.attribute("compressor", "");
    compressed_ = !compressor.empty();
    if (compressed_ && compressor != "vtkZLibDataCompressor")
      in_.fail_at(tag.start,
                  fmt::format("compressed by {}: only vtkZLibDataCompressor is read", shown(compressor)));
    if (compressed_ && !has_zlib()) in_.fail_at(tag.start, "compressed, but this program was built without zlib");
  }

  // Raw data may hold anything: nothing is scanned after this tag.
  void begin_appended(const XmlTag& tag) {
    appended_base64_ = tag.attribute("encoding", "base64") == "base64";
    const std::size_t mark = in_.text().find('_', tag.end);
    if (mark == std::string_view::npos) in_.fail_at(tag.start, "the appended data has no beginning (\"_\")");
    appended_ = in_.text().substr(mark + 1);
  }

  StoredArray stored(const XmlTag& tag, const std::string& section) {
    StoredArray out;
    out.exists = true;
    out.section = section;
    out.name = tag.attribute("Name", "");
    out.format = tag.attribute("format", "ascii");
    out.type = vtk_number(tag.attribute("type", ""));
    out.text_start = tag.end;
    const std::int64_t components = whole(tag, "NumberOfComponents", "1");
    if (components < 1 || components > 1000)
      in_.fail_at(tag.start, fmt::format("an array of {} components", components));
    out.components = static_cast<int>(components);
    if (out.format == "appended") out.offset = static_cast<std::uint64_t>(whole(tag, "offset", ""));
    else if (out.format != "ascii" && out.format != "binary")
      in_.fail_at(tag.start, fmt::format("the format \"{}\" of an array is unknown", shown(out.format)));
    out.text_end = tag.empty ? tag.end : std::min(in_.text().find('<', tag.end), in_.text().size());
    return out;
  }

  std::int64_t whole(const XmlTag& tag, std::string_view key, const char* fallback) const {
    const std::string text = tag.attribute(key, fallback);
    std::int64_t out = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || rest != text.data() + text.size() || out < 0)
      in_.fail_at(tag.start, fmt::format("{}=\"{}\" of <{}> is not a count", key, shown(text), tag.name));
    return out;
  }

  std::vector<double> numbers(const StoredArray& array) {
    in_.move_to(array.text_start);
    if (array.format == "ascii") return text_numbers(array);
    std::string bytes;
    if (array.format == "appended") {
      if (array.offset > appended_.size())
        in_.fail(
            fmt::format("offset {} lies beyond the {} bytes of appended data", array.offset, appended_.size()));
      const auto at = static_cast<std::size_t>(array.offset);
      bytes = appended_base64_ ? encoded_bytes(appended_.substr(at)) : raw_bytes(appended_, at);
    } else {
      std::string compact;
      for (const char c : in_.text().substr(array.text_start, array.text_end - array.text_start))
        if (!is_space(c)) compact += c;
      if (compact.empty()) return {};
      bytes = encoded_bytes(compact);
    }
    if (bytes.size() % array.type.bytes != 0)
      in_.fail(fmt::format("array \"{}\" has {} bytes, which are no numbers of {}", shown(array.name), bytes.size(),
                           array.type.bytes));
    return vtk_decode(bytes.data(), bytes.size() / array.type.bytes, array.type, swap_);
  }

  std::vector<double> text_numbers(const StoredArray& array) {
    std::vector<double> out;
    Cursor part = in_.up_to(array.text_end);
    while (part.skip_space()) out.push_back(part.number("a value"));
    return out;
  }

  std::string encoded_bytes(std::string_view text) {
    std::size_t used = 0;
    const auto need = [&](std::string_view from, std::size_t count) {
      std::optional<std::string> out = base64_prefix(from, count, used);
      if (!out) in_.fail(fmt::format("base64 data is damaged or shorter than {} bytes", count));
      return *out;
    };
    const std::string first = need(text, header_bytes_);
    const std::uint64_t count = header_value(first, 0);
    if (count > text.size())
      in_.fail(fmt::format("an array announces {} bytes or blocks, but {} characters follow", count, text.size()));
    if (!compressed_) {
      const bool own_chunk = text.substr(0, used).ends_with('=');  // some writers encode the size by itself
      if (own_chunk) return need(text.substr(used), static_cast<std::size_t>(count));
      return need(text, header_bytes_ + static_cast<std::size_t>(count)).substr(header_bytes_);
    }
    const std::string sizes = need(text, header_bytes_ * (3 + static_cast<std::size_t>(count)));
    const std::size_t data = used;
    std::uint64_t total = 0;
    for (std::size_t b = 0; b < count; ++b) {
      const std::uint64_t size = header_value(sizes, 3 + b);
      if (size > text.size()) in_.fail("a compressed block reaches beyond the data");
      total += size;
    }
    if (total > text.size()) in_.fail("compressed blocks reach beyond the data");
    return unpacked(sizes, need(text.substr(data), static_cast<std::size_t>(total)));
  }

  std::string raw_bytes(std::string_view data, std::size_t at) {
    const auto need = [&](std::size_t from, std::uint64_t count) {
      if (from > data.size() || count > data.size() - from)
        in_.fail(fmt::format("an array needs {} bytes at {} of the appended data, which has {}", count, from,
                             data.size()));
      return data.substr(from, static_cast<std::size_t>(count));
    };
    const std::uint64_t count = header_value(need(at, header_bytes_), 0);
    if (!compressed_) return std::string(need(at + header_bytes_, count));
    if (count > data.size()) in_.fail(fmt::format("an array of {} compressed blocks", count));
    const std::string_view sizes = need(at, header_bytes_ * (3 + count));
    return unpacked(sizes, data.substr(at + sizes.size()));
  }

  // `sizes`: number of blocks, their size, the last one's size (0: full), then the packed size of each.
  std::string unpacked(std::string_view sizes, std::string_view packed) {
    const std::uint64_t blocks = header_value(sizes, 0), full = header_value(sizes, 1),
                        last = header_value(sizes, 2);
    std::string out;
    for (std::uint64_t b = 0; b < blocks; ++b) {
      const std::uint64_t from = header_value(sizes, 3 + static_cast<std::size_t>(b)),
                          size = b + 1 == blocks && last != 0 ? last : full;
      if (from > packed.size()) in_.fail("a compressed block reaches beyond the data");
      // deflate packs at most 1032 to 1; and what all arrays unpack to must be in proportion to the file
      if (size > 1100 * from + 64 || size > budget_)
        in_.fail(fmt::format("a compressed block of {} bytes claims to hold {}", from, size));
      budget_ -= static_cast<std::size_t>(size);
      const std::optional<std::string> block =
          inflate_exactly(packed.substr(0, static_cast<std::size_t>(from)), static_cast<std::size_t>(size));
      if (!block) in_.fail("a compressed block is damaged");
      out += *block;
      packed.remove_prefix(static_cast<std::size_t>(from));
    }
    return out;
  }

  std::uint64_t header_value(std::string_view bytes, std::size_t index) const {
    const char* at = bytes.data() + index * header_bytes_;
    return header_bytes_ == 8 ? Cursor::decode<std::uint64_t>(at, swap_) : Cursor::decode<std::uint32_t>(at, swap_);
  }

  const StoredArray& wanted(const Piece& piece, const char* section, const char* name) const {
    for (const StoredArray& array : piece.arrays)
      if (array.section == section && (*name == '\0' || array.name == name)) return array;
    in_.fail_at(piece.at, fmt::format("the piece has no array {} in <{}>", name, section));
  }

  void add(const Piece& piece) {
    const std::pair<int, int> vertices{build_.mesh.vertex_count(),
                                       static_cast<int>(std::min<std::int64_t>(piece.points, 400'000'000))};
    const StoredArray& points = wanted(piece, "Points", "");
    const std::vector<double> x = numbers(points);
    if (piece.points > 400'000'000 || x.size() != 3 * static_cast<std::size_t>(piece.points))
      in_.fail(fmt::format("the points have {} coordinates, but NumberOfPoints=\"{}\" needs {}", x.size(),
                           piece.points, 3 * static_cast<double>(piece.points)));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!std::isfinite(x[i]))
        in_.fail(fmt::format("a coordinate of point {} is {}, which is not finite", i / 3, x[i]));
    build_.mesh.vertices.insert(build_.mesh.vertices.end(), x.begin(), x.end());
    std::vector<VtkArray> cell_arrays, point_arrays;
    for (const StoredArray& array : piece.arrays) {
      const bool cell = array.section == "CellData";
      if ((!cell && array.section != "PointData") || !is_group_array(array.name)) continue;
      (cell ? cell_arrays : point_arrays).push_back({array.name, array.components, numbers(array)});
    }
    add_vtk_point_groups(build_, vertices.first, point_arrays);
    if (piece.cells == 0) return;
    const std::vector<double> ends = numbers(wanted(piece, "Cells", "offsets")),
                              types = numbers(wanted(piece, "Cells", "types"));
    const std::vector<double> connectivity = numbers(wanted(piece, "Cells", "connectivity"));
    if (static_cast<std::int64_t>(ends.size()) != piece.cells || types.size() != ends.size())
      in_.fail(
          fmt::format("{} offsets and {} types for NumberOfCells=\"{}\"", ends.size(), types.size(), piece.cells));
    add_vtk_cells(build_, in_, connectivity, ends, types, vertices, cell_arrays);
  }

  Cursor in_;
  MeshBuilder build_;
  std::vector<Piece> pieces_;
  StoredArray time_;
  bool swap_ = false, compressed_ = false, appended_base64_ = false;
  std::size_t header_bytes_ = 4, budget_ = 0;
  std::string_view appended_;
};

}  // namespace

MeshData read_vtu(const MeshSource& source, const ReadOptions& options) { return Reader(source, options).read(); }

VtuArrays read_vtu_arrays(const MeshSource& source) { return Reader(source, {}).arrays(); }

}  // namespace resilin
