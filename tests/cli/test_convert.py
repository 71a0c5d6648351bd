"""resilin convert, and runs that write other formats than frames of VTU: read back by Python alone, and by meshio where it is installed."""
import json
import struct
import unittest
import zipfile
from pathlib import Path

from resilin_command import CommandTest

CORPUS = Path(__file__).resolve().parent.parent / "fuzz" / "corpus"
SCENE = {"name": "small", "bodies": [{"name": "box", "shape": {"type": "box", "cells": [2, 2, 2]}}, {"name": "cloth", "cloth": {"size": [1, 1], "cells": [3, 3]}, "translate": [0, 0, 3]}],
         "frames": 3, "step": 0.01, "up": "z"}


def npy(data):
    """Shape and values of a .npy array of doubles or ints."""
    assert data[:6] == b"\x93NUMPY"
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length].decode())  # noqa: S307  a literal that this project wrote
    count = 1
    for n in header["shape"]:
        count *= n
    kind = {"<f8": "d", "<i4": "i"}[header["descr"]]
    return header["shape"], struct.unpack(f"<{count}{kind}", data[10 + length:])


class Convert(CommandTest):
    def convert(self, source, target, *more, status=0):
        return self.json("convert", str(source), str(self.folder / target), *more, status=status)

    def test_between_all_mesh_formats(self):
        for target in ("a.msh", "a.mesh", "a.vtk", "a.vtu", "a.msh.gz"):
            self.assertEqual(self.convert(CORPUS / "gmsh" / "v41.msh", target)["mesh"], {"vertices": 5, "tets": 2, "triangles": 0, "edges": 0})
            for surface in ("b.obj", "b.ply", "b.stl", "b.glb", "b.usda"):
                self.convert(self.folder / target, surface)
            self.assertEqual(self.convert(self.folder / "b.obj", "c.ply")["mesh"]["triangles"], 6)
            self.assertEqual(self.convert(self.folder / "b.stl", "c.ply")["mesh"]["vertices"], 5)

    def test_groups_and_variants(self):
        self.assertEqual(self.convert(CORPUS / "gmsh" / "v41.msh", "a.msh", "--group", "hard", "--variant", "2.2")["mesh"]["vertices"], 4)
        self.assertIn("2.2 0 8", (self.folder / "a.msh").read_text())
        error = self.convert(CORPUS / "gmsh" / "v41.msh", "a.msh", "--group", "none", status=2)
        self.assertIn("hard", error["error"]["problem"])
        self.convert(CORPUS / "gmsh" / "v41.msh", "a.msh", "--variant", "7", status=2)

    def test_refusals_have_status_2_and_name_the_file(self):
        broken = self.folder / "broken.msh"
        broken.write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000\n")
        error = self.convert(broken, "a.obj", status=2)["error"]
        self.assertEqual(error["where"], f"{broken}:5")
        self.convert(CORPUS / "gmsh" / "v41.msh", "a.xyz", status=2)
        self.convert(self.folder / "missing.msh", "a.obj", status=2)
        self.assertFalse((self.folder / "a.obj").exists())

    def run_small(self, formats):
        scene = dict(SCENE, output={"formats": formats})
        (self.folder / "small.json").write_text(json.dumps(scene))
        self.json("run", str(self.folder / "small.json"), "--out", str(self.folder / "out"))
        return self.folder / "out"

    def test_a_run_writes_whole_animations(self):
        out = self.run_small(["vtu", "npz", "pc2", "mdd", "glb", "usda", "gmsh"])
        self.assertEqual(len(list((out / "frames").glob("*.msh"))), 4)
        self.assertFalse(list(out.glob("*.positions")))
        with zipfile.ZipFile(out / "small.npz") as archive:
            self.assertIsNone(archive.testzip())
            shape, values = npy(archive.read("positions.npy"))
            self.assertEqual(shape[0], 4)
            self.assertEqual(npy(archive.read("times.npy"))[0], (4,))
            self.assertEqual(npy(archive.read("tets.npy"))[0][1], 4)
        vertices = shape[1]
        self.assertLess(values[(3 * vertices + 0) * 3 + 2], values[2])  # it falls along z
        pc2 = (out / "small.pc2").read_bytes()
        drawn, frames = struct.unpack("<i", pc2[16:20])[0], struct.unpack("<i", pc2[28:32])[0]
        self.assertEqual(frames, 4)
        self.assertEqual(sum(line.startswith("v ") for line in (out / "small.obj").read_text().splitlines()), drawn)
        glb = (out / "small.glb").read_bytes()
        document = json.loads(glb[20:20 + struct.unpack("<I", glb[12:16])[0]])
        self.assertEqual([m["name"] for m in document["meshes"]], ["box", "cloth"])
        self.assertEqual(len(document["meshes"][0]["primitives"][0]["targets"]), 3)
        self.assertIn('upAxis = "Z"', (out / "small.usda").read_text())

    def test_frames_become_an_animation(self):
        out = self.run_small(["vtu", "npz"])
        self.assertEqual(self.convert(out, "again.npz")["frames"], 4)
        with zipfile.ZipFile(out / "small.npz") as a, zipfile.ZipFile(self.folder / "again.npz") as b:
            for name in ("positions.npy", "times.npy", "tets.npy"):
                self.assertEqual(a.read(name), b.read(name), name)
        self.assertTrue(self.convert(out, "again.pc2")["beside"].endswith("again.obj"))
        self.convert(out, "again.msh", status=2)

    def test_says_what_was_written_and_left_out(self):
        document = self.convert(CORPUS / "gmsh" / "v41.msh", "a.obj")
        self.assertEqual(document["mesh"], {"vertices": 5, "tets": 0, "triangles": 6, "edges": 0})
        self.assertEqual(document["left_out"], "2 tets")
        self.assertIsNone(self.convert(CORPUS / "gmsh" / "v41.msh", "a.vtu")["left_out"])

    def test_every_body_of_a_run_is_converted(self):
        out = self.run_small(["vtu"])
        for target in ("all.glb", "all.usda"):
            self.convert(out, target)
            contents = (self.folder / target).read_bytes()
            for body in (b'"box"', b'"cloth"'):
                self.assertIn(body, contents, target)
        self.convert(out, "all.pc2")
        self.assertIn("g box", (self.folder / "all.obj").read_text())

    def test_meshio_reads_what_is_written(self):
        try:
            import meshio
        except ImportError:
            self.skipTest("meshio is not installed")
        for target in ("a.msh", "a.mesh", "a.vtk", "a.vtu", "a.obj", "a.ply", "a.stl"):
            self.convert(CORPUS / "gmsh" / "v22_little.msh", target)
            mesh = meshio.read(self.folder / target)
            cells = {block.type: len(block.data) for block in mesh.cells}
            self.assertEqual(cells, {"tetra": 2} if target in ("a.msh", "a.mesh", "a.vtk", "a.vtu") else {"triangle": 6}, target)
            self.assertGreaterEqual(len(mesh.points), 5)
        self.convert(CORPUS / "gmsh" / "v22_little.msh", "old.msh", "--variant", "2.2")
        self.assertEqual(len(meshio.read(self.folder / "old.msh").cells_dict["tetra"]), 2)


if __name__ == "__main__":
    unittest.main()
