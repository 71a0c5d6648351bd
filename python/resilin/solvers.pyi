"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class Admm(Plugin):
    """ADMM (Brown et al. 2018) with Anderson acceleration: minimises every element by itself, then solves with one constant matrix. Takes any energy.

    Parameters
    ----------
    iterations : integer, default 300, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    weight : number, optional, > 0
        factor c of the weights c sqrt(k V); chosen from stiffness, size and time step when not given
    acceleration : integer, default 6, in [0, 12]
        number of differences that Anderson acceleration keeps; 0: plain ADMM
    residual_tolerance : number, default 1e-13, in [0, 1]
        stop also when the primal and the dual residual, relative to |z|, are below this
    linear_solver : text, default 'cholesky_float'
        linear solver of the global step (resilin list linear)
    """
    def __init__(self, *, iterations: int = 300, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, weight: float | None = None, acceleration: int = 6, residual_tolerance: float = 1e-13, linear_solver: str = 'cholesky_float') -> None: ...

class Chebyshev(Plugin):
    """Descent on the constant Hessian with Chebyshev acceleration (Wang 2015). For comparisons.

    Parameters
    ----------
    iterations : integer, default 300, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    start : choice, default 'best', one of 'best', 'target'
        first point of a stage. target: free flight; best: the better one of free flight and the best rigid motion
    plain_iterations : integer, default 10, in [0, 1000]
        iterations before the acceleration begins (S of Wang 2015)
    spectral_radius : number, default 0, in [0, 1)
        spectral radius rho of the iteration; 0: measured in the first frames
    training_frames : integer, default 3, in [1, 1000]
        number of frames in which rho is measured
    linear_solver : text, default 'cholesky_float'
        linear solver of the constant Hessian (resilin list linear)
    line_search : boolean, default True
        true: shorten steps until the objective falls; without it nonlinear materials can diverge
    search : choice, default 'parabola', one of 'parabola', 'armijo', 'strong_wolfe'
        how the step length is found. parabola: backtracking to the minimum of a parabola; armijo: by halves; strong_wolfe: bracketing and zoom
    gamma : number, default 0.3, in (0, 1)
        fraction of the expected decrease that a step must reach (Armijo condition)
    """
    def __init__(self, *, iterations: int = 300, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, start: Literal['best', 'target'] = 'best', plain_iterations: int = 10, spectral_radius: float = 0, training_frames: int = 3, linear_solver: str = 'cholesky_float', line_search: bool = True, search: Literal['parabola', 'armijo', 'strong_wolfe'] = 'parabola', gamma: float = 0.3) -> None: ...

class Newton(Plugin):
    """Newton's method with a direct solve in every iteration. Few, expensive iterations; the reference for all others.

    Parameters
    ----------
    iterations : integer, default 100, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    hessian : choice, default 'filtered', one of 'filtered', 'exact_first', 'shifted', 'exact'
        Hessian of each iteration. filtered: negative eigenvalues of elements are removed; exact_first: filtered only if needed; shifted: plus a multiple of the identity; exact: unchanged (cg or pcg only)
    start : choice, default 'best', one of 'best', 'target'
        first point of a stage. target: free flight; best: the better one of free flight and the best rigid motion
    line_search : boolean, default True
        true: shorten steps until the objective falls; without it nonlinear materials can diverge
    search : choice, default 'parabola', one of 'parabola', 'armijo', 'strong_wolfe'
        how the step length is found. parabola: backtracking to the minimum of a parabola; armijo: by halves; strong_wolfe: bracketing and zoom
    gamma : number, default 0.3, in (0, 0.5]
        fraction of the expected decrease that a step must reach (Armijo condition)
    linear_solver : text, default 'cholesky'
        linear solver of linear_method direct (resilin list linear)
    linear_method : choice, default 'direct', one of 'direct', 'cg', 'pcg'
        how linear systems are solved. direct: by a factorisation; cg, pcg: by conjugate gradients, without or with a preconditioner
    preconditioner : choice, default 'jacobi', one of 'jacobi', 'incomplete_cholesky', 'incomplete_cholesky_rest'
        preconditioner of pcg. jacobi: the diagonal; incomplete_cholesky: of the constant Hessian; incomplete_cholesky_rest: of the Hessian at rest
    linear_iterations : integer, default 15, in [1, 10000]
        iterations of conjugate gradients at most
    linear_tolerance : number, default 1e-06, in [0, 1]
        residual at which conjugate gradients stop, relative to the first one
    """
    def __init__(self, *, iterations: int = 100, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, hessian: Literal['filtered', 'exact_first', 'shifted', 'exact'] = 'filtered', start: Literal['best', 'target'] = 'best', line_search: bool = True, search: Literal['parabola', 'armijo', 'strong_wolfe'] = 'parabola', gamma: float = 0.3, linear_solver: str = 'cholesky', linear_method: Literal['direct', 'cg', 'pcg'] = 'direct', preconditioner: Literal['jacobi', 'incomplete_cholesky', 'incomplete_cholesky_rest'] = 'jacobi', linear_iterations: int = 15, linear_tolerance: float = 1e-06) -> None: ...

