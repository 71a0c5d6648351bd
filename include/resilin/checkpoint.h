// Checkpoints: a run at the end of a frame, as one file from which it goes on bit for bit. Versioned, checksummed,
// atomic.
//
//   const Checkpoint c = load_checkpoint("out/bar/checkpoint_00012.rck");
//   auto simulation = build_simulation(parse_scene(c.scene, c.scene_file));
//   simulation->restore(read_edits(c.edits, "checkpoint"));
//   simulation->set_state(c.state);
//
// Written by `resilin run`, read by `resilin resume`. It must not know how scenes are built or frames are written.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

/// Of the format. Another version is refused with a message that names both.
constexpr std::uint32_t checkpoint_version = 2;

struct Checkpoint {
  std::string scene;  // JSON of the scene with its overrides applied
  std::string
      scene_file;  // its path: mesh files in it are relative to that; it may be relative to the checkpoint's folder
  std::string made_by;      // version, commit and instruction set: other ones may give other bits
  std::uint64_t model = 0;  // fingerprint() of the model that the scene gave
  int frame = 0;            // frames done
  int every = 0;            // frames between checkpoints of the run; 0: none
  State state;
  std::string edits;    // that were applied or refused so far: JSON lines, see read_edits in scene.h
  std::string planned;  // of the run's file of edits: those to come are among them
};

/// 64-bit hash of vertices, masses and elements: tells whether a scene still gives the model that was checkpointed.
std::uint64_t fingerprint(const Model& model);
/// What `made_by` is for this library.
std::string checkpoint_maker();

std::string encode_checkpoint(const Checkpoint& checkpoint);
/// Throws InputError at `where` that says what is damaged. Any single flipped bit and any missing byte is noticed.
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& where);

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint);
/// `scene_file` comes back with the folder that `path` is in: a run's folder may have been moved.
Checkpoint load_checkpoint(const std::string& path);

/// Writes FOLDER/checkpoint_00012.rck and then removes all but it and the one before: whenever the process dies, a
/// whole one is there. Returns the file's path.
std::string add_checkpoint(const std::string& folder, const Checkpoint& checkpoint);

/// Checkpoint files of a folder, newest first.
std::vector<std::string> checkpoint_files(const std::string& folder);

struct FoundCheckpoint {
  Checkpoint checkpoint;
  std::string file;
  std::vector<std::string> damage;  // what is wrong with each newer one
};
/// The newest that can be read; InputError when there is none, naming the damage of those that are there.
FoundCheckpoint newest_checkpoint(const std::string& folder);

}  // namespace resilin
