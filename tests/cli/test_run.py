"""resilin run: the document, the folder, the log, the same bits for every thread count."""
import base64
import math
import os
import pty
import re
import signal
import struct
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml
import zlib

from resilin_command import RESILIN, CommandTest, small_scene, strict_json

REQUIRED = {
    "scene": str, "vertices": int, "elements": int, "frames": int, "status": str, "finite": bool, "seconds": (int, float),
    "ms_per_frame": dict, "phases_ms": dict, "solver": str, "integrator": str, "threads": int,
    "iterations_per_frame": (int, float), "line_searches_per_iteration": (int, float), "factorisations": int,
    "not_converged_frames": int, "energy": dict, "momentum": list, "angular_momentum": list, "state_hash": str,
    "version": str, "commit": str,
}


def vtu_array(path, name):
    """The numbers of a Float64 array of a VTU file."""
    for array in xml.parse(path).iter("DataArray"):
        if array.get("Name") == name:
            blocks, = struct.unpack_from("<Q", base64.b64decode(array.text[:12]))
            characters = (8 * (3 + blocks) + 2) // 3 * 4  # the sizes are encoded by themselves
            sizes = struct.unpack(f"<{3 + blocks}Q", base64.b64decode(array.text[:characters]))
            packed, data = base64.b64decode(array.text[characters:]), b""
            for size in sizes[3:]:
                data, packed = data + zlib.decompress(packed[:size]), packed[size:]
            assert packed == b"" and len(data) == (blocks - 1) * sizes[1] + (sizes[2] or sizes[1])
            return struct.unpack(f"<{len(data) // 8}d", data)
    raise AssertionError(f"{path} has no array {name}")


class Document(CommandTest):
    def test_has_every_key(self):
        document = self.json("run", self.write("bar.json", small_scene()))
        for key, kind in REQUIRED.items():
            self.assertIsInstance(document[key], kind, key)
        self.assertEqual(set(document["ms_per_frame"]), {"median", "p99", "max"})
        self.assertEqual(set(document["phases_ms"]), {"local", "global", "line_search", "coarse", "history", "contact", "other"})
        self.assertEqual(set(document["energy"]), {"kinetic", "elastic", "external"})
        self.assertEqual(len(document["momentum"]), 3)
        self.assertEqual((document["scene"], document["vertices"], document["elements"], document["frames"]), ("bar", 36, 60, 4))
        self.assertEqual((document["status"], document["finite"]), ("done", True))
        self.assertEqual(document["output"], "out/bar")
        self.assertRegex(document["state_hash"], "^[0-9a-f]{16}$")
        self.assertLess(document["momentum"][1], 0)  # it sags

    def test_what_is_doubtful_is_said_before_the_first_frame(self):
        box = {"shape": {"type": "box", "size": [1, 1, 1], "cells": [2, 2, 2]}}
        scene = {"gravity": -9.81, "frames": 1, "obstacles": [{"type": "plane"}],
                 "bodies": [{"name": "low", **box}, {"name": "high", **box, "translate": [0.2, 0.7, 0]}]}
        self.write("odd.json", scene)
        document = self.json("run", "odd.json", "--no-output")
        self.assertEqual((document["elements"], document["tets"], document["springs"]), (80, 80, 0), "the ground has no elements")
        words = ("points up", '"low" starts below the ground', '"low" and "high" overlap')
        self.assertEqual(len(document["warnings"]), 3)
        for part, warning in zip(words, document["warnings"]):
            self.assertIn(part, warning)
        self.assertEqual(self.resilin("run", "odd.json", "--no-output").stderr.count("resilin: warning: "), 3)
        checked = self.json("check", "odd.json")
        self.assertEqual((checked["warnings"], checked["verdict"]), (document["warnings"], "doubtful"))
        self.assertEqual([body["tets"] for body in checked["bodies"]], [40, 40])
        scene.update(gravity=9.81, obstacles=[{"type": "plane", "height": -0.5}])
        scene["bodies"][1]["translate"] = [0.2, 1, 0]
        self.write("even.json", scene)
        self.assertEqual(self.json("run", "even.json", "--no-output")["warnings"], [])
        self.assertIn("verdict: ready", self.resilin("check", "even.json").stdout)
        self.assertEqual(self.json("check", "default")["verdict"], "ready")
        self.resilin("check", "even.json", "--repair", "x.json", status=2)

    def test_standard_output_is_the_document_alone(self):
        result = self.resilin("run", self.write("bar.json", small_scene()), "--json")
        strict_json(result.stdout)
        self.assertEqual(result.stderr, "")

    def test_options_reach_the_simulation(self):
        scene = self.write("bar.json", small_scene(solver={"type": "quasi_newton", "iterations": 5, "history": 3}))
        document = self.json("run", scene, "--frames", 2, "--solver", "newton", "--iterations", 3, "--threads", 1, "--no-output")
        self.assertEqual((document["frames"], document["solver"], document["threads"]), (2, "newton", 1))
        self.assertLessEqual(document["iterations_per_frame"], 3)
        set_frames = self.json("run", "--set", "frames=1", scene, "--set", "integrator=implicit_midpoint", "--no-output")
        self.assertEqual((set_frames["frames"], set_frames["integrator"]), (1, "implicit_midpoint"))

    def test_phases_add_up_to_the_frame(self):
        document = self.json("run", self.write("bar.json", small_scene()), "--no-output")
        self.assertAlmostEqual(sum(document["phases_ms"].values()) * document["frames"], document["seconds"] * 1e3, delta=1e-3)


