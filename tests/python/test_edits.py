"""Every edit is a method, and what cannot be is said when the step begins."""
import numpy as np
import pytest

import resilin
from conftest import make_bar, small_scene


def test_drag_and_release(bar):
    bar.drag([len(bar.positions) - 1], (1, 1, 0), stiffness=1e4)
    bar.run(5)
    high = bar.positions[-1, 1]
    assert high > 0.2
    bar.drag(target=(1, -1, 0))
    bar.run(5)
    assert bar.positions[-1, 1] < high
    bar.release()
    bar.step()
    assert [e["edit"] for e in bar.edits] == ["drag", "drag", "release"]


def test_pins(bar):
    ids = bar.bodies[0].ids("x_max")
    bar.pin_vertices(ids)
    bar.run(3)
    assert np.allclose(bar.positions[ids], bar.rest[ids])
    bar.unpin_vertices(ids)
    bar.run(3)
    assert (bar.positions[ids, 1] < bar.rest[ids, 1]).any()
    bar.pin_vertices([0], [[9, 9, 9]])
    bar.step()
    assert (bar.positions[0] == 9).all()


def test_states_and_abuse(bar):
    bar.set_state(positions=bar.rest + (0, 1, 0), velocities=np.ones_like(bar.rest))
    report = bar.step()
    assert [e["edit"] for e in report.edits] == ["state"]
    for edit in (bar.flatten, bar.randomise, bar.reset, lambda: bar.kick((0, 0, 1), "bar")):
        edit()
        bar.step()
    assert [e["edit"] for e in bar.edits] == ["state", "flatten", "randomise", "reset", "kick"]
    bar.post({"edit": "kick", "body": "bar", "velocity": [0, 1, 0]})
    bar.step()
    with pytest.raises(resilin.InputError, match="edit"):
        bar.post({"edit": "kik"})
    assert np.isfinite(bar.positions).all()


def test_parameters_of_scenes():
    sim = resilin.load(small_scene(), threads=1)
    sim.set_parameter("bodies[0].material.young", 5e5)
    sim.set_parameter("solver", resilin.Newton(iterations=3))
    sim.step()
    assert sim.scene["bodies"][0]["material"]["young"] == 5e5 and sim.scene["solver"]["type"] == "newton"


def test_refused_edits_warn_and_change_nothing():
    sims = [make_bar(), make_bar()]
    sims[0].set_parameter("gravity", 0)
    sims[0].release("nothing")
    with pytest.warns(resilin.EditRefused) as warned:
        report = sims[0].step()
    sims[1].step()
    assert len(warned) == 2 and "not made from one" in str(warned[0].message) and len(report.refused) == 2
    assert sims[0].state_hash == sims[1].state_hash
