// Detection of contact on one core: two sheets of 5,000 triangles each that lie over each other, 0.8 query radii
// apart, every vertex moved by 5 % of an edge. The radius is that of contact by default, 3 x 0.3 of the shortest
// edge, so most pairs are of a sheet with itself. Floor: positions and the boxes of triangles and edges are read
// once, the list of pairs is written once, at the bandwidth of reading, and the closest points of the pairs in the
// list are computed at the rate of fused multiply-adds.
#include "contact/narrow_phase/contact_pairs.h"
#include "contact/narrow_phase/intersections.h"
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

struct Scene {
  explicit Scene(int cells) : model(two_sheets(cells, 0.8 * 0.9)), surface(contact_surface(model)), x(model.rest) {
    lab::Random random(1);
    for (double& value : x) value += 0.05 * random.uniform(-1, 1);
    double shortest = std::numeric_limits<double>::infinity();
    for (const auto& [a, b] : surface.edges) shortest = std::min(shortest, norm(vertex_at(x, a) - vertex_at(x, b)));
    radius = 0.9 * shortest;
  }
  Model model;
  ContactSurface surface;
  std::vector<double> x;
  double radius = 0;
};

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

struct Detection {
  bench::Samples all, refit, search, write, processor;
  std::vector<ContactPair> pairs;
};

Detection detect(const Scene& scene, int threads, double seconds) {
  ThreadPool pool(threads);
  PairFinder finder(scene.surface, scene.model.rest.data());
  Detection out;
  out.all = bench::repeat(20, seconds, [&] {
    const double before = bench::processor_ms();
    if (!finder.find(scene.x.data(), scene.radius, pool, out.pairs)) out.pairs.clear();
    out.processor.add(bench::processor_ms() - before);
    out.refit.add(1e3 * finder.seconds().refit);
    out.search.add(1e3 * finder.seconds().search);
    out.write.add(1e3 * finder.seconds().write);
  });
  return out;
}

double floor_ms(const Scene& scene, const std::vector<ContactPair>& pairs) {
  constexpr double edge_pair_flops = 92, vertex_pair_flops = 195, box_bytes = 24;
  const auto edge_pairs =
      static_cast<double>(std::ranges::count(pairs, ContactPair::edge_edge, &ContactPair::kind));
  const auto count = static_cast<double>(pairs.size());
  const double bytes = count * sizeof(ContactPair) + 24.0 * static_cast<double>(scene.surface.vertices.size()) +
                       box_bytes * (scene.surface.triangle_count() + scene.surface.edge_count());
  ThreadPool pool(1);
  return 1e3 * bytes / bench::read_bandwidth(static_cast<std::size_t>(bytes), pool) +
         1e3 * (edge_pairs * edge_pair_flops + (count - edge_pairs) * vertex_pair_flops) / bench::fma_rate(pool);
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  const FlushDenormals flush;
  const Scene scene(context.quick ? 10 : 50);
  CaseResult result{.name = "contact_detect"};
  const Detection one = detect(scene, 1, context.quick ? 0.05 : 2);
  one.all.report(result);
  result.floor_ms = floor_ms(scene, one.pairs);
  result.ratio_to_floor = *result.median_ms / *result.floor_ms;
  result.extra = {{"triangles", scene.surface.triangle_count()},
                  {"pairs", static_cast<double>(one.pairs.size())},
                  {"processor_ms", one.processor.median()},
                  {"processor_min_ms", one.processor.min()},
                  {"refit_ms", one.refit.median()},
                  {"search_ms", one.search.median()},
                  {"write_ms", one.write.median()}};
  if (context.threads > 1)
    result.extra.emplace_back("all_threads_ms",
                              detect(scene, context.threads, context.quick ? 0.05 : 1).all.median());

  ThreadPool pool(1);
  IntersectionFinder crossing_finder(scene.surface, scene.model.rest.data());
  std::vector<Intersection> crossed;
  const bench::Samples crossing = bench::repeat(5, context.quick ? 0.01 : 0.3, [&] {
    if (!crossing_finder.find(scene.x.data(), pool, crossed)) crossed.clear();
  });
  result.extra.emplace_back("crossings_ms", crossing.median());
  if (context.reference) {
    std::vector<ContactPair> plain;
    const bench::Samples reference = bench::repeat(3, context.quick ? 0.01 : 1, [&] {
      plain = bench::plain_pairs(scene.surface, scene.x.data(), scene.radius);
    });
    result.reference_ms = reference.median();
    result.speedup = *result.reference_ms / *result.median_ms;
    result.extra.emplace_back("reference_difference", difference(one.pairs, plain));
  }
  result.note = "one thread; two sheets with themselves and each other";
  return {result};
}

}  // namespace

BenchmarkPlugin benchmark_contact_detect() {
  return {"Search for contact pairs, two sheets of 5,000 triangles (contact C8)", run};
}

}  // namespace resilin
