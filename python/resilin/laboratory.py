"""The command `resilin` and its laboratory, where they are installed: compare, reproduce, view."""
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import _core
from ._given import text


def command():
    """The path of the command: $RESILIN, that of the build that this package lies in, or the one on PATH. RuntimeError when there is none."""
    build = Path(__file__).resolve().parents[2] / "apps" / "cli" / "resilin"
    for candidate in (os.environ.get("RESILIN"), build, shutil.which("resilin")):
        if candidate and os.access(candidate, os.X_OK) and not os.path.isdir(candidate):
            return str(candidate)
    raise RuntimeError("the command `resilin` was not found: build it (./run --version in a checkout) and put it on PATH, or name it in $RESILIN")


def _laboratory():
    found = command()
    if not os.access(Path(found).resolve().parent / "resilin-lab", os.X_OK):
        raise RuntimeError(f"the laboratory (resilin-lab) is not installed beside {found}: in a checkout ./run reproduce E1 builds it")
    return found


def _call(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(done.stderr.strip() or f"{arguments[1]} ended with status {done.returncode}") from None
    if "error" in document:
        where, problem = document["error"].get("where", ""), document["error"]["problem"]
        raise (_core.InputError if done.returncode == 2 else RuntimeError)(f"{where}: {problem}" if where else problem)
    return document


def _scene_file(scene, folder):
    """A path or a name as it is; a dict as a file."""
    if not isinstance(scene, dict):
        return os.fspath(scene)
    path = os.path.join(folder, "scene.json")
    Path(path).write_text(text(scene))
    return path


def compare(scene, solvers=None, *, arguments=(), out=None):
    """Solvers from one state, by `resilin compare`: the document that it writes, as a dict. scene: a name, a file or a dict; solvers: "newton",
    "quasi_newton:history=0", ..."""
    program = _laboratory()
    with tempfile.TemporaryDirectory() as folder:
        words = [program, "compare", _scene_file(scene, folder), "--json", "--out", str(out or os.path.join(folder, "out"))]
        for solver in solvers or ():
            words += ["--solver", solver]
        return _call(words + list(arguments))


def reproduce(*names, quick=False, out=None):
    """Experiments of the papers, by `resilin reproduce`: the document that it writes, as a dict."""
    program = _laboratory()
    with tempfile.TemporaryDirectory() as folder:
        words = [program, "reproduce", *names, "--json", "--out", str(out or os.path.join(folder, "out"))]
        return _call(words + (["--quick"] if quick else []))


class View:
    """A running page: `url`, and close(). In a notebook it shows itself."""

    def __init__(self, process, url, folder, height):
        self.process, self.url, self.height, self._folder = process, url, height, folder

    def _repr_html_(self):
        return f'<iframe src="{self.url}" width="100%" height="{self.height}" style="border: 0"></iframe>'

    def close(self):
        """Ends the page's program."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        self.process.stdout.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def __del__(self):
        if self.process.poll() is None:
            self.process.terminate()


def view(scene, *, folder=".", height=600):
    """`resilin view` on a scene (a name, a file or a dict), begun at its start; returns a View."""
    temporary = tempfile.TemporaryDirectory()
    if isinstance(scene, dict):  # beside its meshes, where it names some
        path = os.path.join(temporary.name, "scene.json")
        Path(path).write_text(text(_absolute(scene, os.path.abspath(folder))))
    else:
        path = os.fspath(scene)
    return _show(path, temporary, height)


def view_state(core, scene, *, height):
    """`resilin view` on a simulation as it is now. scene: its text, where it was made from code."""
    temporary = tempfile.TemporaryDirectory()
    path = os.path.join(temporary.name, "state.rck")
    core.write_checkpoint(path, scene)
    return _show(path, temporary, height)


def _show(path, temporary, height):
    process = subprocess.Popen([command(), "view", path, "--no-open", "--port", "0"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        found = re.search(r"https?://\S+", line)
        if found:
            return View(process, found.group(0), temporary, height)
    process.wait()
    process.stdout.close()
    temporary.cleanup()
    raise RuntimeError("the page did not start: " + ("".join(said).strip() or "resilin view ended"))


def _absolute(value, folder):
    """Paths of files in a scene, from the folder that they are relative to."""
    if isinstance(value, dict):
        return {k: _absolute(v, folder) for k, v in value.items()}
    if isinstance(value, list):
        return [_absolute(v, folder) for v in value]
    if isinstance(value, str) and "." in value and os.path.isfile(os.path.join(folder, value)):
        return os.path.join(folder, value)
    return value
