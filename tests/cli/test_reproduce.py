"""resilin reproduce of papers: groups, reports, wrong use; and the pages in a browser, where there is one."""
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from resilin_command import RESILIN, CommandTest, strict_json

CHROMIUM = os.environ.get("RESILIN_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# Two quick experiments with plots and pictures.
FIGURES = ("liu2017.figure9", "liu2017.figure5")
QUICK = ("--set", "cells=3")


def plots_of(text):
    return [strict_json(p) for p in re.findall(r'<script type="application/json">(.*?)</script>', text)]


class Reports(CommandTest):
    def test_experiments_leave_a_report_when_asked(self):
        document = self.json("reproduce", *FIGURES, *QUICK, "--out", "here")
        self.assertEqual(document["report"], "here/report.html")
        self.assertEqual([e["id"] for e in document["experiments"]], list(FIGURES))
        self.assertEqual(sorted(p.name for p in (self.folder / "here").iterdir()), ["plots", "report.html", "reproduce.json"])
        stored = strict_json((self.folder / "here/reproduce.json").read_text())
        self.assertEqual(stored["experiments"], document["experiments"])
        text = (self.folder / "here/report.html").read_text()
        for part in ('href="#liu2017.figure9"', '<section id="liu2017.figure5">', "Differs because:", 'src="data:image/png;base64,'):
            self.assertIn(part, text)
        plots = plots_of(text)
        self.assertEqual(len(plots), 3)
        self.assertEqual(sum(e["figures"] for e in document["experiments"]), 5)
        for plot in plots:
            self.assertGreaterEqual(len(plot["series"]), 2)
            self.assertTrue(all(len(series["x"]) == len(series["y"]) > 3 for series in plot["series"]))

    def test_every_plot_is_a_picture_of_its_own(self):
        self.json("reproduce", *FIGURES, *QUICK, "--out", "here")
        names = sorted(p.name for p in (self.folder / "here/plots").iterdir())
        self.assertEqual(len(names), 3)
        self.assertIn("liu2017_figure9_1.svg", names)
        for name in names:
            root = xml.etree.ElementTree.parse(self.folder / "here/plots" / name).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertGreaterEqual(len(root.findall("{*}path")), 2)

    def test_a_long_experiment_says_where_it_is_and_keeps_what_it_found(self):
        few = ["reproduce", "two_level.iterations", "--out", "here"]
        for name, value in {"vertices": "[40]", "young": "[1e6]", "step": "[0.03]", "frames": "2", "iterations": "10"}.items():
            few += ["--set", f"{name}={value}"]
        process = subprocess.Popen([RESILIN, *few], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        lines = [process.stderr.readline() for _ in range(3)]
        process.kill()
        process.communicate()
        self.assertRegex(lines[2], r"^\[1/1\] two_level.iterations 2/\d+  ETA \d+:\d\d  drop corotated")
        stored = strict_json((self.folder / "here/reproduce.json").read_text())
        so_far = stored.get("unfinished") or stored["experiments"][0]
        self.assertGreaterEqual(len(so_far["rows"]), 2)
        self.assertGreaterEqual(len(so_far["tables"][0]["rows"]), 4)

    def test_a_single_experiment_writes_nothing_unasked(self):
        self.assertIsNone(self.json("reproduce", "E23")["report"])
        self.assertEqual(self.files(), [])

    def test_quick_uses_the_quick_set_and_set_changes_it(self):
        rows = lambda *arguments: [r["quantity"] for r in self.json("reproduce", "trust.bodies", "--no-output", *arguments)["experiments"][0]["rows"]]
        boxes = rows("--quick")
        self.assertTrue(all("box" in q for q in boxes), boxes)
        self.assertNotEqual(boxes, rows("--quick", "--set", "parts=cloth", "--set", "frames=2"))
        self.assertIn("--quick needs", self.json("reproduce", "--quick", status=2)["error"]["problem"])

    def test_what_judges_nothing_is_reported_and_does_not_fail(self):
        document = self.json("reproduce", "E71", "--quick")
        self.assertEqual((document["passed"], document["failed"], document["reported"]), (0, 0, 1))
        self.assertEqual(document["experiments"][0]["verdict"], "reported")
        self.assertIn("1 reported", self.resilin("reproduce", "E71", "--quick").stdout)

    def test_a_group_is_a_source_and_leaves_a_report(self):
        ids = [e["id"] for e in self.json("reproduce")["available"] if "files" in e["sources"]]
        document = self.json("reproduce", "files")
        self.assertEqual([e["id"] for e in document["experiments"]], ids)
        self.assertEqual(document["report"], "out/reproduce-files/report.html")
        self.assertEqual(self.json("reproduce", "files", ids[0])["report"], "out/reproduce-files-2/report.html")
        self.assertIsNone(self.json("reproduce", "files", "--no-output")["report"])

    def test_several_papers_have_an_index(self):
        self.json("reproduce", "E23", "E76", "--out", "here")
        index = (self.folder / "here/index.html").read_text()
        for page in ("liu2017.html", "oracle.html"):
            self.assertIn(f'<a href="{page}">', index)
            self.assertTrue((self.folder / "here" / page).exists())

    def test_an_existing_folder_is_never_overwritten(self):
        self.json("reproduce", "E23", "--out", "here")
        self.assertIn("exists already", self.json("reproduce", "E23", "--out", "here", status=2)["error"]["problem"])
        self.json("reproduce", "E23", "--out", "here", "--overwrite")
        self.assertTrue((self.folder / "here.old-1/report.html").exists())

    def test_wrong_use_is_told_clearly(self):
        for arguments, problem in [(["liu2018"], "liu2017"), (["al"], "all"), (["E23", "--no-output", "--out", "x"], "excludes --out")]:
            with self.subTest(arguments=arguments):
                self.assertIn(problem, self.json("reproduce", *arguments, status=2)["error"]["problem"])
        self.assertEqual(self.files(), [])

    @unittest.skipIf(CHROMIUM is None, "there is no Chromium: the plots of papers were not looked at")
    def test_the_page_in_a_browser(self):
        self.json("reproduce", *FIGURES, *QUICK, "--out", "here")
        result = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
                                 f"--user-data-dir={self.folder}/profile", f"file://{self.folder}/here/report.html"],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual([line for line in result.stderr.splitlines() if "CONSOLE" in line], [])
        figures = re.findall(r'<figure class="plot">.*?</figure>', result.stdout, re.S)
        self.assertEqual(len(figures), 3)
        for figure in figures:
            self.assertRegex(figure, r'<path class="line" d="M[\d.]+ [\d.]+')


if __name__ == "__main__":
    unittest.main()
