// What is registered, by kind. A plugin is one .cpp with a function `KindPlugin kind_name()` and one CMake line
// `resilin_add(kind name)`; CMake writes the list below from those lines, so static linking cannot drop a plugin.
#pragma once
#include <string>
#include <vector>

#include "resilin/params.h"

namespace resilin {

template <class Plugin>
struct Registered {
  std::string name;
  Plugin plugin;
};

/// All plugins of a kind, in the order of their CMake lines. Specialised in generated code.
template <class Plugin>
const std::vector<Registered<Plugin>>& registry();

/// Throws InputError at `where` that lists what there is and suggests the nearest name.
[[noreturn]] void unknown_plugin(const std::string& kind, const std::string& name,
                                 const std::vector<std::string>& known, const std::string& where);

template <class Plugin>
const Registered<Plugin>* find_plugin(const std::string& name) {
  for (const auto& entry : registry<Plugin>())
    if (entry.name == name) return &entry;
  return nullptr;
}

/// The plugin of that name, or InputError at `where` (a scene path, or "command line").
template <class Plugin>
const Plugin& plugin(const std::string& kind, const std::string& name, const std::string& where) {
  if (const auto* entry = find_plugin<Plugin>(name)) return entry->plugin;
  std::vector<std::string> known;
  for (const auto& entry : registry<Plugin>()) known.push_back(entry.name);
  unknown_plugin(kind, name, known, where);
}

}  // namespace resilin
