"""The folder of a run: it can be moved, its scene runs again, and whatever ended the run, resume leaves what an unbroken run leaves."""
import resource
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from resilin_command import RESILIN, strict_json, small_scene
from test_checkpoint import CheckpointTest, log_lines
from test_surface_bodies import OCTAHEDRON

CUBE_NODE = "8 3 0 0\n" + "".join(f"{i} {i & 1} {i >> 1 & 1} {i >> 2 & 1}\n" for i in range(8))
CUBE_ELE = "5 4 0\n0 0 1 2 4\n1 3 2 1 7\n2 5 4 7 1\n3 6 7 4 2\n4 1 2 4 7\n"


def gem_scene(**changes):
    scene = {"name": "gem", "frames": 4, "step": 0.02, "bodies": [{"mesh": {"surface": "../models/gem.obj", "cells": 6}}]}
    scene.update(changes)
    return scene


class MovedFolders(CheckpointTest):
    def setUp(self):
        super().setUp()
        for folder in ("models", "scenes"):
            (self.folder / folder).mkdir()
        self.write("models/gem.obj", OCTAHEDRON)
        self.scene = self.write("scenes/gem.json", gem_scene())

    def lose_everything_but(self, folder):
        """Moves it, and deletes what it was made from."""
        (self.folder / "elsewhere").mkdir()
        shutil.move(self.folder / folder, self.folder / "elsewhere" / "moved")
        shutil.rmtree(self.folder / "models")
        shutil.rmtree(self.folder / "scenes")
        return "elsewhere/moved"

    def test_the_scene_runs_again_from_anywhere(self):
        first = self.json("run", self.scene, "--out", "a")
        moved = self.lose_everything_but("a")
        again = self.json("run", self.folder / moved / "scene.json", "--out", "b")
        self.assertEqual((again["state_hash"], again["scene"]), (first["state_hash"], "gem"))
        third = self.json("run", "b/scene.json", "--no-output")  # also of the copy's copy
        self.assertEqual(third["state_hash"], first["state_hash"])
        self.assertIn("the same", self.resilin("replay", moved).stderr)

    def test_obstacles_of_files_move_along(self):
        (self.folder / "models/hills.pgm").write_text("P2 3 3 9\n9 0 9\n0 3 0\n9 0 9\n")
        scene = self.write("scenes/obstacles.json", gem_scene(frames=6, obstacles=[
            {"type": "mesh", "mesh": "../models/gem.obj", "translate": [0, -2.2, 0],
             "motion": {"translate": {"direction": [0, 1, 0], "speed": 4}}},
            {"type": "height_field", "heights": "../models/hills.pgm", "translate": [0, -1.1, 0]}]))
        first = self.json("run", scene, "--out", "a")
        moved = self.lose_everything_but("a")
        again = self.json("run", self.folder / moved / "scene.json", "--out", "b")
        self.assertEqual(again["state_hash"], first["state_hash"])
        self.resilin("render", "b", "--frame", 3, "--size", "160x120", "--out", "picture.png")
        self.assertTrue((self.folder / "picture.png").exists())

    def reduced_scene(self, **changes):
        reduction = {"handles": 5, "fit_handles": 3, "samples": 20, "file": "gem.reduction"} | changes
        return self.write("scenes/gem.json", gem_scene(contact=False, reduction=reduction))

    def test_a_precomputed_reduction_is_kept_and_moves_along(self):
        scene = self.reduced_scene()
        first = self.json("run", scene, "--out", "a")
        kept = self.folder / "scenes/gem.reduction"
        written = (kept.read_bytes(), kept.stat().st_mtime_ns)
        second = self.json("run", scene, "--no-output")
        self.assertEqual(second["state_hash"], first["state_hash"])
        self.assertEqual((kept.read_bytes(), kept.stat().st_mtime_ns), written)  # read, not written again
        kept.unlink()
        self.assertEqual(self.json("run", scene, "--no-output")["state_hash"], first["state_hash"])
        self.assertEqual(kept.read_bytes(), written[0])
        moved = self.lose_everything_but("a")
        again = self.json("run", self.folder / moved / "scene.json", "--out", "b")
        self.assertEqual(again["state_hash"], first["state_hash"])
        self.assertIn("the same", self.resilin("replay", moved).stderr)

    def test_a_precomputed_reduction_that_does_not_fit_is_refused_with_a_remedy(self):
        def error(scene, *arguments):
            return self.resilin("run", scene, "--no-output", *arguments, status=2).stderr
        scene = self.reduced_scene()
        self.json("run", scene, "--no-output")
        kept = self.folder / "scenes/gem.reduction"
        good = kept.read_bytes()
        for changed, words in ((good[:-7], "damaged"), (good[:3], "first bytes"), (b"", "first bytes"),
                               (good[:200] + bytes([good[200] ^ 4]) + good[201:], "checksum")):
            kept.write_bytes(changed)
            message = error(scene)
            self.assertIn("gem.reduction", message)
            self.assertIn(words, message)
            self.assertIn("name another file", message)
            self.assertEqual(kept.read_bytes(), changed)  # nothing is overwritten
        kept.write_bytes(good)
        for other in ("bodies[0].mesh.cells=7", "reduction.handles=6", "bodies[0].density=999"):
            message = error(scene, "--set", other)
            self.assertIn("another mesh, other masses, materials or settings", message)
            self.assertIn("delete it", message)
        self.assertIn("cannot be written", error(self.reduced_scene(file="nowhere/gem.reduction")))
        self.assertIn("cannot be read", error(self.reduced_scene(file=".")))
        self.assertIn("name of a file", error(self.reduced_scene(file="")))

    def test_a_run_resumes_in_a_moved_folder(self):
        whole = self.json("run", self.scene, "--frames", 8, "--no-output")
        self.json("run", self.scene, "--checkpoint-every", 2, "--out", "a")
        moved = self.lose_everything_but("a")
        self.assertEqual(self.json("resume", moved, "--frames", 8)["state_hash"], whole["state_hash"])

    def test_a_scene_without_a_name_keeps_that_of_its_file(self):
        scene = gem_scene()
        del scene["name"]
        self.json("run", self.write("scenes/stone.json", scene), "--out", "a")
        self.assertEqual(self.json("run", "a/scene.json", "--no-output")["scene"], "stone")

    def test_an_old_run_is_run_again_in_its_place(self):
        first = self.json("run", self.scene, "--out", "a")
        again = self.json("run", "a/scene.json", "--out", "a", "--overwrite")
        self.assertEqual(again["state_hash"], first["state_hash"])
        self.assertTrue((self.folder / "a/meshes/gem.obj").exists())

    def test_every_mesh_is_copied_once_with_what_lies_beside_it(self):
        (self.folder / "other").mkdir()
        self.write("other/gem.obj", OCTAHEDRON.replace("v 1 0 0", "v 2 0 0"))
        self.write("models/cube.node", CUBE_NODE)
        self.write("models/cube.ele", CUBE_ELE)
        gem = {"mesh": {"surface": "../models/gem.obj", "cells": 6}}
        bodies = [gem, dict(gem, translate=[3, 0, 0]), {"mesh": {"surface": "../other/gem.obj", "cells": 6}},
                  {"mesh": "../models/cube.ele"}]
        for i, body in enumerate(bodies):
            body["name"] = f"body{i}"
        first = self.json("run", self.write("scenes/many.json", gem_scene(bodies=bodies)), "--out", "a")
        copies = sorted(str(p.relative_to(self.folder / "a/meshes")) for p in (self.folder / "a/meshes").rglob("*") if p.is_file())
        self.assertEqual(copies, ["2/gem.obj", "cube.ele", "cube.node", "gem.obj"])
        shutil.rmtree(self.folder / "other")
        moved = self.lose_everything_but("a")
        self.assertEqual(self.json("run", f"{moved}/scene.json", "--no-output")["state_hash"], first["state_hash"])

    def test_an_edited_mesh_is_found_by_resume(self):
        self.write("models/longer.obj", OCTAHEDRON.replace("v 1 0 0", "v 1.001 0 0"))
        edits = self.write("edits.json", [{"step": 2, "edit": "set", "path": "bodies[0].mesh.surface", "value": "../models/longer.obj"}])
        whole = self.json("run", self.scene, "--edits", edits, "--frames", 6, "--no-output")
        self.assertEqual(whole["warnings"], [])
        self.json("run", self.scene, "--edits", edits, "--checkpoint-every", 2, "--out", "a")
        self.assertEqual(self.json("resume", "a", "--frames", 6)["state_hash"], whole["state_hash"])
        self.assertEqual(strict_json((self.folder / "a/scene.json").read_text())["bodies"][0]["mesh"]["surface"], "meshes/gem.obj")


