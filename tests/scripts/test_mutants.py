"""Every fault of scripts/mutants.py still has its place in the source, and is in a folder whose tests are known."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import mutants  # noqa: E402


class Faults(unittest.TestCase):
    def test_have_their_places(self):
        self.assertGreaterEqual(len(mutants.FAULTS), 80)
        for fault in mutants.FAULTS:
            self.assertIsNotNone(mutants.place(fault, ROOT), fault)
            self.assertTrue(mutants.layers_of(fault[0]), fault[0])
            self.assertNotEqual(fault[1], fault[2])
        self.assertLessEqual(sum(len(fault) > 3 for fault in mutants.FAULTS), 4, "that no test can notice")

    def test_of_nan_have_their_places_and_experiments(self):
        for fault in mutants.NANS:
            self.assertIsNotNone(mutants.place(fault, ROOT), fault)
            for experiment in fault[3]:
                self.assertTrue((ROOT / "src/lab/experiments" / f"{experiment}.cpp").is_file(), experiment)

    def test_have_layers_whose_tests_are_there(self):
        self.assertEqual(mutants.layers_of("solvers/newton.cpp"), mutants.LAYERS["solvers"])
        self.assertEqual(mutants.layers_of("solvers/local/anderson.cpp"), mutants.LAYERS["solvers/local"])
        self.assertEqual(mutants.layers_of("render/png.cpp"), [])
        for layer in {layer for layers in mutants.LAYERS.values() for layer in layers}:
            self.assertTrue((ROOT / "tests" / layer).is_dir(), layer)

    def test_of_the_second_look_are_at_least_fifty_six(self):
        faults = mutants.chosen(mutants.FAULTS, "second look")
        self.assertGreaterEqual(len(faults), 56)
        self.assertLessEqual(sum(len(fault) > 3 for fault in faults), 2, "that no test can notice")

    def test_are_of_every_kind_of_folder(self):
        for folder in ("integrators", "solvers", "problem", "model", "potentials", "linear", "contact",
                       "reduction"):
            self.assertTrue(any(fault[0].startswith(folder + "/") for fault in mutants.FAULTS), folder)


if __name__ == "__main__":
    unittest.main()
