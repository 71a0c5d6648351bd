#!/usr/bin/env python3
"""Writes what follows from the Python package: type stubs from what is registered, and the code of the examples into their tutorial pages.

    PYTHONPATH=build/release/python python3 scripts/update_python.py [--check]     --check: status 1 when a file is not current

Needs the built package. tests/python/test_package.py runs the check.
"""
import argparse
import ast
import inspect
import keyword
import re
import sys
import textwrap
from pathlib import Path

from resilin import _core
from resilin._plugins import REGISTRY, class_name, docstring

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "resilin"
HEAD = '"""Written by scripts/update_python.py from what is registered."""\n'
CLASSES = {"materials": "material", "bending": "bending", "potentials": "potential", "damping": "damping", "obstacles": "obstacle",
           "integrators": "integrator", "solvers": "solver"}
FUNCTIONS = {"shapes": ("shape", "TetMesh"), "sheets": ("sheet", "TriangleMesh")}
TYPES = {"number": "float", "integer": "int", "boolean": "bool", "text": "str", "vector3": "Sequence[float]", "numbers": "Sequence[float]",
         "points": "Sequence[Sequence[float]]", "any": "Any"}

# ---- stubs ------------------------------------------------------------------------------------------------------------


def type_of(param):
    if param["type"] == "choice":
        return "Literal[" + ", ".join(repr(c) for c in param["choices"]) + "]"
    if param["per_element"]:
        return "float | Sequence[float] | numpy.ndarray"
    return TYPES[param["type"]]


def arguments(entry):
    out = []
    for p in entry["parameters"]:
        name = p["name"] + "_" * keyword.iskeyword(p["name"])
        default = "" if p["required"] else f" = {p['default']!r}"
        optional = " | None" if not p["required"] and p["default"] is None else ""
        out.append(f"{name}: {type_of(p)}{optional}{default}")
    return ", ".join((["*"] if out else []) + out)


def quoted(text, indent):
    return textwrap.indent('"""' + text.replace("\\", "\\\\") + '\n"""', indent)


def plugin_stub(module):
    imports = "from typing import Any, Literal, Sequence\n\nimport numpy\n\n"
    if module in CLASSES:
        entries = REGISTRY[CLASSES[module]]
        body = "\n".join(f"\nclass {class_name(e['name'])}(Plugin):\n{quoted(docstring(e), '    ')}\n    def __init__(self, {arguments(e)}) -> None: ..."
                         for e in entries).replace("(self, ) ->", "(self) ->")
        return HEAD + imports + "from ._plugins import Plugin\n" + body + "\n"
    kind, mesh = FUNCTIONS[module]
    body = "\n".join(f"\ndef {e['name']}({arguments(e)}) -> {mesh}:\n{quoted(docstring(e), '    ')}\n    ..." for e in REGISTRY[kind])
    return HEAD + imports + f"from ._core import {mesh}\n" + body + "\n"


def signature(name, doc):
    """A line of the stub from the first line of a docstring of pybind11."""
    found = re.match(rf"{re.escape(name)}(\(.*\)) -> (.*)$", (doc or "").split("\n")[0])
    fallback = f"def {name}(self, *args: Any, **kwargs: Any) -> Any: ..."
    if not found:
        return fallback
    text = f"{found.group(1)} -> {found.group(2)}".replace("resilin._core.", "").replace("resilin::python::", "")
    text = re.sub(r"numpy\.ndarray\[[^\]]*\]", "numpy.ndarray", text)
    text = re.sub(r"self: [\w.]+", "self", text)
    text = re.sub(r"= \{\}", "= ...", text)
    text = re.sub(r"\bObjectType\b|\bobject\b", "Any", text).replace("Tuple[", "tuple[").replace("List[", "list[").replace("Dict[", "dict[")
    text = re.sub(r"\b(handle|pybind11::\w+)\b", "Any", text)
    line = f"def {name}{text}: ..."
    try:
        ast.parse(line)
    except SyntaxError:
        return fallback
    return line


def core_stub():
    lines = [HEAD + "from typing import Any\n\nimport numpy\n\nversion: str\ncommit: str\nbuild_target: str\n\nclass InputError(ValueError):",
             '    """Bad input: str() is the whole sentence."""', "    where: str", "    problem: str"]
    for name, value in sorted(vars(_core).items()):
        if inspect.isclass(value) and name != "InputError":
            lines += ["", f"class {name}:"]
            if value.__doc__:
                lines.append(f'    """{value.__doc__}"""')
            for key, member in sorted(vars(value).items()):
                if isinstance(member, property):
                    result = re.search(r"-> ([\w\[\], .:]+)$", (member.fget.__doc__ or "").split("\n")[0])
                    typed = signature("f", "f() -> " + (result.group(1) if result else "object")).split("-> ")[1].removesuffix(": ...")
                    lines += ["    @property", f"    def {key}(self) -> {typed}: ..."]
                elif callable(member) and (not key.startswith("_") or (key == "__init__" and "self" in member.__doc__)):
                    lines.append("    " + signature(key, member.__doc__))
            lines.append("    ...")
        elif inspect.isbuiltin(value) and not name.startswith("_"):
            lines.append("\n" + signature(name, value.__doc__).replace("(self, ", "("))
    return "\n".join(lines) + "\n"


# ---- pages ------------------------------------------------------------------------------------------------------------

BLOCK = re.compile(r"(^```python example (\w+)\n)(.*?)(^```$)", re.S | re.M)


def with_examples(text):
    return BLOCK.sub(lambda m: m.group(1) + (PACKAGE / "examples" / f"{m.group(2)}.py").read_text() + m.group(4), text)


def wanted():
    """{file: text}"""
    out = {PACKAGE / f"{module}.pyi": plugin_stub(module) for module in (*CLASSES, *FUNCTIONS)}
    out[PACKAGE / "_core.pyi"] = core_stub()
    for page in sorted((ROOT / "docs" / "tutorial").glob("python_*.md")):
        out[page] = with_examples(page.read_text())
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    stale = [(file, text) for file, text in wanted().items() if not file.is_file() or file.read_text() != text]
    if parser.parse_args().check:
        for file, _ in stale:
            print(f"{file.relative_to(ROOT)} is not current: run scripts/update_python.py", file=sys.stderr)
        return 1 if stale else 0
    for file, text in stale:
        file.write_text(text)
        print(file.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
