"""resilin bench: the document and the table, not the times."""
import csv
import unittest

from resilin_command import CommandTest

KEYS = ["name", "threads", "median_ms", "min_ms", "p99_ms", "median_ns", "floor_ms", "ratio_to_floor", "reference_ms",
        "speedup", "peak_mb"]


class Bench(CommandTest):
    def test_kernels_as_json(self):
        document = self.json("bench", "kernels", "--quick", "--csv", "results.csv")
        for key in ("machine", "compiler", "flags", "commit", "bandwidth", "cases"):
            self.assertTrue(document[key], key)
        first = document["cases"][0]
        self.assertEqual(first["name"], "kernels")
        for case in document["cases"]:
            self.assertLessEqual(set(KEYS), set(case))
            self.assertGreater(case["median_ns"], 0)
            self.assertGreater(case["ratio_to_floor"], 0)
            self.assertIsNone(case["median_ms"])
        with open(self.folder / "results.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["name"] for row in rows], [case["name"] for case in document["cases"]])
        self.assertTrue(all(row["machine"] and row["compiler"] and row["commit"] for row in rows))

    def test_a_scene_for_people(self):
        text = self.resilin("bench", "cloth_c", "--quick", "--frames", 2, "--no-reference", "--threads", 1,
                            "--set", "bodies[0].cloth.cells=[8, 8]").stdout
        self.assertIn("cloth_c", text)
        self.assertIn("x floor", text)

    def test_experiments_with_marks_of_time_have_a_row_each(self):
        names = [case["name"] for case in self.json("bench", "experiment_times", "--quick")["cases"]]
        self.assertIn("times.two_level.scene_a", names)
        self.assertIn("times.E17", names)

    def test_an_unknown_case_suggests_the_nearest(self):
        self.assertIn("scene_b_nh", self.json("bench", "scene_b_mh", status=2)["error"]["problem"])

    def test_a_csv_file_that_cannot_be_written(self):
        self.json("bench", "kernels", "--csv", "no/such/folder.csv", status=2)


if __name__ == "__main__":
    unittest.main()
