"""Bending models of shells, a class each; made from what is registered."""
from ._plugins import define_classes as _define

_define(globals(), "bending")