class Pbd(Plugin):
    """Position-based dynamics (Mueller et al. 2007): projects one constraint after the other. Bodies get stiffer with more iterations, whatever their material.

    Parameters
    ----------
    iterations : integer, default 10, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    order : choice, default 'colour', one of 'colour', 'serial'
        order of the visits. colour: elements that share no vertex are visited at once; serial: in the order of the model, on one thread
    stiffness : number, default 1, in [0, 1]
        share k of every constraint that is removed
    stiffness_per_iteration : boolean, default False
        true: k applies to every iteration; false: k applies to all n iterations together, k' = 1 - (1 - k)^(1/n)
    """
    def __init__(self, *, iterations: int = 10, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, order: Literal['colour', 'serial'] = 'colour', stiffness: float = 1, stiffness_per_iteration: bool = False) -> None: ...

class ProjectiveDynamics(Plugin):
    """Projective dynamics (Bouaziz et al. 2014): projects every element, then solves with one constant matrix. Takes arap, springs and soft pins only, and contact.

    Parameters
    ----------
    iterations : integer, default 300, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    rigid_step : boolean, default False
        true: after each global step, turn free bodies rigidly to where inertia alone would carry them
    linear_solver : text, default 'cholesky_float'
        linear solver of the global step (resilin list linear)
    """
    def __init__(self, *, iterations: int = 300, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, rigid_step: bool = False, linear_solver: str = 'cholesky_float') -> None: ...

