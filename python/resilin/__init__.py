"""Resilin: real-time simulation of deformable bodies.

    import resilin
    sim = resilin.Simulation(dt=1/60, solver=resilin.QuasiNewton(iterations=10))
    bar = sim.add_shape("box", size=(1, 0.2, 0.2), cells=(10, 2, 2), material=resilin.NeoHookean(young=1e6, poisson=0.4))
    sim.pin(bar, "x_min")
    sim.step()
    sim.positions
"""
import os as _os
from pathlib import Path as _Path

# The scenes of a wheel lie in the package; in a checkout the library knows where they are.
if "RESILIN_SCENES" not in _os.environ and (_Path(__file__).parent / "scenes").is_dir():
    _os.environ["RESILIN_SCENES"] = str(_Path(__file__).parent / "scenes")

from . import bending, damping, integrators, materials, obstacles, potentials, shapes, sheets, solvers
from ._core import EdgeMesh, InputError, IterationRecord, SolveReport, State, StepReport, TetMesh, TriangleMesh, png, read_mesh
from ._core import commit as __commit__
from ._core import gallery as _gallery
from ._core import version as __version__
from ._plugins import PRESETS as presets
from ._plugins import Plugin
from .custom import CheckReport, PythonDamping, PythonMaterial, PythonMembrane, check_damping, check_material
from .integrators import *
from .laboratory import View, compare, reproduce, view
from .materials import *
from .objective import Objective
from .simulation import Body, EditRefused, Simulation, StepFailed
from .solvers import *


def gallery():
    """{name: description} of the scenes that come with Resilin."""
    return dict(_gallery())


def load(scene, **options):
    """Simulation.from_scene(scene, ...)"""
    return Simulation.from_scene(scene, **options)


def save_png(path, image):
    """An array (height, width, 3) of uint8 as a file."""
    _Path(path).write_bytes(png(image))


__all__ = (["Body", "CheckReport", "EdgeMesh", "EditRefused", "InputError", "IterationRecord", "Objective", "Plugin", "PythonDamping",
            "PythonMaterial", "PythonMembrane", "Simulation", "SolveReport", "State", "StepFailed", "StepReport", "TetMesh", "TriangleMesh", "View", "bending",
            "check_damping", "check_material", "compare", "damping", "gallery", "integrators", "load", "materials", "obstacles", "png",
            "potentials", "presets", "read_mesh", "reproduce", "save_png", "shapes", "sheets", "solvers", "view"]
           + materials.__all__ + solvers.__all__ + integrators.__all__)
