#!/usr/bin/env python3
"""Checks limits on the tree: how wide a class is, how long a function is, which words a name must not hold.

    scripts/house.py [ROOT]     prints `file:line: problem` for each violation, then counts; status 1 if there is one

The tests run it (layers.house). The tables below are the limits. Where a limit is wrong, `// house: REASON` exempts
one line from it: behind the code of that line, or alone on the line before. An exemption without a reason is a
violation, since nobody can judge it. An exemption of nothing is a violation, since it would hide the next one.
"""
import re
import sys
from bisect import bisect_right
from collections import Counter, namedtuple
from functools import lru_cache
from pathlib import Path

from check_layers import TOKEN, blank, code_only, files

# ---- Limits ------------------------------------------------------------------------------------------------------

FOLDERS = ("src/", "include/", "apps/", "bench/", "tests/", "python/src/")
SUFFIXES = (".h", ".cpp")

# Solvers see a stage through one class. Every new kind of problem (a GPU, ranks) has to keep each of its functions.
INTERFACE, INTERFACE_FILE, INTERFACE_FUNCTIONS = "Problem", "src/problem/problem.h", 15

# A wider class does the work of several, and its members no longer show which of them belong together.
CLASS_FOLDERS, CLASS_FUNCTIONS, CLASS_MEMBERS = ("src/",), 30, 40

# The beginning of a longer function is off the screen when a reader comes to its end. A table is read entry by
# entry: of its lines only the first counts.
FUNCTION_FOLDERS, FUNCTION_LINES = ("src/", "apps/"), 60
TABLE = re.compile(r"(?:\breturn|=)\s*\{")

# The formatter breaks code at this column, so that two files fit side by side. It leaves comments alone.
COMMENT_COLUMNS = 116

# (folder, pattern in code, problem)
FORBIDDEN_CODE = [
    ("src/solvers/", re.compile(r"\bmodel\s*\(\s*\)"),
     "a solver that reads the model fits one kind of problem; ask Problem"),
    ("src/solvers/", re.compile(r"\bpool\s*\(\s*\)"),
     "threads are one way to run in parallel, a GPU is another; ask Space"),
    ("src/solvers/", re.compile(r"\brows_are_vertices\b|\b\w*[sS]ubspace\w*"),
     "to a solver a subspace is a Space like any other; ask Space"),
]

# Words that stand in no name, each with the word of the field: engineers know the latter, and search for it.
# (words as in CamelCase, kind of names, what to say[, folders where the word is right])
ANY, TYPE, FUNCTION = "name", "type", "function"
Word = namedtuple("Word", "words kind instead allowed", defaults=((),))
WORDS = [
    Word(("Apart",), TYPE, "SeparationProof"),
    Word(("Tangle", "Tangles"), ANY, "InitialOverlaps"),
    Word(("Passage", "Passages"), ANY, "VertexSweeps, sweep"),
    Word(("Ways",), TYPE, "VertexSweeps, sweep"),
    Word(("Barriers",), TYPE, "TunnelGuards; a barrier is IPC's"),
    Word(("Pushes",), TYPE, "ContactForces"),
    Word(("Crossings",), TYPE, "Intersections"),
    Word(("SafeRegion",), ANY, "FeasibleRegion"),
    Word(("Touching",), TYPE, "BodyContact, contact"),
    Word(("Nearby",), TYPE, "ObstacleCulling"),
    Word(("NearClusters",), ANY, "cluster_pairs"),
    Word(("Lagged",), ANY, "listed; lagged is what is frozen from the last step, as the force of friction is",
         ("src/contact/friction/", "tests/contact/friction/")),
    Word(("Hand", "Hands"), ANY, "drag"),
    Word(("Settled",), TYPE, "all_contacts_listed, asleep"),
    Word(("CouplingRows",), ANY, "InterfaceRows"),
    Word(("Coupling", "Couplings"), ANY, "GlobalEnergy"),
    Word(("Cover",), FUNCTION, "ensure_listed"),
    Word(("Meeting",), FUNCTION, "candidate_body_pairs"),
    Word(("Reach",), FUNCTION, "advance_start"),
    Word(("Look",), FUNCTION, "test_pair"),
    Word(("Notice",), FUNCTION, "detect_overlaps"),
    Word(("Rejoin",), FUNCTION, "rebuild_islands"),
]

