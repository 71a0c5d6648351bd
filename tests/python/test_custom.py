"""Materials and damping written in Python: the contract, the same numbers as those in C++, errors."""
import numpy as np
import pytest

import resilin
from conftest import make_bar

MU, LAME = 1e5 / 2.6, 1e5 * 0.3 / (1.3 * 0.4)
VISCOSITY = 300.0


def energy(F):
    E = 0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(3))
    return MU * np.einsum("nij,nij->n", E, E) + 0.5 * LAME * np.trace(E, axis1=1, axis2=2) ** 2


def stress(F):
    E = 0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(3))
    return F @ (2 * MU * E + LAME * np.trace(E, axis1=1, axis2=2)[:, None, None] * np.eye(3))


def simulate(material, solver="newton", damping=None, steps=4, threads=1):
    sim = resilin.Simulation(dt=1 / 60, solver=solver, threads=threads)
    body = sim.add_shape("box", size=(1, 0.25, 0.25), cells=(4, 2, 2), material=material, damping=damping)
    sim.pin(body, "x_min")
    sim.run(steps)
    return sim


TIGHT = {"gradient_tolerance": 1e-11, "iterations": 200}


@pytest.mark.parametrize("solver", [resilin.Newton(**TIGHT), resilin.QuasiNewton(**TIGHT), resilin.Admm(**TIGHT)])
def test_the_same_as_in_c_plus_plus(solver):
    own = simulate(resilin.PythonMaterial(energy, stress), solver)
    built_in = simulate(resilin.StVenantKirchhoff(young=1e5, poisson=0.3), solver)
    assert np.abs(own.positions - built_in.positions).max() < 1e-8
    assert own.energy()["elastic"] == pytest.approx(built_in.energy()["elastic"], rel=1e-6)


def test_several_threads_give_the_same():
    sims = [simulate(resilin.PythonMaterial(energy, stress), "quasi_newton", threads=n) for n in (1, 2)]
    assert np.abs(sims[0].positions - sims[1].positions).max() < 1e-12


def test_derivatives_of_the_objective():
    gradient, hessian = simulate(resilin.PythonMaterial(energy, stress)).objective.check()
    assert gradient < 1e-6 and hessian < 1e-5


def test_a_given_hessian_is_used():
    def zero(F):
        return np.zeros((len(F), 9, 9))

    plain, wrong = (simulate(resilin.PythonMaterial(energy, stress, h)).objective for h in (None, zero))
    assert abs(plain.hessian(plain.start)).max() > 2 * abs(wrong.hessian(wrong.start)).max()


def test_the_contract():
    good = resilin.check_material(resilin.PythonMaterial(energy, stress))
    assert good and good.problems == [] and good.errors["stress"] < 1e-6
    for material, problem in [
        (resilin.PythonMaterial(energy, lambda F: 2 * stress(F)), "not the derivative of energy"),
        (resilin.PythonMaterial(energy, stress, lambda F: np.zeros((len(F), 9, 9))), "not the derivative of stress"),
        (resilin.PythonMaterial(lambda F: F[:, 0, 0] ** 2, lambda F: 2 * F[:, 0, 0, None, None] * np.eye(3) * [1, 0, 0]), "stress at rest"),
        (resilin.PythonMaterial(lambda F: (F[:, 0, 0] - 1) ** 2, lambda F: 2 * (F[:, 0, 0, None, None] - 1) * np.eye(3) * [1, 0, 0]), "turned"),
    ]:
        report = resilin.check_material(material)
        assert not report and any(problem in each for each in report.problems), report


def test_what_cannot_be():
    for solver in ("projective_dynamics", "xpbd", "pbd"):
        with pytest.raises(resilin.InputError, match="cannot take"):
            simulate(resilin.PythonMaterial(energy, stress), solver)
    with pytest.raises(resilin.InputError, match="solids"):
        resilin.Simulation().add_cloth(resilin.sheets.grid(), material=resilin.PythonMaterial(energy, stress))
    with pytest.raises(TypeError, match="stress"):
        resilin.PythonMaterial(energy)
    with pytest.raises(resilin.InputError, match="stiffness"):
        simulate(resilin.PythonMaterial(energy, stress, stiffness=-1))


@pytest.mark.parametrize("bad, error, message", [
    (lambda F: 1 / 0, ZeroDivisionError, "division"),
    (lambda F: energy(F)[1:], ValueError, "shape"),
    (lambda F: np.full(len(F), np.nan), resilin.StepFailed, "not_finite"),
])
def test_errors_in_materials_come_out(bad, error, message):
    sim = resilin.Simulation(threads=2)
    sim.pin(sim.add_shape("box", cells=(2, 2, 2), material=resilin.PythonMaterial(bad, stress)), "x_min")
    before = sim.state_hash
    for _ in range(2):
        with pytest.raises(error, match=message):
            sim.step()
    assert sim.state_hash == before


def damping():
    return resilin.PythonDamping(lambda F, dF: 0.5 * VISCOSITY * np.einsum("nij,nij->n", dF, dF), lambda F, dF: VISCOSITY * dF,
                                 lambda F, dF: 0 * F, viscosity=VISCOSITY)


def test_damping():
    """R = k/2 |F'|^2 takes energy out, and more of it when k is larger; its derivatives are right."""
    material = resilin.StVenantKirchhoff(young=1e5, poisson=0.3)
    assert resilin.check_damping(damping())
    bad = resilin.PythonDamping(damping().rate, lambda F, dF: dF, viscosity=1)
    assert any("by_rate" in p for p in resilin.check_damping(bad).problems)
    plain, damped = simulate(material), simulate(material, damping=damping())
    assert sum(damped.energy().values()) < sum(plain.energy().values())
    gradient, hessian = damped.objective.check()
    assert gradient < 1e-6 and hessian < 1e-5


def test_python_damping_of_a_python_material():
    sim = simulate(resilin.PythonMaterial(energy, stress), damping=damping())
    assert np.isfinite(sim.positions).all() and sim.bodies[0].positions[:, 1].min() < -0.125


def test_bars_of_different_own_materials_stay_apart():
    sim = resilin.Simulation(dt=1 / 60, threads=1)
    soft, stiff = (resilin.PythonMaterial(lambda F, k=k: k * energy(F), lambda F, k=k: k * stress(F)) for k in (1, 10))
    bodies = [sim.add_tets(resilin.shapes.box(size=(1, 0.2, 0.2), cells=(4, 1, 1)).translated((0, 0, i)), material=m)
              for i, m in enumerate((soft, stiff))]
    for body in bodies:
        sim.pin(body, body.mesh.vertices[:, 0] < -0.49)
    sim.run(25)
    assert bodies[0].positions[:, 1].min() < bodies[1].positions[:, 1].min() - 0.01
