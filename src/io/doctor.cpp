#include "io/doctor.h"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/triangle_copies.h"
#include "io/base64.h"
#include "io/doctor_weld.h"
#include "io/mesh_builder.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

// ---- what defects mean ------------------------------------------------------------------------------------

const char* meaning_of(DefectKind kind) {
  switch (kind) {
    case DefectKind::incomplete_array: return "elements are cut off: nothing can be simulated";
    case DefectKind::non_finite_vertex: return "energies become NaN at once";
    case DefectKind::index_out_of_range: return "elements name vertices that do not exist";
    case DefectKind::repeated_vertex:
      return "an element with fewer corners has no volume or area; --repair drops it";
    case DefectKind::zero_volume:
      return "its rest shape cannot be inverted, so that no strain can be measured; --repair drops it";
    case DefectKind::inverted:
      return "its strain would be measured inside out; --repair turns it around. Where it overlaps its neighbours "
             "the mesh is folded there and should be made anew";
    case DefectKind::duplicate_tet: return "mass and stiffness would count twice; --repair drops the copies";
    case DefectKind::non_manifold_face:
      return "more than two tets on one face overlap; the mesh has to be made anew there";
    case DefectKind::zero_area: return "it has no normal; --repair drops it, which may open a gap beside it";
    case DefectKind::duplicate_triangle:
      return "a triangle counts once; two that face opposite sides enclose nothing and cancel. --repair drops the "
             "copies, and both of such a pair";
    case DefectKind::non_manifold_edge:
      return "three or more sheets meet: inside and outside are not defined there; filling guesses by winding "
             "numbers. A shell refuses it; --repair cuts it where the surface is open";
    case DefectKind::inconsistent_winding:
      return "neighbours face different sides; --repair turns them, unless the surface has only one side";
    case DefectKind::inside_out: return "the outside counts as inside; --repair turns it around";
    case DefectKind::self_intersection:
      return "parts lie in each other: contact would push them apart violently, and a fill joins them";
    case DefectKind::open_boundary:
      return "the surface is open: a fill closes its holes by guessing, and refuses a sheet unless it thickens it";
    case DefectKind::sliver:
      return "it simulates, but a nearly flat tet is very stiff in one direction: solvers need more iterations";
    case DefectKind::unreferenced_vertex: return "it has no mass and cannot move; --repair drops it";
    case DefectKind::coincident_vertices:
      return "parts that look joined are not and will come apart; --repair welds them, except where two closed "
             "bodies only touch";
    case DefectKind::size_looks_like_millimetres:
      return "units are metres: at this size gravity looks slow and stiffness is off by orders of magnitude";
  }
  return "";
}

/// Whether a simulation of such a mesh refuses or breaks.
bool stops(DefectKind kind, bool solid, bool weldable) {
  switch (kind) {
    case DefectKind::zero_area:
    case DefectKind::duplicate_triangle: return !solid;  // beside tets triangles only mark places
    case DefectKind::non_manifold_edge:
    case DefectKind::self_intersection:
    case DefectKind::open_boundary:
    case DefectKind::sliver:
    case DefectKind::size_looks_like_millimetres: return false;
    case DefectKind::coincident_vertices: return !solid && weldable;  // a seam; touching bodies are fine
    default: return true;
  }
}

// ---- finding them -----------------------------------------------------------------------------------------

using Kinds = std::vector<DefectKind>;

void take(std::vector<Defect>& to, std::vector<Defect> from, const Kinds& kinds, const char* prefix) {
  for (Defect& defect : from) {
    if (std::find(kinds.begin(), kinds.end(), defect.kind) == kinds.end()) continue;
    defect.detail = prefix + defect.detail;
    to.push_back(std::move(defect));
  }
}

void add_unreferenced(const MeshData& mesh, std::vector<Defect>& defects) {
  std::erase_if(defects, [](const Defect& d) { return d.kind == DefectKind::unreferenced_vertex; });
  const std::vector<char> used = used_vertices(mesh);
  Defect out{DefectKind::unreferenced_vertex, 0, {}, ""};
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (used[v] != 0) continue;
    if (out.count++ == 0) out.detail = fmt::format("vertex {} belongs to no element", v);
    if (out.examples.size() < 8) out.examples.push_back(v);
  }
  if (out.count > 0) defects.push_back(out);
}

void add_size_warning(const Bounds& box, std::vector<Defect>& defects) {
  double extent = 0;
  for (int k = 0; k < 3; ++k) extent = std::max(extent, box.upper[k] - box.lower[k]);
  if (extent < 10 || extent >= 1e5) return;
  defects.push_back(
      {DefectKind::size_looks_like_millimetres,
       1,
       {},
       fmt::format("the largest extent is {:.4g} m: if the file is in millimetres, scale by 0.001", extent)});
}