class QuasiNewton(Plugin):
    """L-BFGS on a constant Hessian that is factorised once (Liu et al. 2017). Fast, takes any material: the default.

    Parameters
    ----------
    iterations : integer, default 300, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    method : choice, default 'robust', one of 'robust', 'paper'
        robust: iterates to the tolerance on any mesh; paper: the method of Liu et al. 2017, ten iterations from free flight
    history : integer, default 5, in [0, 100]
        number of L-BFGS pairs; 0: plain descent on the first Hessian
    start : choice, default 'best', one of 'best', 'target', 'harmonic'
        first point of a stage. target: free flight; best: the better one of free flight and the best rigid motion; harmonic: free flight deformed to follow moved pins
    initial_hessian : choice, default 'projective', one of 'projective', 'scaled_identity', 'rest_pose', 'warped_rest_pose', 'frame_hessian'
        first Hessian of L-BFGS; all but projective are for comparisons
    hessian_age : integer, default 1, in [1, 1000]
        number of frames for which a frame_hessian is kept
    coarse_modes : integer, default 5, in [0, 16]
        number of smooth modes of each body on which the true Hessian replaces the constant one; 0: one level, as in Liu et al. 2017
    coarse_after : integer, default 1, in [0, 1000]
        number of iterations of a stage after which the true Hessian is taken on these modes
    contact_rows : boolean, default True
        true: contact with obstacles is part of the constant Hessian (without a new factorisation)
    interface_rows : boolean, default True
        true: contact between bodies is part of it too
    stiffness : choice, default 'interval', one of 'interval', 'stretches'
        where the stiffness k of the constant Hessian is fitted. interval: over fit_interval of the material; stretches: over the stretches that occur
    line_search : boolean, default True
        true: shorten steps until the objective falls; without it nonlinear materials can diverge
    search : choice, default 'parabola', one of 'parabola', 'armijo', 'strong_wolfe'
        how the step length is found. parabola: backtracking to the minimum of a parabola; armijo: by halves; strong_wolfe: bracketing and zoom
    gamma : number, default 0.3, in (0, 1)
        fraction of the expected decrease that a step must reach (Armijo condition)
    linear_solver : text, default 'cholesky_float'
        linear solver of linear_method direct (resilin list linear)
    linear_method : choice, default 'direct', one of 'direct', 'cg', 'pcg'
        how linear systems are solved. direct: by a factorisation; cg, pcg: by conjugate gradients, without or with a preconditioner
    preconditioner : choice, default 'jacobi', one of 'jacobi', 'incomplete_cholesky', 'incomplete_cholesky_rest'
        preconditioner of pcg. jacobi: the diagonal; incomplete_cholesky: of the constant Hessian; incomplete_cholesky_rest: of the Hessian at rest
    linear_iterations : integer, default 15, in [1, 10000]
        iterations of conjugate gradients at most
    linear_tolerance : number, default 1e-06, in [0, 1]
        residual at which conjugate gradients stop, relative to the first one
    """
    def __init__(self, *, iterations: int = 300, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, method: Literal['robust', 'paper'] = 'robust', history: int = 5, start: Literal['best', 'target', 'harmonic'] = 'best', initial_hessian: Literal['projective', 'scaled_identity', 'rest_pose', 'warped_rest_pose', 'frame_hessian'] = 'projective', hessian_age: int = 1, coarse_modes: int = 5, coarse_after: int = 1, contact_rows: bool = True, interface_rows: bool = True, stiffness: Literal['interval', 'stretches'] = 'interval', line_search: bool = True, search: Literal['parabola', 'armijo', 'strong_wolfe'] = 'parabola', gamma: float = 0.3, linear_solver: str = 'cholesky_float', linear_method: Literal['direct', 'cg', 'pcg'] = 'direct', preconditioner: Literal['jacobi', 'incomplete_cholesky', 'incomplete_cholesky_rest'] = 'jacobi', linear_iterations: int = 15, linear_tolerance: float = 1e-06) -> None: ...

class Xpbd(Plugin):
    """Extended position-based dynamics (Macklin et al. 2016): visits one compliant constraint after the other. Cheap and stable; ends near the minimum, not at it.

    Parameters
    ----------
    iterations : integer, default 10, in [1, 1000000]
        iterations per stage at most; a time step is one stage, or two with tr_bdf2
    tolerance : number, default 0.25 [1/s^2], >= 0
        stop when the acceleration error of every body, divided by its size, is at most this
    gradient_tolerance : number, default 0, in [0, 1]
        above 0: stop when the gradient norm has fallen to this fraction of its start, in place of tolerance; 0: off
    budget : number, default 0 [s], >= 0
        wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit
    order : choice, default 'colour', one of 'colour', 'serial'
        order of the visits. colour: elements that share no vertex are visited at once; serial: in the order of the model, on one thread
    coupled : boolean, default True
        true: all constraints of an element are solved together; false: one after the other
    damping : number, default 0 [s], >= 0
        damping time of the constraints: damping over stiffness; it is not part of the objective
    """
    def __init__(self, *, iterations: int = 10, tolerance: float = 0.25, gradient_tolerance: float = 0, budget: float = 0, order: Literal['colour', 'serial'] = 'colour', coupled: bool = True, damping: float = 0) -> None: ...