class Determinism(CommandTest):
    def test_same_hash_for_every_thread_count_and_every_run(self):
        scene = self.write("bar.json", small_scene())
        hashes = {self.json("run", scene, "--threads", n, "--no-output")["state_hash"] for n in (1, 2, 1, 2, 3)}
        self.assertEqual(len(hashes), 1, hashes)
        other = self.json("run", scene, "--set", "bodies[0].material.young=2e5", "--no-output")["state_hash"]
        self.assertNotIn(other, hashes)

    def test_the_recorded_scene_gives_the_same_run(self):
        scene = self.write("bar.json", small_scene())
        first = self.json("run", scene, "--set", "solver.iterations=7", "--frames", 3)
        again = self.json("run", "out/bar/scene.json", "--no-output")
        self.assertEqual(first["state_hash"], again["state_hash"])


class Folder(CommandTest):
    def test_holds_frames_index_log_and_summary(self):
        document = self.json("run", self.write("bar.json", small_scene(output={"formats": ["vtu", "obj"], "every": 3})))
        out = self.folder / "out" / "bar"
        names = sorted(p.name for p in (out / "frames").iterdir())
        stems = ["bar_00000", "bar_00003", "bar_00004"]  # every third, and the last
        self.assertEqual(names, sorted(s + e for s in stems for e in (".vtu", ".obj")))
        self.assertEqual(sorted(p.name for p in out.iterdir()), ["bar.pvd", "frames", "report.html", "run.jsonl", "scene.json", "summary.json"])
        index = [(float(d.get("timestep")), d.get("file")) for d in xml.parse(out / "bar.pvd").iter("DataSet")]
        self.assertEqual([file for _, file in index], [f"frames/{s}.vtu" for s in stems])
        self.assertAlmostEqual(index[-1][0], 0.08)
        summary = strict_json((out / "summary.json").read_text())
        self.assertEqual(summary["state_hash"], document["state_hash"])

    def test_log_has_a_line_per_frame(self):
        self.resilin("run", self.write("bar.json", small_scene(substeps=2)))
        lines = [strict_json(line) for line in (self.folder / "out/bar/run.jsonl").read_text().splitlines()]
        self.assertEqual([line["frame"] for line in lines], [1, 2, 3, 4])
        for line in lines:
            self.assertLessEqual({"frame", "time", "status", "iterations", "line_searches", "residual", "ms", "energy", "momentum"},
                                 set(line))
        self.assertAlmostEqual(lines[-1]["time"], 0.08)

    def test_frames_hold_finite_positions_and_velocities(self):
        self.resilin("run", self.write("bar.json", small_scene()))
        last = self.folder / "out/bar/frames/bar_00004.vtu"
        q, v = vtu_array(last, "Points"), vtu_array(last, "velocity")
        self.assertEqual((len(q), len(v)), (36 * 3, 36 * 3))
        self.assertTrue(all(map(math.isfinite, q + v)))
        self.assertNotEqual(q, vtu_array(self.folder / "out/bar/frames/bar_00000.vtu", "Points"))

    def test_no_output_writes_nothing(self):
        scene = self.write("bar.json", small_scene())
        self.assertIsNone(self.json("run", scene, "--no-output")["output"])
        self.assertEqual(self.files(), ["bar.json"])

    def test_an_existing_folder_is_never_overwritten(self):
        scene = self.write("bar.json", small_scene(frames=1))
        (self.folder / "out/bar").mkdir(parents=True)
        (self.folder / "out/bar/mine").write_text("precious")
        self.assertEqual(self.json("run", scene)["output"], "out/bar-2")
        self.assertEqual(self.json("run", scene)["output"], "out/bar-3")
        error = self.json("run", scene, "--out", "out/bar", status=2)["error"]
        self.assertEqual(error["where"], "out/bar")
        self.assertIn("--overwrite", error["problem"])
        self.json("run", scene, "--out", "out/bar", "--overwrite", status=2)  # not the folder of a run
        self.assertEqual((self.folder / "out/bar/mine").read_text(), "precious")
        self.assertEqual(sorted(p.name for p in (self.folder / "out/bar").iterdir()), ["mine"])

    def test_overwrite_moves_the_old_run_aside(self):
        scene = self.write("bar.json", small_scene(frames=1))
        first = self.json("run", scene, "--out", "here/results/")
        self.json("run", scene, "--out", "here/results", status=2)
        self.assertEqual(self.json("run", scene, "--out", "here/results", "--overwrite", "--frames", 2)["frames"], 2)
        old = strict_json((self.folder / "here/results.old-1/summary.json").read_text())
        self.assertEqual(old["state_hash"], first["state_hash"])