# ---- A source, its comments and its exemptions -------------------------------------------------------------------

EXEMPTION = re.compile(r"//\s*house:(.*)")
LONG_LINE = re.compile(rf"^.{{{COMMENT_COLUMNS + 1},}}$", re.M)

Found = namedtuple("Found", "limit line first last problem")  # first, last: of the lines that an exemption may cover
Exemption = namedtuple("Exemption", "line covers reason")
NO_INTERFACE = Found("interface", 1, 1, 1, f"no class {INTERFACE} is here; tell scripts/house.py where it is")


class Source:
    """A C++ file. In `code` comments and strings are spaces, so that positions and lines are those of `text`."""

    def __init__(self, path, text):
        self.path, self.text, self.comments = path, text, []
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.code = TOKEN.sub(self.take_out, text)

    def take_out(self, match):
        if match.group().startswith(("//", "/*")):
            self.comments.append(match.span())
        return blank(match)

    def line(self, at):
        return bisect_right(self.starts, at)

    def found(self, limit, problem, at, begin=None, end=None):
        """`begin`, `end`: of a declaration that takes several lines."""
        first, last = at if begin is None else begin, at if end is None else end
        return Found(limit, self.line(at), self.line(first), self.line(last), problem)

    def exemptions(self):
        """Behind code an exemption covers its own line; alone, the next line that is not an exemption as well."""
        out, next_line = [], {}
        for begin, end in self.comments if "house:" in self.text else ():
            match = EXEMPTION.search(self.text, begin, end)
            if match and self.text.startswith("//", begin):
                line = self.line(begin)
                if match.start() == begin and not self.text[self.starts[line - 1]:begin].strip():
                    next_line[line] = line + 1
                out.append((line, match.group(1).strip()))
        for line in sorted(next_line, reverse=True):
            next_line[line] = next_line.get(line + 1, line + 1)
        return [Exemption(line, next_line.get(line, line), reason) for line, reason in out]


# ---- The outline of a source: its classes and functions ----------------------------------------------------------

DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(?:\\\n|[^\n])*", re.M)
HEAD_TOKEN = re.compile(r"\boperator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(;]+)|[A-Za-z_]\w*|\d[\w.]*|::|->|\.\.\.|&&|\S")
POINTER = re.compile(r"\(\s*(?:\w+::)*[*&]")  # as in `void (*f)(int)`
LOCAL_CLASS = re.compile(r"(?<!enum )\b(?:class|struct|union)\s+\w[^;(){}=]*\{")
CLASS_KEYS, ACCESS = {"class", "struct", "union"}, {"public", "protected", "private"}
TAKES_ARGUMENTS = {"alignas", "decltype", "explicit", "noexcept", "requires", "throw", "__attribute__"}
BEHIND_PARAMETERS = {"const", "final", "mutable", "noexcept", "override", "requires", "try", "volatile"}
NO_MEMBERS = {"friend", "static_assert", "typedef", "using"}

Item = namedtuple("Item", "text at end")  # a token of a declaration, or a group: () [] <> {}
Function = namedtuple("Function", "name at begin opens closes")


class Class:
    def __init__(self, name, at, begin, opens, access):
        self.name, self.at, self.begin, self.opens, self.access = name, at, begin, opens, access
        self.functions, self.members = set(), 0  # functions: the public ones, as (name, parameters)


class Unreadable(Exception):
    """A bracket without its partner, at position args[0]."""


def one_branch(code):
    """Directives blanked. Where a branch of an #if opens a brace that it does not close, one branch stays."""
    branches, cuts = [], []
    for match in DIRECTIVE.finditer(code):
        word = match.group(1)
        if word.startswith("if"):
            branches.append([match.end(), None])
        elif word.startswith("el") and branches:
            branches[-1][1] = branches[-1][1] or match.start()
        elif word == "endif" and branches:
            begin, other = branches.pop()
            if other and code.count("{", begin, other) != code.count("}", begin, other):
                cuts.append((other, match.start()))
    for begin, end in cuts:
        code = code[:begin] + re.sub(r"[^\n]", " ", code[begin:end]) + code[end:]
    return DIRECTIVE.sub(blank, code)