class EditedScenes(CheckpointTest):
    def setUp(self):
        super().setUp()
        self.scene = self.write("bar.json", small_scene(frames=3))
        self.json("run", self.scene, "--checkpoint-every", 1, "--out", "a b")
        self.file = self.folder / "a b/scene.json"

    def test_a_changed_scene_is_not_ignored(self):
        self.file.write_text(self.file.read_text().replace('"young": 100000', '"young": 200000'))
        error = self.json("resume", "a b", "--frames", 5, status=2)["error"]
        self.assertIn("bodies[0].material.young", error["problem"])
        self.assertIn("resilin run 'a b/scene.json'", error["problem"])
        self.json("run", "a b/scene.json", "--no-output")
        self.file.unlink()  # the other advice
        whole = self.json("run", self.scene, "--frames", 5, "--no-output")
        self.assertEqual(self.json("resume", "a b", "--frames", 5)["state_hash"], whole["state_hash"])

    def test_more_frames_and_another_layout_are_no_change(self):
        scene = strict_json(self.file.read_text())
        self.write("a b/scene.json", dict(reversed(list(scene.items())), frames=6))
        self.assertEqual(self.json("resume", "a b")["frames"], 6)
        self.write("a b/scene.json", dict(scene, frames=2))
        self.assertIn("frames", self.json("resume", "a b", status=2)["error"]["where"])

    def test_nonsense_is_an_error(self):
        for text in ("[1, 2]", "{"):
            self.file.write_text(text)
            self.assertIn("scene.json", self.json("resume", "a b", status=2)["error"]["where"])


