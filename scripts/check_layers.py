#!/usr/bin/env python3
"""Checks the rules of the tree that a compiler does not: who may include whom, and what no file may hold.

    scripts/check_layers.py [ROOT]     prints `file:line: problem` for each violation; status 1 when there is one

Run by the tests (layers.tree). The tables below are the rules; docs/architecture.md explains them.
"""
import re
import sys
from pathlib import Path

# ---- Layers: what each folder of src/ may include besides itself --------------------------------------------------

LAYERS = {}


def layer(name, *allowed):
    """`allowed` layers and everything those may include."""
    LAYERS[name] = {name}.union(*(LAYERS[a] for a in allowed)) if allowed else {name}


layer("core")
layer("simd", "core")
layer("linear", "core", "simd")  # sparse matrices know nothing of models
layer("geometry", "simd")
layer("model", "geometry")
layer("potentials", "model")
layer("contact", "potentials")
layer("problem", "potentials", "contact", "linear")
layer("integrators", "problem")
layer("solvers", "problem")
layer("reduction", "problem")
layer("simulation", "integrators", "solvers", "reduction")
layer("setup", "simulation")  # what tests and experiments build again and again
layer("io", "simulation")
layer("scene", "simulation", "io")
layer("render", "model", "io")
layer("report", "scene", "io", "render")
layer("lab", "report", "setup")
layer("viewer", "report")  # of apps/: a program that only shows does without the laboratory
layer("apps", "lab", "viewer")
layer("python", "report")

# The layer of each public header include/resilin/NAME.h.
PUBLIC_HEADERS = {
    "errors": "core", "params": "core", "registry": "core", "version": "core", "watch": "core",
    "embedding": "geometry", "mesh": "geometry", "shapes": "geometry", "sheets": "geometry",
    "global_energy": "model", "element_kind": "model", "model": "model", "motion": "model", "potential": "model",
    "state": "model",
    "contact": "model",
    "integrator": "problem", "solver": "problem",
    "reduction": "reduction",
    "simulation": "simulation", "edit": "simulation", "ledger": "simulation", "builder": "simulation", "scene": "scene", "io": "io",
    "checkpoint": "io", "render": "render", "lab": "lab",
}

# (layers, path of an included header that starts with, why not)
FORBIDDEN_INCLUDES = [
    (("problem", "integrators", "solvers", "reduction", "contact"), ("potentials/material", "potentials/damping"),
     "must not know materials"),
]
# Third-party headers would become requirements of every host program.
PRIVATE_LIBRARIES = ("Eigen/", "fmt/", "nlohmann/", "CLI/", "metis", "benchmark/", "boost/")

# ---- Text rules: (name, files, pattern, problem) --------------------------------------------------------------------

CODE = (".h", ".hpp", ".cpp", ".in", ".cu")
LONG_CODE = CODE + (".py", ".js", ".ts", ".sh")
BEHIND_COORDINATES = ("src/integrators/", "src/solvers/", "src/simulation/ledger.cpp", "src/io/", "src/render/", "apps/", "python/")
CODE_RULES = [
    (lambda p: p.startswith(BEHIND_COORDINATES),
     re.compile(r"model\(\)\.mass|state\(\)\.[qv]\b|(?:mass|free)\w*(?:\(\))?\[\w+ / 3\]"),
     "unknowns need not be vertices: ask Objective::coordinates() or Simulation::positions()"),
    (lambda p: p.startswith("src/"),
     re.compile(r"(?<![\w.>])(?:exit|_exit|_Exit|quick_exit|abort|terminate)\s*\("),
     "the library never ends the process: throw InputError, return a Status or assert"),
    (lambda p: p != "apps/viewer/server.cpp", re.compile(r"#\s*include\s*<boost/"),
     "Boost costs half a minute to compile: one source includes it"),
    (lambda p: True, re.compile(r"\brandom_device\b"), "results must repeat: use a generator with a seed"),
    (lambda p: p.startswith("tests/") and not p.startswith("tests/lab/"), re.compile(r'#\s*include\s*"lab/'),
     "a test of a layer does without the laboratory: what tests share is in tests/support and src/setup"),
    (lambda p: p.startswith("src/") and not p.startswith("src/lab/"), re.compile(r"#\s*include\s*<iostream>"),
     "the library prints nothing by itself; <iostream> belongs to lab and apps"),
]
TEXT_RULES = [
    (re.compile(r"(?<![\w.~}$/-])/(?:home|root|work|Users|mnt)/\w|[A-Z]:\\\\?Users"),
     "a path that only one machine has"),
    (re.compile(r"(?:index-url|trusted-host|registry)[\"']?\s*[=:]\s*[\"']?https?:"
                r"|\b(?:registry\.[\w-]+\.\w+|files\.pythonhosted\.\w+|deb\.debian\.\w+)"
                r"|//[\w.-]*(?:artifactory|jfrog|nexus)[\w.-]*|//[\w.-]+\.(?:internal|corp|lan)\b"),
     "the host of a package registry: files must not depend on where packages come from"),
]
MAX_LINES = 600
SKIPPED_FOLDERS = {".git", "build", "out", "node_modules", "__pycache__", ".venv", ".cache"}
TEXT_SUFFIXES = LONG_CODE + (".md", ".json", ".cmake", ".txt", ".yml", ".yaml", ".toml", ".cfg", ".html", ".css", "")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)


