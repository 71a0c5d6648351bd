// A frame of the ten boxes of E90 that rest on each other, with friction.
#include "contact_case.h"
#include "lab/contact_scenes.h"

namespace resilin {

BenchmarkPlugin benchmark_contact_stack() {
  return {"Ten boxes that rest on each other (E90): a frame, and the longest of 10,000",
          [](const BenchmarkContext& context) {
            Builder builder = lab::box_stack(context.quick ? 3 : 10, 2, 5e6, 0.007, 0.5);
            builder.contact({.friction = 0.5});
            return bench::run_contact("contact_stack", {.builder = std::move(builder)}, context);
          }};
}

}  // namespace resilin
