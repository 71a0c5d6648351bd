// The scene format, declared once: which objects there are, their fields (Params), and what may stand under fields
// that hold more than a plain value. Checking a scene and writing its JSON schema both walk these declarations; the
// readers take their Settings from them. It knows nothing of meshes or models.
#pragma once
#include <string>
#include <vector>

#include "resilin/params.h"

namespace resilin {

/// One thing that may stand under a key.
struct Form {
  enum class Kind {
    number,
    boolean,
    text,  // `of`: empty, or what names_for() knows: only these names are meant
    vector3,
    axis,      // "x", "y", "z" or a direction
    rows,      // a list of lists of numbers, or of numbers; checked by its reader
    object,    // `of`: the name of an object type
    plugin,    // an object whose "type" names a plugin of the kind `of`
    material,  // a plugin of that kind, "like" a preset, or (in regions) only the fields that differ
    list       // of objects (or texts) that each fit the form `of`
  };
  Kind kind;
  std::string of;
  std::string key = {};  // an object of this form has this key: what tells it from others that may stand there
};

struct Slot {
  std::string key;
  std::vector<Form> forms;
};

struct ObjectType {
  std::string name, doc;
  Params params;
  std::vector<Slot> slots;               // of the params of type `any`
  std::vector<std::string> exactly_one;  // of these keys, one must be given
  const Slot* slot(const std::string& key) const;
};

const std::vector<ObjectType>& object_types();
const ObjectType& object_type(const std::string& name);

/// The fields of an object: strict keys, types, ranges, defaults, and exactly one of what excludes each other.
Settings read_object(const std::string& type, const Value& value);

/// Checks a value and everything below it.
void check_object(const std::string& type, const Value& value);

/// A kind of plugin as scenes see it.
struct PluginKind {
  std::string kind, fallback;  // fallback: the type when none is named; empty: "type" is required
  std::string besides;         // the object type of the fields that all of them have besides their own; empty: none
  struct Entry {
    std::string name, doc;
    const Params* params;
  };
  std::vector<Entry> entries;
  std::vector<std::string> names() const;
};
/// "shape", "sheet", "material", "bending", "potential", "damping", "integrator", "solver" or "obstacle".
const PluginKind& plugin_kind(const std::string& kind);
/// Of a kind of plugin, of "preset" (of materials) or of "sheet preset".
std::vector<std::string> names_for(const std::string& kind);

/// A plugin chosen by a scene: {"type": name, fields...} or just its name.
struct PluginChoice {
  std::string type;
  Settings settings;
  Settings besides = {};
};
PluginChoice read_plugin(const std::string& kind, const Value& value);

/// A unit vector from "x", "y", "z" or [x, y, z].
std::array<double, 3> read_axis(const Value& value);
/// The vector, made a unit vector; zero is an error.
std::array<double, 3> read_direction(const Value& value);
/// The items of a list, or the one value that stands where a list may.
std::vector<const Value*> items(const Value& value);

}  // namespace resilin
