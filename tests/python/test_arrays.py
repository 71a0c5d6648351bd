"""Arrays: no copies, no writes, no dangling views; and whatever is no array of the right kind is refused."""
import gc
import pickle

import numpy as np
import pytest

import resilin
from conftest import TETRAHEDRON, make_bar


def test_positions_copy_nothing(bar):
    x, v = bar.positions, bar.velocities
    at = x.ctypes.data, v.ctypes.data
    before = x.copy()
    bar.run(3)
    bar.kick((0, 1, 0)), bar.reset(), bar.step()
    bar.set_state(bar.state())
    assert (bar.positions.ctypes.data, bar.velocities.ctypes.data) == at
    assert x.base is not None and not (x == before).all() and (x == bar.positions).all()
    assert x.shape == (36, 3) and x.dtype == np.float64 and x.flags.c_contiguous


def test_views_cannot_be_written(bar):
    for view in (bar.positions, bar.velocities, bar.state().positions, bar.bodies[0].mesh.vertices, bar.bodies[0].mesh.tets):
        assert not view.flags.writeable
        with pytest.raises(ValueError):
            view[0] = 0
        with pytest.raises(ValueError):
            view.flags.writeable = True


def test_views_outlive_the_simulation():
    sim = make_bar()
    sim.run(2)
    x, part = sim.positions, sim.bodies[0].positions[3:5]
    state_view, mesh_view = sim.state().velocities, sim.bodies[0].mesh.tets
    kept = [each.copy() for each in (x, part, state_view, mesh_view)]
    del sim
    gc.collect()
    rubbish = [make_bar() for _ in range(20)]
    for each in rubbish:
        each.step()
    del rubbish
    gc.collect()
    for view, copy in zip((x, part, state_view, mesh_view), kept):
        assert (view == copy).all()


VERTICES, TETS = TETRAHEDRON


@pytest.mark.parametrize("vertices, tets, message", [
    (VERTICES[:, :2], TETS, "shape"),
    (VERTICES.ravel(), TETS, "shape"),
    (VERTICES[None], TETS, "shape"),
    (np.where(np.eye(4, 3) > 0, np.nan, VERTICES), TETS, "row 0 is nan"),
    (VERTICES + np.inf, TETS, "finite"),
    (VERTICES.astype(complex), TETS, "complex"),
    (VERTICES.astype(str), TETS, "wanted"),
    ([[0, 0, 0], [1, 2]], TETS, "wanted"),
    (None, TETS, "wanted"),
    ("vertices", TETS, "wanted"),
    (VERTICES, TETS[:, :3], "shape"),
    (VERTICES, TETS.astype(float), "whole numbers"),
    (VERTICES, TETS + 1, "names 4"),
    (VERTICES, TETS - 1, "names -1"),
    (VERTICES, [[0, 1, 2, 2 ** 40]], "ids are from 0 to 3"),
    (VERTICES, [[0, 1, 2, 2]], "twice|repeat|same"),
    (VERTICES * 0, TETS, "volume"),
    (np.zeros((0, 3)), np.zeros((0, 4), int), "is empty"),
])
def test_bad_meshes(vertices, tets, message):
    sim = resilin.Simulation()
    with pytest.raises(resilin.InputError, match=message):
        sim.add_tets(vertices, tets)
        sim.step()


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64, ">f8", np.float16])
def test_good_dtypes_and_layouts(dtype):
    sim = resilin.Simulation(threads=1)
    body = sim.add_tets(np.asfortranarray(VERTICES.astype(dtype)), TETS.astype(np.uint16))
    sim.pin(body, np.array([True, False, False, True]))
    sim.step()
    assert (sim.positions[[0, 3]] == VERTICES[[0, 3]]).all()


