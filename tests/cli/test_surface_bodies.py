"""Surfaces become simulated bodies: by a scene, or by `resilin run FILE`; the surface is in what comes out."""
import os
import struct
import unittest
from pathlib import Path

from resilin_command import CommandTest

MESHES = os.environ.get("RESILIN_MESHES")

OCTAHEDRON = """v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1
f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6
"""


class SurfaceBodies(CommandTest):
    def test_a_mesh_file_is_dropped_on_the_ground(self):
        self.write("gem.obj", OCTAHEDRON)
        result = self.resilin("run", "gem.obj", "--frames", 3, "--set", "bodies[0].mesh.tets=1000", "--preview",
                              "--set", "output.formats=[\"vtu\", \"obj\", \"pc2\"]")
        self.assertIn("assumed: gem.obj is a mesh", result.stderr)
        frame = (self.folder / "out/gem/frames/gem_00003.obj").read_text()
        self.assertEqual(frame.count("\nv "), 6)
        self.assertEqual(frame.count("\nf "), 8)
        cache = (self.folder / "out/gem/gem.pc2").read_bytes()
        self.assertEqual(struct.unpack_from("<i", cache, 16)[0], 6)
        self.assertGreater((self.folder / "out/gem/preview.png").stat().st_size, 1000)

    def test_drawings_of_a_run_show_the_surface(self):
        self.write("gem.obj", OCTAHEDRON)
        scene = {"name": "gem", "frames": 2, "bodies": [{"mesh": {"surface": "gem.obj", "cells": 10}}]}
        self.write("scene.json", scene)
        self.resilin("run", "scene.json")
        self.resilin("convert", "out/gem", "gem.pc2")
        self.assertEqual(struct.unpack_from("<i", (self.folder / "gem.pc2").read_bytes(), 16)[0], 6)
        self.resilin("render", "out/gem", "--frame", -1, "--size", "160x120", "--out", "gem.png")

    def test_a_resumed_run_is_the_same(self):
        self.write("gem.obj", OCTAHEDRON)
        options = ["--set", "bodies[0].mesh.tets=1000", "--set", "output.formats=[\"pc2\"]", "--checkpoint-every", 2]
        whole = self.json("run", "gem.obj", "--frames", 4, "--out", "whole", *options)
        self.json("run", "gem.obj", "--frames", 2, "--out", "part", *options)
        resumed = self.json("resume", "part", "--frames", 4)
        self.assertEqual(resumed["state_hash"], whole["state_hash"])

    def test_sheets_say_what_to_do(self):
        self.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        result = self.resilin("run", "sheet.obj", status=2)
        self.assertIn("thicken", result.stderr)
        self.assertEqual(self.json("check", "sheet.obj")["in_scene"], '"shell": "sheet.obj"')
        self.resilin("run", "sheet.obj", "--frames", 1, "--no-output", "--set", "bodies[0].mesh.thicken=0.1",
                     "--set", "bodies[0].mesh.tets=1000")

    def test_a_mesher_that_makes_another_number_of_tets_says_so(self):
        self.write("gem.obj", OCTAHEDRON)
        (self.folder / "bin").mkdir()
        program = self.folder / "bin/tetgen"  # in its place: one tet, whatever is asked
        program.write_text('#!/bin/sh\nfor last; do :; done\nbase="${last%.ply}.1"\n'
                           'printf "4 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n" > "$base.node"\nprintf "1 4 0\\n0 0 1 2 3\\n" > "$base.ele"\n')
        program.chmod(0o755)
        environment = self.environment(PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        arguments = ("run", "gem.obj", "--frames", 1, "--no-output", "--set", "bodies[0].mesh.mesher=tetgen")
        result = self.resilin(*arguments, environment=environment)
        self.assertIn("10000 tets were asked for, and the mesher \"tetgen\" made 1", result.stderr)
        self.assertIn("4 vertices, 1 tet;", result.stdout)
        result = self.resilin(*arguments, "--set", "bodies[0].mesh.tets=10", environment=environment)
        self.assertIn("10 tets were asked for", result.stderr)

    def test_missing_meshers_name_their_package(self):
        self.write("gem.obj", OCTAHEDRON)
        result = self.resilin("run", "gem.obj", "--set", "bodies[0].mesh.mesher=gmsh", status=2,
                              environment=self.environment(PATH=str(self.folder)))
        self.assertIn("apt install gmsh", result.stderr)

    @unittest.skipUnless(MESHES, "RESILIN_MESHES is not set")
    def test_real_meshes(self):
        for name in ("spot_surface.obj", "two_cubes_intersecting_binary_le.ply", "armadillo_surface.obj"):
            with self.subTest(name):
                report = self.json("run", Path(MESHES) / name, "--frames", 3, "--no-output")
                self.assertTrue(report["finite"])
                self.assertEqual(report["status"], "done")
                self.assertAlmostEqual(report["elements"] / 10000, 1, delta=0.1)


if __name__ == "__main__":
    unittest.main()
