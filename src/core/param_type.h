// Names of the types of parameters, for those who describe a registry to others: the page and Python.
#pragma once
#include "resilin/params.h"

namespace resilin {

const char* type_name(Param::Type type);

}  // namespace resilin
