// Reads VTK's XML files of unstructured meshes: text, base64 and appended raw data, zlib-compressed or not.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "resilin/io.h"

namespace resilin {

MeshData read_vtu(const MeshSource& source, const ReadOptions& options);

/// An array as it is in the file: the element that it stands in ("Points", "Cells", "PointData", "CellData"), its
/// numbers as doubles.
struct VtuArray {
  std::string section, name;
  int components = 1;
  std::vector<double> values;
};
struct VtuArrays {
  std::vector<VtuArray> arrays;
  double time = std::numeric_limits<double>::quiet_NaN();  // [s], where the file says
};
/// Everything in a file of one piece, such as a frame of a run. Throws InputError.
VtuArrays read_vtu_arrays(const MeshSource& source);

}  // namespace resilin
