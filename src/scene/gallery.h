// Where scenes are found: a path, or the name of one that comes with Resilin.
#pragma once
#include <string>

namespace resilin {

/// The folder of the gallery: RESILIN_SCENES, or where the library was built.
std::string gallery_folder();
/// The file that `name` means; throws InputError with the nearest names of the gallery when there is none.
std::string find_scene(const std::string& name);

}  // namespace resilin
