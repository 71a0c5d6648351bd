// MDD point caches (LightWave; Blender's mesh cache modifier and MDD add-on): like PC2, with the time of every
// frame.
//
//   big-endian: int frames, int vertices, float seconds of each frame, floats xyz of each vertex of each frame
#include "io/bytes.h"
#include "io/drawn.h"

namespace resilin {
namespace {

std::string write_sequence(const Animation& animation) {
  std::vector<int> vertices;
  drawn(animation.mesh, vertices);
  std::string out;
  append_big_endian(out, static_cast<std::int32_t>(animation.frame_count()));
  append_big_endian(out, static_cast<std::int32_t>(vertices.size()));
  for (const double time : animation.times) append_big_endian(out, static_cast<float>(time));
  for (int i = 0; i < animation.frame_count(); ++i)
    for (const float x : pick(animation.positions(i), vertices)) append_big_endian(out, x);
  return out;
}

}  // namespace

FormatPlugin format_mdd() {
  return {.doc = "MDD point cache of a run and the OBJ that it moves (Blender, LightWave)",
          .extension = ".mdd",
          .write = [](const MeshData& mesh, const WriteOptions&) { return write_sequence(still(mesh)); },
          .write_sequence = write_sequence,
          .base_format = "obj"};
}

}  // namespace resilin
