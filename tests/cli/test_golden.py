"""The first frames of scenes of the gallery end in the bits that golden_hashes.json records. A hash that changes without intention is a bug;
with intention, write the file anew and say so in the CHANGELOG, whose line carries the digest of the file:

    RESILIN=build/release/apps/cli/resilin python3 tests/cli/test_golden.py --write

Bits depend on compiler, CPU family and SIMD width (docs/decisions/0004_fixed_partition.md): each of them has hashes of its own.
"""
import hashlib
import json
import sys
import unittest

from resilin_command import REPOSITORY, CommandTest

FILE = REPOSITORY / "tests/cli/golden_hashes.json"
SCENES = ("anisotropic_cube", "balloon", "belt", "cantilever", "clay_drop", "default", "dropped_cloth", "hanging_cloth", "jiggling_creature",
          "pendulum", "pile", "random_start", "reduced_creature", "released_beam", "rolling_ball", "shaken_bar", "spinning_beam",
          "spline_sphere_a", "stack", "swinging_cloth", "tablecloth", "twisted_beam", "twisting_bar")
FRAMES = {"pile": 15}  # dear ones end earlier, when bodies touch


class Golden(CommandTest):
    def hashes(self):
        return {scene: self.json("run", scene, "--frames", FRAMES.get(scene, 30), "--no-output")["state_hash"]
                for scene in SCENES}

    def test_scenes_end_in_the_recorded_bits(self):
        target = self.json("--version")["build_target"]
        golden = json.loads(FILE.read_text())
        if target not in golden:
            self.skipTest(f"there are no golden hashes of {target}")
        self.assertEqual(self.hashes(), golden[target], "meant? then write the file anew, and a line into the CHANGELOG")

    def test_the_changelog_knows_the_file(self):
        digest = hashlib.sha256(FILE.read_bytes()).hexdigest()[:12]
        self.assertIn(f"golden hashes {digest}", (REPOSITORY / "CHANGELOG.md").read_text(),
                      "golden_hashes.json changed: a line of the CHANGELOG says why, with this digest")


class Write(Golden):
    def test_write(self):
        golden = json.loads(FILE.read_text()) if FILE.exists() else {}
        golden[self.json("--version")["build_target"]] = self.hashes()
        FILE.write_text(json.dumps(golden, indent=1, sort_keys=True) + "\n")
        print("golden hashes", hashlib.sha256(FILE.read_bytes()).hexdigest()[:12])


def load_tests(loader, tests, pattern):
    chosen = [Write("test_write")] if "--write" in sys.argv else loader.loadTestsFromTestCase(Golden)
    return unittest.TestSuite(chosen)


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--write"])
