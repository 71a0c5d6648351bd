// resilin render DIR | SCENE: pictures of a run's frames, or of a scene's start, and videos. No display is needed.
#include "resilin/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "command.h"
#include "document.h"
#include "picture.h"
#include "render/frame_file.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/scene.h"
#include "scene/obstacles.h"
#include "video.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

struct RenderArguments {
  std::string input, size = "960x720", color = "none", out, video;
  int frame = unset, samples = 3;
  bool edges = false, no_ground = false;
  static constexpr int unset = -1000000000;
};

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void read_size(const std::string& text, RenderOptions& options) {
  const std::size_t x = text.find('x');
  const char* end = text.data() + text.size();
  const auto wide = std::from_chars(text.data(), text.data() + std::min(x, text.size()), options.width);
  const bool good = x != std::string::npos && wide.ec == std::errc() && wide.ptr == text.data() + x;
  const auto high = good ? std::from_chars(text.data() + x + 1, end, options.height) : wide;
  const auto fits = [](int n) { return n >= 16 && n <= 16384; };
  if (!good || high.ec != std::errc() || high.ptr != end || !fits(options.width) || !fits(options.height))
    throw InputError("--size " + text, "wanted is WIDTHxHEIGHT, e.g. 960x720, with 16 to 16384 pixels each");
}

std::vector<FrameName> chosen(const std::vector<FrameName>& files, int frame) {
  if (frame == RenderArguments::unset) return files;
  if (frame < 0 && -frame <= static_cast<int>(files.size()))
    return {files[files.size() - static_cast<std::size_t>(-frame)]};
  for (const FrameName& file : files)
    if (file.number == frame) return {file};
  throw InputError(fmt::format("--frame {}", frame),
                   fmt::format("there is no such frame; there are {}, from {} to {} (-1: the last)", files.size(),
                               files.front().number, files.back().number));
}

/// Colourings by name: displacement from `start`, height, or a field of the frame.
Colouring colouring(const std::string& name, const FrameFile& frame, const std::vector<double>& start,
                    const RenderOptions& options) {
  Colouring out;
  if (name == "none") return out;
  const std::size_t n = frame.q.size() / 3;
  const auto field = frame.fields.find(name == "speed" ? "velocity" : name);
  const auto value = [&](std::size_t v) {
    const double* x = &frame.q[3 * v];
    if (name == "height") return options.up[0] * x[0] + options.up[1] * x[1] + options.up[2] * x[2];
    return std::hypot(x[0] - start[3 * v], x[1] - start[3 * v + 1], x[2] - start[3 * v + 2]);
  };
  if (name == "displacement" || name == "height") {
    for (std::size_t v = 0; v < n; ++v) out.values.push_back(value(v));
    out.label = name + " [m]";
  } else if (field != frame.fields.end()) {
    out.values = field->second;
    out.label = name == "speed" ? "speed [m/s]" : name;
  } else {
    std::vector<std::string> known = {"none", "displacement", "speed", "height"};
    for (const auto& [key, values] : frame.fields)
      if (key != "velocity") known.push_back(key);
    throw InputError("--color " + name, "is not known here; there are " + join_or(known));
  }
  const auto [low, high] = std::minmax_element(out.values.begin(), out.values.end());
  out.low = name == "height" || *low < 0 ? *low : 0;
  out.high = *high;
  return out;
}

void widen(Bounds& all, const std::vector<double>& q) {
  const Bounds one = bounds(q);
  for (std::size_t k = 0; k < 3; ++k) {
    all.lower[k] = std::min(all.lower[k], one.lower[k]);
    all.upper[k] = std::max(all.upper[k], one.upper[k]);
  }
}

class Renderer {
 public:
  Renderer(const RenderArguments& arguments, const Shared& shared) : arguments_(arguments), shared_(shared) {}
  int execute();

 private:
  void prepare(const Scene& scene);
  void draw_scene();
  void draw_run();
  void survey(const std::vector<FrameName>& files);
  Picture draw(const FrameFile& frame);
  void save(const Picture& picture, const std::string& path);
  void make_folder(const std::string& path) const;

  const RenderArguments& arguments_;
  const Shared& shared_;
  RenderOptions options_;
  DrawnObstacles obstacles_;
  std::vector<double> start_, start_rest_;
  double low_ = 0, high_ = 0;
  bool surveyed_ = false;
  Value::List written_;
};

void Renderer::prepare(const Scene& scene) {
  options_ = picture_options(scene);
  obstacles_ = DrawnObstacles(scene);
  read_size(arguments_.size, options_);
  options_.samples = arguments_.samples;
  options_.edges = arguments_.edges;
  if (arguments_.no_ground) options_.ground_height.reset();
  options_.threads = std::max(0, shared_.threads);
}

Picture Renderer::draw(const FrameFile& frame) {
  if (frame.q.size() != start_.size())
    throw InputError(arguments_.input, "its frames differ in their number of vertices");
  RenderOptions options = options_;
  options.obstacles = obstacles_.at(frame.time);
  if (!arguments_.no_ground) options.ground_height = obstacles_.ground(options.up, frame.time);
  options.colouring = colouring(arguments_.color, frame, start_, options_);
  if (surveyed_) options.colouring.low = low_, options.colouring.high = high_;
  Model model = frame.model;
  model.rest = start_rest_;  // sharp edges are those of the start: they do not flicker
  return render(model, frame.q, options);
}

