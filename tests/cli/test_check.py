"""resilin check: what it tells about planted defects, refusals as JSON, repairs, and the files of $RESILIN_MESHES as their README
describes them."""
import os
import random
import struct
import subprocess
import unittest
from pathlib import Path

from resilin_command import RESILIN, CommandTest, strict_json

CORPUS = Path(__file__).resolve().parent.parent / "fuzz" / "corpus"
CUBE = ([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)],
        [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)])
KEYS = {"format", "vertices", "tets", "triangles", "edges", "groups", "bounds", "defects", "verdict"}

# name: vertices, tets, triangles, components, closed, verdict, {defect: count} (None: any). Defects that are not named are absent.
REAL = {
    "armadillo_13k_gmsh41.msh": (13230, 54985, 0, 1, True, "ready", {"size_looks_like_millimetres": 1}),
    "armadillo_15k_base1.node": (14779, 54855, 0, 1, True, "ready", {"size_looks_like_millimetres": 1}),
    "armadillo_15k_base1.ele": (14779, 54855, 0, 1, True, "ready", {"size_looks_like_millimetres": 1}),
    "armadillo_1k.vtu": (1446, 4406, 0, 1, True, "ready", {"sliver": 2, "size_looks_like_millimetres": 1}),
    "bunny_19k_gmsh22.msh": (19193, 79935, 0, 1, True, "ready", {}),
    "bunny_2k_slivers.mesh": (2531, 8121, 5058, 1, True, "ready", {"sliver": None}),
    "dinosaur_13k_gmsh22_binary.msh": (13270, 49973, 0, 1, True, "ready", {}),
    "elephant_7k_gmsh41.msh": (7008, 24953, 0, 1, True, "ready", {}),
    "microstructure_inverted_gmsh41.msh": (1585, 6414, 0, 1, True, "repairable", {"inverted": 8, "sliver": None}),
    "turtle_heterogeneous.veg": (347, 1185, 0, 1, True, "ready", {}),
    "two_material_cubes_gmsh22.msh": (7714, 32981, 0, 1, True, "ready", {}),
    "armadillo_surface.obj": (14587, 0, 29170, 1, True, "surface_only", {}),
    "spot_surface.obj": (11533, 0, 23062, 1, True, "surface_only", {}),
    "tablecloth_14k.obj": (14161, 0, 27848, 1, False, "sheet", {"open_boundary": 472}),
    "two_cubes_intersecting_binary_le.ply": (262, 0, 480, 2, True, "repairable", {"self_intersection": None, "unreferenced_vertex": 18}),
}
# Dihedral angles of the README, in degrees.
ANGLES = {"armadillo_13k_gmsh41.msh": (3.2, None), "armadillo_15k_base1.node": (2.7, None), "armadillo_1k.vtu": (0.60, 179.0),
          "bunny_19k_gmsh22.msh": (11.5, None), "bunny_2k_slivers.mesh": (0.0, 179.97), "dinosaur_13k_gmsh22_binary.msh": (11.7, None),
          "elephant_7k_gmsh41.msh": (7.0, None), "microstructure_inverted_gmsh41.msh": (0.04, 179.4)}


def obj(vertices, triangles):
    return "".join(f"v {x} {y} {z}\n" for x, y, z in vertices) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


