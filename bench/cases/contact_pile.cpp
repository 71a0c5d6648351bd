// A frame of thirty soft shapes that lie on each other in a box, with friction.
#include "contact_case.h"
#include "lab/contact_scenes.h"

namespace resilin {

BenchmarkPlugin benchmark_contact_pile() {
  return {"A pile of thirty soft shapes in a box: a frame, and the longest of 10,000",
          [](const BenchmarkContext& context) {
            for (const lab::ContactScene& scene : lab::contact_scenes(12, context.quick ? 6 : 30)) {
              if (scene.name != "pile") continue;
              Builder builder = scene.make();
              builder.contact({.friction = 0.4});
              return bench::run_contact("contact_pile", {.builder = std::move(builder)}, context);
            }
            return std::vector<CaseResult>{};
          }};
}

}  // namespace resilin
