"""What the tests of the Python package share."""
import os
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
resilin = pytest.importorskip("resilin", reason="the Python package is not built: Python's headers, numpy or pybind11 are missing")


@pytest.fixture
def bar():
    """A clamped bar of a few tets, not built yet."""
    return make_bar()


def make_bar(solver="quasi_newton", integrator="backward_euler", dt=1 / 60, young=1e5, **options):
    sim = resilin.Simulation(dt=dt, solver=solver, integrator=integrator, threads=1, **options)
    body = sim.add_shape("box", size=(1, 0.25, 0.25), cells=(3, 2, 2), name="bar", material=resilin.NeoHookean(young=young, poisson=0.3))
    sim.pin(body, "x_min")
    return sim


def small_scene(**changes):
    scene = {"step": 0.02, "bodies": [{"name": "bar", "shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [3, 2, 2]},
                                       "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3}}],
             "pins": [{"select": "x_min"}]}
    scene.update(changes)
    return scene


def command():
    """The command of the same build, or a skip."""
    found = os.environ.get("RESILIN")
    if not found or not os.access(found, os.X_OK):
        pytest.skip("the command resilin is not built")
    return found


def python_environment():
    """For child processes: the package that is tested here."""
    return dict(os.environ, PYTHONPATH=str(Path(resilin.__file__).parents[1]), PYTHONDONTWRITEBYTECODE="1")


PYTHON = sys.executable
TETRAHEDRON = (np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]), np.array([[0, 1, 2, 3]]))
