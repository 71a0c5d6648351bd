"""pip install, offline, into a fresh virtual environment; the installed package runs an example and its scenes."""
import os
import subprocess

from conftest import PYTHON, ROOT


def test_pip_install(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "RESILIN_SCENES", "RESILIN")}
    if os.environ.get("RESILIN_BUILD_FOLDER"):  # the module of this build: nothing is compiled again
        environment["RESILIN_BUILD"] = os.environ["RESILIN_BUILD_FOLDER"]

    def run(*words, cwd=tmp_path):
        done = subprocess.run([str(w) for w in words], cwd=cwd, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    run(PYTHON, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-cache-dir", ".", cwd=ROOT)
    where = run(python, "-c", "import resilin; print(resilin.__file__)")
    assert str(tmp_path) in where
    assert "the end falls" in run(python, "-m", "resilin.examples", "first_simulation", "--out", tmp_path / "out")
    assert (tmp_path / "out" / "first_simulation.png").stat().st_size > 1000
    found = run(python, "-c", "import resilin; s = resilin.load('cantilever'); s.run(2); print(len(resilin.gallery()), s.steps)").split()
    assert int(found[0]) == len(list((ROOT / "scenes").glob("*.json"))) and found[1] == "2"
    assert "lab" not in run("ls", tmp_path / "venv" / "bin")
