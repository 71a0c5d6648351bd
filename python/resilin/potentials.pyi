"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class Area(Plugin):
    """Kept area of every triangle: stiffness/2 (area/rest area - target)^2. Edit the target and the sheet grows or shrinks.

    Parameters
    ----------
    target : number, default 1, > 0; one number, or one per element
        area over that at rest
    stiffness : number, optional [Pa], > 0; one number, or one per element
        stress over relative change of area; default: 10 times the material's stiffness
    """
    def __init__(self, *, target: float | Sequence[float] | numpy.ndarray = 1, stiffness: float | Sequence[float] | numpy.ndarray | None = None) -> None: ...

class Example(Plugin):
    """Example shapes besides the rest shape (Martin et al. 2011): an element that is stretched as in one of them, or as in a mixture, costs nothing. A projection to projective dynamics and ADMM.

    Parameters
    ----------
    shapes : any, optional
        up to 8 example shapes, each a mesh file with the body's elements or a list with [x, y, z] of every vertex; default: none, so that only the rest shape costs nothing
    stiffness : number, optional [Pa], > 0; one number, or one per element
        stress over strain away from these shapes; default: that of the material
    """
    def __init__(self, *, shapes: Any | None = None, stiffness: float | Sequence[float] | numpy.ndarray | None = None) -> None: ...

class Orthotropic(Plugin):
    """Cloth with a grain: moduli along warp and weft, and a shear modulus (orthotropic St. Venant-Kirchhoff). Used with material "none".

    Parameters
    ----------
    warp : number, default 1000000 [Pa], > 0; one number, or one per element
        Young's modulus along the warp
    weft : number, default 1000000 [Pa], > 0; one number, or one per element
        Young's modulus along the weft
    shear : number, default 100000 [Pa], > 0; one number, or one per element
        shear modulus in the sheet
    poisson : number, default 0.2, in [-1, 1]; one number, or one per element
        how much weft shrinks when warp is stretched
    """
    def __init__(self, *, warp: float | Sequence[float] | numpy.ndarray = 1000000, weft: float | Sequence[float] | numpy.ndarray = 1000000, shear: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.2) -> None: ...

class StrainLimit(Plugin):
    """Limits of strain: no energy while all stretches are within [low, high], a stiff spring beyond. A projection to projective dynamics and ADMM.

    Parameters
    ----------
    low : number, default 0.9, >= 0; one number, or one per element
        smallest stretch that costs nothing
    high : number, default 1.1, > 0; one number, or one per element
        largest stretch that costs nothing
    stiffness : number, optional [Pa], > 0; one number, or one per element
        stress over strain beyond the limits; default: 100 times the material's
    """
    def __init__(self, *, low: float | Sequence[float] | numpy.ndarray = 0.9, high: float | Sequence[float] | numpy.ndarray = 1.1, stiffness: float | Sequence[float] | numpy.ndarray | None = None) -> None: ...

class Volume(Plugin):
    """Kept volume of every tet: stiffness/2 (det F - target)^2. Edit the target and the body swells or shrinks.

    Parameters
    ----------
    target : number, default 1, > 0; one number, or one per element
        volume over that at rest
    stiffness : number, optional [Pa], > 0; one number, or one per element
        pressure over relative change of volume; default: 10 times the material's stiffness
    """
    def __init__(self, *, target: float | Sequence[float] | numpy.ndarray = 1, stiffness: float | Sequence[float] | numpy.ndarray | None = None) -> None: ...
