// resilin list [KIND]: what is registered, with parameters, units and ranges, straight from the registries.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "command.h"
#include "resilin/params.h"
#include "resilin/registry.h"

namespace resilin::cli {

struct Entry {
  std::string name, doc;
  Params params;
};

struct Kind {
  std::string name, doc;
  std::function<std::vector<Entry>()> entries;  // none: another program has them, `doc` says which
};

template <class Plugin>
std::vector<Entry> entries_of() {
  std::vector<Entry> out;
  for (const auto& [name, plugin] : registry<Plugin>()) {
    Entry entry{name, "", {}};
    if constexpr (requires { plugin.title; }) entry.doc = plugin.title + " [" + plugin.source.text() + "]";
    else entry.doc = plugin.doc;
    if constexpr (requires { plugin.params; }) entry.params = plugin.params;
    out.push_back(std::move(entry));
  }
  return out;
}

/// Everything that a simulation is made of.
std::vector<Kind> simulation_kinds();

Command list_command(std::vector<Kind> kinds);

}  // namespace resilin::cli