void Renderer::save(const Picture& picture, const std::string& path) {
  write_file(path, png(picture));
  written_.emplace_back(path);
}

void Renderer::make_folder(const std::string& path) const {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw InputError(path, "the folder cannot be created: " + error.message());
}

// One view and one range of colours for all frames of the run, whichever are drawn: pictures made one by one can be
// compared.
void Renderer::survey(const std::vector<FrameName>& files) {
  Bounds all = bounds(start_);
  bool first = true;
  for (const FrameName& file : files) {
    const FrameFile frame = read_frame_file(file.path);
    if (frame.q.size() != start_.size())
      throw InputError(file.path, "differs from the first frame in its number of vertices");
    widen(all, frame.q);
    const Colouring one = colouring(arguments_.color, frame, start_, options_);
    low_ = first ? one.low : std::min(low_, one.low), high_ = first ? one.high : std::max(high_, one.high);
    first = false;
  }
  options_.fit = all;
  surveyed_ = true;
}

void Renderer::draw_run() {
  const std::string folder = without_slashes(arguments_.input);
  const Scene scene = load_scene(folder + "/scene.json");
  prepare(scene);
  const std::vector<FrameName> all = frame_names(folder), files = chosen(all, arguments_.frame);
  const FrameFile first = read_frame_file(all.front().path);
  start_ = start_rest_ = first.q;
  survey(all);
  if (arguments_.frame != RenderArguments::unset) {
    const std::string out = arguments_.out.empty()
                                ? fmt::format("{}/pictures/frame_{:05}.png", folder, files[0].number)
                                : arguments_.out;
    if (arguments_.out.empty()) make_folder(folder + "/pictures");
    save(draw(read_frame_file(files[0].path)), out);
    return;
  }
  std::unique_ptr<Video> video;
  const double rate = 1 / (scene.step * scene.output_every);
  const std::string out = arguments_.out.empty() ? folder + "/pictures" : without_slashes(arguments_.out);
  if (!arguments_.video.empty())
    video = std::make_unique<Video>(arguments_.video, options_.width, options_.height, rate);
  else make_folder(out);
  for (const FrameName& file : files) {
    const Picture picture = draw(read_frame_file(file.path));
    if (video) video->add(picture);
    else save(picture, fmt::format("{}/frame_{:05}.png", out, file.number));
  }
  if (!video) return;
  video->finish();
  written_.emplace_back(arguments_.video);
}

void Renderer::draw_scene() {
  const Scene scene = load_scene(arguments_.input, shared_.overrides());
  if (arguments_.frame != RenderArguments::unset && arguments_.frame != 0)
    throw InputError("--frame", "a scene has only its start: run it first and give its folder");
  if (!arguments_.video.empty())
    throw InputError("--video", "a scene has only its start: run it first and give its folder");
  prepare(scene);
  State state;
  FrameFile frame;
  frame.model = build_model(scene, state);
  frame.q = state.q;
  for (std::size_t i = 0; i < state.v.size(); i += 3)
    frame.fields["velocity"].push_back(std::hypot(state.v[i], state.v[i + 1], state.v[i + 2]));
  start_ = start_rest_ = frame.model.rest;
  save(draw(frame), arguments_.out.empty() ? scene.name + ".png" : arguments_.out);
}

int Renderer::execute() {
  if (!arguments_.video.empty()) Video::check(arguments_.video);
  if (!arguments_.video.empty() && arguments_.frame != RenderArguments::unset)
    throw InputError("--video", "excludes --frame");
  if (arguments_.samples < 1 || arguments_.samples > 8) throw InputError("--samples", "1 to 8 are allowed");
  std::error_code error;
  const bool is_run = fs::is_directory(arguments_.input, error);
  if (is_run) draw_run();
  else draw_scene();
  if (shared_.json)
    print_document(Value::Object{
        {"width", options_.width}, {"height", options_.height}, {"color", arguments_.color}, {"files", written_}});
  else if (written_.size() == 1) fmt::print("{}\n", written_.front().text());
  else fmt::print("{} pictures: {} ... {}\n", written_.size(), written_.front().text(), written_.back().text());
  return done;
}

}  // namespace

Command render_command() {
  const auto arguments = std::make_shared<RenderArguments>();
  Command command{"render",
                  "Draw the frames of a run, or the start of a scene, without a display",
                  {"threads", "set"},
                  {},
                  nullptr};
  command.arguments = {
      {"input", "the folder of a run, or a scene", &arguments->input, true},
      {"--frame",
       "the number of one frame, -1 for the last; not given: all of them; the view is that of the whole run",
       &arguments->frame},
      {"--size", "WIDTHxHEIGHT in pixels; 960x720 when not given", &arguments->size},
      {"--color,--colour", "none, displacement, speed, height, or the name of a field in the frames",
       &arguments->color},
      {"--edges", "draw the edges of the mesh", &arguments->edges},
      {"--no-ground", "leave out the ground of the scene and the shadow on it", &arguments->no_ground},
      {"--samples", "per pixel and axis; 3 when not given", &arguments->samples},
      {"--out", "the PNG file of one frame, or the folder of all (DIR/pictures/frame_00012.png when not given)",
       &arguments->out},
      {"--video", "FILE.mp4 or FILE.gif of all frames, made by ffmpeg", &arguments->video}};
  command.run = [arguments](const Shared& shared) { return Renderer(*arguments, shared).execute(); };
  return command;
}

}  // namespace resilin::cli
