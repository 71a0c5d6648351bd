"""The page of `resilin view` in headless Chromium: each test of page/run.mjs is one here.

Environment: RESILIN, the command; RESILIN_NODE_MODULES, the folder where the build put the page's packages.
"""
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).resolve().parent / "page" / "run.mjs"
NAMES = re.findall(r'^test\("(\w+)"', SCRIPT.read_text(encoding="utf-8"), re.M)


def missing():
    """Why the tests cannot run, or None."""
    for program in ("node", "chromium"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    modules = os.environ.get("RESILIN_NODE_MODULES", "")
    if not Path(modules, "playwright-core").is_dir():
        return "playwright-core was not fetched"
    return None


class Parts(unittest.TestCase):
    @unittest.skipIf(shutil.which("node") is None, "node is not installed")
    def test_parts_without_a_browser(self):
        done = subprocess.run([shutil.which("node"), "--test", str(SCRIPT.with_name("units.mjs"))], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-2000:])
        self.assertNotIn("# tests 0", done.stdout)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.why = missing()
        cls.results, cls.log = {}, ""
        if cls.why:
            return
        environment = dict(os.environ, CHROMIUM=shutil.which("chromium"))
        environment.setdefault("RESILIN_SCENES", str(REPOSITORY / "scenes"))
        done = subprocess.run([shutil.which("node"), str(SCRIPT)], env=environment, capture_output=True, text=True, timeout=540)
        cls.log = done.stdout[-2000:] + done.stderr[-4000:]
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                result = json.loads(line)
                cls.results[result["name"]] = result["error"]

    def check(self, name):
        if self.why:
            self.skipTest(self.why)
        self.assertIn(name, self.results, f"it did not run:\n{self.log}")
        self.assertIsNone(self.results[name])


def add(name):
    setattr(Page, f"test_{name}", lambda self: self.check(name))


for each in NAMES:
    add(each)

if __name__ == "__main__":
    unittest.main()