class Convergence(CommandTest):
    def test_says_in_how_many_frames_it_did_not_converge(self):
        scene = self.write("bar.json", small_scene())
        text = self.resilin("run", scene, "--iterations", 1, "--set", "solver.gradient_tolerance=1e-12", "--no-output").stdout
        self.assertRegex(text, "did not converge in 4 of 4 frames")
        self.assertIn("--iterations", text)
        document = self.json("run", scene, "--iterations", 1, "--set", "solver.gradient_tolerance=1e-12", "--no-output")
        self.assertEqual(document["not_converged_frames"], 4)
        text = self.resilin("run", scene, "--solver", "newton", "--iterations", 50, "--no-output").stdout
        self.assertIn("converged in all 4 frames", text)

    def test_says_how_far_off_the_result_may_be(self):
        document = self.json("run", self.write("bar.json", small_scene(solver="quasi_newton")))
        self.assertEqual(document["not_converged_frames"], 0)
        self.assertLessEqual(document["error"], 0.25)
        self.assertRegex(document["verdict"], r"^quasi_newton converged in all 4 frames: positions are right to about \S+ % of the size of bar after 0")
        self.assertRegex(document["verdict"], r"Largest acceleration error: \S+ m/s\^2 \(bar, frame \d\)\. No energy was created")

    def doubtful(self, scene, *options):
        """The doubts of a run that converged and yet cannot be relied on."""
        self.write("doubtful.json", scene)
        document = self.json("run", "doubtful.json", "--no-output", *options)
        self.assertEqual((document["not_converged_frames"], document["trusted"]), (0, False))
        self.assertTrue(document["verdict"].startswith("Not to be relied on: " + document["doubts"][0]), document["verdict"])
        return document["doubts"]

    def test_a_body_deep_in_an_obstacle_is_not_relied_on(self):
        box = {"name": "box", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [3, 3, 3]}, "translate": [0, 0.3, 0],
               "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3}}
        scene = {"step": 0.02, "frames": 30, "bodies": [box], "obstacles": [{"type": "plane", "stiffness": 200}]}
        doubt, = self.doubtful(scene)
        self.assertRegex(doubt, r"^box is \S+ m deep in an obstacle in frame \d+, \S+ % of its size$")
        scene["obstacles"][0]["stiffness"] = 2e6
        document = self.json("run", self.write("stiff.json", scene), "--no-output")
        self.assertEqual((document["trusted"], document["doubts"]), (True, []))
        self.assertNotIn("relied", document["verdict"])

    def test_bodies_without_contact_and_energy_from_nothing_are_not_relied_on(self):
        box = {"shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [3, 3, 3]},
               "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3}}
        scene = {"step": 0.01, "frames": 3,
                 "bodies": [{"name": "one", **box}, {"name": "two", **box, "translate": [0.05, 0.05, 0]}]}
        overlap, energy = self.doubtful(scene)
        self.assertRegex(overlap, "^one and two pass through each other in frame 1")
        self.assertRegex(energy, r"^\S+ J of energy came from nothing, \S+ % of what was stored at most$")

    def test_says_how_far_hard_obstacles_were_violated(self):
        scene = {"step": 0.01, "frames": 60, "solver": {"type": "admm", "iterations": 3},
                 "bodies": [{"name": "box", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [3, 3, 3]}, "translate": [0, 0.3, 0],
                             "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3}}],
                 "obstacles": [{"type": "plane", "response": "hard"}]}
        few = self.json("run", self.write("hard.json", scene), "--no-output")
        self.assertGreater(few["infeasibility"], 1e-6)
        self.assertRegex(few["verdict"], r"A hard obstacle was violated by \S+ m")
        many = self.json("run", "hard.json", "--iterations", 300, "--no-output")
        self.assertLess(many["infeasibility"], 0.1 * few["infeasibility"])

    def test_more_iterations_help_where_they_are_advised(self):
        scene = self.write("bar.json", small_scene())
        few = self.json("run", scene, "--iterations", 1, "--no-output")
        advised = re.search(r"try --iterations (\d+)", few["verdict"])[1]
        more = self.json("run", scene, "--iterations", advised, "--no-output")
        self.assertLess(more["error"], 0.5 * few["error"])

    def test_realtime_keeps_the_frame_time_and_says_what_it_costs(self):
        scene = small_scene(step=2e-3, solver="quasi_newton")  # shorter than a solve of this takes
        scene["bodies"][0]["shape"]["cells"] = [36, 9, 9]
        scene["bodies"][0]["initial"] = {"stretch": [1.5, 0.7, 0.7], "twist": {"axis": "x", "degrees": 90}}
        scene = self.write("bar.json", scene)
        hurried = self.json("run", scene, "--realtime", "--no-output")
        self.assertGreater(hurried["statuses"].get("time_limit", 0), 0)
        self.assertIn("without --realtime", hurried["verdict"])
        self.assertEqual(self.json("run", scene, "--no-output")["not_converged_frames"], 0)  # as advised

    def test_the_papers_method_is_one_option_away(self):
        scene = self.write("bar.json", small_scene(solver="quasi_newton"))
        paper = self.json("run", scene, "--method", "paper", "--no-output")
        self.assertLessEqual(paper["iterations_per_frame"], 10)
        self.assertNotEqual(paper["state_hash"], self.json("run", scene, "--no-output")["state_hash"])
        self.assertIn("paper", self.json("run", scene, "--method", "papr", "--no-output", status=2)["error"]["problem"])


class NotFinite(CommandTest):
    def blow_up(self, start):
        """Steps of 5 s, two per frame; from `start` on an acceleration that overflows."""
        scene = small_scene(pins=[], gravity=0, step=10, substeps=2, output={"every": 100})
        scene["forces"] = [{"acceleration": [1e308, 0, 0], "signal": {"start": start}}]
        document = self.json("run", self.write("bar.json", scene), status=1)
        self.assertEqual((document["status"], document["finite"]), ("not_finite", False))
        for word in ("frame 2", "substeps", "--iterations"):
            self.assertIn(word, document["message"])
        for frame in (self.folder / "out/bar/frames").iterdir():
            self.assertTrue(all(map(math.isfinite, vtu_array(frame, "Points") + vtu_array(frame, "velocity"))))
        lines = [strict_json(line) for line in (self.folder / "out/bar/run.jsonl").read_text().splitlines()]
        self.assertEqual([line["status"] == "not_finite" for line in lines], [False, True])
        strict_json((self.folder / "out/bar/summary.json").read_text())
        self.assertEqual(document["checkpoint"], "out/bar/checkpoint_00001.rck")
        self.assertEqual(self.json("resume", "out/bar", "--frames", 2, status=1)["resumed_from"], 1)
        return sorted(p.name for p in (self.folder / "out/bar/frames").iterdir())

    def test_between_frames_the_last_good_frame_is_kept(self):
        self.assertEqual(self.blow_up(12), ["bar_00000.vtu", "bar_00001.vtu"])

    def test_within_a_frame_the_last_good_step_is_kept(self):
        self.assertEqual(self.blow_up(18), ["bar_00000.vtu", "bar_last_good.vtu"])
        self.assertIn("bar_last_good.vtu", (self.folder / "out/bar/bar.pvd").read_text())

    def test_says_so_to_people(self):
        scene = small_scene(pins=[], gravity=[0, -1e308, 0], step=10)
        result = self.resilin("run", self.write("bar.json", scene), "--no-output", status=1)
        self.assertIn("not finite", result.stderr)


class Interrupt(CommandTest):
    def test_ctrl_c_finishes_the_frame_and_writes_it(self):
        scene = self.write("bar.json", small_scene(frames=10000000, output={"every": 1000000}))
        with subprocess.Popen([RESILIN, "run", str(scene)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=self.environment()) as process:
            log = self.folder / "out/bar/run.jsonl"
            for _ in range(600):
                if log.exists() and log.read_text().count("\n") >= 2:
                    break
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("interrupted", errors)
        frames = [strict_json(line)["frame"] for line in log.read_text().splitlines()]
        summary = strict_json((self.folder / "out/bar/summary.json").read_text())
        self.assertEqual((summary["status"], summary["frames"]), ("interrupted", frames[-1]))
        self.assertTrue((self.folder / f"out/bar/frames/bar_{frames[-1]:05}.vtu").exists())


class Display(CommandTest):
    def on_terminal(self, *arguments, **environment):
        """Standard output and error of a run on a terminal."""
        changes = dict({"TERM": "xterm"}, **environment)
        changed = self.environment(**changes)
        if "NO_COLOR" not in environment:
            changed.pop("NO_COLOR", None)
        leader, follower = pty.openpty()
        with subprocess.Popen([RESILIN, *map(str, arguments)], cwd=self.folder, stdin=follower, stdout=follower, stderr=follower,
                              env=changed) as process:
            os.close(follower)
            data = b""
            while True:
                try:
                    chunk = os.read(leader, 65536)
                except OSError:
                    break
                if not chunk:
                    break
                data += chunk
        os.close(leader)
        self.assertEqual(process.returncode, 0, data)
        return data.decode()

    def test_plain_lines_when_not_a_terminal(self):
        result = self.resilin("run", self.write("bar.json", small_scene(frames=20)), environment=self.environment(TERM="xterm"))
        for text in (result.stdout, result.stderr):
            self.assertNotIn("\033", text)
            self.assertNotIn("\r", text)
        for word in ("frame 20/20", "real time", "iterations", "residual", "ETA", "36 vertices", "60 tets", "median", "quasi_newton"):
            self.assertIn(word, result.stdout)

    def test_a_bar_with_colour_on_a_terminal(self):
        text = self.on_terminal("run", self.write("bar.json", small_scene()), "--no-output")
        self.assertIn("\r\033[K[", text)
        self.assertRegex(text, re.escape("\033[") + "[0-9]+m")

    def test_no_color_keeps_the_bar_without_colour(self):
        text = self.on_terminal("run", self.write("bar.json", small_scene()), "--no-output", NO_COLOR="1")
        self.assertNotRegex(text, re.escape("\033[") + "[0-9;]*m")
        self.assertIn("frame 4/4", text)

    def test_a_dumb_terminal_gets_lines(self):
        text = self.on_terminal("run", self.write("bar.json", small_scene()), "--no-output", TERM="dumb")
        self.assertNotIn("\033", text)


if __name__ == "__main__":
    unittest.main()
