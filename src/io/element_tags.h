// Groups as one number per element, for formats that know nothing better. Groups may overlap and these numbers
// cannot: each distinct set of groups gets a number of its own, from 1, and the name "a+b". 0: in no group.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

struct ElementTags {
  std::vector<int> tag;                        // per element
  std::vector<std::string> names;              // of tag i + 1
  std::vector<std::vector<std::string>> sets;  // the groups of tag i + 1

  ElementTags(const Groups& groups, std::size_t count) : tag(count, 0) {
    for (const auto& [name, ids] : groups) {
      std::map<int, int> next;  // tag before -> tag with this group
      for (const int id : ids) {
        const auto [at, fresh] = next.try_emplace(tag[id], static_cast<int>(names.size()) + 1);
        if (fresh) {
          const int before = at->first;
          names.push_back(before == 0 ? name : names[static_cast<std::size_t>(before) - 1] + "+" + name);
          sets.push_back(before == 0 ? std::vector<std::string>{} : sets[static_cast<std::size_t>(before) - 1]);
          sets.back().push_back(name);
        }
        tag[id] = at->second;
      }
    }
  }
};

}  // namespace resilin
