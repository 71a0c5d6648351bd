"""Materials and damping models written in Python: functions of batches of deformation gradients, to try one out.

Batches are (n, 3, 3) arrays F with n up to 32, of sheets (n, 3, 2). They are evaluated from several threads, one at a time. Damping is for solids only.
"""
import numpy as np

from . import _core

_STEP = 1e-6


def _differences(function, F, step=_STEP):
    """d function / dF by central differences: function(F) has the shape (n, ...); the result (n, ..., 3, 3), of sheets (n, ..., 3, 2)."""
    columns = []
    for i, j in np.ndindex(F.shape[1:]):
        plus, minus = F.copy(), F.copy()
        plus[:, i, j] += step
        minus[:, i, j] -= step
        columns.append((np.asarray(function(plus), float) - np.asarray(function(minus), float)) / (2 * step))
    out = np.stack(columns, axis=-1)
    return out.reshape(out.shape[:-1] + F.shape[1:])


def _positive(h):
    """The nearest positive semidefinite matrices."""
    values, vectors = np.linalg.eigh(h)
    return np.einsum("nij,nj,nkj->nik", vectors, np.maximum(values, 0), vectors)


class PythonMaterial:
    """A material of solids: energy density and first Piola-Kirchhoff stress of F.

    energy(F): (n,) [J/m^3]; stress(F): (n, 3, 3) = d energy / dF [Pa]; hessian(F): (n, 9, 9) or (n, 3, 3, 3, 3), or None: by differences of
    the stress, for solvers that ask for it (newton). stiffness [Pa]: what stands for the material in the constant Hessian of quasi_newton; None: the
    slope of the stress at rest, as Liu et al. (Eq. 11) fit it. Solvers that need an energy of squares (projective_dynamics, xpbd, pbd) refuse it.
    Either give functions, or subclass and define methods of these names.
    """

    def __init__(self, energy=None, stress=None, hessian=None, *, name="python", stiffness=None):
        for key, function in (("energy", energy), ("stress", stress), ("hessian", hessian)):
            if function is not None:
                setattr(self, key, function)
        for key in ("energy", "stress"):
            if not callable(getattr(self, key, None)):
                raise TypeError(f"a material needs a function {key}(F)")
        self.name = name
        self.stiffness = stiffness

    hessian = None
    _columns = 3  # of F

    def evaluate(self, F, derivatives, positive):
        """What the core calls: (energy, stress, hessian), as many as are wanted."""
        n = len(F)
        psi = np.asarray(self.energy(F), float)
        if psi.shape != (n,):
            raise ValueError(f"{self.name}: energy(F) has the shape {psi.shape}, and {(n,)} is wanted")
        if derivatives == 0:
            return (psi,)
        P = self._stress(F)
        if derivatives == 1:
            return psi, P
        if self.hessian is None:
            h = _differences(self._stress, F)
        else:
            h = np.asarray(self.hessian(F), float)
        shape = (n, 3 * self._columns, 3 * self._columns)
        if h.size != np.prod(shape):
            raise ValueError(f"{self.name}: hessian(F) has the shape {h.shape}, and {shape} is wanted")
        h = h.reshape(shape)
        h = 0.5 * (h + h.transpose(0, 2, 1))
        return psi, P, _positive(h) if positive else h

    def _stress(self, F):
        P = np.asarray(self.stress(F), float)
        if P.shape != F.shape:
            raise ValueError(f"{self.name}: stress(F) has the shape {P.shape}, and {F.shape} is wanted")
        return P

    def fitted_stiffness(self):
        """int (x - 1) f(x) dx / int (x - 1)^2 dx on [0.5, 1.5], f the stress along an axis that is stretched by x."""
        x = np.linspace(0.5, 1.5, 65)
        F = np.tile(np.eye(3, self._columns), (len(x), 1, 1))
        F[:, 0, 0] = x
        f = self._stress(F)[:, 0, 0]
        return float(np.trapz((x - 1) * f, x) / np.trapz((x - 1) ** 2, x))

    def _own(self):
        stiffness = self.fitted_stiffness() if self.stiffness is None else self.stiffness
        return _core.OwnMaterial(self.evaluate, self.name, float(stiffness), self._columns == 2)


class PythonMembrane(PythonMaterial):
    """A material of sheets (add_cloth, skins): as PythonMaterial, with F (n, 3, 2), whose columns are the images of the warp and of the direction across
    it; the stress is (n, 3, 2) and the Hessian (n, 6, 6). The energy is per volume: the sheet's thickness is multiplied in. Its bending is not made of
    it: give add_cloth a bending with a stiffness, or "none"."""

    _columns = 2


