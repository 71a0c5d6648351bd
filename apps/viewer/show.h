// What is on show: simulations side by side (live.h), or a finished run (playback.h). Used by the thread that
// steps, and by no other.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocol.h"
#include "resilin/errors.h"
#include "resilin/model.h"
#include "scene/obstacles.h"

namespace resilin::viewer {

/// Who asked, and what to call the answer.
struct Asker {
  std::uint64_t client = 0;
  std::optional<double> id;  // none: no answer is wanted
};

/// An edit that was applied in every view that it was for, or refused in one.
struct EditAnswer {
  Asker asker;
  Edit edit;
  std::int64_t step = 0;
  std::string refused;  // why
};

/// One view at one moment.
struct Shot {
  std::vector<double> positions;  // xyz of the model's vertices
  std::vector<double> values;     // of colours, one per vertex; none: plain
  Value status;                   // as in protocol.md
  std::uint32_t edits = 0;        // applied so far
  std::int64_t step = 0;
  double time = 0;
};

/// Relative errors of a solve, by iteration.
struct Convergence {
  int view = 0;
  std::vector<std::array<double, 3>> iterations;  // number, seconds, error
};

/// What is wanted of a frame besides motion.
struct Wanted {
  std::string colour = "none";
  bool energies = true;  // measured anew
  bool hash = true;      // of the state, in `status`
};

class Show {
 public:
  virtual ~Show() = default;

  /// Members of the message `scene`, but for its type, notes and findings.
  virtual Value::Object describe() const = 0;
  /// Bodies that are drawn, at rest.
  virtual const Model& model() const = 0;
  virtual const DrawnObstacles& obstacles() const = 0;
  virtual int views() const = 0;
  /// Of the last frame [s].
  virtual double time() const = 0;
  /// Seconds that a frame shows.
  virtual double frame_time() const = 0;
  /// One frame further. Throws InputError where it cannot go on.
  virtual void advance() = 0;
  virtual Shot shoot(int view, const Wanted& wanted) = 0;
  /// In which unit colours are, "speed [m/s]".
  virtual std::string colour_label(const std::string& colour) const = 0;

  // Of simulations.
  virtual void post(const EditRequest&, const Asker&) { refuse("edits change simulations"); }
  /// Applies what was posted; true: the description may be another one.
  virtual bool apply() { return false; }
  /// Answers to edits since it was last asked.
  virtual std::vector<EditAnswer> answers() { return {}; }
  virtual void compare(const std::vector<Variant>&) { refuse("solvers are compared in simulations"); }
  virtual void watch_convergence(bool) { refuse("there is no solver at work"); }
  virtual std::vector<Convergence> convergence() { return {}; }
  /// The contents of a file that the page can ask for.
  virtual std::string exported(const std::string& file);

  // Of runs.
  virtual void seek(int) { refuse("only a run that is played back has a time line"); }

 protected:
  [[noreturn]] static void refuse(const std::string& why) { throw InputError("", why); }
};

inline std::string Show::exported(const std::string& file) { refuse(file + " is of simulations"); }

}  // namespace resilin::viewer