/// Of a solid the tets count most; its boundary is asked what only a surface can tell, its triangles whether they
/// are any.
std::vector<Defect> find_defects(const MeshData& mesh, const TetMesh& solid, const TriangleMesh& surface,
                                 const Quality& quality) {
  std::vector<Defect> defects;
  if (mesh.tets.empty()) {
    defects = check(surface);
  } else {
    defects = check(solid);
    take(defects, check(surface), {DefectKind::non_manifold_edge, DefectKind::self_intersection},
         "on the boundary of the tets: ");
    if (!mesh.triangles.empty())
      take(defects, check(to_triangle_mesh(mesh)),
           {DefectKind::repeated_vertex, DefectKind::zero_area, DefectKind::duplicate_triangle},
           "of the triangles in the file: ");
    take(defects, check_shape(solid, quality), {DefectKind::sliver}, "");
  }
  add_unreferenced(mesh, defects);
  add_size_warning(bounds(mesh.vertices), defects);
  std::stable_sort(defects.begin(), defects.end(),
                   [](const Defect& a, const Defect& b) { return a.kind < b.kind; });
  return defects;
}

void list_groups(const Groups& groups, const char* of, std::vector<GroupSize>& out) {
  for (const auto& [name, ids] : groups) out.push_back({name, of, static_cast<int>(ids.size())});
}

bool is_closed(const TriangleMesh& surface, const std::vector<Defect>& defects) {
  return !surface.triangles.empty() && std::none_of(defects.begin(), defects.end(), [](const Defect& d) {
    return d.kind == DefectKind::open_boundary;
  });
}

double enclosed_once(const TriangleMesh& surface) {
  TriangleMesh once{surface.vertices, {}, {}, {}};
  std::vector<bool> use(static_cast<std::size_t>(surface.triangle_count()), true);
  find_copies(surface.triangles, use).drop_from(use);
  for (std::size_t i = 0; i < surface.triangles.size(); ++i)
    if (use[i / 3]) once.triangles.push_back(surface.triangles[i]);
  return enclosed_volume(once);
}

/// All but the verdict.
Diagnosis examine(const MeshData& mesh) {
  Diagnosis out;
  out.vertices = mesh.vertex_count(), out.tets = mesh.tet_count();
  out.triangles = mesh.triangle_count(), out.edges = mesh.edge_count();
  out.box = bounds(mesh.vertices);
  list_groups(mesh.tet_groups, "tets", out.groups);
  list_groups(mesh.triangle_groups, "triangles", out.groups);
  list_groups(mesh.edge_groups, "edges", out.groups);
  list_groups(mesh.vertex_groups, "vertices", out.groups);
  out.components = find_parts(mesh).count;
  const TetMesh solid{mesh.vertices, mesh.tets, {}, {}};
  const TriangleMesh surface{mesh.vertices, mesh.tets.empty() ? mesh.triangles : boundary_triangles(solid), {}, {}};
  out.quality = quality(solid);
  const std::vector<Defect> defects = find_defects(mesh, solid, surface, out.quality);
  out.closed = is_closed(surface, defects);
  if (out.closed) out.volume = mesh.tets.empty() ? enclosed_once(surface) : total_volume(solid);
  const bool weldable = welds_anything(weld_map(mesh));
  for (const Defect& defect : defects)
    out.findings.push_back({defect, stops(defect.kind, !mesh.tets.empty(), weldable), meaning_of(defect.kind)});
  return out;
}

bool is_stopped(const Diagnosis& d) {
  return std::any_of(d.findings.begin(), d.findings.end(), [](const Finding& f) { return f.stops; });
}

/// Why `run` refuses the mesh; "": it does not.
std::string refusal(const MeshData& mesh) {
  try {
    if (!mesh.tets.empty()) validate(to_tet_mesh(mesh, "mesh"), "mesh");
    else fill_surface(to_triangle_mesh(mesh), {});
  } catch (const InputError& error) {
    return error.problem();
  }
  return "";
}

// Whether a repair helps is found by repairing. What a repair leaves as it is and what simulates all the same is
// not stopped.
void judge(const MeshData& mesh, Diagnosis& found) {
  if (mesh.tets.empty() && mesh.triangles.empty()) return;
  MeshData repaired = mesh;
  const bool mended = is_stopped(found) && !repair(repaired).empty();
  found.refusal = refusal(repaired);
  if (!found.refusal.empty()) {
    found.verdict = repaired.tets.empty() && !repaired.triangles.empty() ? Verdict::sheet : Verdict::damaged;
  } else if (mended) {
    found.verdict = Verdict::repairable;
  } else {
    found.verdict = mesh.tets.empty() ? Verdict::surface_only : Verdict::ready;
    for (Finding& finding : found.findings) finding.stops = false;
  }
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ready: return "ready";
    case Verdict::surface_only: return "surface_only";
    case Verdict::sheet: return "sheet";
    case Verdict::repairable: return "repairable";
    case Verdict::damaged: return "damaged";
    case Verdict::empty: return "empty";
  }
  return "unknown";
}

Diagnosis diagnose(const MeshData& mesh) {
  Diagnosis out = examine(mesh);
  judge(mesh, out);
  return out;
}

std::string format_of_file(const std::string& path) {
  try {
    std::string contents = read_file(path);
    if (is_gzip(contents) && has_zlib()) contents = gunzip(contents, unpacked_limit(contents.size())).value_or("");
    for (const auto& [name, format] : registry<FormatPlugin>())
      if (format.read && format.recognises && format.recognises(contents)) return name;
  } catch (const InputError&) {  // cannot be read: its name has to tell
  }
  return format_of_path(path);
}

}  // namespace resilin
