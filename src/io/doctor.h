// The doctor for mesh files: what a file holds, what is wrong with it, what that means for simulating, and the repairs that
// need no judgement. `resilin check` prints what it finds. It knows nothing of scenes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "resilin/io.h"

namespace resilin {

/// A defect and what it means for simulating.
struct Finding {
  Defect defect;
  bool stops = false;  // a simulation refuses or breaks, as opposed to: know this
  std::string meaning;
};

struct GroupSize {
  std::string name;
  const char* of;  // "tets", "triangles", "edges", "vertices"
  int count;
};

enum class Verdict {
  ready,         // simulates as it is
  surface_only,  // triangles without tets and without a defect that stops: cloth, or a solid once it is filled
  repairable,    // it does not, but after repair() it does
  damaged,       // not even after repair()
  empty,         // vertices without elements
};
const char* name(Verdict verdict);

struct Diagnosis {
  int vertices = 0, tets = 0, triangles = 0, edges = 0;
  int components = 0;   // parts that share no vertex
  bool closed = false;  // has triangles or tets, and no edge of the surface is open
  Bounds box;           // [m]
  double volume = 0;    // [m^3] of the tets, or enclosed by the closed surface
  Quality quality;      // of the tets
  std::vector<GroupSize> groups;
  std::vector<Finding> findings;  // worst first
  Verdict verdict = Verdict::empty;
};
Diagnosis diagnose(const MeshData& mesh);

/// One kind of change.
struct RepairStep {
  std::string what;  // "welded_vertices"
  int count;
  std::string text;  // in words
};
/// Welds vertices at one place (but never two closed bodies that touch), drops elements that name a vertex twice, are flat or
/// repeat another, turns inverted tets and surfaces that disagree or face inward, drops vertices that nothing uses. Groups
/// follow. Returns what it did; nothing: there was nothing to do.
std::vector<RepairStep> repair(MeshData& mesh);

/// The format of a file by content, then by name; "" when neither tells. Does not throw.
std::string format_of_file(const std::string& path);

}  // namespace resilin