class Animations(CheckpointTest):
    FORMATS = ["npz", "glb", "pc2", "mdd", "usda"]

    def scene_of(self, **changes):
        return self.write("bar.json", small_scene(output={"formats": self.FORMATS + ["vtu"], "every": 2}, **changes))

    def same_results(self, one, other):
        names = sorted(p.relative_to(self.folder / one) for p in (self.folder / one).rglob("*") if p.suffix[1:] in (*self.FORMATS, "obj", "vtu", "pvd"))
        self.assertGreater(len(names), len(self.FORMATS))
        for name in names:
            self.assertEqual((self.folder / one / name).read_bytes(), (self.folder / other / name).read_bytes(), name)
        self.assertEqual(names, sorted(p.relative_to(self.folder / other) for p in (self.folder / other).rglob("*")
                                       if p.suffix[1:] in (*self.FORMATS, "obj", "vtu", "pvd")))

    def test_ctrl_c_and_resume_leave_the_files_of_an_unbroken_run(self):
        scene = self.scene_of(frames=1000000)
        process = self.start("run", scene, "--out", "parts")
        for count in (3, 8):  # twice: a run, then a resumed one
            self.wait_for(lambda: (self.folder / "parts/run.jsonl").exists() and len(log_lines(self.folder / "parts")) > count, process)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            self.assertTrue((self.folder / "parts/bar.npz").exists())
            done = len(log_lines(self.folder / "parts"))
            process = self.start("resume", "parts")
            self.wait_for(lambda: len(log_lines(self.folder / "parts")) > done, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done = max(int(name[11:16]) for name in self.checkpoints("parts"))
        self.json("resume", "parts", "--frames", done + 3)
        self.json("run", scene, "--frames", done + 3, "--out", "whole")
        self.same_results("whole", "parts")

    def test_more_frames_of_a_finished_run_leave_one_file(self):
        scene = self.scene_of()
        self.json("run", scene, "--frames", 9, "--out", "whole")
        self.json("run", scene, "--frames", 5, "--checkpoint-every", 5, "--out", "parts")
        self.json("resume", "parts", "--frames", 9)
        self.same_results("whole", "parts")
        self.assertEqual(list((self.folder / "whole").glob("*.positions")), [])  # nothing to go on from

    def test_lost_positions_are_told_and_replace_nothing(self):
        self.json("run", self.scene_of(), "--frames", 4, "--checkpoint-every", 4, "--out", "a")
        before = (self.folder / "a/bar.npz").read_bytes()
        (self.folder / "a/bar.positions").unlink()
        for frames in (6, 8):
            document = self.json("resume", "a", "--frames", frames)
            self.assertEqual(any("bar.positions" in warning for warning in document["warnings"]), frames == 6)
            self.assertEqual((self.folder / "a/bar.npz").read_bytes(), before)
            self.assertTrue((self.folder / "a/bar_from_00005.npz").exists())

    def run_on_a_small_disk(self, limit, *arguments):
        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit is an error, as on a full disk
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        return subprocess.run([RESILIN, *map(str, arguments)], cwd=self.folder, env=self.environment(), text=True, capture_output=True,
                              preexec_fn=small_disk, timeout=300)

    def test_what_a_full_disk_kept_back_is_written_by_resume(self):
        bodies = small_scene()["bodies"]
        bodies[0]["shape"]["cells"] = [8, 4, 4]  # positions take more room than the log
        scene = self.scene_of(frames=40, bodies=bodies)
        self.json("run", scene, "--out", "whole")
        self.json("run", scene, "--out", "kept", "--checkpoint-every", 40)
        positions = (self.folder / "kept/bar.positions").stat().st_size
        self.assertGreater((self.folder / "whole/bar.npz").stat().st_size, positions)
        for name, options in (("plain", []), ("checkpoints", ["--checkpoint-every", 10])):
            result = self.run_on_a_small_disk(positions, "run", scene, "--out", name, *options)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(".npz: cannot be written", result.stderr)
            self.assertIn(f"resilin resume {name}", result.stderr)
            again = self.run_on_a_small_disk(positions, "resume", name)  # still full
            self.assertEqual(again.returncode, 1, again.stderr)
            self.json("resume", name)
            self.same_results("whole", name)


class Leftovers(CheckpointTest):
    def test_temporary_files_of_a_killed_run_are_deleted(self):
        self.json("run", self.write("bar.json", small_scene(frames=2)), "--checkpoint-every", 1, "--out", "a")
        left = ["a/summary.json.tmp-123-0", "a/frames/bar_00002.vtu.tmp-123-7", "a/checkpoint_00002.rck.tmp-9-1"]
        own = ["a/notes.tmp", "a/x.tmp-1-2.txt"]
        for name in left + own:
            (self.folder / name).write_text("")
        self.json("resume", "a")
        self.assertEqual([name for name in left + own if (self.folder / name).exists()], own)


if __name__ == "__main__":
    unittest.main()