def partners(code):
    """Where each opening bracket closes."""
    closes, open_ = {}, []
    for match in re.finditer(r"[(){}\[\]]", code):
        if match.group() in "([{":
            open_.append(match.start())
        elif open_ and code[open_[-1]] + match.group() in ("()", "[]", "{}"):
            closes[open_.pop()] = match.start()
        else:
            raise Unreadable(match.start())
    if open_:
        raise Unreadable(open_[-1])
    return closes


class Outline:
    """The classes and functions of a source. The body of a function is skipped, but for the classes in it."""

    def __init__(self, code):
        self.code, self.classes, self.functions = one_branch(code), [], []
        self.closes = partners(self.code)
        self.scan(0, len(self.code), None)

    def scan(self, at, end, owner):
        """Reads declarations: members of the class `owner`, or of a namespace."""
        head = []  # the declaration so far
        while token := HEAD_TOKEN.search(self.code, at, end):
            text, begin, at = token.group(), *token.span()
            if text in ("(", "[", "{"):
                at = self.closes[begin] + 1
                text += self.code[at - 1]
            elif text == "<" and (close := self.template_end(head, begin, end)):
                text, at = "<>", close
            if text == "{}" and (rest := self.body(head, begin, owner)) is not None:
                head = rest
            elif text == ";":
                if owner:
                    self.declare(head, owner)
                head = []
            elif text == ":" and owner and len(head) == 1 and head[0].text in ACCESS:
                owner.access, head = head[0].text, []
            else:
                head.append(Item(text, begin, at))

    def template_end(self, head, at, end):
        """The end of template arguments. None for a comparison: the formatter puts a space before its sign."""
        if not head or head[-1].text != "template" and not (head[-1].end == at and head[-1].text.isidentifier()):
            return None
        depth = 0
        while token := HEAD_TOKEN.search(self.code, at, end):
            text, at = token.group(), token.end()
            if text in ("(", "[", "{"):
                at = self.closes[token.start()] + 1
            depth += (text == "<") - (text == ">")
            if depth == 0 or text == ";":
                return at if depth == 0 else None
        return None

    def body(self, head, opens, owner):
        """Reads the braces behind `head`. Returns what is left of the declaration, or None for an initialiser."""
        begin, last = (head[0].at, head[-1].text) if head else (opens, "")
        head = significant(head, self.code)
        words = [item.text for item in head]
        if "namespace" in words or words == ["extern"]:
            self.scan(opens + 1, self.closes[opens], None)
            return []
        if "=" in words:
            equals = words.index("=")
            if equals and words[equals + 1:equals + 2] == ["[]"]:  # a lambda with a name
                self.add_function(head[equals - 1], begin, opens)
            return None
        if "enum" in words:
            return None
        parameters = self.parameters(head)
        if parameters is None:
            return self.add_class(head, begin, opens, owner) if CLASS_KEYS.intersection(words) else None
        behind = words[parameters + 1:]
        if behind and (last == "requires" or behind[-1] == "requires" and behind[-2:-1] in (["requires"], ["&&"])):
            return None  # a requires-expression, not a clause
        if ":" in behind and (behind[-1] == "<>" or behind[-1].isidentifier()):
            return None  # of a member that a constructor initialises
        self.add_function(self.function_name(head, parameters), begin, opens)
        if owner:
            self.add_public_function(head, parameters, owner)
        at, closes = opens + 1, self.closes[opens]
        while local := LOCAL_CLASS.search(self.code, at, closes):
            at = self.closes[local.end() - 1] + 1
            self.scan(local.start(), at, None)
        return []

    def add_class(self, head, begin, opens, owner):
        """One item stays in the declaration: members may follow, as in `struct { double x; } a, b;`."""
        words, closes = [item.text for item in head], self.closes[opens]
        key = next(i for i, word in enumerate(words) if word in CLASS_KEYS)
        names = [item for item in head[key + 1:words.index(":") if ":" in words else None]
                 if item.text.isidentifier() and item.text not in TAKES_ARGUMENTS and item.text != "final"]
        if owner and not names and self.code[closes + 1:closes + 20].lstrip().startswith(";"):
            self.scan(opens + 1, closes, owner)  # the members of an anonymous union are its owner's
            return []
        name = names[-1] if names else head[key]
        one = Class(name.text, name.at, begin, opens, "private" if words[key] == "class" else "public")
        self.scan(opens + 1, closes, one)
        self.classes.append(one)
        return [Item("class {}", begin, closes + 1)]

    def add_function(self, name, begin, opens):
        self.functions.append(Function(name.text, name.at, begin, opens, self.closes[opens]))

    def add_public_function(self, head, parameters, owner):
        """Overloads that differ by `const` alone count once. Constructors, destructors and friends do not count."""
        words, name = [item.text for item in head[:parameters]], self.function_name(head, parameters).text
        none = len(words) < 2 or "friend" in words or "~" in words or name == owner.name  # the first: a macro
        if owner.access == "public" and not none:
            _, begin, end = head[parameters]
            owner.functions.add((name, re.sub(r"\bconst\b|\s", "", self.code[begin:end])))

    def parameters(self, head):
        """The index of the parameters of a function, or None when the declaration is not one."""
        for i, item in enumerate(head):
            behind = head[i + 1].text if i + 1 < len(head) else ""
            of_macro = behind.isidentifier() and behind not in BEHIND_PARAMETERS
            if item.text == "()" and not of_macro:
                pointer = behind in ("()", "[]") and POINTER.match(self.code, item.at)
                return None if i == 0 or pointer else i
        return None

    def function_name(self, head, parameters):
        words = [item.text for item in head[:parameters]]
        if "operator" in words:  # a conversion
            at = words.index("operator")
            return Item(" ".join(words[at:]), head[at].at, head[parameters].at)
        return head[parameters - (2 if words[-1] == "<>" and parameters > 1 else 1)]

    def declare(self, head, owner):
        """Counts what a member without a body declares: a function, or data of each object (not static)."""
        head = significant(head, self.code)
        words = [item.text for item in head]
        equals = words.index("=") if "=" in words else len(words)
        if not words or words[0] in NO_MEMBERS or words[equals + 1:] in (["default"], ["delete"]):
            return
        parameters = self.parameters(head[:equals])
        if parameters is not None:
            self.add_public_function(head, parameters, owner)
            return
        if "enum" in words:
            words = words[words.index("{}"):] if "{}" in words else []
        forward = len(words) == 2 and words[0] in CLASS_KEYS
        if len(words) > 1 and not forward and "static" not in words:
            owner.members += 1 + words.count(",")


