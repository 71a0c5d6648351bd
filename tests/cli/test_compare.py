"""resilin compare: documents, files, wrong use; and the reports of compare and run in a browser, where there is one."""
import csv
import os
import re
import shutil
import subprocess
import unittest

from resilin_command import CommandTest, small_scene, strict_json

CHROMIUM = os.environ.get("RESILIN_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SOLVERS = ("newton", "quasi_newton:history=5", "quasi_newton:history=0", "quasi_newton:line_search=false")

# Switches the first line of the first plot off, then zooms into a corner of the second; what was seen goes into the page.
GESTURES = """<script>
SVGElement.prototype.setPointerCapture = () => {};
const plots = document.querySelectorAll("figure.plot"), seen = {};
const paths = plot => plot.querySelectorAll("path.line").length;
const ticks = plot => [...plot.querySelectorAll("text")].map(t => t.textContent).join(" ");
const point = (plot, kind, x, y) => {
  const svg = plot.querySelector("svg"), box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent(kind, { clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true }));
};
seen.before = paths(plots[0]);
plots[0].querySelector("button").click();
seen.after = paths(plots[0]);
const whole = ticks(plots[1]);
point(plots[1], "pointerdown", 0.3, 0.3);
point(plots[1], "pointermove", 0.5, 0.5);
seen.rubber_band = plots[1].querySelectorAll(".zoom").length;
point(plots[1], "pointerup", 0.6, 0.6);
seen.zoomed = ticks(plots[1]) !== whole;
plots[1].querySelector("svg").dispatchEvent(new MouseEvent("dblclick"));
seen.reset = ticks(plots[1]) === whole;
const mark = plots[2].querySelector("circle, path.line").getBoundingClientRect(), frame = plots[2].querySelector("svg").getBoundingClientRect();
point(plots[2], "pointermove", (mark.left + 1 - frame.left) / frame.width, (mark.top + 1 - frame.top) / frame.height);
seen.read_out = plots[2].querySelectorAll(".note").length;
document.body.dataset.seen = JSON.stringify(seen);
</script>"""


class Comparisons(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene = self.write("bar.json", small_scene())

    def compare(self, *arguments, solvers=SOLVERS, status=0):
        chosen = [word for solver in solvers for word in ("--solver", solver)]
        return self.json("compare", self.scene, "--frame", 2, "--repeat", 1, *chosen, *arguments, status=status)

    def test_the_document_says_what_was_compared(self):
        document = self.compare("--iterations", 8)
        self.assertEqual((document["scene"], document["frame"]), ("bar", 2))
        self.assertLessEqual(document["reference"]["relative_residual"], 1e-9)
        self.assertEqual([c["name"] for c in document["configurations"]], list(SOLVERS))
        first = document["configurations"][1]
        self.assertEqual((first["solver"], first["parameters"]["history"]), ("quasi_newton", 5))
        self.assertEqual([p["iteration"] for p in first["trace"]], list(range(9)))
        self.assertEqual(first["trace"][0]["relative_error"], 1)
        self.assertEqual(first["error"], first["trace"][-1]["relative_error"])
        self.assertLess(first["error"], 0.1)
        for point in first["trace"]:
            self.assertAlmostEqual(point["objective"], point["inertia"] + point["elastic"], delta=1e-9 * abs(point["objective"]))

    def test_a_reduced_scene_is_compared_with_the_full_one(self):
        scene = small_scene(contact=False, reduction={"handles": 4, "fit_handles": 2, "samples": 10})
        self.scene = self.write("reduced.json", scene)
        document = self.compare("--out", "here", solvers=())
        self.assertEqual([c["unknowns"] for c in document["configurations"]], ["full", "subspace", "reduced"])
        self.assertEqual([r["unknowns"] for r in document["reduction"]], ["full", "subspace", "reduced"])
        full, subspace, reduced = document["reduction"]
        self.assertLess(reduced["count"], full["count"])
        self.assertEqual(subspace["projection"]["frames"], reduced["projection"]["frames"])
        self.assertEqual(len(reduced["right_side"]["frames"]), 2)
        self.assertIn("Right side from samples", (self.folder / "here/report.html").read_text())
        shown = self.resilin("compare", self.scene, "--frame", 2, "--repeat", 1, "--no-output").stdout
        for word in ("unknowns=full", "unknowns=reduced", "projection mean", "right side median"):
            self.assertIn(word, shown)

    def test_the_order_does_not_matter(self):
        def hashes(document):
            return {c["name"]: c["hash"] for c in document["configurations"]}
        forward = self.compare("--no-output", "--threads", 1)
        backward = self.compare("--no-output", "--threads", 2, solvers=SOLVERS[::-1])
        alone = self.compare("--no-output", solvers=SOLVERS[2:3])
        self.assertEqual(hashes(forward), hashes(backward))
        self.assertEqual(hashes(alone)[SOLVERS[2]], hashes(forward)[SOLVERS[2]])

    def test_files_are_left_and_never_overwritten(self):
        document = self.compare("--out", "here")
        self.assertEqual(document["output"], "here")
        self.assertEqual(sorted(p.name for p in (self.folder / "here").iterdir()), ["compare.csv", "compare.json", "report.html"])
        stored = strict_json((self.folder / "here/compare.json").read_text())
        self.assertEqual(stored["configurations"], document["configurations"])
        with open(self.folder / "here/compare.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), sum(len(c["trace"]) for c in document["configurations"]))
        self.assertEqual(float(rows[0]["relative_error"]), 1)
        self.assertIn("exists already", self.compare("--out", "here", status=2)["error"]["problem"])
        self.compare("--out", "here", "--overwrite")
        self.assertTrue((self.folder / "here.old-1/compare.json").exists())
        self.assertEqual([self.compare()["output"] for _ in range(2)], ["out/compare-bar", "out/compare-bar-2"])
        self.compare("--no-output")
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), ["compare-bar", "compare-bar-2"])

    def test_a_table_for_people(self):
        result = self.resilin("compare", self.scene, "--frame", 1, "--iterations", 3)
        for name in ("quasi_newton:history=0", "newton", "left out: projective_dynamics", "out/compare-bar/report.html"):
            self.assertIn(name, result.stdout)

    def test_a_budget_ends_a_configuration(self):
        document = self.compare("--budget", 1, "--iterations", 100000, "--no-output", solvers=["quasi_newton:tolerance=0,history=0"])
        self.assertIn(document["configurations"][0]["status"], ("time_limit", "converged"))

    def test_wrong_use_is_told_clearly(self):
        for arguments, where, problem in [
            (["--solver", "quasinewton"], "--solver quasinewton", "quasi_newton"),
            (["--solver", "quasi_newton:histroy=3"], "--solver quasi_newton:histroy=3", "history"),
            (["--solver", "quasi_newton:history=-3"], "history", "-3 is out of range"),
            (["--solver", "projective_dynamics"], "--solver projective_dynamics", "neo_hookean"),
            (["--frame", 5], "--frame", "5 is beyond the run: bar has frames 0 to 4"),
            (["--frame", -1], "--frame", "beyond the run"),
            (["--repeat", 0], "--repeat", "1 or more"),
            (["--budget", -1], "--budget", "0 (none) or more"),
            (["--no-output", "--out", "x"], "--no-output", "excludes --out"),
        ]:
            with self.subTest(arguments=arguments):
                error = self.json("compare", self.scene, *arguments, status=2)["error"]
                self.assertIn(where, error["where"])
                self.assertIn(problem, error["problem"])
        self.assertEqual(self.files(), ["bar.json"])


class Pages(CommandTest):
    def test_a_run_leaves_a_report_of_all_its_frames(self):
        scene = self.write("bar.json", small_scene(frames=6))
        self.resilin("run", scene, "--out", "a", "--frames", 4, "--checkpoint-every", 2)
        self.resilin("resume", "a", "--frames", 6)
        text = (self.folder / "a/report.html").read_text()
        self.assertIn('src="data:image/png;base64,', text)
        plots = [strict_json(p) for p in re.findall(r'<script type="application/json">(.*?)</script>', text)]
        titles = [p["title"] for p in plots]
        for title in ("Time per frame by phase", "Force residual", "Energy", "Work since the start", "Momentum"):
            self.assertIn(title, titles)
        self.assertEqual(plots[0]["series"][0]["x"], [1, 2, 3, 4, 5, 6])
        self.assertTrue(all(ms > 0 for ms in plots[0]["series"][0]["y"]))

    def browse(self, page):
        """The page's elements after its scripts have run; fails when the console has anything to say."""
        result = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
                                 f"--user-data-dir={self.folder}/profile", f"file://{page}"],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual([line for line in result.stderr.splitlines() if "CONSOLE" in line], [])
        return result.stdout

    def check_plots(self, dom):
        figures = re.findall(r'<figure class="plot">.*?</figure>', dom, re.S)
        self.assertGreater(len(figures), 5)
        for figure in figures:
            self.assertRegex(figure, r'<path class="line" d="M[\d.]+ [\d.]+')
            self.assertGreaterEqual(figure.count("<text"), 6)
            self.assertNotIn("NaN", re.sub(r"<script.*?</script>", "", figure, flags=re.S))

    @unittest.skipIf(CHROMIUM is None, "there is no Chromium: the plots of reports were not looked at")
    def test_reports_in_a_browser(self):
        scene = self.write("bar.json", small_scene(frames=6))
        self.resilin("run", scene, "--out", "run")
        self.resilin("compare", scene, "--frame", 2, "--out", "compare")
        self.check_plots(self.browse(self.folder / "run/report.html"))
        page = self.folder / "compare/report.html"
        self.check_plots(self.browse(page))
        page.write_text(page.read_text().replace("</body>", GESTURES + "</body>"))
        seen = strict_json(re.search(r"data-seen=\"(.*?)\"", self.browse(page)).group(1).replace("&quot;", '"'))
        self.assertEqual(seen["after"], seen["before"] - 1)
        self.assertEqual((seen["rubber_band"], seen["zoomed"], seen["reset"], seen["read_out"]), (1, True, True, 1))


if __name__ == "__main__":
    unittest.main()
