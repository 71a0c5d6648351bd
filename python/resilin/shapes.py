"""Solids that Resilin makes and meshes itself: a function each, which returns a TetMesh."""
from . import _core
from ._plugins import define_functions as _define

_define(globals(), "shape", lambda name, params: _core.make_shape(name=name, params=params))
