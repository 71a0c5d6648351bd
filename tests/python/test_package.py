"""The package as a whole: names, docstrings and stubs follow the registry; examples run; pages hold their code; overhead."""
import importlib
import inspect
import json
import subprocess

import pytest

import resilin
from conftest import PYTHON, ROOT, python_environment
from resilin import _core
from resilin._plugins import REGISTRY, class_name

MODULES = {"material": resilin.materials, "bending": resilin.bending, "potential": resilin.potentials, "damping": resilin.damping,
           "obstacle": resilin.obstacles, "integrator": resilin.integrators, "solver": resilin.solvers}


@pytest.mark.parametrize("kind", MODULES)
def test_everything_registered_has_a_class(kind):
    assert REGISTRY[kind]
    for entry in REGISTRY[kind]:
        made = getattr(MODULES[kind], class_name(entry["name"]))
        assert entry["doc"] in made.__doc__ and made.name == entry["name"]
        for p in entry["parameters"]:
            assert p["name"] in made.__doc__ and (not p["unit"] or f"[{p['unit']}]" in made.__doc__)
            assert not p["range"] or p["range"] in made.__doc__
        names = {n.rstrip("_") if n == "lambda_" else n for n in inspect.signature(made).parameters}
        assert names == {p["name"] for p in entry["parameters"]}
        if kind != "obstacle" and not any(p["required"] for p in entry["parameters"]):
            assert made().to_dict() == {"type": entry["name"]}


def test_defaults_are_accepted_as_stated():
    """Every declared default passes the check of its own parameter."""
    for kind in ("material", "integrator"):
        for entry in REGISTRY[kind]:
            made = getattr(MODULES[kind], class_name(entry["name"]))
            for p in entry["parameters"]:
                if p["default"] is not None:
                    made(**{p["name"]: p["default"]})


def test_values():
    material = resilin.NeoHookean(mu=1e5, lambda_=2e5)
    assert material.to_dict() == {"type": "neo_hookean", "mu": 1e5, "lambda": 2e5} and repr(material) == "NeoHookean(mu=100000.0, lambda=200000.0)"
    assert material == resilin.NeoHookean(mu=1e5, lambda_=2e5) != resilin.NeoHookean()
    for bad in ({"young": "soft"}, {"young": None, "poisson": 0.5}, {"young": float("nan")}, {"young": -1}, {"young": [1e5, -1]}):
        with pytest.raises(resilin.InputError):
            resilin.NeoHookean(**bad)
    assert resilin.presets["rubber"]["density"] > 0
    assert resilin.shapes.box(cells=(1, 1, 1)).tets.shape == (5, 4)


def test_version_and_names():
    assert resilin.__version__ == _core.version and resilin.__version__.count(".") == 2
    assert all(hasattr(resilin, name) for name in resilin.__all__)
    assert (ROOT / "python/resilin/py.typed").exists()


def test_public_methods_are_documented():
    for made in (resilin.Simulation, resilin.Objective, resilin.Body, resilin.PythonMaterial, resilin.PythonDamping):
        for name, member in vars(made).items():
            if name.startswith("_") or name in ("threads", "bodies", "hessian", "by_gradient"):
                continue
            documented = member.fget.__doc__ if isinstance(member, property) else getattr(member, "__doc__", None)
            assert documented, f"{made.__name__}.{name}"


def test_stubs_and_pages_are_current():
    done = subprocess.run([PYTHON, "-B", str(ROOT / "scripts/update_python.py"), "--check"], env=python_environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def close(found, wanted, share):
    return abs(found - wanted) <= share * abs(wanted)


# What each must find, and the file that it writes.
FINDS = {
    "first_simulation": (lambda heights: -0.9 < heights.min() < -0.5, "first_simulation.png"),
    "spline_material": (lambda stretches: 0.1 < stretches["tendon"] < 0.8 * stretches["linear"], None),
    "compare_solvers": (lambda traces: traces["Newton"][-1] < 1e-6 * traces["Newton"][0] and len(traces) == 4, "compare_solvers.png"),
    "fit_parameters": (lambda found: close(found[0], 2e5, 0.02) and close(found[1], 300, 0.1), None),
    "sweep": (lambda sags: sags[5e5, 1000] > sags[1e6, 1000] > sags[4e6, 500], "sweep.csv"),
    "dataset": (lambda arrays: arrays["positions"].shape == arrays["forces"].shape == (10, 40, 20, 3), "dataset.npz"),
    "own_optimiser": (lambda difference: difference < 1e-6, None),
    "own_material": (lambda heights: close(heights[0], heights[1], 0.1), None),
}


def test_every_example_is_tested():
    assert set(FINDS) == {f.stem for f in (ROOT / "python/resilin/examples").glob("*.py") if not f.stem.startswith("_")}


@pytest.mark.parametrize("name", FINDS)
def test_examples(name, tmp_path, capsys):
    page = ROOT / f"docs/tutorial/python_{name}.md"
    assert f"```python example {name}\n" in page.read_text(), f"{page.name} does not show the example"
    found, file = FINDS[name]
    assert found(importlib.import_module(f"resilin.examples.{name}").main(tmp_path))
    assert capsys.readouterr().out.strip()
    assert file is None or (tmp_path / file).stat().st_size > 50


def test_examples_as_a_program(tmp_path):
    done = subprocess.run([PYTHON, "-B", "-m", "resilin.examples", "first_simulation", "--out", str(tmp_path)], env=python_environment(),
                          capture_output=True, text=True)
    assert done.returncode == 0 and "the end falls" in done.stdout, done.stderr


def test_unknown_examples():
    done = subprocess.run([PYTHON, "-B", "-m", "resilin.examples", "nothing"], env=python_environment(), capture_output=True, text=True)
    assert done.returncode == 2 and "there are: " in done.stderr


def test_the_overhead_is_measured():
    done = subprocess.run([PYTHON, "-B", "-m", "resilin.overhead", "50"], env=python_environment(), capture_output=True, text=True)
    document = json.loads(done.stdout)
    assert document["steps"] == 50 and document["copies"] == 0 and document["overhead_us"] > 0
