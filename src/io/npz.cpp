// NPZ for NumPy: np.load("run.npz") gives positions (frames, vertices, 3) as float64, times, and tets, triangles
// and edges with ids from 0. All vertices of the model are there, in its order, then those of embedded surfaces. A
// zip archive of .npy arrays, stored uncompressed.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "io/bytes.h"
#include "io/checksum.h"
#include "io/drawn.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

/// A zip archive whose files are stored as they are.
class ZipStore {
 public:
  void add(const std::string& name, std::string_view contents) {
    if (contents.size() > std::numeric_limits<std::uint32_t>::max() - 1 ||
        out_.size() > std::numeric_limits<std::uint32_t>::max() - contents.size() - 1024)
      throw InputError("npz", "the run is larger than 4 GiB, which this archive cannot hold: write fewer frames");
    const auto offset = static_cast<std::uint32_t>(out_.size());
    std::string fields;                         // the same in both headers
    append_value(fields, std::uint16_t{20});    // version needed
    append_value(fields, std::uint16_t{0});     // flags
    append_value(fields, std::uint16_t{0});     // stored
    append_value(fields, std::uint16_t{0});     // time: none, so that equal runs give equal files
    append_value(fields, std::uint16_t{0x21});  // date: 1980-01-01
    append_value(fields, crc32(contents));
    append_value(fields, static_cast<std::uint32_t>(contents.size()));
    append_value(fields, static_cast<std::uint32_t>(contents.size()));
    append_value(fields, static_cast<std::uint16_t>(name.size()));
    append_value(fields, std::uint16_t{0});  // extra
    out_ += "PK\3\4" + fields + name;
    out_ += contents;
    directory_ += "PK\1\2";
    append_value(directory_, std::uint16_t{20});
    directory_ += fields;
    for (int k = 0; k < 3; ++k) append_value(directory_, std::uint16_t{0});  // comment, disk, internal attributes
    append_value(directory_, std::uint32_t{0});                              // external attributes
    append_value(directory_, offset);
    directory_ += name;
    ++count_;
  }

  std::string finish() {
    const auto at = static_cast<std::uint32_t>(out_.size());
    out_ += directory_;
    out_ += "PK\5\6";
    append_value(out_, std::uint32_t{0});
    append_value(out_, count_);
    append_value(out_, count_);
    append_value(out_, static_cast<std::uint32_t>(directory_.size()));
    append_value(out_, at);
    append_value(out_, std::uint16_t{0});
    return std::move(out_);
  }

 private:
  std::string out_, directory_;
  std::uint16_t count_ = 0;
};

// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, version 1.0
std::string npy_header(const char* type, const std::string& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  std::string out("\x93NUMPY\1\0", 8);
  append_value(out, static_cast<std::uint16_t>(text.size()));
  return out + text;
}

std::string ids_array(const std::vector<int>& ids, std::size_t corners) {
  std::string out = npy_header("<i4", fmt::format("{}, {}", ids.size() / corners, corners));
  for (const int id : ids) append_value(out, static_cast<std::int32_t>(id));
  return out;
}

std::string write_sequence(const Animation& animation) {
  ZipStore zip;
  std::string times = npy_header("<f8", fmt::format("{},", animation.frame_count()));
  append_values<double>(times, animation.times);
  zip.add("times.npy", times);
  zip.add("tets.npy", ids_array(animation.mesh.tets, 4));
  zip.add("triangles.npy", ids_array(animation.mesh.triangles, 3));
  zip.add("edges.npy", ids_array(animation.mesh.edges, 2));
  std::string positions =
      npy_header("<f8", fmt::format("{}, {}, 3", animation.frame_count(), animation.mesh.vertex_count()));
  for (int i = 0; i < animation.frame_count(); ++i) append_values<double>(positions, animation.positions(i));
  zip.add("positions.npy", positions);
  for (const NamedField& field : animation.mesh.vertex_fields) {
    std::string values = npy_header("<f8", fmt::format("{}, {}", animation.mesh.vertex_count(), field.components));
    append_values<double>(values, field.values);
    zip.add(field.name + ".npy", values);
  }
  return zip.finish();
}

}  // namespace

FormatPlugin format_npz() {
  return {.doc = "NumPy archive of a run with positions, times, tets, triangles and edges",
          .extension = ".npz",
          .write = [](const MeshData& mesh, const WriteOptions&) { return write_sequence(still(mesh)); },
          .write_sequence = write_sequence};
}

}  // namespace resilin
