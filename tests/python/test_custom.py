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
    for add in (lambda sim: sim.add_cloth(resilin.sheets.grid(), material=resilin.PythonMaterial(energy, stress)),
                lambda sim: sim.add_shape("box", material=membrane())):
        with pytest.raises(resilin.InputError, match="PythonMaterial is one of solids, a PythonMembrane one of sheets"):
            add(resilin.Simulation())
    with pytest.raises(resilin.InputError, match="state its stiffness"):
        sim = resilin.Simulation()
        sim.add_cloth(resilin.sheets.grid(), material=membrane())
        sim.step()
    with pytest.raises(TypeError, match="no PythonMaterial"):
        resilin.check_material(resilin.NeoHookean())
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


# The thickness of a St. Venant-Kirchhoff sheet is what costs least: E33 = -lambda/(lambda + 2 mu) tr E, which leaves this lambda in the plane.
IN_PLANE = 2 * LAME * MU / (LAME + 2 * MU)


def sheet_strain(F):
    E = 0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(2))
    return E, np.trace(E, axis1=1, axis2=2)


def sheet_energy(F):
    E, trace = sheet_strain(F)
    return MU * np.einsum("nij,nij->n", E, E) + 0.5 * IN_PLANE * trace ** 2


def sheet_stress(F):
    E, trace = sheet_strain(F)
    return F @ (2 * MU * E + IN_PLANE * trace[:, None, None] * np.eye(2))


def membrane(**options):
    return resilin.PythonMembrane(sheet_energy, sheet_stress, **options)


def drape(material, solver):
    sim = resilin.Simulation(dt=1 / 60, solver=solver, threads=1)
    sheet = resilin.sheets.grid(size=(1, 1), cells=(5, 5)).rotated((1, 0, 0), -70)
    body = sim.add_cloth(sheet, material=material, density=800, thickness=2e-3, warp=(1, 1, 0), bending=resilin.bending.Quadratic(stiffness=1e-4))
    sim.pin(body, "y_max")
    sim.run(5)
    return sim


@pytest.mark.parametrize("solver", [resilin.Newton(**TIGHT), resilin.QuasiNewton(**TIGHT)])
def test_a_membrane_is_the_same_as_in_c_plus_plus(solver):
    own, built_in = drape(membrane(), solver), drape(resilin.StVenantKirchhoff(young=1e5, poisson=0.3), solver)
    assert np.abs(built_in.positions - built_in.rest).max() > 0.005
    assert np.abs(own.positions - built_in.positions).max() < 1e-7
    assert own.energy()["elastic"] == pytest.approx(built_in.energy()["elastic"], rel=1e-5)
    gradient, hessian = own.objective.check()
    assert gradient < 1e-6 and hessian < 1e-5
    with pytest.raises(resilin.InputError, match="written in Python"):
        own.to_scene()


def test_the_contract_of_membranes():
    good = resilin.check_material(membrane())
    assert good and good.errors["hessian"] < 1e-6
    assert not resilin.check_material(resilin.PythonMembrane(sheet_energy, lambda F: 2 * sheet_stress(F)))
    with pytest.raises(ValueError, match=r"\(n?.*3, 3\)"):
        resilin.check_material(resilin.PythonMembrane(lambda F: np.zeros(len(F)), lambda F: np.zeros((len(F), 3, 3))))


def test_sheets_of_different_own_materials_stay_apart():
    """Also as the skin of a solid."""
    sim = resilin.Simulation(dt=1 / 60, threads=1)
    bodies = []
    for i, k in enumerate((1, 20)):
        material = resilin.PythonMembrane(lambda F, k=k: k * sheet_energy(F), lambda F, k=k: k * sheet_stress(F))
        sheet = resilin.sheets.grid(size=(1, 1), cells=(4, 4)).translated((0, 0, i))
        bodies.append(sim.add_cloth(sheet, material=material, density=8000, thickness=2e-3, bending="none"))
        sim.pin(bodies[-1], "y_max")
    skinned = sim.add_tets(resilin.shapes.box(size=(1, 0.2, 0.2), cells=(4, 1, 1)).translated((0, 0, 3)), material=resilin.NeoHookean(young=1e4),
                           skin={"material": membrane(), "thickness": 0.01, "bending": "none"})
    sim.pin(skinned, skinned.mesh.vertices[:, 0] < -0.49)
    sim.run(15)
    assert bodies[0].positions[:, 1].min() < bodies[1].positions[:, 1].min() - 0.005
    assert np.isfinite(sim.positions).all()
