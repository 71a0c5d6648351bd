// Meshes and short ways to read them that the tests of readers and writers share.
#pragma once
#include <string>

#include "core/expect_input_error.h"
#include "fuzz/reader_target.h"
#include "io/io_support.h"

namespace resilin::test {

/// Two tets that share a face, the six outer triangles, an edge, overlapping groups; numbers that are hard to
/// print.
inline MeshData sample() {
  MeshData mesh;
  mesh.vertices = {0.1, 1.0 / 3, -0.0, 1 + 1e-15, 0, 1e-310, 0, 1.25, 2.0 / 7, 0.25, 0.25, 1.5, 1, 1, 123456.789};
  mesh.tets = {0, 1, 2, 3, 1, 4, 2, 3};
  mesh.triangles = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4};
  mesh.edges = {0, 4};
  mesh.tet_groups = {{"all", {0, 1}}, {"soft part", {0}}};
  mesh.triangle_groups = {{"skin", {0, 1, 2}}};
  mesh.vertex_groups = {{"held", {0, 3}}};
  return mesh;
}

/// The sample's tets alone.
inline MeshData solid_sample() {
  MeshData mesh = sample();
  mesh.triangles.clear(), mesh.edges.clear(), mesh.triangle_groups.clear();
  return mesh;
}

/// Reads it back through the front door, by content and name.
inline MeshData read_back(const std::string& name, const std::string& contents, const ReadOptions& options = {}) {
  const MeshData mesh = read_mesh({name, contents}, options);
  EXPECT_EQ(broken_promise(mesh), "");
  return mesh;
}

/// The error of reading `contents`; it must name the file.
inline InputError refusal(const std::string& name, const std::string& contents, const ReadOptions& options = {}) {
  const InputError error = input_error([&] { read_mesh({name, contents}, options); });
  says(error, name);
  return error;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A seed of the fuzz corpus.
inline std::string seed(const std::string& path) {
  const char* source = std::getenv("RESILIN_SOURCE");
  const std::string text =
      slurp((source != nullptr ? std::string(source) : std::string(".")) + "/tests/fuzz/corpus/" + path);
  EXPECT_FALSE(text.empty()) << path << " (RESILIN_SOURCE names the repository)";
  return text;
}

}  // namespace resilin::test
