// Collects what a reader finds into a MeshData: cells of all kinds that formats know, their groups, and the
// decision what happens to cells that a simulation cannot use (higher order: refused or linearised; hexes and the
// like: refused by name).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "io/cursor.h"

namespace resilin {

/// A kind of cell. Its corners are the first of its nodes in all formats here.
struct CellType {
  enum class Shape { point, edge, triangle, quad, tet, polygon, other };
  int code;  // in the format
  const char* name;
  Shape shape;
  int corners, nodes;
};

/// The elements that a cell became: ids [first, first + count) of the kind whose groups these are; none: groups is
/// null.
struct Added {
  Groups* groups = nullptr;
  int first = 0, count = 0;
};

class MeshBuilder {
 public:
  MeshBuilder(const Cursor& cursor, const ReadOptions& options) : cursor_(cursor), options_(options) {}

  MeshData mesh;

  /// Nodes of the cell, already vertex ids in range. Errors are located at the cursor.
  Added add(const CellType& type, std::span<const int> nodes);
  /// Refuses what add() would refuse, before its nodes are read.
  void check(const CellType& type) const;
  void put(const Added& added, const std::string& group);

  /// A vertex id counted from `base`, or an error that names the cell.
  int vertex(std::int64_t id, std::int64_t base, std::size_t cell, const char* kind) const;

  /// Groups sorted; vertices that only higher-order elements used are gone.
  MeshData finish();

 private:
  const Cursor& cursor_;
  ReadOptions options_;
  std::size_t linearised_ = 0;
  std::size_t cells_ = 0;  // so far
};

/// Ascending, without repetitions.
void sort_groups(Groups& groups);
/// Keeps the vertices where keep[i] != 0; elements must use only those. Returns the new id of each, or -1.
std::vector<int> keep_vertices(MeshData& mesh, const std::vector<char>& keep);
/// 1 for each vertex that an element uses.
std::vector<char> used_vertices(const MeshData& mesh);

/// A group per value of an integer array of a file: the name is `prefix` + value; 0 is no group.
std::string tag_group(const char* prefix, std::int64_t tag);

}  // namespace resilin
