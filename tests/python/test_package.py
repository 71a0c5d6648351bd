"""The package as a whole: names, docstrings and stubs follow the registry; examples run; pages hold their code; overhead."""
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


EXAMPLES = sorted(f.stem for f in (ROOT / "python/resilin/examples").glob("*.py") if not f.stem.startswith("_"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name, tmp_path):
    page = ROOT / f"docs/tutorial/python_{name}.md"
    assert f"```python example {name}\n" in page.read_text(), f"{page.name} does not show the example"
    done = subprocess.run([PYTHON, "-B", "-m", "resilin.examples", name, "--out", str(tmp_path)], env=python_environment(), capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def run_example(name, folder):
    return __import__(f"resilin.examples.{name}", fromlist=["main"]).main(folder)


def test_what_examples_find(tmp_path):
    young, viscosity = run_example("fit_parameters", tmp_path)
    assert young == pytest.approx(2e5, rel=0.02) and viscosity == pytest.approx(300, rel=0.1)
    assert run_example("own_optimiser", tmp_path) < 1e-6
    own, built_in = run_example("own_material", tmp_path)
    assert own == pytest.approx(built_in, rel=0.1)
    stretches = run_example("spline_material", tmp_path)
    assert stretches["tendon"] < stretches["linear"]
    sags = run_example("sweep", tmp_path)
    assert sags[5e5, 1000] > sags[1e6, 1000] > sags[4e6, 500]
    arrays = run_example("dataset", tmp_path)
    assert arrays["positions"].shape == arrays["forces"].shape and (tmp_path / "dataset.npz").exists()


def test_unknown_examples():
    done = subprocess.run([PYTHON, "-B", "-m", "resilin.examples", "nothing"], env=python_environment(), capture_output=True, text=True)
    assert done.returncode == 2 and "there are: " in done.stderr


def test_the_overhead_is_measured():
    done = subprocess.run([PYTHON, "-B", "-m", "resilin.overhead", "50"], env=python_environment(), capture_output=True, text=True)
    document = json.loads(done.stdout)
    assert document["steps"] == 50 and document["copies"] == 0 and document["overhead_us"] > 0