class Check(CommandTest):
    def check(self, name, *arguments, status=0):
        document = self.json("check", name, *arguments, status=status)
        return document, {defect["kind"]: defect for defect in document["defects"]}

    def test_a_good_surface(self):
        self.write("cube.obj", obj(*CUBE))
        document, defects = self.check("cube.obj")
        self.assertLessEqual(KEYS, document.keys())
        self.assertEqual((document["format"], document["vertices"], document["triangles"]), ("obj", 8, 12))
        self.assertEqual(document["bounds"], {"lower": [0, 0, 0], "upper": [1, 1, 1]})
        self.assertEqual((defects, document["closed"], document["volume"], document["verdict"]), ({}, True, 1, "surface_only"))
        text = self.resilin("check", "cube.obj").stdout
        for part in ("8 vertices", "12 triangles", "1 x 1 x 1 m", "no defects", "verdict: surface_only", "next: "):
            self.assertIn(part, text)

    def test_planted_defects_are_named_and_repaired(self):
        vertices, triangles = CUBE
        planted = triangles[1:] + [triangles[0][::-1], triangles[4], (0, 0, 1)]
        self.write("bad.obj", obj([(1000 * x, 1000 * y, 1000 * z) for x, y, z in vertices] + [(1, 2, 3)], planted))
        document, defects = self.check("bad.obj", "--repair", "good.obj")
        counts = {kind: defect["count"] for kind, defect in defects.items()}
        self.assertEqual(counts, {"repeated_vertex": 1, "duplicate_triangle": 1, "inconsistent_winding": 3, "unreferenced_vertex": 1,
                                  "size_looks_like_millimetres": 1})
        self.assertEqual(defects["repeated_vertex"]["examples"], [13])
        self.assertIn("millimetres", defects["size_looks_like_millimetres"]["detail"])
        self.assertTrue(all(defect["meaning"] for defect in defects.values()))
        self.assertEqual(document["verdict"], "repairable")
        self.assertEqual({step["what"]: step["count"] for step in document["repair"]["steps"]},
                         {"dropped_repeating_triangles": 1, "dropped_duplicate_triangles": 1, "turned_triangles": 1, "dropped_vertices": 1})
        self.assertFalse(document["repair"]["replaced"])
        again, defects = self.check("good.obj")
        self.assertEqual((list(defects), again["verdict"]), (["size_looks_like_millimetres"], "surface_only"))
        self.assertIn("replaced", self.resilin("check", "bad.obj", "--repair", "good.obj").stdout)

    def run_once(self, name, status):
        return self.resilin("run", name, "--frames", "1", "--no-output", status=status)

    def test_verdicts_are_true_of_run(self):
        """Damage by lot: what is called repairable is repaired and then runs; what is called neither is refused with the reason."""
        lots = random.Random(7)
        seen = set()
        for number in range(16):
            vertices, triangles = [list(v) for v in CUBE[0]], list(CUBE[1])
            for _ in range(lots.randrange(4)):
                t = triangles[lots.randrange(len(triangles))]
                damage = lots.choice(["turn", "double", "second side", "fin", "hole", "repeat", "stray", "seam", "flatten"])
                if damage == "turn":
                    triangles[triangles.index(t)] = t[::-1]
                elif damage == "double":
                    triangles.append(t)
                elif damage == "second side":
                    triangles.append(t[::-1])
                elif damage == "fin":
                    vertices.append([2, 2, lots.random()])
                    triangles += [(t[0], t[1], len(vertices) - 1), (t[1], t[0], len(vertices) - 1)]
                elif damage == "hole":
                    triangles.remove(t)
                elif damage == "repeat":
                    triangles.append((t[0], t[0], t[1]))
                elif damage == "stray":
                    vertices.append([0.5, 0.5, 3])
                elif damage == "seam":
                    vertices.append(list(vertices[t[0]]))
                    triangles[triangles.index(t)] = (len(vertices) - 1, t[1], t[2])
                else:
                    vertices = [[x, y, 0] for x, y, _ in vertices]
            with self.subTest(number=number):
                self.write("a.obj", obj(vertices, triangles))
                document, _ = self.check("a.obj", "--repair", "b.obj")
                seen.add(document["verdict"])
                if document["verdict"] in ("repairable", "surface_only"):
                    self.assertIsNone(document["refusal"])
                    self.assertEqual(self.check("b.obj")[0]["verdict"], "surface_only")
                    self.run_once("b.obj", 0)
                else:
                    self.assertIn(document["refusal"].split(" with")[0], self.run_once("b.obj", 2).stderr)
        self.assertEqual(seen, {"surface_only", "repairable", "sheet"})

    def test_verdicts_are_true_of_run_with_tets(self):
        def medit(vertices, tets):
            return ("MeshVersionFormatted 2\nDimension 3\nVertices\n%d\n" % len(vertices) + "".join("%g %g %g 0\n" % tuple(v) for v in vertices)
                    + "Tetrahedra\n%d\n" % len(tets) + "".join("%d %d %d %d 0\n" % tuple(v + 1 for v in t) for t in tets) + "End\n")
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (0.3, 0.3, 2), (9, 9, 9)]
        for tets, used, verdict in (([(0, 1, 2, 3)], 4, "ready"), ([(0, 1, 2, 3), (0, 1, 2, 4)], 5, "repairable"), ([(0, 1, 2, 3)], 7, "repairable"),
                                    ([(0, 1, 2, 3), (1, 2, 3, 0)], 4, "repairable"), ([(0, 1, 2, 3), (0, 2, 1, 4)], 5, "ready"),
                                    ([(0, 1, 2, 3), (0, 2, 1, 4), (0, 1, 2, 5)], 6, "damaged"), ([(0, 0, 1, 2)], 3, "damaged")):
            with self.subTest(tets=tets):
                self.write("a.mesh", medit(corners[:used], tets))
                document, _ = self.check("a.mesh")
                self.assertEqual(document["verdict"], verdict)
                self.run_once("a.mesh", 0 if verdict == "ready" else 2)
                if verdict == "repairable":
                    self.check("a.mesh", "--repair", "b.mesh")
                    self.run_once("b.mesh", 0)
                if verdict == "damaged":
                    self.assertTrue(document["refusal"])

    def test_a_refused_file_is_still_a_document(self):
        self.write("cut.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0")
        for name, known in (("cut.stl", "stl"), ("missing.msh", "gmsh"), ("missing.xyz", None)):
            document, _ = self.check(name, status=2)
            self.assertEqual((document["format"], document["verdict"]), (known, "refused"))
            self.assertTrue(document["error"]["problem"])
        self.assertIn("cut.stl", self.resilin("check", "cut.stl", status=2).stderr)

    def test_a_repair_that_cannot_be_written(self):
        self.write("cube.obj", obj(*CUBE))
        for out in ("nowhere/out.obj", "out.xyz", "out.node"):
            self.assertIn("error", self.json("check", "cube.obj", "--repair", out, status=2))
        self.assertEqual(self.files(), ["cube.obj"])

    def test_every_seed_of_the_readers_has_a_verdict(self):
        for path in sorted(p for p in CORPUS.rglob("*") if p.is_file() and p.parent.name != "message"):  # those of the viewer
            with self.subTest(file=path.name):
                result = subprocess.run([RESILIN, "check", path, "--json"], capture_output=True, text=True, timeout=300)
                verdict = strict_json(result.stdout)["verdict"]
                self.assertEqual(result.returncode, 2 if verdict == "refused" else 0, result.stderr)

    def test_degenerate_facets_of_stl(self):
        facets = [((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0, 0, 0), (0, 0, 0), (0, 0, 0)), ((0, 0, 0), (1, 0, 0), (2, 0, 0))]
        data = bytes(80) + struct.pack("<I", len(facets)) + b"".join(struct.pack("<12fH", 0, 0, 0, *sum(f, ()), 0) for f in facets)
        (self.folder / "flat.stl").write_bytes(data)
        document, defects = self.check("flat.stl", "--repair", "out.ply")
        self.assertEqual((defects["zero_area"]["examples"], defects["repeated_vertex"]["examples"]), ([2], [1]))
        self.assertEqual(self.check("out.ply")[0]["triangles"], 1)

    @unittest.skipUnless(os.environ.get("RESILIN_MESHES"), "RESILIN_MESHES is not set")
    def test_real_files(self):
        folder = Path(os.environ["RESILIN_MESHES"])
        for name, (vertices, tets, triangles, components, closed, verdict, expected) in REAL.items():
            with self.subTest(file=name):
                document, defects = self.check(folder / name)
                found = tuple(document[key] for key in ("vertices", "tets", "triangles", "components", "closed", "verdict"))
                self.assertEqual(found, (vertices, tets, triangles, components, closed, verdict))
                self.assertEqual(defects.keys(), expected.keys())
                for kind, count in expected.items():
                    self.assertEqual(defects[kind]["count"], count or defects[kind]["count"])
                least, most = ANGLES.get(name, (None, None))
                if least is not None:
                    self.assertAlmostEqual(document["quality"]["min_dihedral"], least, delta=0.06)
                if most is not None:
                    self.assertAlmostEqual(document["quality"]["max_dihedral"], most, delta=0.06)

    @unittest.skipUnless(os.environ.get("RESILIN_MESHES"), "RESILIN_MESHES is not set")
    def test_the_real_defects_in_words(self):
        folder = Path(os.environ["RESILIN_MESHES"])
        document, _ = self.check(folder / "armadillo_1k_broken.vtu", status=2)
        self.assertEqual((document["format"], document["verdict"]), ("vtu", "refused"))
        self.assertIn("4338 coordinates", document["error"]["problem"])
        _, defects = self.check(folder / "two_cubes_intersecting_binary_le.ply")
        self.assertIn("between components 0 and 1", defects["self_intersection"]["detail"])
        document, _ = self.check(folder / "microstructure_inverted_gmsh41.msh", "--repair", "fixed.msh")
        self.assertEqual([(s["what"], s["count"]) for s in document["repair"]["steps"]], [("flipped_tets", 8)])
        self.assertEqual(self.check("fixed.msh")[0]["verdict"], "ready")


if __name__ == "__main__":
    unittest.main()
