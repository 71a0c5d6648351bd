"""Names of code in the documentation are names that the code has.

In README.md, CONTRIBUTING.md and docs/**/*.md:

    Class::member        a class, struct or enum of the code has that member, itself or by one of its bases
    `ClassName`          a type, a macro or a name of Python of the code
    `function()`         a word of the code, and so is a `name_with_underscores`
    src/folder/file.cpp  is there; so is `file.h`, by its end. A page that shows how to write a file names it in a heading
                         "The file: PATH"; `x` and CAPITALS stand for any name
    #include "file.h"    of a block of C++ is there

Names that are gone stand without code marks, as in pages of docs/decisions that tell what was before.
"""
import builtins
import re
import unittest
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("include", "src", "apps", "bench", "python", "tests", "examples", "scripts")
ROOTS = CODE_FOLDERS + ("docs", "scenes", "cmake")
SKIPPED = {"node_modules", "__pycache__", "build"}
CPP = (".h", ".cpp", ".in")
WORDS = CPP + (".py", ".pyi", ".js", ".ts", ".json", ".cmake", ".txt", ".css", ".html", ".sh", ".toml")
OF_OTHERS = {"std", "Eigen", "fmt", "nlohmann", "CLI", "boost", "pybind11", "py", "testing"}  # namespaces
# Python's own, styles of names, a line of /proc/self/status.
NOT_CODE = {*dir(builtins), "snake_case", "PascalCase", "VmHWM"}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:alignas\([^)]*\)\s*)?(\w+(?:::\w+)*)\s*"
                  r"(?:<[^{};]*?>\s*)?(?:final\s*)?(?::(?!:)([^{};]*))?\{")
NAMED = re.compile(r"\b(?:using|concept|namespace|#define)\s+(\w+)")
PYTHON_NAME = re.compile(r"^\s*(?:class|def)\s+(\w+)|^(\w+)\s*=", re.M)
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.S | re.M)
INDENTED = re.compile(r"^ {4}.*$", re.M)
MARKED = re.compile(r"`([^`\n]+)`")
MEMBER = re.compile(r"(?<![\w:.])([A-Z]\w*)(?:<[\w, ]*>)?::(~?\w+)")
TYPE_NAME = re.compile(r"[A-Z][a-z0-9]\w*")
SNAKE = re.compile(r"[a-z]\w*_\w+")
FUNCTION = re.compile(r"(?:[\w.]*\.)?([a-z_]\w*)\([\w, .=*&\[\]{}\"']*\)")
PATH = re.compile(rf"(?<![\w/.~$-])((?:\.\./)*(?:{'|'.join(ROOTS)})(?:/[\w*-]+(?:\.[\w*-]+)*)+/?)")
FILE = re.compile(r"(?<![\w/.$~<-])((?:[\w*]+/)*[\w*]+\.(?:h|cpp|py|js|ts|cmake))\b(?![/(])")
SHOWN = re.compile(r"^#+ .*\b(?:file|test|line): ?(\S+)", re.M)
INCLUDED = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


# ---- The code ------------------------------------------------------------------------------------------------------

def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without(text, opening, closing):
    """The text without what stands in brackets, nested or not; the brackets stay."""
    out, depth = [], 0
    for c in text:
        if c == closing:
            depth = max(0, depth - 1)
        if depth == 0:
            out.append(c)
        if c == opening:
            depth += 1
    return "".join(out)


