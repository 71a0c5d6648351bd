"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class Arap(Plugin):
    """Strain energy of projective dynamics: k/2 sum (s - 1)^2. It has no volume term. Inverted elements recover.

    Parameters
    ----------
    stiffness : number, default 100000 [Pa], > 0; one number, or one per element
        k = 2 mu: stress over strain
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, stiffness: float | Sequence[float] | numpy.ndarray = 100000, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class ArrudaBoyce(Plugin):
    """Eight-chain model of rubber (Arruda and Boyce 1993, five terms of the series) + lambda/2 (ln J)^2. Stiffens towards the locking stretch.

    Parameters
    ----------
    mu : number, default 36000 [Pa], > 0; one number, or one per element
        shear modulus at rest
    locking : number, default 3, in (1, 20]; one number, or one per element
        stretch at which the chains of the rubber are fully extended
    bulk : number, default 167000 [Pa], > 0; one number, or one per element
        bulk modulus at rest
    j0 : number, default 0.1, in (0, 1); one number, or one per element
        volume ratio J below which a quadratic polynomial replaces ln J
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, mu: float | Sequence[float] | numpy.ndarray = 36000, locking: float | Sequence[float] | numpy.ndarray = 3, bulk: float | Sequence[float] | numpy.ndarray = 167000, j0: float | Sequence[float] | numpy.ndarray = 0.1, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class Corotated(Plugin):
    """Linear elasticity in the rotated frame of each element: mu sum (s - 1)^2 + lambda/2 (sum s - 3)^2. Inverted elements recover.

    Parameters
    ----------
    young : number, default 100000 [Pa], > 0; one number, or one per element
        Young's modulus
    poisson : number, default 0.4, in (-1, 0.5); one number, or one per element
        Poisson ratio
    mu : number, optional [Pa], > 0; one number, or one per element
        shear modulus; give it with lambda, in place of young and poisson
    lambda : number, optional [Pa]; one number, or one per element
        first Lame constant; give it with mu
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, young: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.4, mu: float | Sequence[float] | numpy.ndarray | None = None, lambda_: float | Sequence[float] | numpy.ndarray | None = None, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class FixedCorotated(Plugin):
    """Corotated with an exact volume term: mu sum (s - 1)^2 + lambda/2 (J - 1)^2. Inverted elements recover.

    Parameters
    ----------
    young : number, default 100000 [Pa], > 0; one number, or one per element
        Young's modulus
    poisson : number, default 0.4, in (-1, 0.5); one number, or one per element
        Poisson ratio
    mu : number, optional [Pa], > 0; one number, or one per element
        shear modulus; give it with lambda, in place of young and poisson
    lambda : number, optional [Pa]; one number, or one per element
        first Lame constant; give it with mu
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, young: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.4, mu: float | Sequence[float] | numpy.ndarray | None = None, lambda_: float | Sequence[float] | numpy.ndarray | None = None, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class Gent(Plugin):
    """Rubber that locks at a largest extension (Gent 1996): -mu jm/2 ln(1 - x/jm) + lambda/2 (ln J)^2 with x = I1 - 3 - 2 ln J. Both logarithms are continued by polynomials, below j0 and beyond 0.95 jm.

    Parameters
    ----------
    mu : number, default 36000 [Pa], > 0; one number, or one per element
        shear modulus at rest
    jm : number, default 30, > 0; one number, or one per element
        value of I1 - 3 at which the chains of the rubber are fully extended
    bulk : number, default 167000 [Pa], > 0; one number, or one per element
        bulk modulus at rest
    j0 : number, default 0.1, in (0, 1); one number, or one per element
        volume ratio J below which a quadratic polynomial replaces ln J
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, mu: float | Sequence[float] | numpy.ndarray = 36000, jm: float | Sequence[float] | numpy.ndarray = 30, bulk: float | Sequence[float] | numpy.ndarray = 167000, j0: float | Sequence[float] | numpy.ndarray = 0.1, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class MooneyRivlin(Plugin):
    """Compressible Mooney-Rivlin rubber: c1 (I1 - 3) + c2 (I2 - 3) + c3 (J - 1)^2 - 2 (c1 + 2 c2) ln J. Below j0 a polynomial replaces ln J.

    Parameters
    ----------
    c1 : number, default 16000 [Pa], > 0; one number, or one per element
        factor of I1 - 3; mu = 2 (c1 + c2)
    c2 : number, default 2000 [Pa], >= 0; one number, or one per element
        factor of I2 - 3
    c3 : number, default 67000 [Pa], >= 0; one number, or one per element
        factor of (J - 1)^2; lambda = 4 c2 + 2 c3
    j0 : number, default 0.1, in (0, 1); one number, or one per element
        volume ratio J below which a quadratic polynomial replaces ln J
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, c1: float | Sequence[float] | numpy.ndarray = 16000, c2: float | Sequence[float] | numpy.ndarray = 2000, c3: float | Sequence[float] | numpy.ndarray = 67000, j0: float | Sequence[float] | numpy.ndarray = 0.1, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class NeoHookean(Plugin):
    """Rubber-like solid: mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2. Below j0 a polynomial replaces ln J, so that inverted elements recover.

    Parameters
    ----------
    young : number, default 100000 [Pa], > 0; one number, or one per element
        Young's modulus
    poisson : number, default 0.4, in (-1, 0.5); one number, or one per element
        Poisson ratio
    mu : number, optional [Pa], > 0; one number, or one per element
        shear modulus; give it with lambda, in place of young and poisson
    lambda : number, optional [Pa]; one number, or one per element
        first Lame constant; give it with mu
    j0 : number, default 0.1, in (0, 1); one number, or one per element
        volume ratio J below which a quadratic polynomial replaces ln J
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, young: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.4, mu: float | Sequence[float] | numpy.ndarray | None = None, lambda_: float | Sequence[float] | numpy.ndarray | None = None, j0: float | Sequence[float] | numpy.ndarray = 0.1, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class Polynomial(Plugin):
    """Quartic energy mu sum (s - 1)^4 (Liu et al. 2017): no stiffness at rest, stiff when strained, no volume term. Inverted elements recover.

    Parameters
    ----------
    mu : number, default 100000 [Pa], > 0; one number, or one per element
        factor of (s - 1)^4
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, mu: float | Sequence[float] | numpy.ndarray = 100000, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class SimplifiedNeoHookean(Plugin):
    """Neo-Hookean without a logarithm (Macklin and Mueller 2021). lambda is corrected so that young and poisson hold at rest.

    Parameters
    ----------
    young : number, default 100000 [Pa], > 0; one number, or one per element
        Young's modulus
    poisson : number, default 0.4, in (-1, 0.5); one number, or one per element
        Poisson ratio
    mu : number, optional [Pa], > 0; one number, or one per element
        shear modulus; give it with lambda, in place of young and poisson
    lambda : number, optional [Pa]; one number, or one per element
        first Lame constant; give it with mu
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, young: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.4, mu: float | Sequence[float] | numpy.ndarray | None = None, lambda_: float | Sequence[float] | numpy.ndarray | None = None, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class Spline(Plugin):
    """Stress curves given by control points (Xu et al. 2015): derivatives of the Valanis-Landel functions a, b, c. Presets A and B add a curve to neo-Hookean.

    Parameters
    ----------
    young : number, default 100000 [Pa], > 0; one number, or one per element
        Young's modulus
    poisson : number, default 0.4, in (-1, 0.5); one number, or one per element
        Poisson ratio
    mu : number, optional [Pa], > 0; one number, or one per element
        shear modulus; give it with lambda, in place of young and poisson
    lambda : number, optional [Pa]; one number, or one per element
        first Lame constant; give it with mu
    j0 : number, default 0.1, in (0, 1); one number, or one per element
        volume ratio J below which a quadratic polynomial replaces ln J
    base : choice, default 'neo_hookean', one of 'neo_hookean', 'none'
        energy that the curves are added to; the default is none when curves are given
    preset : choice, default 'none', one of 'none', 'A', 'B'
        curve added to neo-Hookean. A: resists compression more; B: resists tension more
    stress : points, optional
        control points [x, Pa] of the uniaxial stress f(x) (Liu et al. Eq. 10), used in place of a
    a : points, optional
        control points [x, Pa] of a'(x); x is a stretch
    b : points, optional
        control points [x, Pa] of b'(x); x is a product of two stretches
    c : points, optional
        control points [x, Pa] of c'(x); x is the volume ratio J
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, young: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.4, mu: float | Sequence[float] | numpy.ndarray | None = None, lambda_: float | Sequence[float] | numpy.ndarray | None = None, j0: float | Sequence[float] | numpy.ndarray = 0.1, base: Literal['neo_hookean', 'none'] = 'neo_hookean', preset: Literal['none', 'A', 'B'] = 'none', stress: Sequence[Sequence[float]] | None = None, a: Sequence[Sequence[float]] | None = None, b: Sequence[Sequence[float]] | None = None, c: Sequence[Sequence[float]] | None = None, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class StVenantKirchhoff(Plugin):
    """Stress linear in Green's strain E: mu tr E^2 + lambda/2 tr^2 E. It softens under compression and does not resist inversion.

    Parameters
    ----------
    young : number, default 100000 [Pa], > 0; one number, or one per element
        Young's modulus
    poisson : number, default 0.4, in (-1, 0.5); one number, or one per element
        Poisson ratio
    mu : number, optional [Pa], > 0; one number, or one per element
        shear modulus; give it with lambda, in place of young and poisson
    lambda : number, optional [Pa]; one number, or one per element
        first Lame constant; give it with mu
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, young: float | Sequence[float] | numpy.ndarray = 100000, poisson: float | Sequence[float] | numpy.ndarray = 0.4, mu: float | Sequence[float] | numpy.ndarray | None = None, lambda_: float | Sequence[float] | numpy.ndarray | None = None, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...

class Yeoh(Plugin):
    """Rubber that stiffens with strain (Yeoh 1990): c10 x + c20 x^2 + c30 x^3 + lambda/2 (ln J)^2 with x = I1 - 3 - 2 ln J. Below j0 a polynomial replaces ln J.

    Parameters
    ----------
    c10 : number, default 18000 [Pa], > 0; one number, or one per element
        factor of I1 - 3; mu = 2 c10
    c20 : number, default 1000 [Pa]; one number, or one per element
        factor of (I1 - 3)^2; if negative, c20^2 < 3 c10 c30
    c30 : number, default 100 [Pa], >= 0; one number, or one per element
        factor of (I1 - 3)^3
    bulk : number, default 167000 [Pa], > 0; one number, or one per element
        bulk modulus at rest
    j0 : number, default 0.1, in (0, 1); one number, or one per element
        volume ratio J below which a quadratic polynomial replaces ln J
    fit_interval : numbers, default [0.5, 1.5], > 0
        range of stretches over which the stiffness k of the constant Hessian is fitted (Liu et al. Eq. 11)
    fit_stiffness : number, optional [Pa], > 0
        k, in place of the fit; it changes how fast solvers converge, not the result
    """
    def __init__(self, *, c10: float | Sequence[float] | numpy.ndarray = 18000, c20: float | Sequence[float] | numpy.ndarray = 1000, c30: float | Sequence[float] | numpy.ndarray = 100, bulk: float | Sequence[float] | numpy.ndarray = 167000, j0: float | Sequence[float] | numpy.ndarray = 0.1, fit_interval: Sequence[float] = [0.5, 1.5], fit_stiffness: float | None = None) -> None: ...
