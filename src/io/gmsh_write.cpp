#include "io/gmsh_write.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/element_tags.h"
#include "io/put_text.h"

namespace resilin {
namespace {

/// Elements of one dimension with the physical groups that they are in.
struct Layer {
  int dimension, type;  // Gmsh's
  std::size_t corners;
  std::vector<int> ids;
  const Groups* groups;
  ElementTags tags;
  std::vector<std::string> physical = {};  // names; the tag is the place + 1

  std::size_t size() const { return ids.size() / corners; }
  int physical_tag(const std::string& name) const {
    return static_cast<int>(std::find(physical.begin(), physical.end(), name) - physical.begin()) + 1;
  }
};

// Points carry the groups of vertices: only those that are in one.
Layer points_of(const MeshData& mesh) {
  const ElementTags all(mesh.vertex_groups, static_cast<std::size_t>(mesh.vertex_count()));
  Layer layer{0, 15, 1, {}, &mesh.vertex_groups, all};
  layer.tags.tag.clear();
  for (std::size_t i = 0; i < all.tag.size(); ++i) {
    if (all.tag[i] == 0) continue;
    layer.ids.push_back(static_cast<int>(i));
    layer.tags.tag.push_back(all.tag[i]);
  }
  return layer;
}

std::vector<Layer> layers_of(const MeshData& mesh) {
  std::vector<Layer> out = {
      points_of(mesh),
      {1, 1, 2, mesh.edges, &mesh.edge_groups, {mesh.edge_groups, mesh.edges.size() / 2}},
      {2, 2, 3, mesh.triangles, &mesh.triangle_groups, {mesh.triangle_groups, mesh.triangles.size() / 3}},
      {3, 4, 4, mesh.tets, &mesh.tet_groups, {mesh.tet_groups, mesh.tets.size() / 4}}};
  for (Layer& layer : out)
    for (const auto& [name, ids] : *layer.groups)
      if (!ids.empty()) layer.physical.push_back(name);
  return out;
}

// Gmsh has no escape for quotes.
std::string quoted(std::string name) {
  for (char& c : name)
    if (c == '"' || c == '\n' || c == '\r') c = '_';
  return '"' + name + '"';
}

class Writer {
 public:
  explicit Writer(const MeshData& mesh) : mesh_(mesh), layers_(layers_of(mesh)) {}

  std::string version4() {
    put("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    names();
    entities();
    const int n = mesh_.vertex_count();
    put("$Nodes\n1 {} {} {}\n3 1 0 {}\n", n, std::min(1, n), n, n);
    for (int i = 1; i <= n; ++i) put("{}\n", i);
    for (int i = 0; i < n; ++i) coordinates(i);
    put("$EndNodes\n");
    elements4();
    return out_;
  }

  std::string version2() {
    put("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    for (Layer& layer : layers_)
      layer.physical = layer.tags.names;  // one number per element: overlaps are groups "a+b"
    names();
    put("$Nodes\n{}\n", mesh_.vertex_count());
    for (int i = 0; i < mesh_.vertex_count(); ++i) put("{} ", i + 1), coordinates(i);
    put("$EndNodes\n$Elements\n{}\n", total());
    std::size_t number = 0;
    for (const Layer& layer : layers_)
      for (std::size_t i = 0; i < layer.size(); ++i) {
        put("{} {} 2 {} {}", ++number, layer.type, layer.tags.tag[i], std::max(1, layer.tags.tag[i]));
        for (std::size_t k = 0; k < layer.corners; ++k) put(" {}", layer.ids[i * layer.corners + k] + 1);
        put("\n");
      }
    put("$EndElements\n");
    return out_;
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    put_text(out_, format, std::forward<Args>(args)...);
  }

  std::size_t total() const {
    std::size_t sum = 0;
    for (const Layer& layer : layers_) sum += layer.size();
    return sum;
  }

  void coordinates(int i) {
    const double* x = &mesh_.vertices[3 * i];
    put("{} {} {}\n", x[0], x[1], x[2]);
  }

  void names() {
    std::size_t count = 0;
    for (const Layer& layer : layers_) count += layer.physical.size();
    if (count == 0) return;
    put("$PhysicalNames\n{}\n", count);
    for (const Layer& layer : layers_)
      for (std::size_t i = 0; i < layer.physical.size(); ++i)
        put("{} {} {}\n", layer.dimension, i + 1, quoted(layer.physical[i]));
    put("$EndPhysicalNames\n");
  }

  // Entity 1 of each dimension holds what is in no group, entity 1 + t what has the tag t; entities may be in many
  // groups.
  void entities() {
    const Bounds b = bounds(mesh_.vertices);
    put("$Entities\n");
    for (const Layer& layer : layers_) put("{} ", layer.tags.names.size() + 1);
    put("\n");
    for (const Layer& layer : layers_)
      for (std::size_t t = 0; t <= layer.tags.names.size(); ++t) {
        put("{}", t + 1);
        for (const Vec3& corner : {b.lower, b.upper}) {
          for (const double x : corner) put(" {}", mesh_.vertices.empty() ? 0.0 : x);
          if (layer.dimension == 0) break;
        }
        const std::vector<std::string> none;
        const std::vector<std::string>& set = t == 0 ? none : layer.tags.sets[t - 1];
        put(" {}", set.size());
        for (const std::string& name : set) put(" {}", layer.physical_tag(name));
        put("{}\n", layer.dimension == 0 ? "" : " 0");
      }
    put("$EndEntities\n");
  }

  // A block per run of elements of one tag, so that the order of the elements stays.
  void elements4() {
    struct Run {
      const Layer* layer;
      std::size_t first, end;
    };
    std::vector<Run> runs;
    for (const Layer& layer : layers_)
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const bool goes_on = i > 0 && layer.tags.tag[i] == layer.tags.tag[i - 1];
        if (goes_on) runs.back().end = i + 1;
        else runs.push_back({&layer, i, i + 1});
      }
    put("$Elements\n{} {} {} {}\n", runs.size(), total(), std::min<std::size_t>(1, total()), total());
    std::size_t number = 0;
    for (const auto& [layer, first, end] : runs) {
      put("{} {} {} {}\n", layer->dimension, layer->tags.tag[first] + 1, layer->type, end - first);
      for (std::size_t i = first; i < end; ++i) {
        put("{}", ++number);
        for (std::size_t k = 0; k < layer->corners; ++k) put(" {}", layer->ids[i * layer->corners + k] + 1);
        put("\n");
      }
    }
    put("$EndElements\n");
  }

  const MeshData& mesh_;
  std::vector<Layer> layers_;
  std::string out_;
};

}  // namespace

std::string write_gmsh(const MeshData& mesh, const WriteOptions& options) {
  Writer writer(mesh);
  return options.variant == "2.2" ? writer.version2() : writer.version4();
}

}  // namespace resilin
