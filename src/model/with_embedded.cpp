// What is drawn and written of a model. SeparationProof from model.cpp, so that the readers' fuzz targets need
// nothing else of this layer.
#include "resilin/model.h"

namespace resilin {

Model with_embedded(const Model& model) {
  Model out;
  out.rest = with_embedded(model, model.rest);
  out.mass.assign(out.rest.size() / 3, 0.0);
  out.bodies = model.bodies;
  int first = model.vertex_count();
  for (Body& body : out.bodies) {
    body.elements.clear();  // there are no terms
    if (body.embedded.empty()) continue;
    body.triangles = body.embedded.surface.triangles;
    for (int& v : body.triangles) v += first;
    first += body.embedded.vertex_count();
    body.embedded = {};
  }
  return out;
}

std::vector<double> with_embedded(const Model& model, std::span<const double> values, int components) {
  std::vector<double> out(values.begin(), values.end());
  for (const Body& body : model.bodies) body.embedded.place(body.tets, values, out, components);
  return out;
}

}  // namespace resilin
