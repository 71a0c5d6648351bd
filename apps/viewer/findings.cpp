#include "findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "describe.h"
#include "io/doctor.h"

namespace resilin::viewer {
namespace {

// Corners of what the ids of a defect name.
std::size_t corners_of(DefectKind kind, const MeshData& mesh) {
  switch (kind) {
    case DefectKind::non_finite_vertex:
    case DefectKind::unreferenced_vertex:
    case DefectKind::coincident_vertices: return 1;
    case DefectKind::zero_volume:
    case DefectKind::inverted:
    case DefectKind::duplicate_tet:
    case DefectKind::non_manifold_face:
    case DefectKind::sliver: return 4;
    case DefectKind::repeated_vertex: return mesh.tets.empty() ? 3 : 4;
    case DefectKind::zero_area:
    case DefectKind::duplicate_triangle:
    case DefectKind::non_manifold_edge:
    case DefectKind::inconsistent_winding:
    case DefectKind::inside_out:
    case DefectKind::self_intersection:
    case DefectKind::open_boundary: return 3;
    default: return 0;
  }
}

// Middles of the examples.
std::vector<double> points_of(const Defect& defect, const MeshData& mesh) {
  const std::size_t corners = corners_of(defect.kind, mesh);
  const std::vector<int>& elements = corners == 4 ? mesh.tets : mesh.triangles;
  std::vector<double> out;
  for (const int id : defect.examples) {
    std::array<double, 3> middle{0, 0, 0};
    const auto at = static_cast<std::size_t>(id) * std::max<std::size_t>(corners, 1);
    if (corners == 0 || at + corners > (corners == 1 ? mesh.vertices.size() / 3 : elements.size())) continue;
    for (std::size_t c = 0; c < corners; ++c)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto v = corners == 1 ? at : static_cast<std::size_t>(elements[at + c]);
        middle[k] += mesh.vertices[3 * v + k] / static_cast<double>(corners);
      }
    out.insert(out.end(), middle.begin(), middle.end());
  }
  return out;
}

double nearest(const Model& model, const double* x) {
  double best = std::numeric_limits<double>::infinity();
  std::size_t found = 0;
  for (std::size_t v = 0; v < model.rest.size() / 3; ++v) {
    double d = 0;
    for (std::size_t k = 0; k < 3; ++k) d += (model.rest[3 * v + k] - x[k]) * (model.rest[3 * v + k] - x[k]);
    if (d < best) best = d, found = v;
  }
  return static_cast<double>(found);
}

}  // namespace

Value mesh_findings(const MeshData& mesh) {
  Value::List out;
  const Diagnosis diagnosis = diagnose(mesh);
  for (const Finding& finding : diagnosis.findings) {
    std::string words = name(finding.defect.kind);
    std::replace(words.begin(), words.end(), '_', ' ');
    out.push_back(Value::Object{
        {"text", fmt::format("{} {}: {}. {}", finding.defect.count, words, finding.defect.detail, finding.meaning)},
        {"points", numbers(points_of(finding.defect, mesh))}});
  }
  if (!diagnosis.refusal.empty())
    out.push_back(Value::Object{{"text", diagnosis.refusal}, {"points", Value::List{}}});
  return out;
}

Value placed_findings(const Value& findings, const Scene& scene, const Model& model) {
  const Value& body = scene.source.find("bodies")->list().front();
  const Value *scale = body.find("scale"), *translate = body.find("translate");
  const double factor = scale != nullptr && scale->is_number() ? scale->number() : 1;
  const auto offset = translate != nullptr ? translate->vector3() : std::array<double, 3>{0, 0, 0};
  Value::List out;
  for (const Value& finding : findings.list()) {
    std::vector<double> points = finding.find("points")->numbers();
    Value::List vertices;
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k) points[i + k] = factor * points[i + k] + offset[k];
      vertices.emplace_back(nearest(model, &points[i]));
    }
    out.push_back(Value::Object{
        {"text", *finding.find("text")}, {"vertices", std::move(vertices)}, {"points", numbers(points)}});
  }
  return out;
}

}  // namespace resilin::viewer
