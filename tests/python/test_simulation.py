"""Simulations from code and from scenes: the same numbers as the command, reports, states, interrupts, threads."""
import copy
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import numpy as np
import pytest

import resilin
from conftest import PYTHON, command, make_bar, python_environment, small_scene


def test_a_bar_bends_and_reports(bar):
    report = bar.step()
    assert report.status == "converged"
    assert report.solve.iterations > 0 and report.solve.evaluations >= report.solve.iterations
    assert report.solve.error >= 0 and report.seconds > 0
    assert set(report.solve.phases) == {"local", "global", "line_search", "coarse", "history", "contact", "other"}
    bar.run(9)
    assert bar.steps == 10 and bar.time == pytest.approx(10 / 60) and bar.dt == pytest.approx(1 / 60)
    end = bar.bodies[0].mesh.vertex_groups["x_max"]
    assert bar.positions[end, 1].mean() < -0.05
    assert np.abs(bar.velocities[bar.bodies[0].mesh.vertex_groups["x_min"]]).max() == 0
    energy = bar.energy()
    assert energy["kinetic"] > 0 and energy["elastic"] > 0 and energy["external"] < 0
    assert bar.masses.sum() == pytest.approx(1000 / 16) and bar.rest.shape == bar.positions.shape
    assert np.isfinite(bar.momentum()).all() and bar.angular_momentum().shape == (3,)


@pytest.mark.parametrize("scene", ["cantilever", "dropped_cloth"])
def test_same_hash_as_the_command(scene):
    done = subprocess.run([command(), "run", scene, "--no-output", "--json", "--set", "frames=3"], capture_output=True, text=True)
    sim = resilin.load(scene)
    document = json.loads(done.stdout)
    sim.run(3 * document["substeps"])
    assert sim.state_hash == document["state_hash"]


def test_scene_and_code_give_the_same_bits():
    sims = [resilin.load(small_scene(contact=False), threads=1), make_bar(dt=0.02)]
    for sim in sims:
        sim.run(3)
    assert sims[0].state_hash == sims[1].state_hash


def test_scenes_from_dicts_files_and_overrides(tmp_path):
    scene = small_scene(solver=resilin.QuasiNewton(iterations=7), step=np.float64(0.01))
    sim = resilin.load(scene, overrides={"bodies[0].material.young": 2e5})
    assert sim.scene["bodies"][0]["material"]["young"] == 2e5 and sim.scene["solver"]["iterations"] == 7
    assert sim.dt == 0.01 and sim.bodies[0].name == "bar"
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(small_scene()))
    assert resilin.load(path).scene["step"] == 0.02
    assert "cantilever" in resilin.gallery()


@pytest.mark.parametrize("scene, message", [
    (small_scene(step=-1), "scene: step: -1"),
    (small_scene(stepp=1), "did you mean"),
    (small_scene(step=float("nan")), "scene: "),
    (small_scene(bodies=[{"shape": {"type": "bok"}}]), "bodies[0].shape"),
    (small_scene(bodies=object()), "cannot stand in a scene"),
])
def test_bad_scenes_are_located(scene, message):
    with pytest.raises(resilin.InputError) as caught:
        resilin.load(scene)
    assert message in str(caught.value)


def test_errors_of_the_core_have_a_place():
    with pytest.raises(resilin.InputError) as caught:
        resilin.load("no_such_scene")
    assert caught.value.where == "no_such_scene" and "there is no such file" in caught.value.problem
    assert isinstance(caught.value, ValueError)


