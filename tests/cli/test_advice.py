"""Every command that `resilin` prints for the user to type works as it stands."""
import gzip
import re
import shlex
import signal
import subprocess
import unittest

from resilin_command import RESILIN, small_scene
from test_check import CUBE, obj
from test_checkpoint import CheckpointTest, log_lines
from test_run_folder import CUBE_ELE, CUBE_NODE
from test_surface_bodies import OCTAHEDRON

# One tet of second order; a cube whose second tet is inverted.
TET10 = """$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 0 .5 .5
10 .5 0 .5\n$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"""
INVERTED_ELE = CUBE_ELE.replace("1 3 2 1 7", "1 2 3 1 7")


class Advice(CheckpointTest):
    def type(self, command, *more):
        """As a shell would run it; `resilin` is the one under test."""
        words = shlex.split(command)
        self.assertEqual(words[0], "resilin", command)
        result = subprocess.run([RESILIN, *words[1:], *more], cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return result

    def next_of(self, text):
        return re.findall(r"^next: (.*)$", text, re.MULTILINE)[-1]

    def follow(self, name, *options):
        """From check to the end: repairs lead to a run, and so does everything else."""
        text = self.resilin("check", name, *options).stdout
        command = self.next_of(text)
        self.assertEqual(self.json("check", name, *options)["next"], command)
        if " --repair " in command:
            text = self.type(command).stdout
            command = self.next_of(text)
        self.assertTrue(command.startswith("resilin run "), text)
        self.type(command, "--frames", "1")
        fragment = re.findall(r"^in a body of a scene: (.*)$", text, re.MULTILINE)[-1]
        scene = f'{{"frames": 1, "bodies": [{{{fragment}}}]}}'
        self.resilin("run", self.write("fragment.json", scene), "--no-output")

    def test_next_of_every_kind_of_file(self):
        vertices, triangles = CUBE
        broken = obj(vertices + [(1, 2, 3)], triangles)  # a vertex that nothing uses
        (self.folder / "a folder").mkdir()
        self.write("gem.obj", OCTAHEDRON)
        self.write("a folder/it's a gem.obj", OCTAHEDRON)
        self.write("sheet.obj", "v 0 0 0\nv 3 0 0\nv 3 0 2\nv 0 0 2\nf 1 2 3 4\n")
        self.write("broken.obj", broken)
        for name, text in (("gem.obj.gz", OCTAHEDRON), ("broken.obj.gz", broken)):
            (self.folder / name).write_bytes(gzip.compress(text.encode()))
        for stem, tets in (("cube", CUBE_ELE), ("inverted", INVERTED_ELE)):
            self.write(f"{stem}.node", CUBE_NODE)
            self.write(f"{stem}.ele", tets)
        self.write("curved.msh", TET10)
        for name in ("gem.obj", "a folder/it's a gem.obj", "sheet.obj", "broken.obj", "gem.obj.gz", "broken.obj.gz", "cube.node", "cube.ele",
                     "inverted.ele", "inverted.node"):
            with self.subTest(name):
                self.follow(name)
        self.follow("curved.msh", "--linearise")

    def test_higher_order_elements_say_what_to_do(self):
        self.write("curved.msh", TET10)
        scene = self.write("curved.json", {"name": "curved", "frames": 1, "bodies": [{"mesh": "curved.msh"}]})
        for what in ("curved.msh", scene):
            self.assertIn("--linearise", self.resilin("run", what, status=2).stderr)
            self.resilin("run", what, "--frames", 1, "--linearise", "--out", f"of {what}".replace("/", "_"))
        self.json("run", "of curved.msh/scene.json", "--no-output")  # the scene of the run knows
        self.assertIn('"linearise": true', self.resilin("check", "curved.msh", status=2).stderr)
        self.write("curved.json", {"frames": 1, "bodies": [{"mesh": "curved.msh", "linearise": True}]})
        self.resilin("run", "curved.json", "--no-output")
        self.resilin("convert", "curved.msh", "straight.msh", "--linearise")

    def test_new_says_how_to_run_it(self):
        (self.folder / "my scenes").mkdir()
        for name in ("jelly", "my scenes/jelly"):
            text = self.resilin("new", name).stdout
            self.type(re.search(r"try: (resilin .*)$", text, re.MULTILINE).group(1), "--frames", "1", "--no-output")

    def test_an_interrupted_run_says_how_to_go_on(self):
        process = self.start("run", self.write("bar.json", small_scene()), "--frames", 1000000, "--out", "a run")
        self.wait_for(lambda: (self.folder / "a run/run.jsonl").exists() and len(log_lines(self.folder / "a run")) > 3, process)
        process.send_signal(signal.SIGINT)
        command = re.search(r"go on with: (resilin .*)$", process.communicate(timeout=60)[1], re.MULTILINE).group(1)
        self.type(command, "--frames", str(len(log_lines(self.folder / "a run")) + 1))

    def test_what_does_not_converge_says_what_to_try(self):
        scene = self.write("bar.json", small_scene(frames=2, solver={"type": "quasi_newton", "iterations": 1}))
        text = self.resilin("run", scene, "--no-output").stdout
        hints = re.findall(r"--(?:iterations|solver|set) \S+", text)
        self.assertNotEqual(hints, [], text)
        for hint in hints:
            self.type(f"resilin run bar.json --no-output {hint.rstrip(',;')}")

    def test_folders_of_runs_say_what_to_do(self):
        scene = self.write("bar.json", small_scene(frames=1))
        self.json("run", scene, "--out", "a")
        problem = self.json("resume", "a", status=2)["error"]["problem"]
        option = re.search(r"resilin run (--checkpoint-every) N", problem).group(1)
        self.json("run", scene, option, 1, "--out", "b")
        problem = self.json("run", scene, "--out", "a", status=2)["error"]["problem"]
        self.assertIn("--overwrite", problem)
        self.json("run", scene, "--out", "a", "--overwrite")


class Size(CheckpointTest):
    def warning_of(self, *options):
        process = self.start("run", self.scene, "--out", "a", *options)
        self.wait_for(lambda: (self.folder / "a/run.jsonl").exists() and len(log_lines(self.folder / "a")) > 12, process)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)[1]

    def test_a_large_output_is_told_before_the_first_frame(self):
        self.scene = self.write("bar.json", small_scene())
        text = self.warning_of("--frames", 1000000)
        told = float(re.search(r"about ([\d.]+) GB", text).group(1)) * 1e9
        frame = (self.folder / "a/frames/bar_00010.vtu").stat().st_size
        self.assertAlmostEqual(told / (1e6 * frame), 1, delta=0.15)
        for advice in re.findall(r"--set (?:'[^']*'|\S+)", text):
            self.resilin("run", self.scene, "--frames", 1, "--no-output", *shlex.split(advice))

    def test_a_small_one_is_not_worth_a_word(self):
        self.assertEqual(self.json("run", self.write("bar.json", small_scene()))["warnings"], [])


if __name__ == "__main__":
    unittest.main()
