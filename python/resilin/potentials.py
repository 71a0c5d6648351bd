"""Energies of bodies besides their material, a class each; made from what is registered."""
from ._plugins import define_classes as _define

_define(globals(), "potential")