def test_everything_that_is_built(tmp_path):
    sim = resilin.Simulation(dt=1 / 60, contact={"friction": 0.3}, threads=1)
    box = resilin.shapes.box(size=(0.2, 0.2, 0.2), cells=(2, 2, 2)).translated((0, 0.5, 0))
    solid = sim.add_tets(box.vertices, box.tets, material="rubber", name="box", damping=["rayleigh", resilin.damping.Drag(coefficient=0.1)],
                         regions=[{"tets": [0, 1], "density": 3000.0, "material": resilin.Corotated(young=1e6)}],
                         fibre={"stiffness": 1e4, "direction": (1, 0, 0)}, potentials=[resilin.potentials.Volume()])
    cloth = sim.add_cloth(resilin.sheets.grid(size=(0.5, 0.5), cells=(4, 4)).rotated((1, 0, 0), -90).translated((0, 0.3, 0)),
                          thickness=1e-3, material=resilin.Corotated(young=1e5), density=200, bending=resilin.bending.Quadratic(stiffness=1e-5))
    net = sim.add_springs([[2, 1, 0], [2, 0.5, 0], [2.5, 0.5, 0]], [[0, 1], [1, 2]], stiffness=100, mass=0.1)
    sim.pin(net, [0])
    sim.pin(cloth, "y_min", stiffness=500, motion={"translate": {"direction": [0, 1, 0], "speed": 0.1}})
    sim.add_force(net, (1, 0, 0), [2])
    sim.add_force(solid, (0, 1, 0), kind="total", signal={"amplitude": 1, "frequency": 2})
    sim.add_obstacle(resilin.obstacles.Plane(height=-0.1))
    sim.add_obstacle("sphere", radius=0.1, translate=[0, 0, 0], motion={"translate": {"direction": [1, 0, 0], "speed": 0.1}})
    sim.launch(solid, (0, -1, 0))
    for _ in range(5):
        assert sim.step().status in ("converged", "stalled", "iteration_limit")
    assert np.isfinite(sim.positions).all()
    assert [b.name for b in sim.bodies] == ["box", "body2", "body3"]
    assert sim.positions.shape[0] == sum(b.vertex_count for b in sim.bodies)
    assert sim.scene is None and sim.bodies[2].positions[1, 1] < 0.5
    image = sim.render(64, 48, samples=1, colours=sim.positions[:, 1])
    assert image.shape == (48, 64, 3) and image.dtype == np.uint8 and image.std() > 0
    resilin.save_png(tmp_path / "a.png", image)
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    sim.write(tmp_path / "a.vtu")
    assert (tmp_path / "a.vtu").stat().st_size > 0


def test_building_says_what_is_wrong(bar):
    body = bar.bodies[0]
    box = resilin.shapes.box(cells=(1, 1, 1))
    for call, message in [
        (lambda: bar.add_tets(box, material=resilin.NeoHookean(), density=-1), "density"),
        (lambda: bar.add_tets(box, density=[1, 2]), "a list of 2 values"),
        (lambda: bar.add_tets(box, name="bar"), "another body has this name"),
        (lambda: bar.add_tets(box.vertices, box.tets[:, [1, 0, 2, 3]]), "has volume -0.16"),
        (lambda: bar.add_tets(box, material="neo_hokean"), "neo_hookean"),
        (lambda: bar.pin(body, [10 ** 6]), "ids are from 0"),
        (lambda: bar.pin(body, "nowhere"), "no group"),
        (lambda: bar.pin(body, [0]), "pinned already"),
        (lambda: bar.pin("nobody", [0]), "there is no body"),
        (lambda: bar.add_obstacle("plan"), "plane"),
        (lambda: bar.add_obstacle(resilin.obstacles.Plane(), translat=1), "translat"),
        (lambda: bar.add_force(body, (0, 0, np.nan)), "finite"),
        (lambda: bar.add_force(body, (0, 0, 1), kind="push"), "kind"),
        (lambda: resilin.Simulation(dt=-1), "dt"),
        (lambda: resilin.load("cantilever", threads=10 ** 9), "threads"),
        (lambda: resilin.Simulation().step(), "no bodies"),
        (lambda: resilin.Simulation(contact={"frictoin": 1}), "frictoin"),
        (lambda: resilin.Simulation(contact={"friction": "much"}), "contact: friction: str stands where a number"),
        (lambda: resilin.Simulation(contact={"self": 3}), "True or False"),
        (lambda: resilin.Simulation(contact="yes"), "contact: str stands where a dict"),
        (lambda: bar.add_tets(box, name=3), "name: int stands where a text"),
        (lambda: bar.add_tets(box, name="\udc80"), "name: the text has characters"),
        (lambda: bar.add_tets(box, regions=3), "regions: int stands where a dict"),
        (lambda: bar.add_tets(box, regions={"tet": [0]}), 'regions: there is no key "tet"; keys: tets'),
        (lambda: bar.add_tets(box, regions=[{"tets": [0], "density": "x"}]), "regions: density: str stands where a number"),
        (lambda: bar.add_tets(box, fibre=3), "fibre: int stands where a dict"),
        (lambda: bar.add_tets(box, skin={"thicknes": 1}), "skin: a dict of material, .*thicknes"),
        (lambda: bar.add_tets(box, skin=True), "skin: a dict"),
        (lambda: bar.add_tets(box, inflation={"targt": 1}), 'inflation: there is no key "targt"'),
        (lambda: bar.add_tets(box, surface=3), "surface: a TriangleMesh"),
        (lambda: bar.add_tets(box, potentials="volum"), "did you mean \"volume\""),
        (lambda: bar.pin(body, [35], stiffness="x"), "pin: stiffness: str stands where a number"),
        (lambda: make_bar(solver="projective_dynamics").step(), "projective_dynamics cannot take"),
    ]:
        with pytest.raises(resilin.InputError, match=message):
            call()
    with pytest.raises(TypeError, match="did you mean 'young'"):
        resilin.NeoHookean(yung=1)
    with pytest.raises(TypeError, match="is a solver"):
        resilin.Simulation(integrator=resilin.Newton())
    for call, message in [
        (lambda: bar.damp(body, None), "resilin.damping,"),
        (lambda: resilin.Simulation(solver=resilin.Newton), r"write Newton\(\)"),
        (lambda: resilin.Simulation(threads=1.5), "integer"),
        (lambda: bar.run(2.5), "integer"),
        (lambda: bar.observe(None), "observe: a function"),
        (lambda: bar.on_iteration("x"), "on_iteration: str stands where a function"),
        (lambda: bar.set_state(bar.positions), "no State"),
        (lambda: pickle.dumps(bar), "to_scene"),
        (lambda: copy.copy(bar), "to_scene"),
    ]:
        with pytest.raises(TypeError, match=message):
            call()
    bar.step()
    with pytest.raises(resilin.InputError, match="built already"):
        bar.add_shape("box")


