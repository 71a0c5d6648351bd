#include "core/param_type.h"

namespace resilin {

const char* type_name(Param::Type type) {
  switch (type) {
    case Param::Type::number: return "number";
    case Param::Type::integer: return "integer";
    case Param::Type::boolean: return "boolean";
    case Param::Type::text: return "text";
    case Param::Type::choice: return "choice";
    case Param::Type::vector3: return "vector3";
    case Param::Type::numbers: return "numbers";
    case Param::Type::points: return "points";
    case Param::Type::any: return "any";
  }
  return "any";
}

}  // namespace resilin
