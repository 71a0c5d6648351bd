// The log of a run: JSON lines, one object per frame, appended as the run goes. A crash at any moment leaves whole
// lines. Written by `resilin run`, read by reports and `resume`. It must not know what is simulated.
#pragma once
#include <string>

#include "resilin/params.h"

namespace resilin {

/// JSON has no NaN and no infinity: those become null.
Value finite_or_null(double number);

class RunLog {
 public:
  enum class Open { create, go_on };
  /// create: throws InputError when the file exists. go_on: appends to that of an earlier run. Either way the file
  /// is locked as long as this lives, and InputError thrown when another process has it: two runs must not write
  /// into one folder.
  explicit RunLog(std::string path, Open how = Open::create);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  /// Appends one line in one write. When that fails (disk full) the file is cut back to whole lines and InputError
  /// thrown.
  void append(const Value& line);
  /// Cuts the file after its first `bytes`: lines that a resumed run writes again.
  void cut(std::size_t bytes);
  void sync();
  /// Syncs and closes; appending afterwards is a bug. The destructor does the same and keeps silent about failures.
  void close();

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace resilin
