// PC2 point caches (Blender's and 3ds Max' mesh cache modifiers): positions of the drawn vertices in every frame,
// for a mesh with the same vertices, which is written beside it as OBJ.
//
//   "POINTCACHE2\0", int version = 1, int vertices, float first frame, float frames per sample, int samples, floats
//   xyz
#include "io/bytes.h"
#include "io/drawn.h"

namespace resilin {
namespace {

std::string write_sequence(const Animation& animation) {
  std::vector<int> vertices;
  drawn(animation.mesh, vertices);
  std::string out("POINTCACHE2\0", 12);
  append_value(out, std::int32_t{1});
  append_value(out, static_cast<std::int32_t>(vertices.size()));
  append_value(out, 0.0f);
  append_value(out, 1.0f);
  append_value(out, static_cast<std::int32_t>(animation.frame_count()));
  for (int i = 0; i < animation.frame_count(); ++i)
    append_values<float>(out, pick(animation.positions(i), vertices));
  return out;
}

}  // namespace

FormatPlugin format_pc2() {
  return {.doc = "PC2 point cache of a run and the OBJ that it moves (Blender: Mesh Cache modifier)",
          .extension = ".pc2",
          .write = [](const MeshData& mesh, const WriteOptions&) { return write_sequence(still(mesh)); },
          .write_sequence = write_sequence,
          .base_format = "obj"};
}

}  // namespace resilin
