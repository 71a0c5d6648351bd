"""The function that a time step minimises, for optimisers of one's own."""
import numpy as np

from . import _core


class Objective:
    """Phi(x) = 1/(2 tau^2) |x - target|_M^2 + V(x) + damping [J], of the first stage of the next step.

    x is (n, 3) or flat. Pinned vertices must stand where `start` has them; the gradient there is zero. Bodies that touch have energies that
    solvers bring up to date between iterations; here they are those of the beginning of the stage.
    """

    def __init__(self, core):
        self._core = core

    def value(self, x):
        """Phi(x) [J]"""
        return self._core.value(x)

    def gradient(self, x):
        """[N], in the shape of x"""
        return self._core.gradient(x)

    def value_and_gradient(self, x):
        """Both, by one evaluation: for scipy.optimize.minimize(..., jac=True)."""
        return self._core.value_and_gradient(x)

    def hessian(self, x, positive_definite=False):
        """(3n, 3n) scipy.sparse.csc_matrix [N/m]. Rows of pinned unknowns are those of the identity. `positive_definite`: negative eigenvalues of
        elements are removed, as Newton's method here does."""
        from scipy.sparse import coo_matrix
        rows, columns, values, size = self._core.hessian_entries(x, positive_definite)
        return coo_matrix((values, (rows, columns)), shape=(size, size)).tocsc()

    @property
    def start(self):
        """(n, 3) free flight, with pinned vertices in place: where to begin"""
        return self._core.start

    @property
    def target(self):
        """(n, 3)"""
        return self._core.target

    @property
    def tau(self):
        """[s] of the stage"""
        return self._core.tau

    @property
    def free(self):
        """(3n,) mask of the unknowns that are not pinned"""
        return self._core.free

    def check(self, x=None, seed=1, step=1e-6):
        """Largest relative difference of gradient and Hessian to central differences in a random direction: (gradient, hessian)."""
        x = np.array(self.start if x is None else x, dtype=float)
        flat = x.reshape(-1)
        d = np.random.default_rng(seed).standard_normal(flat.size) * self.free
        h = step * max(1e-12, np.ptp(flat)) / np.abs(d).max()
        plus, minus = flat + h * d, flat - h * d
        slope = (self.value(plus) - self.value(minus)) / (2 * h)
        curved = (self.gradient(plus) - self.gradient(minus)) / (2 * h)
        exact = self.hessian(flat) @ d
        g = self.gradient(flat) @ d
        return (abs(slope - g) / max(abs(g), 1e-300),
                float(np.linalg.norm((curved - exact) * self.free) / max(np.linalg.norm(exact), 1e-300)))


def wrap_solver(minimise):
    """A function minimise(objective, x) -> x as what the core calls."""

    def call(core, x):
        return minimise(Objective(core), x)

    return call


def of(simulation):
    return Objective(_core.Objective(simulation))