def test_states_are_values(bar):
    bar.run(3)
    state = pickle.loads(pickle.dumps(bar.state()))
    before = bar.state_hash
    assert state.hash == before and state.step == 3
    bar.run(4)
    end = bar.state_hash
    bar.set_state(state)
    assert bar.state_hash == before and bar.time == pytest.approx(0.05)
    bar.run(4)
    assert bar.state_hash == end
    other = make_bar()
    other.set_state(state)
    other.run(4)
    assert other.state_hash == end
    with pytest.raises(resilin.InputError, match="size does not match"):
        resilin.load("pendulum").set_state(state)


def test_callbacks(bar):
    seen, iterations = [], []
    number = bar.observe(lambda sim, report: seen.append((sim.steps, report.status)))
    bar.on_iteration(lambda x, record: iterations.append((x.shape, record.force_residual)))
    bar.tracing = True
    report = bar.step()
    bar.unobserve(number)
    bar.on_iteration(None)
    bar.step()
    assert seen == [(1, "converged")]
    assert len(report.solve.trace) > 1 and len(iterations) >= len(report.solve.trace) - 1
    assert iterations[0][0] == bar.positions.shape
    assert report.solve.trace[-1].force_residual < report.solve.trace[0].force_residual


def test_errors_in_callbacks_come_out(bar):
    before = bar.state_hash

    def fail(x, record):
        raise ZeroDivisionError("mine")

    bar.on_iteration(fail)
    with pytest.raises(ZeroDivisionError, match="mine"):
        bar.step()
    assert bar.state_hash == before
    bar.on_iteration(lambda x, record: bar.step())
    with pytest.raises(RuntimeError, match="busy"):
        bar.step()
    bar.on_iteration(None)
    assert bar.step().status == "converged"


def test_forces_hold_for_one_step(bar):
    other = make_bar()
    push = np.zeros_like(bar.positions)
    push[-1] = (0, 50, 0)
    bar.step(forces=push), other.step()
    assert bar.positions[-1, 1] > other.positions[-1, 1]
    # Impulse: masses times the change of velocity, all vertices together (before the pins answer it is that of one step).
    free = make_bar()
    bar.set_state(free.state()), other.set_state(free.state())
    bar.step(), other.step()
    assert bar.state_hash == other.state_hash
    for bad, message in [(push[:-1], "shape"), (push * np.nan, "finite"), ("push", "numbers"), (push.astype(complex), "complex")]:
        with pytest.raises(resilin.InputError, match=message):
            bar.step(forces=bad)


def test_forces_are_newtons():
    """A free tet: the momentum grows by force times step, exactly."""
    sim = resilin.Simulation(dt=0.01, gravity=(0, 0, 0), threads=1, solver=resilin.Newton(gradient_tolerance=1e-12))
    sim.add_tets([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]])
    for i in range(3):
        sim.step(forces=np.array([[1, 2, 3]] * 4))
    assert sim.momentum() == pytest.approx([0.12, 0.24, 0.36], rel=1e-9)
    assert sim.energy()["external"] < 0


