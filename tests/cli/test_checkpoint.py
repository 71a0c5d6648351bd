"""resilin run --checkpoint-every and resilin resume: the resumed run is the uninterrupted one, whatever ended it."""
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from resilin_command import RESILIN, CommandTest, small_scene, strict_json


def log(folder):
    return [strict_json(line) for line in (folder / "run.jsonl").read_text().splitlines()]


class CheckpointTest(CommandTest):
    def start(self, *arguments):
        return subprocess.Popen([RESILIN, *map(str, arguments)], cwd=self.folder, env=self.environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, what, process, seconds=60):
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, "waited too long")
            self.assertIsNone(process.poll(), "the run ended too early")
            time.sleep(0.002)

    def checkpoints(self, folder):
        return sorted(p.name for p in (self.folder / folder).glob("checkpoint_*.rck"))


class Resume(CheckpointTest):
    def test_keeps_the_newest_two(self):
        self.resilin("run", self.write("bar.json", small_scene(frames=7)), "--checkpoint-every", 2, "--out", "a")
        self.assertEqual(self.checkpoints("a"), ["checkpoint_00006.rck", "checkpoint_00007.rck"])  # the last frame has one

    def test_more_frames_give_the_run_that_was_never_stopped(self):
        scene = self.write("bar.json", small_scene(output={"every": 2}, substeps=2))
        whole = self.json("run", scene, "--frames", 9, "--out", "whole")
        self.json("run", scene, "--frames", 5, "--checkpoint-every", 2, "--out", "parts", "--threads", 1)
        document = self.json("resume", "parts/", "--frames", 9, "--threads", 2)
        self.assertEqual(document["state_hash"], whole["state_hash"])
        self.assertEqual((document["resumed_from"], document["frames"], document["status"]), (5, 9, "done"))
        parts, other = self.folder / "parts", self.folder / "whole"
        self.assertEqual([line["frame"] for line in log(parts)], list(range(1, 10)))
        for key in ("frame", "time", "status", "iterations", "energy", "momentum"):
            self.assertEqual([line[key] for line in log(parts)], [line[key] for line in log(other)])
        self.assertEqual(len(list((parts / "frames").iterdir())), 6)  # frame 5, the last of the first part, is gone
        for file in sorted((other / "frames").iterdir()):
            self.assertEqual(file.read_bytes(), (parts / "frames" / file.name).read_bytes())
        self.assertEqual(strict_json((parts / "scene.json").read_text())["frames"], 9)
        index = re.findall(r'file="([^"]*)"', (parts / "bar.pvd").read_text())
        self.assertEqual(index, [f"frames/bar_{n:05}.vtu" for n in (0, 2, 4, 6, 8, 9)])
        again = self.json("resume", "parts")  # nothing is left to do
        self.assertEqual((again["state_hash"], again["frames"]), (whole["state_hash"], 9))

    def test_a_damaged_checkpoint_falls_back_to_the_one_before(self):
        scene = self.write("bar.json", small_scene(frames=6))
        whole = self.json("run", scene, "--checkpoint-every", 1, "--out", "a")
        newest = self.folder / "a/checkpoint_00006.rck"
        newest.write_bytes(newest.read_bytes()[:200])
        result = self.resilin("resume", "a", "--json")
        document = strict_json(result.stdout)
        self.assertIn("checkpoint_00006.rck", result.stderr)
        self.assertIn("200 bytes", document["warnings"][0])
        self.assertEqual((document["resumed_from"], document["state_hash"]), (5, whole["state_hash"]))
        self.assertEqual([line["frame"] for line in log(self.folder / "a")], list(range(1, 7)))
        for name in self.checkpoints("a"):
            (self.folder / "a" / name).write_bytes(b"nonsense")
        error = self.json("resume", "a", status=2)["error"]
        self.assertIn("checkpoint_00006.rck", error["problem"])
        self.assertIn("checkpoint_00005.rck", error["problem"])

    def test_what_cannot_be_resumed_is_refused(self):
        scene = self.write("bar.json", small_scene(frames=3))
        self.json("run", scene, "--out", "a")
        self.assertIn("--checkpoint-every", self.json("resume", "a", status=2)["error"]["problem"])
        self.json("resume", "nowhere", status=2)
        self.json("run", scene, "--checkpoint-every", 0, status=2)
        self.json("run", scene, "--checkpoint-every", 1, "--no-output", status=2)
        self.json("run", scene, "--checkpoint-every", 1, "--out", "b")
        self.json("resume", "b", "--frames", 2, status=2)

    def test_needs_no_scene_file(self):
        scene = self.write("bar.json", small_scene())
        whole = self.json("run", scene, "--frames", 6, "--set", "solver.iterations=7", "--no-output")
        self.json("run", scene, "--frames", 3, "--set", "solver.iterations=7", "--checkpoint-every", 3, "--out", "a")
        scene.unlink()
        (self.folder / "a/scene.json").unlink()
        self.assertEqual(self.json("resume", "a", "--frames", 6)["state_hash"], whole["state_hash"])


class Interrupts(CheckpointTest):
    def test_ctrl_c_and_sigterm_write_a_checkpoint_and_say_how_to_go_on(self):
        scene = self.write("bar.json", small_scene(frames=60))
        whole = self.json("run", scene, "--no-output")["state_hash"]
        for number in (signal.SIGINT, signal.SIGTERM):
            name = f"run{int(number)}"
            # --frames a million: it is certainly still running when the signal arrives.
            process = self.start("run", scene, "--frames", 1000000, "--out", name)
            self.wait_for(lambda: (self.folder / name / "run.jsonl").exists() and len(log_lines(self.folder / name)) > 3, process)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, err)
            self.assertIn(f"resilin resume {name}", err)
            done = log(self.folder / name)[-1]["frame"]
            self.assertEqual(self.checkpoints(name), [f"checkpoint_{done:05}.rck"])
            resumed = self.json("resume", name, "--frames", max(done + 1, 60))
            self.assertEqual(resumed["resumed_from"], done)
            if done < 60:
                self.assertEqual(resumed["state_hash"], whole)


