#include "run_sequence.h"

#include <fmt/format.h>

#include "resilin/registry.h"

namespace resilin::cli {

RunSequence::RunSequence(std::string stem, std::vector<FormatPlugin> formats, bool z_is_up, const Model& model)
    : stem_(std::move(stem)), name_(stem_), formats_(std::move(formats)), z_is_up_(z_is_up) {
  if (!formats_.empty()) mesh_ = to_mesh_data(model);
}

bool RunSequence::go_on(const std::function<bool(std::int64_t)>& keep, std::int64_t last) {
  if (formats_.empty()) return true;
  spool_ = std::make_unique<PositionSpool>(stem_ + ".positions", mesh_.vertex_count(), keep);
  while (last > 0 && !keep(last)) --last;
  const bool whole = spool_->last_frame() == last;
  if (!whole) spool_ = std::make_unique<PositionSpool>(stem_ + ".positions", mesh_.vertex_count());
  if (!whole || spool_->first_frame() > 0)
    name_ = fmt::format("{}_from_{:05}", stem_, whole ? spool_->first_frame() : last + 1);
  return whole;
}

void RunSequence::add(const Simulation& simulation, int frame) {
  if (formats_.empty()) return;
  if (!spool_) spool_ = std::make_unique<PositionSpool>(stem_ + ".positions", mesh_.vertex_count());
  spool_->append(frame, simulation.state().time, with_embedded(simulation.model(), simulation.positions()));
}

void RunSequence::sync() {
  if (spool_) spool_->sync();
}

void RunSequence::write() const {
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
}

void RunSequence::forget() {
  if (spool_) spool_->remove();
}

}  // namespace resilin::cli
