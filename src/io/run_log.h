// The log of a run: JSON lines, one object per frame, appended as the run goes. A crash at any moment leaves whole lines.
// Written by `resilin run`, read by reports and `resume`. It must not know what is simulated.
#pragma once
#include <string>

#include "resilin/params.h"

namespace resilin {

/// JSON has no NaN and no infinity: those become null.
Value finite_or_null(double number);

class RunLog {
 public:
  /// Creates the file; throws InputError when it exists or cannot be written.
  explicit RunLog(std::string path);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  /// Appends one line in one write. When that fails (disk full) the file is cut back to whole lines and InputError thrown.
  void append(const Value& line);
  /// Syncs and closes; appending afterwards is a bug. The destructor does the same and keeps silent about failures.
  void close();

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace resilin
