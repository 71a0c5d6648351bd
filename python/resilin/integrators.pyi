"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class BackwardEuler(Plugin):
    """Backward Euler: first order, very stable. It damps motion.

    """
    def __init__(self) -> None: ...

class Bdf2(Plugin):
    """BDF2: second order, L-stable. One solve per step.

    """
    def __init__(self) -> None: ...

class ForwardEuler(Plugin):
    """Forward Euler: explicit, first order. It gains energy; for comparisons only.

    """
    def __init__(self) -> None: ...

class ImplicitMidpoint(Plugin):
    """Implicit midpoint rule: second order, keeps energy. Less stable than the others: use small steps.

    """
    def __init__(self) -> None: ...

class LinearlyImplicitEuler(Plugin):
    """Linearly implicit Euler (Baraff and Witkin 1998): one linear solve per step. It does not use the solver of the scene.

    """
    def __init__(self) -> None: ...

class RungeKutta4(Plugin):
    """Runge-Kutta method: explicit, fourth order. For references with small steps.

    """
    def __init__(self) -> None: ...

class SymplecticEuler(Plugin):
    """Symplectic Euler: explicit, first order. Its energy stays bounded for small steps.

    """
    def __init__(self) -> None: ...

class TrBdf2(Plugin):
    """TR-BDF2: second order, L-stable, keeps energy well. Two solves per step with one factorisation.

    Parameters
    ----------
    gamma : number, default 0.585786437626905, in (0, 1)
        length of the first stage over the step; the default is 2 - sqrt 2
    """
    def __init__(self, *, gamma: float = 0.585786437626905) -> None: ...

class Trapezoidal(Plugin):
    """Trapezoidal rule: second order, keeps energy. Stiff bodies keep vibrating.

    """
    def __init__(self) -> None: ...
