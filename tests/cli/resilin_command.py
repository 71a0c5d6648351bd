"""What the tests of the command share: a small scene in a folder of its own, and a way to run `resilin` there."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

RESILIN = os.environ.get("RESILIN", "resilin")
REPOSITORY = Path(__file__).resolve().parents[2]


def small_scene(**changes):
    """A bar of 60 tets, clamped at one end, that sags."""
    scene = {
        "description": "a clamped bar",
        "step": 0.02,
        "frames": 4,
        "solver": {"type": "quasi_newton", "iterations": 5},
        "bodies": [{
            "name": "bar",
            "shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [3, 2, 2]},
            "density": 1000,
            "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3},
        }],
        "pins": [{"select": "x_min"}],
    }
    scene.update(changes)
    return scene


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def strict_json(text):
    """Exactly one document, without the NaN and Infinity that Python would accept."""
    return json.loads(text, parse_constant=refuse_constant)


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="resilin_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, scene):
        path = self.folder / name
        path.write_text(scene if isinstance(scene, str) else json.dumps(scene))
        return path

    def environment(self, **changes):
        environment = dict(os.environ, **changes)
        environment.setdefault("RESILIN_SCENES", str(REPOSITORY / "scenes"))
        return environment

    def resilin(self, *arguments, status=0, environment=None):
        result = subprocess.run([RESILIN, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                                timeout=300, env=environment or self.environment())
        self.assertEqual(result.returncode, status, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result

    def json(self, *arguments, status=0):
        result = self.resilin(*arguments, "--json", status=status)
        return strict_json(result.stdout)

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))
