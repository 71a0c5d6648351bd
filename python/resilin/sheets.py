"""Sheets of triangles that Resilin makes itself: a function each, which returns a TriangleMesh."""
from . import _core
from ._plugins import define_functions as _define

_define(globals(), "sheet", lambda name, params: _core.make_sheet(name=name, params=params))