def test_forces_outlive_edits():
    sim = resilin.load(small_scene(contact=False), threads=1)
    push = np.zeros_like(sim.positions)
    push[-1] = (0, 50, 0)
    sim.step(forces=push)
    sim.set_parameter("bodies[0].material.young", 2e5)
    sim.step(forces=push)
    other = resilin.load(small_scene(contact=False), threads=1)
    other.step(forces=push)
    other.set_parameter("bodies[0].material.young", 2e5)
    other.step(forces=push * (1 + 1e-16))
    assert sim.state_hash == other.state_hash and sim.scene["bodies"][0]["material"]["young"] == 2e5


def test_rejected_steps_raise_and_change_nothing():
    sim = make_bar(integrator="forward_euler", dt=0.5, young=1e9)
    with pytest.raises(resilin.StepFailed) as caught:
        for _ in range(400):
            before = sim.positions.copy()
            sim.step()
    assert caught.value.report.status == "not_finite" and (sim.positions == before).all()


def test_threads_run_while_it_steps():
    """The GIL is released: another thread counts while a long step runs."""
    sim = resilin.Simulation(dt=1 / 30, threads=1, solver=resilin.Newton(iterations=50, gradient_tolerance=1e-12))
    sim.pin(sim.add_shape("box", size=(1, 0.2, 0.2), cells=(14, 6, 6), material=resilin.NeoHookean(young=1e4)), "x_min")
    count, stop = [0], threading.Event()

    def counting():
        while not stop.is_set():
            count[0] += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=counting)
    sim.positions
    thread.start()
    counted = []
    for _ in range(3):
        before = count[0]
        sim.step()
        counted.append(count[0] - before)
    stop.set()
    thread.join()
    assert max(counted) > 2


def test_two_threads_cannot_step_one_simulation(bar):
    bar.positions
    outcomes = []

    def steps():
        for _ in range(30):
            try:
                bar.step()
                outcomes.append("stepped")
            except RuntimeError as error:
                outcomes.append("busy" if "busy" in str(error) else str(error))

    threads = [threading.Thread(target=steps) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) <= {"stepped", "busy"} and bar.steps == outcomes.count("stepped")


INTERRUPTED = """
import resilin, sys
sim = resilin.Simulation(dt=1/30, threads=1, solver=resilin.Newton(iterations=1000000, gradient_tolerance=1e-300, tolerance=0, search="armijo"))
body = sim.add_shape("box", size=(1, 0.3, 0.3), cells=(20, 8, 8), pattern="bcc", material=resilin.NeoHookean(young=1e3))
sim.pin(body, "x_min")
sim.positions
before = sim.state_hash
print("stepping", flush=True)
try:
    while True:
        before = sim.state_hash
        sim.run(1000)
except KeyboardInterrupt:
    print("interrupted", sim.steps >= 0, flush=True)
    sim.energy()
"""


