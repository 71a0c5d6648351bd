#include "run_sequence.h"

#include <fmt/format.h>

#include "resilin/registry.h"

namespace resilin::cli {

RunSequence::RunSequence(std::string stem, std::vector<FormatPlugin> formats, bool z_is_up, int keep_frame)
    : stem_(std::move(stem)),
      name_(stem_),
      formats_(std::move(formats)),
      z_is_up_(z_is_up),
      keep_frame_(keep_frame) {}

void RunSequence::add(const Simulation& simulation, int frame) {
  if (formats_.empty()) return;
  if (!spool_) {
    mesh_ = to_mesh_data(simulation.model());
    spool_ = std::make_unique<PositionSpool>(stem_ + ".positions", mesh_.vertex_count(), keep_frame_);
    // A run that had finished before it was resumed has no positions left: its files must not be replaced by shorter ones.
    if (keep_frame_ >= 0 && spool_->count() == 0) name_ = fmt::format("{}_from_{:05}", stem_, frame);
  }
  spool_->append(frame, simulation.state().time, with_embedded(simulation.model(), simulation.positions()));
}

void RunSequence::finish() {
  if (!spool_ || spool_->count() == 0) return;
  const Animation animation{mesh_, spool_->times(), [this](int i) { return spool_->positions(i); }, z_is_up_};
  for (const FormatPlugin& format : formats_) {
    write_file(name_ + format.extension, format.write_sequence(animation));
    if (format.base_format.empty()) continue;
    const FormatPlugin& base = plugin<FormatPlugin>("format", format.base_format, "run");
    MeshData first = mesh_;
    first.vertices = spool_->positions(0);
    write_file(name_ + base.extension, base.write(first, {}));
  }
  spool_->remove();
}

}  // namespace resilin::cli
