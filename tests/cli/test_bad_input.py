"""Bad input: status 2, a message that names the place, nothing written."""
import copy
import unittest

from resilin_command import CommandTest, small_scene


def changed(path, value):
    scene = copy.deepcopy(small_scene())
    at = scene
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return scene


MESH = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "tets": [[0, 1, 2, 3]]}


def mesh_scene(**changes):
    return small_scene(bodies=[{"name": "tet", "mesh": dict(MESH, **changes)}], pins=[])


# name: (scene, what the message must say)
SCENES = {
    "unknown key": (changed(["gravitas"], 1), ["gravitas", "gravity"]),
    "unknown key deep down": (changed(["bodies", 0, "material", "yuong"], 1e5), ["bodies[0].material", "yuong", "young"]),
    "wrong type": (changed(["frames"], "ten"), ["frames", "ten"]),
    "wrong type of an object": (changed(["bodies", 0, "shape", "size"], 3), ["bodies[0].shape.size"]),
    "Poisson ratio": (changed(["bodies", 0, "material", "poisson"], 0.7), ["bodies[0].material.poisson", "0.7"]),
    "negative density": (changed(["bodies", 0, "density"], -5), ["bodies[0].density", "-5"]),
    "pin that selects nothing": (changed(["pins"], [{"select": {"box": [[8, 8, 8], [9, 9, 9]]}}]), ["pins[0]"]),
    "unknown solver": (changed(["solver"], "newtn"), ["solver", "newton"]),
    "unknown material": (changed(["bodies", 0, "material", "type"], "neo_hooke"), ["neo_hookean"]),
    "unknown format": (changed(["output"], {"formats": ["docx"]}), ["docx", "vtu"]),
    "no bodies": (changed(["bodies"], []), ["bodies"]),
    "tet index out of range": (mesh_scene(tets=[[0, 1, 2, 4]]), ["tet", "4"]),
    "inverted rest tet": (mesh_scene(tets=[[0, 2, 1, 3]]), ["tet 0", "volume -", "repair"]),
    "zero volume": (mesh_scene(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]), ["tet 0", "volume"]),
    "missing mesh file": (changed(["bodies", 0], {"mesh": "none.msh"}), ["none.msh"]),
    "NaN": ('{"step": NaN, "bodies": []}', ["bar.json"]),
    "number that overflows": ('{"step": 1e999, "bodies": []}', ["bar.json"]),
    "not JSON": ("{", ["bar.json"]),
    "empty file": ("", ["bar.json"]),
}


class BadScenes(CommandTest):
    def test_every_one(self):
        for name, (scene, words) in SCENES.items():
            with self.subTest(name):
                path = self.write("bar.json", scene)
                result = self.resilin("run", path, status=2)
                self.assertEqual(result.stdout, "")
                for word in words:
                    self.assertIn(word, result.stderr)
                self.assertNotIn("unexpected error", result.stderr)
                error = self.json("run", path, status=2)["error"]
                self.assertEqual(set(error), {"where", "problem"})
                self.assertTrue(error["problem"])
                self.assertEqual(self.files(), ["bar.json"])

    def test_repair_takes_an_inverted_tet(self):
        scene = mesh_scene(tets=[[0, 2, 1, 3]])
        scene["bodies"][0]["repair"] = True
        self.json("run", self.write("bar.json", scene), "--no-output")

    def test_missing_scene(self):
        error = self.json("run", "no_such_scene.json", status=2)["error"]
        self.assertIn("no_such_scene", error["where"] + error["problem"])
        self.assertEqual(self.files(), [])


class BadUsage(CommandTest):
    def test_statuses(self):
        scene = self.write("bar.json", small_scene())
        for arguments in (["run", scene, "--no-such-option"], ["walk"], ["run", scene, "--frames", "many"],
                          ["run", scene, "--frames", "-1"], ["run", scene, "--threads", "-2"], ["run", scene, "--iterations", "-3"],
                          ["run", scene, "--solver", "newtn"], ["run", scene, "--set", "frames"], ["run", scene, "--set", "=3"],
                          ["run", scene, "--set", "frames=ten"], ["run", scene, "--set", "bodies[7].density=1"],
                          ["run", scene, "--out", "x", "--no-output"], ["list", "materiel"], ["new"], ["reproduce", "E0815"]):
            with self.subTest(arguments):
                result = self.resilin(*arguments, status=2)
                self.assertEqual(result.stdout, "")
                self.assertTrue(result.stderr)
                self.assertIn("error", self.json(*arguments, status=2))
                self.assertEqual(self.files(), ["bar.json"])

    def test_an_unwritable_folder_is_refused_before_simulating(self):
        scene = self.write("bar.json", small_scene(frames=1000000))
        (self.folder / "plain").write_text("")
        for out in ("plain/below", "plain", "/proc/resilin_test", "/dev/null/out"):
            with self.subTest(out):
                error = self.json("run", scene, "--out", out, status=2)["error"]
                self.assertIn(out, error["where"])
        self.assertEqual(self.files(), ["bar.json", "plain"])

    def test_an_unwritable_default_folder(self):
        scene = self.write("bar.json", small_scene())
        (self.folder / "out").write_text("a file")
        self.json("run", scene, status=2)
        self.assertEqual((self.folder / "out").read_text(), "a file")


if __name__ == "__main__":
    unittest.main()