def test_ctrl_c():
    process = subprocess.Popen([PYTHON, "-c", INTERRUPTED], env=python_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline().strip() == "stepping"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0 and out.startswith("interrupted True"), (out, error)


ENDING = """
import resilin, threading, time, sys
import numpy as np
own = resilin.PythonMaterial(lambda F: ((F - np.eye(3)) ** 2).sum((1, 2)), lambda F: 2 * (F - np.eye(3)), stiffness=2)
for material in (own, "neo_hookean"):
    sim = resilin.Simulation(threads=2)
    sim.add_shape("box", material=material)
    sim.positions
    threading.Thread(target=sim.run, args=(10 ** 8,), daemon=True).start()
time.sleep(0.3)
"""


def test_python_may_end_while_threads_step():
    done = subprocess.run([PYTHON, "-c", ENDING], env=python_environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_child_process_goes_on():
    """What was forked has none of the threads: it steps all the same, and drops the simulation."""
    sim = make_bar()
    sim.run(2)
    wide = resilin.Simulation(threads=2)
    wide.add_shape("box", cells=(8, 4, 4))
    wide.step()
    child = os.fork()
    if child == 0:
        sim.step(), wide.step()
        del wide
        os._exit(7 if sim.steps == 3 else 8)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert sim.steps == 2


def test_simulations_step_in_threads_of_their_own():
    alone, together = make_bar(), [make_bar() for _ in range(4)]
    alone.run(10)
    threads = [threading.Thread(target=sim.run, args=(10,)) for sim in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {sim.state_hash for sim in together} == {alone.state_hash}


def test_reduced_simulations():
    scene = resilin.load("reduced_creature")
    scene.step()
    assert scene._built.reduced and scene.positions.shape == scene.rest.shape
    before = scene.positions.copy()
    scene.step()
    assert not (scene.positions == before).all()


def test_the_view_of_a_scene():
    help_text = subprocess.run([command(), "--help"], capture_output=True, text=True).stdout
    if " view " not in help_text:
        pytest.skip("the command has no view")
    os.environ["RESILIN"] = command()
    try:
        page = resilin.load(small_scene()).view()
    except RuntimeError as error:
        if "without the page" in str(error):
            pytest.skip(str(error))
        raise
    with page:
        assert page.url.startswith("http") and page.url in page._repr_html_()


def shown(sim):
    """Positions and velocities on the page of sim.view() before anybody watches."""
    with sim.view() as page:
        address, token = page.url.split("/?")
        with urllib.request.urlopen(f"{address}/export/state.npz?{token}", timeout=30) as reply:
            state = np.load(io.BytesIO(reply.read()))
            return state["positions"], state["velocities"]


@pytest.mark.parametrize("from_code", [True, False])
def test_the_view_begins_at_the_present_state(from_code, monkeypatch):
    monkeypatch.setenv("RESILIN", command())
    sim = make_bar() if from_code else resilin.load(small_scene())
    sim.run(4)
    sim.pin_vertices([35])
    if not from_code:
        sim.set_parameter("bodies[0].density", 2000)
    sim.step()
    before = sim.state_hash
    try:
        positions, velocities = shown(sim)
    except RuntimeError as error:
        if "without the page" in str(error):
            pytest.skip(str(error))
        raise
    assert np.abs(positions - sim.positions).max() < 1e-12 and np.abs(velocities - sim.velocities).max() < 1e-12
    assert np.abs(sim.positions - sim.rest).max() > 1e-3 and sim.state_hash == before


def test_code_is_told_as_a_scene(bar):
    bar.add_force(bar.bodies[0], (0, 0, 1), "x_max", kind="total", signal={"frequency": 2, "amplitude": 1})
    bar.damp(bar.bodies[0], resilin.damping.StrainRate(shear=50))
    bar.launch(bar.bodies[0], (0, 0, 0.5))
    bar.add_obstacle(resilin.obstacles.Plane(height=-0.6))
    sheet = bar.add_cloth(resilin.sheets.grid(cells=(4, 4)).translated((0, 0, 3)), material=resilin.Corotated(young=1e5), name="sheet")
    bar.pin(sheet, np.arange(27) < 5, stiffness=100, motion={"translate": {"direction": [0, 1, 0], "speed": 0.1}})
    net = bar.add_springs([[0, 0, 6], [1, 0, 6.0]], [[0, 1]], stiffness=50)
    bar.pin(net, [0])
    scene = json.loads(json.dumps(bar.to_scene()))
    other = resilin.load(scene, threads=1)
    bar.run(4), other.run(4)
    assert np.abs(bar.positions - other.positions).max() < 1e-12
    assert bar.state_hash == other.state_hash and other.to_scene()["bodies"][2]["name"] == "body3"
    with pytest.raises(resilin.InputError, match="a scene cannot have a solver"):
        make_bar(solver=lambda o, x: x).to_scene()


def test_the_laboratory(tmp_path, monkeypatch):
    monkeypatch.setenv("RESILIN", command())
    if not os.access(os.path.join(os.path.dirname(command()), "resilin-lab"), os.X_OK):
        pytest.skip("the laboratory is not built")
    assert resilin.reproduce("E74", quick=True)["passed"] == 1
    document = resilin.compare(small_scene(frames=3), ["newton", "quasi_newton:history=0"], arguments=["--frame", "1", "--repeat", "1"])
    assert document["vertices"] == 36
    with pytest.raises(resilin.InputError, match="there is no such file or scene"):
        resilin.compare("nothing")


def test_the_laboratory_or_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setenv("RESILIN", str(tmp_path / "resilin"))
    (tmp_path / "resilin").write_text("#!/bin/sh\n")
    (tmp_path / "resilin").chmod(0o755)
    with pytest.raises(RuntimeError, match="laboratory"):
        resilin.compare("cantilever")
    with pytest.raises(RuntimeError, match="laboratory"):
        resilin.reproduce("E1")
