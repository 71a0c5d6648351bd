#pragma once
#include "setup/advance.h"

namespace resilin::lab {

using namespace setup;

}  // namespace resilin::lab
