"""Every number and every text that the repository refers to is one that its reader has, and descriptions name their subject.

X-numbers name corrections of papers: docs/theory/corrections.md has a row for each. E-numbers name experiments: `resilin list
experiment` has them. Working papers that were never published are not mentioned at all.

Environment: RESILIN, the command; default: the one on PATH.
"""
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RESILIN = shutil.which(os.environ.get("RESILIN", "resilin")) or os.environ.get("RESILIN", "resilin")
CORRECTIONS = "docs/theory/corrections.md"
FOLDERS = ("apps", "bench", "cmake", "docs", "examples", "include", "python", "scenes", "scripts", "src", "tests")
SUFFIXES = {".cpp", ".h", ".inc", ".md", ".py", ".sh", ".txt", ".cmake", ".json", ".html", ".js", ".css"}
CORRECTION = re.compile(r"\bX([1-9][0-9]?)\b(?:(?: to |\.\.)X([1-9][0-9]?)\b)?")
EXPERIMENT = re.compile(r"(?<![/\w])E[1-9][0-9]{0,2}\b")
EXAMPLES = {"E900"}  # docs/extend/experiment.md writes this one; it stays free
NOT_EXPERIMENTS = re.compile(r"# noqa: E[0-9]+")
NO_SUBJECT = re.compile(r"(?:of|by|at|from|on|across|in|with|until|along|after|between|that)\b")
# Joined from two parts, so that this file does not mention them either.
UNPUBLISHED = re.compile("|".join(a + b for a, b in (
    (r"\borac", r"les?\.md"), (r"the ora", r"cles?\b"), (r"\(ora", r"cles\b"), (r"performan", r"ce\.md"), (r"\bDESI", r"GN\.md"), (r"\bbeyo", r"nd\.md"),
    (r"\brobu", r"st\.md"), (r"design_sk", r"etch"), (r"\bstyle", r"\.md"), (r"\bproto", r"types?\b"), (r"\bPart [0-9]+,? ", r"item\b"),
    (r"\[ri", r"g\]"), (r"\brig 1", r"\.[0-9]"), (r"\biss", r"ues? #?[0-9]"), (r"\b(?:their|our|the|that|of an)(?: \w+)? iss", r"ues?\b"))), re.I)
JAVASCRIPT = re.compile("[A-Z]\\w*\\." + "proto" + "type\\.")


def files():
    """The text files that people write; what a build leaves behind is not among them."""
    named = [path for path in REPOSITORY.iterdir() if path.is_file() and (path.suffix in SUFFIXES or path.name in ("run", "test"))]
    return sorted(named) + [path for folder in FOLDERS for path in sorted((REPOSITORY / folder).rglob("*"))
                            if path.is_file() and path.suffix in SUFFIXES and "results" not in path.parts]


def places(pattern):
    """(file:line, match) of every match in the repository."""
    for path in files():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            line = JAVASCRIPT.sub("", NOT_EXPERIMENTS.sub("", line))
            for match in pattern.finditer(line):
                yield f"{path.relative_to(REPOSITORY).as_posix()}:{number}", match


def numbers(match):
    """The one number of a match, or all of a range such as "X1 to X5"."""
    first, last = int(match.group(1)), int(match.group(2) or match.group(1))
    return range(first, last + 1)


class References(unittest.TestCase):
    maxDiff = None

    def test_corrections_are_explained(self):
        page = (REPOSITORY / CORRECTIONS).read_text(encoding="utf-8")
        explained = {int(number) for number in re.findall(r"^\| X([0-9]+) \| .{60,} \|$", page, re.M)}
        self.assertGreater(len(explained), 20, f"{CORRECTIONS} has no table of corrections")
        missing = sorted({f"{place}: X{n}" for place, match in places(CORRECTION) for n in numbers(match) if n not in explained})
        self.assertEqual(missing, [], f"{CORRECTIONS} does not explain these")

    def test_experiments_are_registered(self):
        listed = subprocess.run([RESILIN, "list", "experiment", "--json"], capture_output=True, text=True, check=True, timeout=60)
        registered = {entry["name"] for entry in json.loads(listed.stdout)["experiment"]}
        self.assertGreater(len(registered), 50, "the registry was not read")
        missing = [f"{place}: {match.group()}" for place, match in places(EXPERIMENT) if match.group() not in registered | EXAMPLES]
        self.assertEqual(missing, [], "these are not registered experiments")

    def test_no_unpublished_text_is_mentioned(self):
        mentioned = [f"{place}: {match.group()}" for place, match in places(UNPUBLISHED)]
        self.assertEqual(mentioned, [], "the reader does not have these texts")

    def test_descriptions_name_their_subject(self):
        registered = json.loads(subprocess.run([RESILIN, "list", "--json"], capture_output=True, text=True, check=True, timeout=60).stdout)
        described = [(f"{kind} {entry['name']}.{parameter['name']}", parameter["doc"]) for kind, entries in registered.items()
                     for entry in entries for parameter in entry["parameters"]]
        schema = json.loads(subprocess.run([RESILIN, "schema"], capture_output=True, text=True, check=True, timeout=60).stdout)
        for name, definition in {"scene": schema, **schema["$defs"]}.items():
            described += [(f"schema {name}.{key}", value.get("description", "")) for key, value in definition.get("properties", {}).items()
                          if isinstance(value, dict)]
        self.assertGreater(len(described), 200, "the descriptions were not found")
        riddles = [f"{place}: {text}" for place, text in described if NO_SUBJECT.match(text)]
        self.assertEqual(riddles, [], "these begin with a preposition: of what?")


if __name__ == "__main__":
    unittest.main()
