#include "model/counts.h"

namespace resilin {

Counts count_elements(const Model& model) {
  Counts out;
  for (const Body& body : model.bodies) {
    out.tets += static_cast<int>(body.tets.size() / 4);
    out.springs += static_cast<int>(body.edges.size() / 2);
  }
  return out;
}

std::string in_words(const Counts& counts) {
  const auto some = [](int count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  if (counts.springs == 0) return some(counts.tets, "tet");
  return (counts.tets > 0 ? some(counts.tets, "tet") + ", " : "") + some(counts.springs, "spring");
}

}  // namespace resilin
