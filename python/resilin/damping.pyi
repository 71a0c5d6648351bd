"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class Dashpot(Plugin):
    """A dashpot along every spring of cloth and nets. It resists changes of length.

    Parameters
    ----------
    coefficient : number, default 1 [N s/m], >= 0; one number, or one per element
        viscosity c of each spring
    order : choice, default 'first', one of 'first', 'second'
        form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps second-order integrators second order
    power : number, default 1, >= 0
        exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous
    power_scale : number, default 1, > 0
        dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere
    smoothing : number, default 0.001, >= 0
        for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; only admm solves that, for drag and separate stretch_rate
    separate : boolean, default False
        true: damping is a term of its own; false: one local step of admm treats it together with the material
    """
    def __init__(self, *, coefficient: float | Sequence[float] | numpy.ndarray = 1, order: Literal['first', 'second'] = 'first', power: float = 1, power_scale: float = 1, smoothing: float = 0.001, separate: bool = False) -> None: ...

class Drag(Plugin):
    """Drag of still air on every vertex: a force proportional to its velocity.

    Parameters
    ----------
    coefficient : number, default 0.01 [N s/m], >= 0; one number, or one per element
        coefficient c of each vertex
    order : choice, default 'first', one of 'first', 'second'
        form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps second-order integrators second order
    power : number, default 1, >= 0
        exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous
    power_scale : number, default 1, > 0
        dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere
    smoothing : number, default 0.001, >= 0
        for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; only admm solves that, for drag and separate stretch_rate
    separate : boolean, default False
        true: damping is a term of its own; false: one local step of admm treats it together with the material
    """
    def __init__(self, *, coefficient: float | Sequence[float] | numpy.ndarray = 0.01, order: Literal['first', 'second'] = 'first', power: float = 1, power_scale: float = 1, smoothing: float = 0.001, separate: bool = False) -> None: ...

class PrincipalStrain(Plugin):
    """Damps changes of the principal stretches in proportion to the stiffness of the material. It is cheap, because it shares the SVD of the material.

    Parameters
    ----------
    beta : number, default 0.01 [s], >= 0; one number, or one per element
        time beta: damping matrix over stiffness matrix
    order : choice, default 'first', one of 'first', 'second'
        form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps second-order integrators second order
    power : number, default 1, >= 0
        exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous
    power_scale : number, default 1, > 0
        dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere
    smoothing : number, default 0.001, >= 0
        for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; only admm solves that, for drag and separate stretch_rate
    spline : points, optional
        control points [x, factor] of a factor on the damping; spline_of says what x is; solids only
    spline_of : choice, default 'strain', one of 'strain', 'strain_rate'
        argument x of the spline. strain: the principal stretches; strain_rate: the norm of the rate of Green's strain
    spline_axes : choice, default 'combined', one of 'combined', 'each'
        combined: the largest factor of the three stretches acts on the element; each: every principal axis has its own factor
    momentum : choice, default 'off', one of 'off', 'projection', 'velocity_gradient'
        how the rigid part of the velocity is removed, so that damping keeps angular momentum; solids only
    separate : boolean, default False
        true: damping is a term of its own; false: one local step of admm treats it together with the material
    """
    def __init__(self, *, beta: float | Sequence[float] | numpy.ndarray = 0.01, order: Literal['first', 'second'] = 'first', power: float = 1, power_scale: float = 1, smoothing: float = 0.001, spline: Sequence[Sequence[float]] | None = None, spline_of: Literal['strain', 'strain_rate'] = 'strain', spline_axes: Literal['combined', 'each'] = 'combined', momentum: Literal['off', 'projection', 'velocity_gradient'] = 'off', separate: bool = False) -> None: ...

class Rayleigh(Plugin):
    """Rayleigh damping: a force proportional to the tangent stiffness of the material. It damps high frequencies more than low ones.

    Parameters
    ----------
    beta : number, default 0.01 [s], >= 0; one number, or one per element
        time beta: damping matrix over stiffness matrix. A mode of frequency w [rad/s] has the damping ratio beta w/2
    order : choice, default 'first', one of 'first', 'second'
        form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps second-order integrators second order
    power : number, default 1, >= 0
        exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous
    power_scale : number, default 1, > 0
        dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere
    smoothing : number, default 0.001, >= 0
        for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; only admm solves that, for drag and separate stretch_rate
    spline : points, optional
        control points [x, factor] of a factor on the damping; spline_of says what x is; solids only
    spline_of : choice, default 'strain', one of 'strain', 'strain_rate'
        argument x of the spline. strain: the principal stretches; strain_rate: the norm of the rate of Green's strain
    spline_axes : choice, default 'combined', one of 'combined', 'each'
        combined: the largest factor of the three stretches acts on the element; each: every principal axis has its own factor
    momentum : choice, default 'projection', one of 'projection', 'velocity_gradient', 'off'
        how the rigid part of the velocity is removed, so that damping keeps angular momentum; solids only
    separate : boolean, default False
        true: damping is a term of its own; false: one local step of admm treats it together with the material
    """
    def __init__(self, *, beta: float | Sequence[float] | numpy.ndarray = 0.01, order: Literal['first', 'second'] = 'first', power: float = 1, power_scale: float = 1, smoothing: float = 0.001, spline: Sequence[Sequence[float]] | None = None, spline_of: Literal['strain', 'strain_rate'] = 'strain', spline_axes: Literal['combined', 'each'] = 'combined', momentum: Literal['projection', 'velocity_gradient', 'off'] = 'projection', separate: bool = False) -> None: ...

