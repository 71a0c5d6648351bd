"""The documentation is true: its commands run, its scenes simulate, its links lead somewhere, and everything that is registered
is described.

In README.md and docs/**/*.md fenced blocks are marked by the words after the fence:

    ```sh test              every line is run by bash -e in a fresh folder per file, with `resilin` on PATH; ./run means `resilin`
    ```sh test status 2     the same, and it must end with that status
    ```json scene           is simulated for two frames
    ```json scene NAME      the same, and is there under that name for the commands after it
    ```cpp compile          must pass the compiler's checks

Environment: RESILIN, the command; default: the one on PATH. CXX, the compiler; default: c++.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RESILIN = shutil.which(os.environ.get("RESILIN", "resilin")) or os.environ.get("RESILIN", "resilin")
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.S | re.M)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
OTHERS = ("algorithm", "array", "atomic", "functional", "map", "memory", "mutex", "optional", "span", "string", "thread", "variant", "vector")
DESCRIBED_KINDS = ("material", "damping", "solver", "integrator", "shape", "sheet", "bending", "potential", "obstacle", "format", "linear")


def pages():
    return [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted((REPOSITORY / "docs").rglob("*.md"))


def blocks(page):
    """(line, words after the fence, text) of every fenced block."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start()) + 1, match.group(1).split(), match.group(2)) for match in FENCE.finditer(text)]


