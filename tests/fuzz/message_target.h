// One input to the parser of messages of the page: it is refused, or it is a message whose edit is the same when it
// is written and read again.
#pragma once
#include <string>

#include "protocol.h"
#include "resilin/errors.h"

namespace resilin::test {

/// What is wrong with the message, or ""; InputError when it is none.
inline std::string broken_message(const std::string& input) {
  try {
    const viewer::Message message = viewer::parse_message(input);
    const auto* request = std::get_if<viewer::EditRequest>(&message.request);
    if (request == nullptr) return "";
    const Value written = write_edit(request->edit);
    return write_edit(read_edit(written)).dump() == written.dump() ? "" : "an edit changes when it is written";
  } catch (const viewer::BadMessage& bad) {
    throw InputError("message", bad.what());
  }
}

}  // namespace resilin::test