def log_lines(folder):
    return (folder / "run.jsonl").read_bytes().split(b"\n")[:-1]


class Kill(CheckpointTest):
    kills = 20

    def test_kill_9_at_random_instants_leaves_a_checkpoint_that_loads(self):
        """Run, kill, resume, kill, ...: the chain of all parts is the uninterrupted run."""
        instants = random.Random(4)
        scene = self.write("bar.json", small_scene())
        process = self.start("run", scene, "--frames", 1000000, "--checkpoint-every", 1, "--out", "a")
        last = 0
        for _ in range(self.kills):
            self.wait_for(lambda: self.checkpoints("a"), process)
            time.sleep(instants.uniform(0, 0.12))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL)
            shutil.copytree(self.folder / "a", self.folder / "copy")
            names = self.checkpoints("copy")
            document = self.resume_to_newest("copy", names)
            self.assertGreaterEqual(document["resumed_from"], last)
            last = document["resumed_from"]
            shutil.rmtree(self.folder / "copy")
            process = self.start("resume", "a", "--frames", 1000000)
            self.wait_for(lambda: self.newest("a") > last, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        final = self.json("resume", "a", "--frames", self.newest("a") + 1)
        whole = self.json("run", scene, "--frames", final["frames"], "--no-output")
        self.assertEqual(final["state_hash"], whole["state_hash"])

    def newest(self, folder):
        return max([int(re.search(r"\d+", name).group()) for name in self.checkpoints(folder)], default=-1)

    def resume_to_newest(self, folder, names):
        """One frame more than the newest of the two: proves that it loads."""
        document = self.json("resume", folder, "--frames", self.newest(folder) + 1)
        self.assertLessEqual(len(names), 3)  # killed between writing a new one and removing the oldest
        self.assertEqual(document["warnings"], [])
        self.assertEqual([line["frame"] for line in log(self.folder / folder)], list(range(1, document["frames"] + 1)))
        return document


class Lock(CheckpointTest):
    def test_two_processes_do_not_write_one_run(self):
        process = self.start("run", self.write("bar.json", small_scene()), "--frames", 1000000, "--checkpoint-every", 1, "--out", "a")
        self.wait_for(lambda: self.checkpoints("a"), process)
        error = self.json("resume", "a", status=2)["error"]
        self.assertIn("another process", error["problem"])
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)


class Edits(CheckpointTest):
    EDITS = [{"step": 2, "edit": "kick", "velocity": [0, 1, 0]},
             {"step": 3, "edit": "set", "path": "bodies[0].material.young", "value": 3e5},
             {"step": 4, "edit": "drag", "name": "hand", "vertices": [3], "target": [0.2, 0.1, 0.3], "stiffness": 100},
             {"step": 6, "edit": "release", "name": "nobody"},
             {"step": 7, "edit": "release", "name": "hand"}]

    def test_are_logged_and_replayed_to_the_bit(self):
        scene, edits = self.write("bar.json", small_scene(frames=9)), self.write("edits.json", self.EDITS)
        plain = self.json("run", scene, "--no-output")
        whole = self.json("run", scene, "--edits", edits, "--out", "whole", "--threads", 1)
        self.assertNotEqual(plain["state_hash"], whole["state_hash"])
        logged = [edit for line in log(self.folder / "whole") for edit in line.get("edits", [])]
        self.assertEqual([edit["step"] for edit in logged], [2, 3, 4, 6, 7])
        self.assertIn("nobody", logged[3]["refused"])
        self.assertTrue(any("nobody" in warning for warning in whole["warnings"]))
        self.assertEqual(len(logged[2]["offsets"]), 3)  # complete: it can be applied again without the state
        again = self.resilin("replay", "whole", "--threads", 2)
        self.assertIn("the same", again.stderr)

    def test_a_changed_log_gives_another_state(self):
        scene, edits = self.write("bar.json", small_scene(frames=5)), self.write("edits.json", self.EDITS[:1])
        self.json("run", scene, "--edits", edits, "--out", "a")
        path = self.folder / "a/run.jsonl"
        path.write_text(path.read_text().replace('"velocity":[0,1,0]', '"velocity":[0,1.5,0]'))
        self.assertIn("another state", self.resilin("replay", "a", status=1).stderr)

    def test_a_resumed_run_goes_on_with_them(self):
        scene, edits = self.write("bar.json", small_scene(frames=9)), self.write("edits.json", self.EDITS)
        whole = self.json("run", scene, "--edits", edits, "--no-output")
        self.json("run", scene, "--edits", edits, "--frames", 5, "--checkpoint-every", 5, "--out", "parts")
        resumed = self.json("resume", "parts", "--frames", 9)
        self.assertEqual(resumed["state_hash"], whole["state_hash"])

    def test_what_is_no_edit_is_refused_with_its_place(self):
        scene = self.write("bar.json", small_scene(frames=2))
        for text, words in (('[{"step": 1, "edit": "kik"}]', ["kik", "kick"]), ('{"edit": "reset"}', ["step", "line 1"]),
                            ('{"step": 0, "edit": "kick", "speed": 3}', ["speed"]), ("[1, 2", ["edits.json"])):
            (self.folder / "edits.json").write_text(text)
            message = self.resilin("run", scene, "--edits", "edits.json", "--no-output", status=2).stderr
            for word in words:
                self.assertIn(word, message)


if __name__ == "__main__":
    unittest.main()
