// Where scenes are found: a path, or the name of one that comes with Resilin, or a mesh file.
#pragma once
#include <string>
#include <vector>

namespace resilin {

/// The folder of the gallery: RESILIN_SCENES, or where the library was built.
std::string gallery_folder();
/// The file that `name` means; throws InputError with the nearest names of the gallery when there is none.
std::string find_scene(const std::string& name);
/// What was chosen for a mesh file, and the field that says otherwise; "": none does.
struct Assumption {
  std::string path, sentence;
};
/// The text of a scene in which the mesh file falls on the ground.
std::string mesh_scene(const std::string& path, std::vector<Assumption>& assumed);

}  // namespace resilin
