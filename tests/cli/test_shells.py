"""Shells by the command: run, check, frames in several formats, resume, render."""
import unittest

from resilin_command import CommandTest

CLOTH = {"name": "cloth", "frames": 4, "bodies": [
    {"name": "sheet", "shell": {"type": "grid", "cells": [4, 4]}, "rotate": {"axis": "x", "degrees": -90}}],
    "pins": [{"select": "x_min"}]}


class Shells(CommandTest):
    def test_counts_name_triangles(self):
        self.write("cloth.json", CLOTH)
        document = self.json("run", "cloth.json", "--no-output")
        self.assertEqual([document[key] for key in ("vertices", "elements", "tets", "triangles", "springs")], [27, 36, 0, 36, 0])
        self.assertIn("27 vertices, 36 triangles", self.resilin("check", "cloth.json").stdout)
        self.assertEqual(self.json("check", "cloth.json")["bodies"][0]["triangles"], 36)

    def test_frames_can_be_read_converted_and_drawn(self):
        self.write("cloth.json", CLOTH | {"output": {"formats": ["vtu", "obj", "ply", "npz"]}})
        self.json("run", "cloth.json")
        for ending in ("vtu", "obj", "ply"):
            found = self.json("check", f"out/cloth/frames/cloth_00004.{ending}")
            self.assertEqual([found[key] for key in ("vertices", "tets", "triangles", "verdict")], [27, 0, 36, "sheet"], ending)
        for ending in ("glb", "usda", "npz"):
            self.assertEqual(self.json("convert", "out/cloth", f"cloth.{ending}")["mesh"]["triangles"], 36, ending)
        self.resilin("render", "out/cloth", "--frame", -1, "--color", "von_mises", "--size", "160x120", "--out", "cloth.png")

    def test_a_frame_is_a_shell_again(self):
        self.write("cloth.json", CLOTH | {"output": {"formats": ["obj"]}})
        self.json("run", "cloth.json")
        self.write("again.json", {"frames": 1, "bodies": [{"shell": "out/cloth/frames/cloth_00004.obj", "bending": "none"}]})
        self.assertEqual(self.json("run", "again.json", "--no-output")["triangles"], 36)

    def test_an_edge_of_three_triangles_is_cut_on_request(self):
        self.write("three.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n")
        scene = {"frames": 1, "bodies": [{"shell": "three.obj", "bending": "none"}]}
        self.write("three.json", scene)
        self.assertIn("edge (0, 1) of triangle 0", self.resilin("run", "three.json", "--no-output", status=2).stderr)
        document = self.json("check", "three.obj", "--repair", "two.obj")
        self.assertEqual([(step["what"], step["count"]) for step in document["repair"]["steps"]], [("cut_edges", 1)])
        scene["bodies"][0]["shell"] = "two.obj"
        self.write("two.json", scene)
        self.assertEqual(self.json("run", "two.json", "--no-output")["vertices"], 7)

    def test_a_resumed_run_is_the_same(self):
        self.write("cloth.json", CLOTH)
        whole = self.json("run", "cloth.json", "--out", "whole", "--checkpoint-every", 2)
        self.json("run", "cloth.json", "--frames", 2, "--out", "part", "--checkpoint-every", 2)
        self.assertEqual(self.json("resume", "part", "--frames", 4)["state_hash"], whole["state_hash"])


if __name__ == "__main__":
    unittest.main()