def significant(head, code):
    """A declaration without attributes, template parameters and arguments of specifiers."""
    out = []
    for item in head:
        before = out[-1].text if out else ""
        if item.text == "<>" and before == "template":
            out.pop()
        elif not (item.text == "()" and before in TAKES_ARGUMENTS or code.startswith("[[", item.at)):
            out.append(item)
    return out


# ---- The limits, one by one --------------------------------------------------------------------------------------


def check_interface(source, outline):
    one = next((one for one in outline.classes if one.name == INTERFACE), None)
    if one is None:
        yield NO_INTERFACE
    elif (count := len(one.functions)) > INTERFACE_FUNCTIONS:
        yield source.found("interface", f"{INTERFACE} has {count} public functions; the limit is {INTERFACE_FUNCTIONS}",
                           one.at, one.begin, one.opens)


def check_classes(source, outline):
    for one in outline.classes:
        for count, limit, what in ((len(one.functions), CLASS_FUNCTIONS, "public functions"),
                                   (one.members, CLASS_MEMBERS, "data members")):
            if count > limit:
                yield source.found("class", f"{one.name} has {count} {what}; the limit is {limit}", one.at, one.begin,
                                   one.opens)


def check_functions(source, outline):
    for one in outline.functions:
        lines = 1 + source.line(one.closes) - source.line(one.opens)
        if lines <= FUNCTION_LINES:
            continue
        at = one.opens
        while table := TABLE.search(outline.code, at, one.closes):
            begin, at = table.end() - 1, outline.closes[table.end() - 1]
            lines -= source.line(at) - source.line(begin)
        if lines > FUNCTION_LINES:
            yield source.found("function", f"{one.name} has {lines} lines; the limit is {FUNCTION_LINES}", one.at,
                               one.begin, one.opens)


