// Grey pictures in the Netpbm format (.pgm, P2 and P5): heights of terrain.
#pragma once
#include <string>
#include <vector>

#include "resilin/params.h"

namespace resilin {

struct GreyPicture {
  int width = 0, height = 0;
  std::vector<double> values;  // in [0, 1], rows from the top
};
/// `text`: the contents of the file; `where`: its name.
GreyPicture parse_pgm(const std::string& text, const std::string& where);
/// `name`: the value that names the file, relative to `folder`; errors are located there.
GreyPicture read_pgm(const Value& name, const std::string& folder);

}  // namespace resilin