class PythonDamping:
    """Damping of solids: a dissipation function R(F, F') >= 0 per volume, whose force is -dR/dF'.

    rate(F, dF): (n,) [W/m^3]; by_rate(F, dF): (n, 3, 3) = dR/dF'; by_gradient(F, dF): dR/dF, or None: by differences of the rate. viscosity
    [Pa s]: what stands for d2R/dF'^2 in the constant Hessian. Rates quadratic in dF are solved best.
    """

    def __init__(self, rate=None, by_rate=None, by_gradient=None, *, name="python", viscosity):
        for key, function in (("rate", rate), ("by_rate", by_rate), ("by_gradient", by_gradient)):
            if function is not None:
                setattr(self, key, function)
        for key in ("rate", "by_rate"):
            if not callable(getattr(self, key, None)):
                raise TypeError(f"a damping model needs a function {key}(F, dF)")
        self.name = name
        self.viscosity = viscosity

    by_gradient = None

    def evaluate(self, F, dF, gradient_wanted, rate_wanted):
        """What the core calls: (R, dR/dF, dR/dF'), those that are not wanted None."""
        r = self.rate(F, dF)
        by_F = None
        if gradient_wanted:
            by_F = _differences(lambda x: self.rate(x, dF), F) if self.by_gradient is None else self.by_gradient(F, dF)
        return r, by_F, self.by_rate(F, dF) if rate_wanted else None

    def _own(self):
        return _core.OwnDamping(self.evaluate, self.name, float(self.viscosity))


class CheckReport:
    """What a check found: `errors` by name, `problems` in words; true when there are none."""

    def __init__(self, errors, problems):
        self.errors, self.problems = errors, problems

    def __bool__(self):
        return not self.problems

    def __repr__(self):
        return f"<resilin.CheckReport: {'passed' if self else '; '.join(self.problems)}, {self.errors}>"


def _samples(count, seed, spread, columns=3):
    rng = np.random.default_rng(seed)
    return np.eye(3, columns) + spread * rng.standard_normal((count, 3, columns)), np.linalg.qr(rng.standard_normal((count, 3, 3)))[0]


def _rotations(q):
    q = q.copy()
    q[np.linalg.det(q) < 0] *= -1
    return q


def check_material(material, count=32, seed=1, spread=0.15, tolerance=1e-5):
    """The contract of materials on random F near rest: finite numbers; stress and Hessian are derivatives, by central differences; rest is free
    of stress; turning a body costs nothing; no energy is below that of rest."""
    if not isinstance(material, PythonMaterial):
        raise TypeError(f"{type(material).__name__} is no PythonMaterial")
    size = 3 * material._columns
    F, q = _samples(count, seed, spread, material._columns)
    q = _rotations(q)
    psi, P, H = material.evaluate(F, 2, False)
    errors, problems = {}, []

    def judge(name, error, allowed, problem):
        errors[name] = float(error)
        if not error <= allowed:
            problems.append(f"{problem} (relative error {error:.1e})")

    scale = max(np.abs(P).max(), 1e-300)
    if not (np.isfinite(psi).all() and np.isfinite(P).all() and np.isfinite(H).all()):
        problems.append("a number is not finite")
    judge("stress", np.abs(_differences(material.energy, F) - P).max() / scale, tolerance,
          "stress is not the derivative of energy")
    exact = _differences(material._stress, F).reshape(count, size, size)
    judge("hessian", np.abs(exact - H).max() / max(np.abs(exact).max(), 1e-300), tolerance,
          "hessian is not the derivative of stress")
    judge("symmetry", np.abs(exact - exact.transpose(0, 2, 1)).max() / max(np.abs(exact).max(), 1e-300), tolerance,
          "stress is no gradient: its derivative is not symmetric")
    rest = material.evaluate(np.eye(3, material._columns)[None], 1, False)
    judge("rest", np.abs(rest[1]).max() / scale, tolerance, "there is stress at rest")
    turned = np.asarray(material.energy(q @ F), float)
    judge("rotation", np.abs(turned - psi).max() / max(np.abs(psi).max(), 1e-300), tolerance, "energy changes when a body is turned")
    if (psi < rest[0][0] - tolerance * np.abs(psi).max()).any():
        problems.append("an energy is below that of rest")
    return CheckReport(errors, problems)


def check_damping(damping, count=32, seed=1, spread=0.15, tolerance=1e-5):
    """The contract of damping models: finite numbers, R >= 0 and zero at no rate, derivatives by central differences, power never fed in."""
    if not isinstance(damping, PythonDamping):
        raise TypeError(f"{type(damping).__name__} is no PythonDamping")
    F, _ = _samples(count, seed, spread)
    dF = np.random.default_rng(seed + 1).standard_normal(F.shape)
    r, by_F, by_rate = (np.asarray(each, float) for each in damping.evaluate(F, dF, True, True))
    errors, problems = {}, []
    if not (np.isfinite(r).all() and np.isfinite(by_F).all() and np.isfinite(by_rate).all()):
        problems.append("a number is not finite")
    for name, given, function in (("by_rate", by_rate, lambda d: damping.rate(F, d)),
                                  ("by_gradient", by_F, lambda x: damping.rate(x, dF))):
        exact = _differences(function, dF if name == "by_rate" else F)
        errors[name] = float(np.abs(exact - given).max() / max(np.abs(exact).max(), 1e-300))
        if not errors[name] <= tolerance:
            problems.append(f"{name} is not the derivative of rate (relative error {errors[name]:.1e})")
    if (r < 0).any():
        problems.append("rate is negative")
    if np.abs(damping.rate(F, 0 * dF)).max() > tolerance * np.abs(r).max():
        problems.append("rate is not zero where nothing moves")
    if (np.einsum("nij,nij->n", by_rate, dF) < 0).any():
        problems.append("it feeds power in")
    return CheckReport(errors, problems)