def check_code(source):
    rules = [rule for rule in FORBIDDEN_CODE if source.path.startswith(rule[0])]
    for number, line in enumerate(code_only(source.text), 1) if rules else ():
        for _, pattern, problem in rules:
            if match := pattern.search(line):
                yield Found("solver", number, number, number, f"{match.group()}: {problem}")


def check_comments(source):
    ends = [end for _, end in source.comments]
    for match in LONG_LINE.finditer(source.text):
        edge = match.start() + COMMENT_COLUMNS
        i = bisect_right(ends, edge)  # the first comment that ends behind the edge
        if i < len(ends) and source.comments[i][0] < match.end():
            yield source.found("comment", f"a comment ends at column {match.end() - match.start()}; the limit is "
                               f"{COMMENT_COLUMNS}", match.start())


# ---- Names -------------------------------------------------------------------------------------------------------

NAME = re.compile(r"[A-Za-z_]\w*")
NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
QUALIFIER = r"(?:\w+(?:<[^<>;]*>)?::)*$"
TYPE_BEFORE = re.compile(r"\b(?:class|struct|union|enum|using|concept|namespace)\s+" + QUALIFIER)
TYPE_BEHIND = re.compile(r"\s*(?:[{=<]|:(?!:)|final\b)")  # no forward declaration
TEST_SUITE, TEST_SENTENCE = (re.compile(r"TEST(?:_[FP])?\(" + behind) for behind in ("$", r"\w+,\s*$"))
NAME_BEFORE = re.compile(r"(?:(\w+)|[\w>)\]][*&>]+)\s+" + QUALIFIER)
NAME_BEHIND = re.compile(r"\s*(?:(\(|=\s*\[)|[;=,)\[{}]|:(?!:))")  # the group: of a function, of a lambda
NEXT_NAME = re.compile(r"\bauto&*\s*\[[\w\s,]*$|\benum\b[^;{}]*\{[^;{}]*$|"  # in a binding, in an enumeration
                       r"[;{}]\s*(?:\w+\s+)*[\w:]+(?:<[^;]*>)?[*&]*\s+\w+\b[^;(){}]*,\s*$")  # `int a, b`
GROUP = re.compile(r"\([^()]*\)|\{[^{}]*\}")
NO_TYPES = {"case", "class", "co_return", "co_yield", "concept", "delete", "else", "enum", "goto", "namespace", "new",
            "not", "operator", "private", "protected", "public", "return", "struct", "throw", "typename", "union",
            "using", "virtual"}


def spaced(name):
    return f" {' '.join(NAME_PART.findall(name)).lower()} "


@lru_cache(maxsize=None)
def word_in(name):
    """The first entry of WORDS that a name holds, and the word."""
    text = spaced(name)
    return next(((entry, word) for entry in WORDS for word in entry.words if spaced(word) in text), None)


def declares(code, begin, end):
    """The kinds of names that the name at this place declares: none where it is only used."""
    before = code[max(0, begin - 200):begin]
    if TEST_SUITE.search(before) or TYPE_BEFORE.search(before) and TYPE_BEHIND.match(code, end):
        return {ANY, TYPE}
    declaration, behind = NAME_BEFORE.search(before), NAME_BEHIND.match(code, end)
    if behind and declaration and declaration.group(1) not in NO_TYPES:
        return {ANY, FUNCTION} if behind.group(1) else {ANY}
    if not behind or before.rstrip()[-1:] not in (",", "{", "["):
        return set()
    while (shorter := GROUP.sub("", before)) != before:
        before = shorter
    return {ANY} if NEXT_NAME.search(before) else set()


