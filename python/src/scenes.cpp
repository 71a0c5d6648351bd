// Scenes and pictures.
#include <pybind11/stl.h>

#include "bindings.h"
#include "resilin/io.h"
#include "resilin/render.h"
#include "scene/obstacles.h"
#include "scene/start_check.h"

namespace resilin::python {
namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<Held> simulate(Scene scene, int threads) {
  auto held = std::make_shared<Held>();
  run_watched([&] {
    held->take(build_simulation(scene, threads, &held->notes));
    const Simulation& made = *held->simulation;
    for (std::string& warning : start_warnings(scene, made.model(), made.positions(), made.state().time))
      held->notes.push_back(std::move(warning));
  });
  held->scene = std::move(scene);
  return held;
}

std::shared_ptr<Held> load(py::object path, const Overrides& overrides, int threads) {
  const std::string file = to_path(path);
  Scene scene;
  run_watched([&] { scene = load_scene(file, overrides); });
  return simulate(std::move(scene), threads);
}

std::shared_ptr<Held> parse(const std::string& text, const std::string& where, const Overrides& overrides,
                            int threads) {
  return simulate(parse_scene(text, where, overrides), threads);
}

std::optional<View> view_of_camera(py::handle eye, py::handle target, const Vec3& up, double field_of_view) {
  if (eye.is_none()) return std::nullopt;
  return View{to_vector3(eye, "eye"), target.is_none() ? Vec3{0, 0, 0} : to_vector3(target, "target"), up,
              field_of_view};
}

py::array_t<std::uint8_t> draw(Held& held, int width, int height, int samples, py::object eye, py::object target,
                               py::object up, double field_of_view, bool edges, py::object colours,
                               const std::string& label) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384 || samples < 1 || samples > 8)
    throw InputError("render", "width and height are from 1 to 16384, samples from 1 to 8");
  if (!(field_of_view > 0) || !(field_of_view < 180))
    throw InputError("render: field_of_view", "is from 0 to 180 degrees");
  const Using now(held);
  const Simulation& s = *held.simulation;
  RenderOptions options;
  options.width = width, options.height = height, options.samples = samples, options.edges = edges;
  options.up = {0, 0, 0};
  options.up[held.scene ? static_cast<std::size_t>(held.scene->up[0] - 'x') : 1] = 1;
  if (!up.is_none()) options.up = to_vector3(up, "up");
  options.view = view_of_camera(eye, target, options.up, field_of_view);
  if (!colours.is_none()) {
    options.colouring.values = to_numbers(colours, s.model().vertex_count(), "colours");
    options.colouring.label = label;
    const auto [low, high] = std::minmax_element(options.colouring.values.begin(), options.colouring.values.end());
    options.colouring.low = *low, options.colouring.high = *high;
  }
  if (held.scene) {
    const DrawnObstacles obstacles(*held.scene);
    options.ground_height = obstacles.ground(options.up, s.state().time);
    options.obstacles = obstacles.at(s.state().time);
  }
  options.threads = s.threads();
  Picture picture;
  run_watched([&] { picture = render(s.model(), s.positions(), options); });
  const std::vector<py::ssize_t> shape = {picture.height, picture.width, 3};
  return py::array_t<std::uint8_t>(shape, picture.rgb.data());
}

py::bytes png_of(const py::array& given) {
  if (given.ndim() != 3 || given.shape(2) != 3 || given.size() == 0 ||
      !given.dtype().is(py::dtype::of<std::uint8_t>()))
    throw InputError("png", "an array of uint8 of the shape (height, width, 3) is wanted");
  const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast> image(given);
  Picture picture{static_cast<int>(image.shape(1)),
                  static_cast<int>(image.shape(0)),
                  {image.data(), image.data() + image.size()}};
  return png(picture);
}

}  // namespace

void bind_scenes(py::module_& m) {
  m.def("load_scene", &load, py::arg("file"), py::arg("overrides"), py::arg("threads"));
  m.def("parse_scene", &parse, py::arg("text"), py::arg("where"), py::arg("overrides"), py::arg("threads"));
  m.def("gallery", &gallery);
  m.def("render", &draw);
  m.def("png", &png_of);
  m.def("scene_schema", &scene_schema);
}

}  // namespace resilin::python
