#include "playback.h"

#include <fmt/format.h>

#include <cmath>

#include "colours.h"
#include "describe.h"
#include "document.h"

namespace resilin::viewer {
namespace {

constexpr std::size_t kept_frames = 8;

// Names of the fields in files, where they differ.
std::string field_of(const std::string& colour) {
  return colour == "speed" ? "velocity" : colour == "stress" ? "von_mises" : colour;
}

}  // namespace

Playback::Playback(const std::string& folder)
    : scene_(load_scene(folder + "/scene.json")), files_(frame_names(folder)), obstacles_(scene_) {
  model_ = frame(0).model;
  time_ = frame(0).time;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Value& bodies = *scene_.source.find("bodies");
    const Value* name = b < bodies.list().size() ? bodies.list()[b].find("name") : nullptr;
    model_.bodies[b].name = name != nullptr ? name->text() : fmt::format("body{}", b + 1);
  }
}

const FrameFile& Playback::frame(int number) {
  const auto known = read_.find(number);
  if (known != read_.end()) return known->second;
  FrameFile file = read_frame_file(files_[static_cast<std::size_t>(number)].path);
  if (!model_.rest.empty() && file.q.size() != model_.rest.size())
    throw InputError(files_[static_cast<std::size_t>(number)].path,
                     "differs from the first frame in its number of vertices");
  if (read_.size() >= kept_frames) read_.erase(read_.begin());
  return read_.emplace(number, std::move(file)).first->second;
}

Value::Object Playback::describe() const {
  Value::Object out = describe_scene(scene_, model_, obstacles_, time_);
  out.emplace_back("mode", "playback");
  out.emplace_back("frames", static_cast<int>(files_.size()));
  out.emplace_back("views", Value::List{scene_.name});
  return out;
}

void Playback::seek(int number) {
  if (number < 0 || number >= static_cast<int>(files_.size()))
    refuse(fmt::format("there is no frame {}; the run has {}", number, files_.size()));
  time_ = frame(number).time;
  frame_ = number;
}

Shot Playback::shoot(int, const Wanted& wanted) {
  const FrameFile& file = frame(frame_);
  Shot out{file.q, {}, {}, 0, frame_, file.time};
  out.status = Value::Object{
      {"words",
       fmt::format("frame {} of {}", files_[static_cast<std::size_t>(frame_)].number, files_.back().number)},
      {"iterations", 0},
      {"error", Value()},
      {"converged", true},
      {"kinetic", Value()},
      {"elastic", Value()},
      {"external", Value()},
      {"momentum", Value()}};
  const auto field = file.fields.find(field_of(wanted.colour));
  if (wanted.colour == "region") {
    out.values.assign(file.q.size() / 3, 0.0);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      for (int i = 0; i < model_.bodies[b].vertex_count; ++i)
        out.values[static_cast<std::size_t>(model_.bodies[b].first_vertex + i)] = static_cast<double>(b);
  } else if (wanted.colour != "none" && field != file.fields.end()) {
    out.values = field->second;
    if (wanted.colour == "stretch")
      for (double& v : out.values) v /= std::sqrt(3.0);  // files have the length of all three
  }
  return out;
}

std::string Playback::colour_label(const std::string& colour) const {
  return colour == "stretch" ? "stretch (root mean square)" : viewer::colour_label(colour);
}

std::string Playback::exported(const std::string& file) {
  if (file != "scene.json") return Show::exported(file);
  return cli::pretty(scene_.source) + "\n";
}

}  // namespace resilin::viewer