def blank(match):
    """A comment or a string without its text, with its line breaks; included names stay."""
    text = match.group(0)
    return re.sub(r"[^\n]", " ", text)


def code_only(text):
    """Comments and strings blanked, except on #include lines."""
    stripped = TOKEN.sub(blank, text).split("\n")
    for i, line in enumerate(text.split("\n")):
        if stripped[i].lstrip().startswith("#") and INCLUDE.match(line):
            stripped[i] = line.split("//")[0]
    return stripped


def layer_of(path):
    """The layer of a file, None where layers do not apply, or an error text in a list."""
    parts = path.split("/")
    if parts[0] == "include":
        name = Path(parts[-1]).stem
        if len(parts) != 3 or parts[1] != "resilin" or name not in PUBLIC_HEADERS:
            return [f"public header of no layer: add it to PUBLIC_HEADERS in scripts/check_layers.py"]
        return PUBLIC_HEADERS[name]
    if parts[0] == "src" and len(parts) > 2:
        if parts[1] not in LAYERS:
            return [f"folder of no layer: add '{parts[1]}' to the layers in scripts/check_layers.py"]
        return parts[1]
    if parts[:2] == ["apps", "viewer"]:
        return "viewer"
    return parts[0] if parts[0] in ("apps", "python") else None


def resolve(root, path, name):
    """The file of the tree that `#include "name"` in `path` means, relative to root, or None for others' headers."""
    for folder in (Path(path).parent, Path("src"), Path("include")):
        candidate = (root / folder / name).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return candidate.relative_to(root).as_posix()
    first = name.split("/")[0]  # not written yet, or generated: its name tells enough
    if first == "resilin":
        return "include/" + name
    return "src/" + name if first in LAYERS and "/" in name else None


def include_problem(root, path, own, name):
    target = resolve(root, path, name)
    public = path.startswith("include/")
    if target is None:
        if public and path != "include/resilin/eigen.h" and name.startswith(PRIVATE_LIBRARIES):
            return f"a public header must not need <{name}>"
        return None
    if public and not target.startswith("include/"):
        return f"a public header includes the private {name}"
    other = layer_of(target)
    if isinstance(other, list) or other is None:
        return None  # reported at the header itself
    if other not in LAYERS[own]:
        return f"{own} must not include {name} ({other}); it may include {', '.join(sorted(LAYERS[own]))}"
    for layers, prefixes, why in FORBIDDEN_INCLUDES:
        if own in layers and target.removeprefix("src/").startswith(prefixes):
            return f"{own} {why}: {name}"
    return None


def check_code(root, path, text):
    own = layer_of(path)
    if isinstance(own, list):
        yield 1, own[0]
        own = None
    for number, line in enumerate(code_only(text), 1):
        match = INCLUDE.match(line)
        if match and own is not None:
            problem = include_problem(root, path, own, match.group(1) or match.group(2))
            if problem:
                yield number, problem
        for applies, pattern, problem in CODE_RULES:
            if applies(path) and pattern.search(line):
                yield number, problem


def check_file(root, path):
    try:
        text = (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    suffix = Path(path).suffix
    if suffix in LONG_CODE and text.count("\n") > MAX_LINES:
        yield MAX_LINES + 1, f"{text.count(chr(10))} lines; a file ends before line {MAX_LINES}: make two"
    if suffix in CODE:
        yield from check_code(root, path, text)
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, problem in TEXT_RULES:
            if pattern.search(line):
                yield number, problem


def files(root):
    stack = [root]
    while stack:
        for entry in sorted(stack.pop().iterdir()):
            if entry.is_symlink() or entry.name in SKIPPED_FOLDERS:
                continue
            if entry.is_dir():
                stack.append(entry)
            elif entry.suffix in TEXT_SUFFIXES:
                yield entry.relative_to(root).as_posix()


def check_tree(root):
    """All violations as `file:line: problem`, in the order of the files' names."""
    root = Path(root).resolve()
    return [f"{path}:{line}: {problem}" for path in sorted(files(root)) for line, problem in check_file(root, path)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check_tree(root)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} violations", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
