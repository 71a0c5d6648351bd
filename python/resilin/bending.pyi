"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class Dihedral(Plugin):
    """Bending by the angle between neighbouring triangles, against that of the rest shape (Grinspun et al. 2003): for sheets that are curved or folded at rest.

    Parameters
    ----------
    stiffness : number, optional [N m], >= 0; one number, or one per element
        bending stiffness D, one or one per triangle; default: E t^3/(12 (1 - nu^2)) of the material and the thickness
    """
    def __init__(self, *, stiffness: float | Sequence[float] | numpy.ndarray | None = None) -> None: ...

class MeanCurvature(Plugin):
    """Bending by the length of the mean-curvature vector at every inner vertex, against that of the rest shape (Bouaziz et al. 2014): a projective-dynamics energy. It does not know to which side a surface is curved, unless keep_side.

    Parameters
    ----------
    stiffness : number, optional [N m], >= 0; one number, or one per element
        bending stiffness D, one or one per triangle; default: E t^3/(12 (1 - nu^2)) of the material and the thickness
    keep_side : boolean, default False
        the mean-curvature vector stays on the side of the surface on which it was at rest, so that dents pop back (Brandt et al. 2018)
    """
    def __init__(self, *, stiffness: float | Sequence[float] | numpy.ndarray | None = None, keep_side: bool = False) -> None: ...

class Quadratic(Plugin):
    """Quadratic bending of sheets that are flat at rest (Bergou et al. 2006): the energy is quadratic in positions, so its Hessian never changes.

    Parameters
    ----------
    stiffness : number, optional [N m], >= 0; one number, or one per element
        bending stiffness D, one or one per triangle; default: E t^3/(12 (1 - nu^2)) of the material and the thickness
    """
    def __init__(self, *, stiffness: float | Sequence[float] | numpy.ndarray | None = None) -> None: ...
