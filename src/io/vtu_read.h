// Reads VTK's XML files of unstructured meshes: text, base64 and appended raw data, zlib-compressed or not.
#pragma once
#include "resilin/io.h"

namespace resilin {

MeshData read_vtu(const MeshSource& source, const ReadOptions& options);

}  // namespace resilin
