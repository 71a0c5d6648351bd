// Simulations on show, all of them from one scene: one view, or several that are compared.
#pragma once
#include <deque>
#include <optional>

#include "colours.h"
#include "resilin/checkpoint.h"
#include "resilin/scene.h"
#include "resilin/simulation.h"
#include "show.h"

namespace resilin::viewer {

/// What can be simulated: a scene, or a checkpoint, which is gone on from.
struct Opened {
  Scene scene;
  std::optional<Checkpoint> from = {};
};
/// A scene, a mesh, or a checkpoint (.rck).
Opened open_input(const std::string& input, const std::vector<Override>& overrides);

class Live final : public Show {
 public:
  /// Meshes and builds it: a Watch of this thread hears of it and may stop it. `notes` receives what was repaired
  /// and assumed.
  Live(Opened opened, int threads, std::vector<std::string>& notes);

  Value::Object describe() const override;
  const Model& model() const override { return views_.front().simulation->model(); }
  const DrawnObstacles& obstacles() const override { return obstacles_; }
  int views() const override { return static_cast<int>(views_.size()); }
  double time() const override { return views_.front().simulation->state().time; }
  double frame_time() const override { return views_.front().scene.step; }
  void advance() override;
  Shot shoot(int view, const Wanted& wanted) override;
  std::string colour_label(const std::string& colour) const override { return viewer::colour_label(colour); }

  void post(const EditRequest& request, const Asker& asker) override;
  bool apply() override;
  std::vector<EditAnswer> answers() override { return std::exchange(answers_, {}); }
  void compare(const std::vector<Variant>& variants) override;
  void watch_convergence(bool on) override { watching_ = on; }
  std::vector<Convergence> convergence() override { return std::exchange(convergence_, {}); }
  std::string exported(const std::string& file) override;

  const Simulation& simulation(int view = 0) const { return *views_[static_cast<std::size_t>(view)].simulation; }

 private:
  // An edit on its way through the views that it is for.
  struct Ticket {
    EditAnswer answer;
    int missing = 0;
  };
  struct View {
    std::string label;
    std::unique_ptr<Simulation> simulation;
    Scene scene;  // as it is described now
    std::deque<std::shared_ptr<Ticket>> posted = {};
    std::uint32_t edits = 0;
    std::optional<VertexColours> colours = {};
    // Of the last frame.
    Status status = Status::converged;
    SolveReport solve = {};
    double seconds = 0;
    // As last measured.
    Energy energy = {};
    std::array<double, 3> momentum{0, 0, 0};
  };
  bool apply(View& view);
  void advance(View& view, int number);
  StepReport watched_step(View& view, int number);
  Value status(View& view, const Wanted& wanted);
  void read_description(View& view);

  Scene scene_;  // as it was opened
  int threads_ = 0;
  std::vector<View> views_;
  DrawnObstacles obstacles_;
  std::vector<EditAnswer> answers_;
  bool watching_ = false;
  std::vector<Convergence> convergence_;
};

}  // namespace resilin::viewer
