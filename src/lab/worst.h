#pragma once
#include "setup/worst.h"

namespace resilin::lab {

using namespace setup;

}  // namespace resilin::lab