def check_names(sources):
    """Yields (path, violation): one for each name that a file declares, at the first declaration in that file.
    A name that no file seems to declare is reported where it is used first."""
    declared, used = set(), {}
    for source in sources:
        entry, word = word_in(Path(source.path).stem) or (None, None)
        if entry and entry.kind == ANY and not source.path.startswith(entry.allowed):
            problem = f"{Path(source.path).name}: a file with '{word}'; say {entry.instead}"
            yield source.path, Found("name", 1, 1, 2, problem)
        names = [name for name in set(NAME.findall(source.code)) if word_in(name)]
        told = set()
        for match in re.finditer(rf"\b(?:{'|'.join(names)})\b", source.code) if names else ():
            name, (begin, end) = match.group(), match.span()
            entry, word = word_in(name)
            if name in told or TEST_SENTENCE.search(source.code[max(0, begin - 100):begin]):
                continue  # the name of a test is a sentence, and a sentence may have any word
            found = source.found("name", f"{name}: a {entry.kind} with '{word}'; say {entry.instead}", begin)
            if entry.kind not in declares(source.code, begin, end):
                used.setdefault(name, (source.path, found, entry))
                continue
            told.add(name)
            declared.add(name)
            if not source.path.startswith(entry.allowed):
                yield source.path, found
    for name, (path, found, entry) in used.items():
        if name not in declared and entry.kind == ANY and not path.startswith(entry.allowed):
            yield path, found


# ---- The tree ----------------------------------------------------------------------------------------------------


def check_source(source):
    yield from check_comments(source)
    yield from check_code(source)
    if not source.path.startswith(CLASS_FOLDERS + FUNCTION_FOLDERS):
        return
    try:
        outline = Outline(source.code)
    except Unreadable as error:
        yield source.found("outline", "a bracket has no partner: classes and functions are not found", error.args[0])
        return
    if source.path == INTERFACE_FILE:
        yield from check_interface(source, outline)
    if source.path.startswith(CLASS_FOLDERS):
        yield from check_classes(source, outline)
    if source.path.startswith(FUNCTION_FOLDERS):
        yield from check_functions(source, outline)


def unexempted(source, violations):
    """The violations that no exemption covers, and the exemptions that are violations themselves."""
    def violation(line, problem):
        return Found("exemption", line, line, line, problem)

    exemptions = source.exemptions()
    covered = {one.covers for one in exemptions}
    for found in violations:
        if covered.isdisjoint(range(found.first, found.last + 1)):
            yield found
    for line, covers, reason in exemptions:
        if not reason:
            yield violation(line, "an exemption without a reason; say why the limit is wrong here")
        elif not any(found.first <= covers <= found.last for found in violations):
            yield violation(line, "an exemption that exempts nothing; remove it")


def check_tree(root):
    """All violations as (path, Found), in the order of files and lines."""
    root = Path(root).resolve()
    paths = [path for path in files(root) if path.startswith(FOLDERS) and path.endswith(SUFFIXES)]
    paths.sort(key=lambda path: (path.endswith(".cpp"), path))  # headers first: there names are declared
    sources = [Source(path, (root / path).read_text(encoding="utf-8")) for path in paths]
    violations = {source.path: list(check_source(source)) for source in sources}
    for path, found in check_names(sources):
        violations[path].append(found)
    left = [(source.path, found) for source in sources for found in unexempted(source, violations[source.path])]
    if INTERFACE_FILE not in violations:
        left.append((INTERFACE_FILE, NO_INTERFACE))
    return sorted(left, key=lambda one: (one[0], one[1].line, one[1].problem))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    violations = check_tree(root)
    for path, found in violations:
        print(f"{path}:{found.line}: {found.problem}")
    counts = Counter(found.limit for _, found in violations)
    print(", ".join([f"{len(violations)} violations"] + [f"{counts[limit]} {limit}" for limit in sorted(counts)]))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