def body(text, opens):
    """From the brace at `opens` to its partner."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opens):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return text[opens + 1:match.start()]
    return text[opens + 1:]


class Code:
    """What a tree declares."""

    def __init__(self, sources):
        """`sources`: (path, text) of files."""
        self.members, self.bases = defaultdict(set), defaultdict(set)
        self.names, self.words, self.paths = set(), set(), []
        for path, text in sources:
            self.paths.append(path)
            self.words.update(re.findall(r"\w+", text))
            if path.endswith(CPP):
                self.read_cpp(TOKEN.sub(blank, text))
            elif path.endswith((".py", ".pyi")):
                self.names.update(name for pair in PYTHON_NAME.findall(text) for name in pair)

    def read_cpp(self, text):
        self.names.update(NAMED.findall(text))
        for match in TYPE.finditer(text):
            name = match.group(1).split("::")[-1]
            self.names.add(name)
            inside = without(without(body(text, match.end() - 1), "{", "}"), "(", ")")
            enumeration = match.group().startswith("enum")
            pattern = r"(\w+)\s*(?:=[^,]*)?(?:,|$)" if enumeration else r"([~\w]+)\s*(?=[(;,={\[:]|$)"
            self.members[name].update(re.findall(pattern, inside))
            self.members[name].update(re.findall(r"\b(?:class|struct|enum(?: class)?|using)\s+(\w+)", inside))
            self.bases[name].update(re.findall(r"(\w+)\s*(?:<[^<>]*>)?\s*(?:,|$)", match.group(2) or ""))

    def has_member(self, name, member, seen=()):
        return member in self.members[name] or any(
            base not in seen and self.has_member(base, member, (*seen, name)) for base in set(self.bases[name]))

    def has_path(self, path):
        """A file or a folder, whole or by its end; * stands for any characters."""
        wanted = path.rstrip("/")
        pattern = re.compile(r"(?:^|/)" + re.escape(wanted).replace(r"\*", "[^/]*") + r"(?:$|/)")
        return any(pattern.search(known) for known in self.paths)


def files():
    stack = [REPOSITORY / folder for folder in ROOTS] + [REPOSITORY]
    while stack:
        folder = stack.pop()
        for path in sorted(folder.iterdir()):
            if path.is_file():
                yield path
            elif folder != REPOSITORY and path.name not in SKIPPED:
                stack.append(path)


@lru_cache
def code():
    sources = []
    for path in files():
        name = path.relative_to(REPOSITORY).as_posix()
        read = path.suffix in WORDS and not name.startswith("docs/") and path != Path(__file__).resolve()
        sources.append((name, path.read_text(encoding="utf-8", errors="replace") if read else ""))
    return Code(sources)


# ---- The pages -----------------------------------------------------------------------------------------------------

def wrong_names(text, known):
    """(line, name, what is wrong) of every name in a page that the code does not have."""
    shown = {match.strip("`") for match in SHOWN.findall(text)}

    def placeholder(path):
        stem = path.rstrip("/").rpartition("/")[2].partition(".")[0]
        return path in shown or re.fullmatch("(?:test_)?x|[A-Z]{4,}\\w*", stem) or any(name.endswith("/" + path) for name in shown)

    def found(pattern, text, wrong):
        for match in pattern.finditer(text):
            problem = wrong(match)
            if problem:
                yield text.count("\n", 0, match.start()) + 1, match.group(1) if match.lastindex == 1 else match.group(), problem

    def member(match):
        name, member = match.groups()
        if name in known.members and not known.has_member(name, member):
            return f"{name} has no member {member}"
        return None if name in known.members or name in OF_OTHERS else f"there is no type {name}"

    def path(match):
        name = match.group(1)
        return None if known.has_path(name.removeprefix("../")) or placeholder(name) else "there is no such file"

    yield from found(MEMBER, text, member)
    yield from found(PATH, re.sub(r"\]\([^)]*\)", lambda m: " " * len(m.group()), text), path)  # links have a test of their own
    for _, block in ((m.start(), m) for m in FENCE.finditer(text)):
        line = text.count("\n", 0, block.start(2))
        for number, name, _ in found(INCLUDED, block.group(2), lambda m: "x"):
            if not known.has_path(name):
                yield line + number, name, "there is no such file"
    prose = INDENTED.sub(blank, FENCE.sub(blank, text))
    for match in MARKED.finditer(prose):
        marked, line = match.group(1), prose.count("\n", 0, match.start()) + 1
        for token in (part.strip() for part in marked.split(",")):
            name = re.sub(r"<.*>$", "", token)
            if TYPE_NAME.fullmatch(name) and name not in known.names | NOT_CODE:
                yield line, name, "there is no such type"
            if function := FUNCTION.fullmatch(token):
                if function.group(1) not in known.words:
                    yield line, token, "there is no such function"
            if SNAKE.fullmatch(token) and token not in known.words | NOT_CODE:
                yield line, token, "the code does not have this word"
        for number, name, problem in found(FILE, marked, path):
            yield line, name, problem


def pages():
    return [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md")] + sorted((REPOSITORY / "docs").rglob("*.md"))


class Names(unittest.TestCase):
    maxDiff = None

    def test_the_code_was_read(self):
        self.assertGreater(len(code().members), 500)
        self.assertGreater(len(code().paths), 1000)

    def test_pages_name_what_there_is(self):
        wrong = []
        for page in pages():
            name = page.relative_to(REPOSITORY).as_posix()
            wrong += [f"{name}:{line}: {what}: {problem}" for line, what, problem in sorted(set(wrong_names(
                page.read_text(encoding="utf-8"), code())))]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))


class Checker(unittest.TestCase):
    """Of a small tree, each kind of rot is found and nothing else."""

    KNOWN = Code([("src/a/shape.h", "class Base { public: int size() const { return hidden; } };\n"
                                    "// class Comment { int no; };\n"
                                    "class Shape final : public Base {\n void move(int by, int more);\n"
                                    " struct Inner { int deep; };\n std::vector<int> a_, b_;\n};\n"
                                    "class Forward;\nenum class Kind { tet, edge = 2 };\nusing Alias = int;\n"),
                  ("tests/a/test_shape.cpp", "TEST(ShapeSuite, Moves) {}\n"), ("scripts/draw.py", "class Pen: pass\n")])

    def wrong(self, text):
        return [(line, name) for line, name, _ in wrong_names(text, self.KNOWN)]

    def test_what_there_is_passes(self):
        for text in ("`Shape::move`", "`Shape::size` of its base", "`Shape::b_`", "`Shape::Inner`", "`Inner::deep`", "`Kind::edge`",
                     "`std::vector`", "`Alias`", "`Shape`, `Pen`", "`move(by)`", "`a_`", "src/a/shape.h and src/a/", "`a/shape.h`",
                     "`test_*.cpp`", "# 1. The file: src/a/cone.cpp\n\nIt is `src/a/cone.cpp`, or `cone.cpp`.", "`src/a/x.cpp`",
                     "```cpp\n#include \"a/shape.h\"\n```", "a [link](src/gone.h)", "https://host/src/gone.h"):
            self.assertEqual(self.wrong(text), [], text)

    def test_rot_is_found(self):
        for text, name in (("`Shape::turn`", "Shape::turn"), ("Shape::hidden", "Shape::hidden"), ("`Shape::by`", "Shape::by"),
                           ("`Shape::deep`", "Shape::deep"), ("`Gone::move`", "Gone::move"), ("`Comment::no`", "Comment::no"),
                           ("`Kind::fan`", "Kind::fan"), ("```cpp\nShape::turn();\n```", "Shape::turn"), ("`GoneClass`", "GoneClass"), ("`ShapeSuite`", "ShapeSuite"),
                           ("`Forward`", "Forward"),
                           ("`Shape`, `GoneClass<3>`", "GoneClass"), ("`Shape, GoneClass`", "GoneClass"), ("`turn(by)`", "turn(by)"), ("`turn_by`", "turn_by"),
                           ("see src/a/gone.h.", "src/a/gone.h"), ("    src/gone/", "src/gone/"), ("`gone.h`", "gone.h"),
                           ("`b/shape.h`", "b/shape.h"), ("`src/a/cone.cpp`", "src/a/cone.cpp"),
                           ("```cpp\n#include \"a/gone.h\"\n```", "a/gone.h")):
            self.assertIn(name, [found for _, found in self.wrong(text)], text)

    def test_lines_are_those_of_the_page(self):
        self.assertEqual(self.wrong("one\n\n`Shape::turn`\n"), [(3, "Shape::turn")])


if __name__ == "__main__":
    unittest.main()