def prose(page):
    """The page without fenced and indented code and without `code`: where links are links."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^ {4}.*$", "", text, flags=re.M))


def anchors(page):
    """What GitHub calls the headings of a page."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Docs(unittest.TestCase):
    def name(self, page):
        return page.relative_to(REPOSITORY).as_posix()

    def environment(self, folder):
        tools = folder / ".bin"
        tools.mkdir()
        (tools / "resilin").symlink_to(Path(RESILIN).resolve())
        environment = dict(os.environ, NO_COLOR="1", PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
        environment.setdefault("RESILIN_SCENES", str(REPOSITORY / "scenes"))
        return environment

    def call(self, place, command, status, folder, environment):
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, status, f"{place}: {command[-1]}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")

    def run_block(self, place, words, text, folder, environment):
        if words[:2] == ["sh", "test"]:
            status = int(words[words.index("status") + 1]) if "status" in words else 0
            script = re.sub(r"^\./run *$", "resilin run", text, flags=re.M)  # alone, it shows the default scene
            script = re.sub(r"(?<![\w/.])\./run\b", "resilin", script)
            self.call(place, ["bash", "-euo", "pipefail", "-c", script], status, folder, environment)
        if words[:2] == ["json", "scene"]:
            file = folder / (words[2] if len(words) > 2 else "scene_of_the_docs.json")
            file.write_text(text, encoding="utf-8")
            self.call(place, [RESILIN, "run", str(file), "--frames", "2", "--no-output"], 0, folder, environment)

    def test_commands_and_scenes_run(self):
        ran = 0
        for page in pages():
            with tempfile.TemporaryDirectory(prefix="resilin_docs_") as temporary:
                folder = Path(temporary)
                environment = self.environment(folder)
                for line, words, text in blocks(page):
                    if words[:2] not in (["sh", "test"], ["json", "scene"]):
                        continue
                    ran += 1
                    with self.subTest(page=self.name(page), line=line):
                        self.run_block(f"{self.name(page)}:{line}", words, text, folder, environment)
        self.assertGreater(ran, 10, "the blocks were not found")

    def test_code_compiles(self):
        compiler = shutil.which(os.environ.get("CXX", "c++"))
        if compiler is None:
            self.skipTest("there is no compiler")
        flags = ["-std=c++20", "-march=native", "-Wall", "-Wextra", "-Werror", "-Wno-psabi",
                 *(f"-I{REPOSITORY / folder}" for folder in ("include", "src", "tests"))]
        temporary = tempfile.TemporaryDirectory(prefix="resilin_docs_")
        self.addCleanup(temporary.cleanup)
        others = Path(temporary.name, "others.h")  # precompiled: what all blocks include sooner or later, and nothing of ours
        others.write_text("".join(f"#include <{name}>\n" for name in OTHERS))
        subprocess.run([compiler, *flags, "-x", "c++-header", others, "-o", f"{others}.gch"], check=True, timeout=300)
        flags += ["-fsyntax-only", "-include", str(others)]
        ran = 0
        for page in pages():
            for line, words, text in blocks(page):
                if words[:2] != ["cpp", "compile"]:
                    continue
                ran += 1
                with self.subTest(page=self.name(page), line=line):
                    result = subprocess.run([compiler, *flags, "-x", "c++", "-"], input=text, capture_output=True, text=True, timeout=300)
                    self.assertEqual(result.returncode, 0, f"{self.name(page)}:{line}\n{result.stderr[:3000]}")
        self.assertGreaterEqual(ran, 5, "the blocks were not found")

    def test_links_lead_somewhere(self):
        for page in pages():
            for link in LINK.findall(prose(page)):
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, anchor = link.partition("#")
                target = (page.parent / path).resolve() if path else page
                with self.subTest(page=self.name(page), link=link):
                    self.assertTrue(target.exists(), f"{self.name(page)}: {link} leads nowhere")
                    self.assertTrue(target.is_relative_to(REPOSITORY), f"{self.name(page)}: {link} leaves the repository")
                    if anchor and target.suffix == ".md":
                        self.assertIn(anchor, anchors(target), f"{self.name(page)}: {link} names no heading")

    def test_no_hash_is_written_down(self):
        """A hash depends on the machine, the compiler and every change of the code: on paper it is wrong soon."""
        for page in pages():
            found = re.findall(r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{16}\b", page.read_text(encoding="utf-8"))
            self.assertEqual(found, [], self.name(page))

    def test_readme_opens_with_pictures(self):
        text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
        shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text.partition("\n## ")[0])
        contents = [(REPOSITORY / path).read_bytes() for path in shown]
        moving = [data for data in contents if b"acTL" in data[:64]]
        self.assertEqual((len(contents), len(moving)), (2, 1), "one picture and one animated PNG")
        for path, data in zip(shown, contents):
            self.assertLessEqual(len(data), 1_500_000 if data in moving else 300_000, path)

    def test_fences_are_closed(self):
        for page in pages():
            fences = re.findall(r"^```", page.read_text(encoding="utf-8"), re.M)
            self.assertEqual(len(fences) % 2, 0, f"{self.name(page)}: a fenced block is not closed")

    def test_what_is_registered_is_described(self):
        listed = subprocess.run([RESILIN, "list", "--json"], capture_output=True, text=True, check=True, timeout=60,
                                env=dict(os.environ, RESILIN_SCENES=str(REPOSITORY / "scenes")))
        registered = json.loads(listed.stdout)
        text = "\n".join(page.read_text(encoding="utf-8") for folder in ("theory", "reference")
                         for page in (REPOSITORY / "docs" / folder).rglob("*.md"))
        for kind in DESCRIBED_KINDS:
            self.assertTrue(registered[kind], f"there is no {kind}")
            for entry in registered[kind]:
                if (kind, entry["name"]) == ("linear", "cholmod"):
                    continue  # optional
                with self.subTest(kind=kind, name=entry["name"]):
                    self.assertRegex(text, rf"[`\"]{re.escape(entry['name'])}[`\"]", f"{kind} {entry['name']} is in no page of docs/theory or docs/reference")
                for parameter in entry["parameters"]:
                    with self.subTest(kind=kind, name=entry["name"], parameter=parameter["name"]):
                        self.assertIn(f"`{parameter['name']}`", text, f"{entry['name']}: the parameter {parameter['name']} is in no page")

    def test_scene_keys_are_described(self):
        schema = json.loads(subprocess.run([RESILIN, "schema"], capture_output=True, text=True, check=True, timeout=60).stdout)
        reference = (REPOSITORY / "docs/reference/scene.md").read_text(encoding="utf-8")
        objects = {"scene": schema, **schema["$defs"]}
        for name, definition in objects.items():
            for key in definition.get("properties", {}):
                with self.subTest(object=name, key=key):
                    self.assertIn(f"`{key}`", reference, f"{name}.{key} is not in docs/reference/scene.md")

    def test_gallery_is_described(self):
        reference = (REPOSITORY / "docs/reference/scene.md").read_text(encoding="utf-8")
        described = set(re.findall(r"^\| `(\w+)` \|", reference.partition("## The gallery")[2], re.M))
        self.assertEqual(described, {scene.stem for scene in (REPOSITORY / "scenes").glob("*.json")})


if __name__ == "__main__":
    unittest.main()
