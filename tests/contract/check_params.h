// What every plugin's parameters must satisfy: they are documented, and every range is enforced by a message that
// names the parameter.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "resilin/errors.h"
#include "resilin/params.h"

namespace resilin::test {

// Besides `others`, without which it would be refused anyway.
inline void refuses(const Params& params, const Param& p, Value bad, const std::string& who,
                    const Value::Object& others) {
  Value object{others};
  object.set(p.name, std::move(bad));
  object.locate("test.json");
  try {
    params.read(object);
    ADD_FAILURE() << who << " accepts a bad " << p.name;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(p.name), std::string::npos) << who << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find("test.json"), std::string::npos) << who << ": " << error.what();
  }
}

inline void check_params(const std::string& who, const std::string& doc, const Params& params,
                         const Value::Object& others = {}) {
  EXPECT_FALSE(doc.empty()) << who << " has no documentation";
  for (const Param& p : params.list()) {
    EXPECT_FALSE(p.doc.empty()) << who << "." << p.name << " has no documentation";
    if (p.type == Param::Type::number || p.type == Param::Type::integer) {
      if (std::isfinite(p.range.low))
        refuses(params, p, p.range.low_open ? p.range.low : p.range.low - 1, who, others);
      if (std::isfinite(p.range.high))
        refuses(params, p, p.range.high_open ? p.range.high : p.range.high + 1, who, others);
      refuses(params, p, std::nan(""), who, others);
      refuses(params, p, "text", who, others);
    }
    if (p.type == Param::Type::choice) refuses(params, p, "no such choice", who, others);
    if (p.type == Param::Type::boolean) refuses(params, p, 3.0, who, others);
  }
  Value unknown{Value::Object{{"surely_not_a_parameter", 1.0}}};
  EXPECT_THROW(params.read(unknown), InputError) << who;
}

}  // namespace resilin::test
