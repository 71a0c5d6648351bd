"""python -m resilin.examples [NAME] [--out FOLDER]: runs an example, or lists them. They need no display."""
import argparse
import ast
import importlib
import pkgutil
import sys
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
    arguments = parser.parse_args()
    if arguments.name is None:
        for name in names():
            print(f"{name:18} {summary(name)}")
        return 0
    if arguments.name not in names():
        print(f"there is no example \"{arguments.name}\"; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    importlib.import_module(f"resilin.examples.{arguments.name}").main(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
