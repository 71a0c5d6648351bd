#include "start_from.h"

#include <fmt/format.h>

#include "resilin/errors.h"
#include "resilin/scene.h"
#include "terminal.h"

namespace resilin::cli {

void start_from(Simulation& simulation, const Checkpoint& from) {
  simulation.restore(read_edits(from.edits, from.scene_file));
  if (fingerprint(simulation.model()) != from.model)
    throw InputError(
        from.scene_file,
        fmt::format("the scene does not give the model of the checkpoint any more: a mesh, or how Resilin "
                    "makes its shapes, has changed; start again with: resilin run {}",
                    shell_word(from.scene_file)));
  simulation.set_state(from.state);
}

}  // namespace resilin::cli
