"""resilin list, schema, new, reproduce, --version and help."""
import shutil
import subprocess
import unittest

from resilin_command import RESILIN, CommandTest, small_scene, strict_json

KINDS = ["scene", "shape", "sheet", "material", "bending", "potential", "damping", "preset", "obstacle", "integrator", "solver", "linear", "format"]


class List(CommandTest):
    def test_every_kind(self):
        document = self.json("list")
        self.assertEqual(list(document), KINDS)
        document.update(self.json("list", "experiment"))
        for kind in [*KINDS, "experiment"]:
            self.assertTrue(document[kind], kind)
            for entry in document[kind]:
                self.assertTrue(entry["name"] and entry["doc"], entry)
                for parameter in entry["parameters"]:
                    self.assertLessEqual({"name", "type", "unit", "default", "range", "doc"}, set(parameter))

    def test_the_list_says_where_experiments_are(self):
        self.assertIn("resilin list experiment", self.resilin("list").stdout)

    def test_commands_of_the_laboratory_say_how_to_build_it(self):
        alone = self.folder / "resilin"
        shutil.copy(RESILIN, alone)
        for words in (("reproduce", "E1"), ("--json", "bench"), ("list", "experiment")):
            result = subprocess.run([alone, *words], capture_output=True, text=True, env=self.environment())
            self.assertEqual(result.returncode, 1)
            self.assertIn("./run reproduce", result.stdout + result.stderr)
        self.assertEqual(subprocess.run([alone, "list", "material"], capture_output=True, env=self.environment()).returncode, 0)

    def test_parameters_with_units_and_ranges(self):
        materials = {entry["name"]: entry for entry in self.json("list", "material")["material"]}
        young = next(p for p in materials["neo_hookean"]["parameters"] if p["name"] == "young")
        self.assertEqual((young["unit"], young["range"]), ("Pa", "> 0"))

    def test_for_people(self):
        text = self.resilin("list", "solvers").stdout
        for word in ("quasi_newton", "newton", "projective_dynamics", "iterations"):
            self.assertIn(word, text)
        self.assertNotIn("\033", text)
        self.assertNotIn("neo_hookean", text)

    def test_an_unknown_kind_suggests_the_nearest(self):
        self.assertIn("material", self.json("list", "matrial", status=2)["error"]["problem"])


class SchemaAndNew(CommandTest):
    def test_schema_is_json(self):
        document = strict_json(self.resilin("schema").stdout)
        self.assertEqual(document, self.json("schema"))
        self.assertIn("$schema", document)

    def test_new_writes_a_scene_that_runs(self):
        self.resilin("new", "mine")
        self.assertEqual(self.files(), ["mine.json"])
        self.assertEqual(self.json("run", "mine.json", "--frames", 1, "--no-output")["scene"], "mine")

    def test_first_runs_end_in_good_news(self):
        self.resilin("new", "mine")
        for scene in ("default", "mine.json"):
            document = self.json("run", scene, "--frames", 45, "--no-output")
            self.assertEqual(document["not_converged_frames"], 0, scene)
            self.assertIn("positions are right to", document["verdict"])

    def test_new_never_overwrites(self):
        self.write("mine.json", "precious")
        self.assertIn("exists", self.json("new", "mine", status=2)["error"]["problem"])
        self.assertEqual((self.folder / "mine.json").read_text(), "precious")

    def test_new_in_a_missing_folder(self):
        self.json("new", "no/such/mine", status=2)
        self.assertEqual(self.files(), [])


class Reproduce(CommandTest):
    def test_without_ids_it_lists(self):
        ids = [entry["id"] for entry in self.json("reproduce")["available"]]
        self.assertTrue(ids)
        text = self.resilin("reproduce").stdout
        for name in ids:
            self.assertIn(name, text)

    def test_unknown_id_and_parameter(self):
        known = self.json("reproduce")["available"][0]["id"]
        error = self.json("reproduce", known, known + "x", status=2)["error"]
        self.assertIn(known, error["problem"])
        self.assertIn("no_such", self.json("reproduce", known, "--set", "no_such=1", status=2)["error"]["where"])

    def test_document(self):
        known = self.json("reproduce")["available"][0]["id"]
        document = strict_json(self.resilin("reproduce", known, "--json").stdout)
        self.assertEqual((document["passed"], document["failed"], document["reported"]), (1, 0, 0))
        experiment, = document["experiments"]
        self.assertLessEqual({"id", "title", "sources", "rows", "verdict", "seconds"}, set(experiment))
        for row in experiment["rows"]:
            self.assertLessEqual({"quantity", "expected", "measured", "tolerance", "pass"}, set(row))


class Top(CommandTest):
    def test_version(self):
        text = self.resilin("--version").stdout
        for word in ("resilin ", "commit", "SIMD", "threads"):
            self.assertIn(word, text)
        document = self.json("--version")
        self.assertIn(document["simd_bits"], (128, 256, 512))
        self.assertRegex(document["build_target"], r"^\w+ [\d.]+ -O\d.*, (?!native|option)[\w.-]+, (128|256|512) bits$")
        self.assertGreaterEqual(document["threads"], 1)

    def test_without_arguments_a_short_help(self):
        text = self.resilin().stdout
        for word in ("run", "reproduce", "list", "new", "schema", "--version"):
            self.assertIn(word, text)

    def test_help_of_a_command(self):
        self.assertIn("--overwrite", self.resilin("run", "--help").stdout)

    def test_gallery_scenes_run_by_name(self):
        scene = self.write("bar.json", small_scene())
        self.json("run", scene, "--frames", 0, "--no-output")
        self.assertEqual(self.json("run", "--frames", 1, "--no-output")["status"], "done")


if __name__ == "__main__":
    unittest.main()
