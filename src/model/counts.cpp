#include "model/counts.h"

#include <algorithm>

namespace resilin {
namespace {

// Triangles that carry a membrane or bend.
bool has_sheet(const Model& model, const Body& body) {
  if (body.tets.empty() && body.edges.empty()) return !body.triangles.empty();
  return std::any_of(body.elements.begin(), body.elements.end(), [&](const BodyElements& of) {
    const ElementKind kind = model.terms[of.term].elements.kind();
    return kind == ElementKind::triangle || kind == ElementKind::hinge || kind == ElementKind::dihedral ||
           kind == ElementKind::fan8 || kind == ElementKind::fan16 || kind == ElementKind::sided8 ||
           kind == ElementKind::sided16;
  });
}

}  // namespace

Counts count_elements(const Model& model, const Body& body) {
  return {static_cast<int>(body.tets.size() / 4),
          has_sheet(model, body) ? static_cast<int>(body.triangles.size() / 3) : 0,
          static_cast<int>(body.edges.size() / 2)};
}

Counts count_elements(const Model& model) {
  Counts out;
  for (const Body& body : model.bodies) {
    const Counts of = count_elements(model, body);
    out.tets += of.tets, out.triangles += of.triangles, out.springs += of.springs;
  }
  return out;
}

std::string in_words(const Counts& counts) {
  std::string out;
  const auto add = [&](int count, const char* noun) {
    if (count > 0) out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  add(counts.tets, "tet");
  add(counts.triangles, "triangle");
  add(counts.springs, "spring");
  return out.empty() ? "no elements" : out;
}

}  // namespace resilin
