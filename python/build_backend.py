"""A PEP 517 backend: CMake builds the module, and the wheel holds it with the Python files and the scenes. Needs the standard library only.

RESILIN_BUILD names a build folder to reuse; else the module is built in build/wheel of the checkout: the library and the module, no programs, no experiments.
RESILIN_ARCH: the instruction set, native unless said. CMAKE_BUILD_PARALLEL_LEVEL: jobs, one per core unless said. `pip install -v` shows what is compiled.
"""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def version():
    return re.search(r"project\(resilin VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def metadata():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: resilin\nVersion: {version()}\nSummary: Real-time simulation of deformable bodies\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nProvides-Extra: all\nRequires-Dist: scipy; extra == 'all'\n"
            "Requires-Dist: matplotlib; extra == 'all'\nDescription-Content-Type: text/markdown\n\n" + readme)


def build_module():
    """The folder that holds resilin/_core*.so."""
    given = os.environ.get("RESILIN_BUILD")
    build = Path(given).resolve() if given else ROOT / "build" / "wheel"
    if not given:
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DRESILIN_APPS=OFF",
                        "-DRESILIN_TESTS=OFF", f"-DRESILIN_ARCH={os.environ.get('RESILIN_ARCH', 'native')}",
                        f"-DRESILIN_PYTHON_EXECUTABLE={sys.executable}"], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(len(os.sched_getaffinity(0)))
    print(f"resilin: building the module in {build} with {jobs} jobs, which takes about {round(8 / int(jobs)) or 1} minutes when it is new", flush=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "resilin_package", "--parallel", jobs], check=True)
    return build / "python"


def module_of(folder):
    name = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
    module = folder / "resilin" / name
    if not module.is_file():
        raise SystemExit(f"{module} was not built: numpy, pybind11 or Python's headers are missing, or the build folder is of another Python")
    return module


def contents():
    """(name in the wheel, file) of everything but the metadata."""
    package = ROOT / "python" / "resilin"
    for file in sorted(package.rglob("*")):
        if file.suffix in (".py", ".pyi") or file.name == "py.typed":
            yield f"resilin/{file.relative_to(package).as_posix()}", file
    for file in sorted((ROOT / "scenes").glob("*.json")):
        yield f"resilin/scenes/{file.name}", file
    module = module_of(build_module())
    yield f"resilin/{module.name}", module


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def wheel_text():
    return f"Wheel-Version: 1.0\nGenerator: resilin\nRoot-Is-Purelib: false\nTag: {tag()}\n"


# ---- the hooks of PEP 517 ---------------------------------------------------------------------------------------------


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"resilin-{version()}.dist-info"
    name = f"resilin-{version()}-{tag()}.whl"
    records = []
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path, data):
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(data)}")

        for path, file in contents():
            add(path, file.read_bytes())
        add(f"{info}/METADATA", metadata().encode())
        add(f"{info}/WHEEL", wheel_text().encode())
        add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        wheel.writestr(f"{info}/RECORD", "\n".join([*records, f"{info}/RECORD,,", ""]))
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = Path(metadata_directory) / f"resilin-{version()}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(metadata(), encoding="utf-8")
    (info / "WHEEL").write_text(wheel_text())
    return info.name


def build_sdist(sdist_directory, config_settings=None):
    name = f"resilin-{version()}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for file in filter(None, listed):
            archive.add(ROOT / file, f"{name}/{file}", recursive=False)
    return f"{name}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