def test_bad_vertices_of_edits(bar):
    n = len(bar.positions)
    for call, message in [
        (lambda: bar.pin_vertices([n]), f"names {n}"),
        (lambda: bar.pin_vertices([-1]), "names -1"),
        (lambda: bar.pin_vertices([]), "names no vertex"),
        (lambda: bar.pin_vertices([0.5]), "ids"),
        (lambda: bar.pin_vertices(np.zeros(n - 1, bool)), "mask"),
        (lambda: bar.pin_vertices([1], [[0, 0]]), "shape"),
        (lambda: bar.pin_vertices([1], [[0, 0, np.nan]]), "finite"),
        (lambda: bar.drag([n], (0, 0, 0)), "names"),
        (lambda: bar.drag([1], (0, 0)), "3 numbers"),
        (lambda: bar.drag([1], (0, 0, 0), stiffness=np.nan), "finite"),
        (lambda: bar.drag([1, 2], (0, 0, 0), weights=[1]), "2 numbers"),
        (lambda: bar.kick((0, np.inf, 0)), "finite"),
        (lambda: bar.kick((0, 0, 0), "nobody"), "no body"),
        (lambda: bar.flatten(axis=3), "axis"),
        (lambda: bar.set_state(positions=bar.positions[1:]), "shape"),
        (lambda: bar.set_state(velocities=bar.positions * np.nan), "finite"),
        (lambda: bar.objective.value(bar.positions[1:]), "shape"),
        (lambda: bar.objective.value(np.zeros(5)), "numbers are wanted"),
        (lambda: bar.objective.gradient(bar.positions * np.nan), "finite"),
        (lambda: bar.render(0, 10), "width"),
        (lambda: bar.render(10, 10, colours=[1, 2]), "numbers are wanted"),
        (lambda: bar.write("bar.nothing"), "format"),
        (lambda: bar.set_parameter("a", object()), "cannot be a parameter"),
        (lambda: bar.run(-1), "steps"),
        (lambda: bar.run(2 ** 40), "steps"),
        (lambda: resilin.png(np.zeros((3, 3), np.uint8)), "height"),
        (lambda: resilin.png(np.zeros((3, 3, 3))), "uint8"),
        (lambda: resilin.State.__new__(resilin.State).__setstate__((1, 2)), "no state"),
    ]:
        with pytest.raises(resilin.InputError, match=message):
            call()
    bar.step()


def test_meshes():
    mesh = resilin.shapes.sphere(radius=0.5, spacing=0.2)
    assert mesh.volume == pytest.approx(4 / 3 * np.pi * 0.125, rel=0.1) and mesh.quality().min() > 0 and mesh.check() == []
    surface = mesh.surface()
    assert surface.volume == pytest.approx(mesh.volume) and mesh.boundary().shape[1] == 3
    moved = mesh.translated((1, 0, 0)).rotated((0, 1, 0), 90).scaled(2)
    assert moved.volume == pytest.approx(8 * mesh.volume) and moved.vertices.mean(axis=0) == pytest.approx([0, 0, -2], abs=0.02)
    assert surface.fill(cells=6).volume == pytest.approx(mesh.volume, rel=0.2)
    own = resilin.TetMesh(VERTICES, TETS, vertex_groups={"base": [0, 1, 2]})
    assert list(own.vertex_groups["base"]) == [0, 1, 2] and "1 tets" in repr(own)
    copy = pickle.loads(pickle.dumps(own))
    assert (copy.vertices == own.vertices).all() and (copy.tets == own.tets).all() and list(copy.vertex_groups["base"]) == [0, 1, 2]
    with pytest.raises(resilin.InputError, match="axis"):
        own.rotated((0, 0, 0), 10)
    for damaged in ((1, 2), (VERTICES, TETS + 1, {}, {})):
        with pytest.raises(resilin.InputError):
            resilin.TetMesh.__new__(resilin.TetMesh).__setstate__(damaged)


def test_files(tmp_path):
    mesh = resilin.shapes.box(cells=(2, 1, 1))
    for name in ("box.msh", "box.vtu"):
        mesh.write(tmp_path / name)
        read = resilin.read_mesh(tmp_path / name)
        assert isinstance(read, resilin.TetMesh) and np.allclose(read.vertices, mesh.vertices) and (read.tets == mesh.tets).all()
    mesh.surface().write(str(tmp_path / "box.obj"))
    assert isinstance(resilin.read_mesh(str(tmp_path / "box.obj")), resilin.TriangleMesh)
    (tmp_path / "bad.msh").write_text("$MeshFormat\n9 9 9\n")
    with pytest.raises(resilin.InputError, match="bad.msh"):
        resilin.read_mesh(str(tmp_path / "bad.msh"))