class StrainRate(Plugin):
    """Viscous stress proportional to the rate of Green's strain, with a shear and a bulk viscosity. It conserves momentum.

    Parameters
    ----------
    shear : number, default 100 [Pa s], >= 0; one number, or one per element
        shear viscosity psi: resists changes of shape
    bulk : number, default 0 [Pa s], >= 0; one number, or one per element
        bulk viscosity phi: resists changes of volume
    order : choice, default 'first', one of 'first', 'second'
        form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps second-order integrators second order
    power : number, default 1, >= 0
        exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous
    power_scale : number, default 1, > 0
        dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere
    smoothing : number, default 0.001, >= 0
        for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; only admm solves that, for drag and separate stretch_rate
    spline : points, optional
        control points [x, factor] of a factor on the damping; spline_of says what x is; solids only
    spline_of : choice, default 'strain', one of 'strain', 'strain_rate'
        argument x of the spline. strain: the principal stretches; strain_rate: the norm of the rate of Green's strain
    spline_axes : choice, default 'combined', one of 'combined', 'each'
        combined: the largest factor of the three stretches acts on the element; each: every principal axis has its own factor
    momentum : choice, default 'off', one of 'off', 'projection', 'velocity_gradient'
        how the rigid part of the velocity is removed, so that damping keeps angular momentum; solids only
    separate : boolean, default False
        true: damping is a term of its own; false: one local step of admm treats it together with the material
    """
    def __init__(self, *, shear: float | Sequence[float] | numpy.ndarray = 100, bulk: float | Sequence[float] | numpy.ndarray = 0, order: Literal['first', 'second'] = 'first', power: float = 1, power_scale: float = 1, smoothing: float = 0.001, spline: Sequence[Sequence[float]] | None = None, spline_of: Literal['strain', 'strain_rate'] = 'strain', spline_axes: Literal['combined', 'each'] = 'combined', momentum: Literal['off', 'projection', 'velocity_gradient'] = 'off', separate: bool = False) -> None: ...

class StretchRate(Plugin):
    """Viscous stress proportional to the rate of the stretch tensor S. With power 0 and the solver admm it is exactly dry: the body rests in a deformed shape, like clay.

    Parameters
    ----------
    viscosity : number, default 200 [Pa s], >= 0; one number, or one per element
        viscosity k of R = k/2 |S'|^2
    order : choice, default 'first', one of 'first', 'second'
        form of the damping potential. first: S = tau R; second: S = tau [R - R(z, v_n)], which keeps second-order integrators second order
    power : number, default 1, >= 0
        exponent p: the damping force grows with the p-th power of the rate. 0: dry, 1: viscous
    power_scale : number, default 1, > 0
        dissipated power A at which the power law equals the linear model; W/m^3 on solids, W elsewhere
    smoothing : number, default 0.001, >= 0
        for power < 1: the force is viscous below this fraction of the rate at which R = A. 0: exactly dry; only admm solves that, for drag and separate stretch_rate
    spline : points, optional
        control points [x, factor] of a factor on the damping; spline_of says what x is; solids only
    spline_of : choice, default 'strain', one of 'strain', 'strain_rate'
        argument x of the spline. strain: the principal stretches; strain_rate: the norm of the rate of Green's strain
    spline_axes : choice, default 'combined', one of 'combined', 'each'
        combined: the largest factor of the three stretches acts on the element; each: every principal axis has its own factor
    momentum : choice, default 'off', one of 'off', 'projection', 'velocity_gradient'
        how the rigid part of the velocity is removed, so that damping keeps angular momentum; solids only
    separate : boolean, default False
        true: damping is a term of its own; false: one local step of admm treats it together with the material
    """
    def __init__(self, *, viscosity: float | Sequence[float] | numpy.ndarray = 200, order: Literal['first', 'second'] = 'first', power: float = 1, power_scale: float = 1, smoothing: float = 0.001, spline: Sequence[Sequence[float]] | None = None, spline_of: Literal['strain', 'strain_rate'] = 'strain', spline_axes: Literal['combined', 'each'] = 'combined', momentum: Literal['off', 'projection', 'velocity_gradient'] = 'off', separate: bool = False) -> None: ...
