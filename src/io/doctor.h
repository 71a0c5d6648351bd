// The doctor for mesh files: what a file holds, what is wrong with it, what that means for simulating, and the
// repairs that need no judgement. `resilin check` prints what it finds. It knows nothing of scenes.
#pragma once
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

/// What `resilin run FILE` does with it, found by trying: tets are validated, surfaces are filled.
enum class Verdict {
  ready,         // tets that simulate as they are
  surface_only,  // triangles that simulate once they are filled, as run does
  sheet,  // triangles that enclose nothing, whatever their defects: a fill refuses them unless it thickens them
  repairable,  // has defects that stop it; after repair() it is ready or surface_only
  damaged,     // has defects that stop it, and repair() cannot remove them
  empty,       // neither tets nor triangles
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
  std::string refusal;            // of a sheet and of what is damaged: why it does not simulate even after repair()
  Verdict verdict = Verdict::empty;
};
Diagnosis diagnose(const MeshData& mesh);

/// One kind of change.
struct RepairStep {
  std::string what;  // "welded_vertices"
  int count;
  std::string text;  // in words
};
/// Welds vertices at one place (but never two closed bodies that touch), drops elements that name a vertex twice,
/// are flat or repeat another and triangles that cancel in opposite pairs, turns inverted tets and surfaces that
/// disagree or face inward, drops vertices that nothing uses. Groups follow. Returns what it did; nothing: there
/// was nothing to do. `for_shell`: edges of more than two triangles are cut, too.
std::vector<RepairStep> repair(MeshData& mesh, bool for_shell = false);

/// The format of a file by content, then by name; "" when neither tells. Does not throw.
std::string format_of_file(const std::string& path);

}  // namespace resilin
