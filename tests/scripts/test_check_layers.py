"""Plants each violation in a small tree and checks that check_layers names it, and that what is allowed stays quiet."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"
sys.path.insert(0, str(SCRIPT.parent))
import check_layers  # noqa: E402

HEADERS = {
    "include/resilin/errors.h": "",
    "include/resilin/mesh.h": "",
    "include/resilin/solver.h": "",
    "src/core/thread_pool.h": "",
    "src/simd/pack.h": '#include "core/thread_pool.h"\n',
    "src/geometry/bvh.h": '#include "simd/pack.h"\n',
    "src/model/terms.h": '#include "geometry/bvh.h"\n',
    "src/potentials/sweep.h": '#include "model/terms.h"\n',
    "src/potentials/material.h": "",
    "src/potentials/materials/corotated.h": "",
    "src/contact/detect.h": '#include "potentials/sweep.h"\n',
    "src/linear/cg.h": '#include "simd/pack.h"\n',
    "src/problem/problem.h": '#include "contact/detect.h"\n#include "linear/cg.h"\n',
    "src/solvers/newton.cpp": '#include "linear/cg.h"\n#include "problem/problem.h"\n#include "resilin/solver.h"\n',
    "src/integrators/euler.h": '#include <resilin/errors.h>\n',
    "src/simulation/step.h": '#include "integrators/euler.h"\n',
    "src/scene/read.h": '#include "simulation/step.h"\n',
    "src/io/vtu.h": "",
    "src/lab/report.cpp": '#include <iostream>\n#include "scene/read.h"\n#include "io/vtu.h"\n',
    "apps/cli/main.cpp": '#include <iostream>\n#include "lab/report.h"\nint main() { std::exit(2); }\n',
}


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for path, text in HEADERS.items():
            self.write(path, text)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self):
        return check_layers.check_tree(self.root)

    def finds(self, path, text, line, *words):
        """Exactly one violation, at that place, with those words."""
        self.write(path, text)
        problems = self.problems()
        self.assertEqual(len(problems), 1, problems)
        self.assertTrue(problems[0].startswith(f"{path}:{line}: "), problems[0])
        for word in words:
            self.assertIn(word, problems[0])

    def quiet(self, path, text):
        self.write(path, text)
        self.assertEqual(self.problems(), [])


class Includes(Tree):
    def test_a_tree_in_order_is_quiet(self):
        self.assertEqual(self.problems(), [])

    def test_every_upward_include(self):
        order = ["core", "simd", "geometry", "model", "potentials", "contact", "problem", "solvers", "simulation",
                 "scene", "lab"]
        for low in range(len(order)):
            for high in range(low + 1, len(order)):
                with self.subTest(low=order[low], high=order[high]):
                    self.write(f"src/{order[high]}/target.h", "")
                    self.finds(f"src/{order[low]}/wrong.cpp", f'\n#include "{order[high]}/target.h"\n', 2,
                               f"{order[low]} must not include {order[high]}/target.h")
                    (self.root / f"src/{order[low]}/wrong.cpp").unlink()

    def test_siblings(self):
        for own, other in [("potentials", "contact"), ("potentials", "linear"), ("linear", "potentials"),
                           ("linear", "contact"), ("solvers", "integrators"), ("integrators", "solvers"),
                           ("solvers", "reduction"), ("io", "scene"), ("io", "lab")]:
            with self.subTest(own=own, other=other):
                self.finds(f"src/{own}/wrong.h", f'#include "{other}/not_written_yet.h"\n', 1, own, other)
                (self.root / f"src/{own}/wrong.h").unlink()

    def test_linear_knows_only_core_and_simd(self):
        self.finds("src/linear/wrong.cpp", '#include "resilin/mesh.h"\n', 1, "linear", "geometry")

    def test_solver_must_not_know_materials(self):
        self.finds("src/solvers/wrong.cpp", '#include "potentials/materials/corotated.h"\n', 1, "materials")

    def test_integrator_must_not_know_the_material_interface(self):
        self.finds("src/integrators/wrong.cpp", '#include "potentials/material.h"\n', 1, "materials")

    def test_solver_may_include_other_potentials(self):
        self.quiet("src/solvers/right.cpp", '#include "potentials/sweep.h"\n')

    def test_public_headers_have_layers(self):
        self.finds("src/potentials/wrong.cpp", '#include <resilin/solver.h>\n', 1, "potentials", "problem")

    def test_public_header_that_includes_upward(self):
        self.finds("include/resilin/errors.h", '#include "resilin/mesh.h"\n', 1, "core must not include")

    def test_public_header_that_includes_a_private_one(self):
        self.finds("include/resilin/mesh.h", '#include "core/thread_pool.h"\n', 1, "private")

    def test_public_header_that_needs_a_library(self):
        self.finds("include/resilin/mesh.h", '#include <Eigen/Core>\n', 1, "Eigen")

    def test_unknown_public_header(self):
        self.finds("include/resilin/novelty.h", "", 1, "PUBLIC_HEADERS")

    def test_unknown_folder(self):
        self.finds("src/novelty/thing.cpp", "", 1, "novelty", "check_layers.py")

    def test_include_beside_the_file_and_by_dots(self):
        self.write("src/potentials/helper.h", "")
        self.quiet("src/potentials/right.cpp", '#include "helper.h"\n#include "../model/terms.h"\n')
        self.finds("src/geometry/wrong.cpp", '#include "../model/terms.h"\n', 1, "geometry must not include")

    def test_commented_include_does_not_count(self):
        self.quiet("src/core/right.h", '// #include "solvers/newton.h"\n/*\n#include "solvers/newton.h"\n*/\n')


class Contents(Tree):
    def test_ending_the_process(self):
        for call in ("exit(1)", "std::exit(1)", "abort()", "std::abort ()", "_exit(0)", "std::terminate()"):
            with self.subTest(call=call):
                self.finds("src/core/wrong.cpp", f"void f() {{\n  {call};\n}}\n", 2, "never ends the process")

    def test_words_that_only_look_like_it(self):
        self.quiet("src/core/right.cpp", '// exit(1)\n/* abort() */ void on_exit(int);\nauto s = "abort()";\n'
                                         "void f(T t) { t.abort(); p->exit(); } const int n = 1'000; char c = '\"';\n")

    def test_code_after_a_string_and_a_comment_is_still_seen(self):
        self.finds("src/core/wrong.cpp", 'auto s = "/*"; char q = \'"\'; /* x */ void f() { abort(); }\n', 1, "process")

    def test_random_device(self):
        self.finds("src/geometry/wrong.cpp", "std::random_device seed;\n", 1, "seed")

    def test_iostream(self):
        self.finds("src/scene/wrong.cpp", "#include <iostream>\n", 1, "iostream")

    def test_only_tests_of_the_laboratory_include_it(self):
        self.quiet("tests/lab/test_report.cpp", '#include "lab/report.h"\n')
        self.quiet("tests/solvers/right.cpp", '#include "support/setup.h"\n// #include "lab/report.h"\n')
        for path in ("tests/solvers/wrong.cpp", "tests/contract/wrong.h", "tests/support/wrong.h"):
            with self.subTest(path=path):
                self.finds(path, '#include "lab/report.h"\n', 1, "does without the laboratory")
                (self.root / path).unlink()

    def test_machine_paths(self):
        for path in ("home/alice/meshes", "root/x", "Users/bob"):
            with self.subTest(path=path):
                self.finds("scenes/wrong.json", '{\n"mesh": "/' + path + '"}\n', 2, "machine")

    def test_paths_that_every_machine_has(self):
        self.quiet("docs/right.md", "src/home/x ./root/y /usr/include https://example.org/home/z $HOME/work/a\n")

    def test_registry_hosts(self):
        for text in ("index-url = " + "https://x.y/simple", '"resolved": "https://' + 'registry.' + 'npmjs.org/a"',
                     "https://" + "artifactory.example.com/deb", "http://apt." + "internal:80/"):
            with self.subTest(text=text):
                self.finds("python/wrong.cfg", text + "\n", 1, "registry")

    def test_long_files(self):
        self.quiet("src/core/right.cpp", "\n" * 600)
        self.finds("tests/core/wrong.cpp", "\n" * 601, 601, "601 lines")

    def test_build_folders_do_not_count(self):
        self.quiet("build/release/generated.cpp", "std::random_device seed;\n")


class Command(Tree):
    def run_script(self):
        return subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True)

    def test_exit_status(self):
        self.assertEqual(self.run_script().returncode, 0)
        self.write("src/core/wrong.cpp", "#include <iostream>\n")
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/core/wrong.cpp:1: ", result.stdout)


if __name__ == "__main__":
    unittest.main()
