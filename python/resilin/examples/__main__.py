"""python -m resilin.examples [NAME] [--out FOLDER] [--view]: runs an example, or lists them. They need no display; --view shows the simulation that
an example is about in the browser."""
import argparse
import ast
import importlib
import pkgutil
import sys
import webbrowser
from pathlib import Path

HERE = Path(__file__).parent


def names():
    return sorted(m.name for m in pkgutil.iter_modules([str(HERE)]) if not m.name.startswith("_"))


def summary(name):
    return ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text())).split("\n")[0]


def main():
    parser = argparse.ArgumentParser(prog="python -m resilin.examples")
    parser.add_argument("name", nargs="?", help="which; none: list them")
    parser.add_argument("--out", default="out/python", help="folder for what it writes (out/python)")
    parser.add_argument("--view", action="store_true", help="show its simulation on the page instead (needs the command resilin)")
    arguments = parser.parse_args()
    if arguments.name is None:
        for name in names():
            print(f"{name:18} {summary(name)}")
        return 0
    if arguments.name not in names():
        print(f"there is no example \"{arguments.name}\"; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    example = importlib.import_module(f"resilin.examples.{arguments.name}")
    if arguments.view:
        return view(example.build()[0])
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    example.main(folder)
    return 0


def view(simulation):
    with simulation.view() as page:
        print(f"the page is at {page.url}; Ctrl-C ends it", flush=True)
        try:
            webbrowser.open(page.url)
            page.process.wait()
        except KeyboardInterrupt:
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
