"""The objective at any x, and solvers that are Python functions."""
import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import spsolve

import resilin
from conftest import make_bar


def bend(sim):
    sim.run(3)
    return sim


@pytest.mark.parametrize("integrator", ["backward_euler", "tr_bdf2", "bdf2", "implicit_midpoint", "trapezoidal"])
def test_derivatives_by_differences(integrator):
    objective = bend(make_bar(integrator=integrator)).objective
    gradient, hessian = objective.check()
    assert gradient < 1e-6 and hessian < 1e-6
    assert 0 < objective.tau <= 1 / 60


def test_shapes_and_pins(bar):
    objective = bar.objective
    x = objective.start
    assert x.shape == bar.positions.shape and objective.target.shape == x.shape
    value, gradient = objective.value_and_gradient(x)
    assert value == objective.value(x.ravel()) == objective.value(x)
    assert gradient.shape == x.shape and objective.gradient(x.ravel()).shape == (x.size,)
    pinned = ~objective.free
    assert pinned.sum() == 3 * len(bar.bodies[0].mesh.vertex_groups["x_min"]) and (gradient.ravel()[pinned] == 0).all()
    H = objective.hessian(x)
    assert scipy.sparse.isspmatrix_csc(H) and H.shape == (x.size, x.size) and abs(H - H.T).max() < 1e-9 * abs(H).max()
    assert (H.diagonal()[pinned] == 1).all()
    assert np.linalg.eigvalsh(objective.hessian(x + 0.1 * np.sin(40 * x), positive_definite=True).toarray()).min() > 0


def test_it_is_the_function_that_the_step_minimises():
    sim = bend(make_bar(solver=resilin.Newton(gradient_tolerance=1e-12, iterations=50)))
    objective = sim.objective
    x = objective.start
    for _ in range(30):
        value, g = objective.value_and_gradient(x)
        d = -spsolve(objective.hessian(x, positive_definite=True), g.ravel()).reshape(x.shape)
        length = 1.0
        while objective.value(x + length * d) > value and length > 1e-9:
            length /= 2
        x = x + length * d
    before = objective.value(x)
    sim.step()
    assert np.abs(sim.positions - x).max() < 1e-9
    assert sim.objective.value(sim.objective.start) != before


def test_asking_changes_nothing():
    sims = [bend(make_bar(integrator="tr_bdf2")) for _ in range(2)]
    sims[0].objective.hessian(sims[0].objective.start)
    for sim in sims:
        sim.run(3)
    assert sims[0].state_hash == sims[1].state_hash


def test_explicit_integrators_have_none():
    with pytest.raises(resilin.InputError, match="explicit"):
        make_bar(integrator="runge_kutta4", dt=1e-4).objective


def test_an_objective_outlives_its_simulation():
    objective = bend(make_bar()).objective
    assert np.isfinite(objective.value(objective.start))


def descend(objective, x):
    for _ in range(30):
        g = objective.gradient(x).ravel()
        x = x - spsolve(objective.hessian(x, positive_definite=True), g).reshape(x.shape)
    return x


@pytest.mark.parametrize("integrator", ["backward_euler", "tr_bdf2"])
def test_solvers_in_python(integrator):
    own = make_bar(solver=descend, integrator=integrator)
    reference = make_bar(solver=resilin.Newton(gradient_tolerance=1e-13, iterations=60), integrator=integrator)
    for _ in range(4):
        report = own.step()
        reference.step()
    assert np.abs(own.positions - reference.positions).max() < 1e-8
    assert report.solve.residual < 1e-6 * report.solve.first_residual


def test_solvers_that_fail():
    kept = []
    for solver, error, message in [
        (lambda o, x: x[1:], ValueError, "shape"),
        (lambda o, x: x * np.nan, ValueError, "finite"),
        (lambda o, x: None, ValueError, "wanted"),
        (lambda o, x: o.value(x[1:]), resilin.InputError, "shape"),
        (lambda o, x: 1 / 0, ZeroDivisionError, "division"),
    ]:
        sim = make_bar(solver=solver)
        before = sim.state_hash
        with pytest.raises(error, match=message):
            sim.step()
        assert sim.state_hash == before
    sim = make_bar(solver=lambda o, x: kept.append(o) or descend(o, x))
    sim.step()
    with pytest.raises(RuntimeError, match="has ended"):
        kept[0].value(sim.positions)
