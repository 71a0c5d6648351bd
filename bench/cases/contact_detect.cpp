// Detection of contact: two sheets of 5,000 triangles each that lie over each other, 0.8 query radii apart, every vertex moved by 5 % of
// an edge. The radius is that of contact by default, 3 x 0.3 of the shortest edge, so most pairs are of a sheet with itself. The
// floor writes the list of pairs once and reads what decides over it: positions and the boxes of triangles and edges.
#include "contact/contact_pairs.h"
#include "contact/crossings.h"
#include "geometry/vec3.h"
#include "lab/setup.h"
#include "measure.h"
#include "reference/plain_pairs.h"

namespace resilin {
namespace {

Model two_sheets(int cells, double gap) {
  Model model;
  for (int sheet = 0; sheet < 2; ++sheet) {
    TriangleMesh mesh;
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) mesh.vertices.insert(mesh.vertices.end(), {1.0 * i, gap * sheet, 1.0 * j});
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const int a = j * (cells + 1) + i, b = a + 1, d = a + cells + 1, c = d + 1;
        if ((i + j) % 2 == 0) mesh.triangles.insert(mesh.triangles.end(), {a, c, b, a, d, c});
        else mesh.triangles.insert(mesh.triangles.end(), {a, d, b, b, d, c});
      }
    const double one[1] = {1};
    add_shell_body(model, sheet == 0 ? "lower" : "upper", mesh, one, one);
  }
  return model;
}

double shortest_edge(const ContactSurface& surface, const std::vector<double>& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [a, b] : surface.edges) least = std::min(least, norm(vertex_at(x, a) - vertex_at(x, b)));
  return least;
}

/// Largest difference of distances, and infinity when the lists are not of the same pairs.
double difference(const std::vector<ContactPair>& a, const std::vector<ContactPair>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].first != b[i].first || a[i].second != b[i].second) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::abs(a[i].distance - b[i].distance));
  }
  return worst;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  const FlushDenormals flush;
  const int cells = context.quick ? 10 : 50;
  const Model model = two_sheets(cells, 0.8 * 0.9);
  const ContactSurface surface = contact_surface(model);
  lab::Random random(1);
  std::vector<double> x = model.rest;
  for (double& value : x) value += 0.05 * random.uniform(-1, 1);
  const double radius = 0.9 * shortest_edge(surface, x);

  ThreadPool pool(context.threads);
  PairFinder finder(surface, model.rest.data());
  std::vector<ContactPair> pairs;
  bench::Samples refit, search, write;
  CaseResult result{.name = "contact_detect", .threads = context.threads};
  const bench::Samples ms = bench::repeat(20, context.quick ? 0.05 : 2, [&] {
    if (!finder.find(x.data(), radius, pool, pairs)) pairs.clear();
    refit.add(1e3 * finder.seconds().refit);
    search.add(1e3 * finder.seconds().search);
    write.add(1e3 * finder.seconds().write);
  });
  ms.report(result);

  const double list_bytes = static_cast<double>(pairs.size() * sizeof(ContactPair));
  const double read_bytes =
      static_cast<double>(24 * surface.vertices.size()) + 24.0 * (surface.triangle_count() + surface.edge_count());
  const auto buffer = static_cast<std::size_t>(list_bytes + read_bytes);
  result.floor_ms = 1e3 * (list_bytes + read_bytes) / bench::read_bandwidth(buffer, pool);
  result.ratio_to_floor = *result.median_ms / *result.floor_ms;
  const auto edges = std::ranges::count(pairs, ContactPair::edge_edge, &ContactPair::kind);
  result.extra = {{"triangles", surface.triangle_count()},
                  {"pairs", static_cast<double>(pairs.size())},
                  {"edge_pairs", static_cast<double>(edges)},
                  {"refit_ms", refit.median()},
                  {"search_ms", search.median()},
                  {"write_ms", write.median()}};
  const bench::Samples crossing = bench::repeat(3, context.quick ? 0.01 : 0.3, [&] {
    bench::keep(static_cast<double>(crossings(surface, x.data()).size()));
  });
  result.extra.emplace_back("crossings_ms", crossing.median());
  if (context.reference) {
    std::vector<ContactPair> plain;
    const bench::Samples reference =
        bench::repeat(3, context.quick ? 0.01 : 1, [&] { plain = bench::plain_pairs(surface, x.data(), radius); });
    result.reference_ms = reference.median();
    result.speedup = *result.reference_ms / *result.median_ms;
    result.extra.emplace_back("reference_difference", difference(pairs, plain));
  }
  result.note = "two sheets with themselves and each other; floor: positions, boxes and the list once";
  return {result};
}

}  // namespace

BenchmarkPlugin benchmark_contact_detect() {
  return {"Search for contact pairs, two sheets of 5,000 triangles (contact C8)", run};
}

}  // namespace resilin
