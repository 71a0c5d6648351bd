"""clang-format holds for every C++ file. Other versions break lines elsewhere, so that one version is pinned: Debian 12's."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = 14
FOLDERS = ("apps", "bench", "examples", "include", "src", "tests")


def pinned():
    """The program of the pinned version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and re.search(rf"version {VERSION}\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


class Format(unittest.TestCase):
    @unittest.skipIf(pinned() is None, f"clang-format {VERSION} is not installed")
    def test_every_file_is_formatted(self):
        files = [file for folder in FOLDERS for suffix in ("*.cpp", "*.h") for file in sorted((ROOT / folder).rglob(suffix))]
        self.assertGreater(len(files), 400)
        unformatted = []
        for first in range(0, len(files), 50):
            result = subprocess.run([pinned(), "--dry-run", "--ferror-limit=1", *files[first:first + 50]], cwd=ROOT, capture_output=True, text=True)
            unformatted += re.findall(r"^(\S+?):\d+:\d+: warning", result.stderr, re.M)
        unformatted = sorted({Path(file).resolve().relative_to(ROOT).as_posix() for file in unformatted})
        self.assertEqual(unformatted, [], "run: clang-format -i " + " ".join(unformatted))


if __name__ == "__main__":
    unittest.main()
