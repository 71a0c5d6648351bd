"""Plants each violation in a small tree and checks that house names it, and that what is allowed stays quiet."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "house.py"
sys.path.insert(0, str(SCRIPT.parent))
import house  # noqa: E402

INTERFACE = "class Problem {\n public:\n  void evaluate();\n};\n"


def outline(code):
    return house.Outline(house.Source("src/core/a.h", code).code)


def widths(code):
    """{class: (public functions, data members)}"""
    return {one.name: (len(one.functions), one.members) for one in outline(code).classes}


def functions(code):
    """The names of functions with a body."""
    return [one.name for one in outline(code).functions]


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.write("src/problem/problem.h", INTERFACE)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self):
        return [f"{path}:{found.line}: {found.problem}" for path, found in house.check_tree(self.root)]

    def finds(self, path, text, line, *words):
        """Exactly one violation, at that place, with those words."""
        self.write(path, text)
        problems = self.problems()
        self.assertEqual(len(problems), 1, problems)
        self.assertTrue(problems[0].startswith(f"{path}:{line}: "), problems[0])
        for word in words:
            self.assertIn(word, problems[0])

    def quiet(self, path, text):
        self.write(path, text)
        self.assertEqual(self.problems(), [])


class Interface(Tree):
    def problem(self, functions):
        return "class Problem {\n public:\n" + "".join(f"  void f{i}();\n" for i in range(functions)) + "};\n"

    def test_fifteen_functions(self):
        self.quiet("src/problem/problem.h", self.problem(15))

    def test_sixteen(self):
        self.finds("src/problem/problem.h", self.problem(16), 1, "Problem has 16 public functions")

    def test_a_function_and_its_const_twin_count_once(self):
        twin = "  int& f0(const int& a);\n  const int& f0(const int& a) const;\n  Problem();\n  ~Problem();\n"
        self.quiet("src/problem/problem.h", self.problem(14).replace("};", twin + "};"))

    def test_overloads_with_other_parameters_count(self):
        self.finds("src/problem/problem.h", self.problem(15).replace("};", "  void f0(int);\n};"), 1, "16")

    def test_private_functions_do_not_count(self):
        self.quiet("src/problem/problem.h", self.problem(15).replace("};", " private:\n  void g();\n};"))

    def test_a_limit_needs_its_class(self):
        self.finds("src/problem/problem.h", "class Other {};\n", 1, "no class Problem")
        (self.root / "src/problem/problem.h").unlink()
        self.assertEqual(len(self.problems()), 1)

    def test_classes_of_that_name_elsewhere_are_others(self):
        self.quiet("src/lab/problem.h", self.problem(16))


class Classes(Tree):
    def wide(self, functions, members):
        return ("struct Wide {\n" + "".join(f"  void f{i}();\n" for i in range(functions)) +
                "".join(f"  double m{i};\n" for i in range(members)) + "};\n")

    def test_at_the_limit(self):
        self.quiet("src/core/a.h", self.wide(30, 40))

    def test_functions(self):
        self.finds("src/core/a.h", self.wide(31, 0), 1, "Wide has 31 public functions")

    def test_members(self):
        self.finds("src/core/a.cpp", "\nnamespace {\n" + self.wide(0, 41) + "}\n", 3, "Wide has 41 data members")

    def test_members_of_all_access_count(self):
        self.finds("src/core/a.h", self.wide(0, 40).replace("};", " private:\n  int a;\n};"), 1, "41")

    def test_a_class_in_a_class_counts_for_itself(self):
        self.quiet("src/core/a.h", "class A {\n public:\n" + self.wide(30, 40) + "  int a;\n};\n")
        self.finds("src/core/a.h", "class A {\n" + self.wide(31, 0) + "};\n", 2, "Wide")

    def test_a_class_in_a_function(self):
        self.finds("src/core/a.cpp", "void f() {\n  int a = 0;\n" + self.wide(31, 0) + "}\n", 3, "Wide")

    def test_other_folders(self):
        self.quiet("apps/cli/a.h", self.wide(31, 41))


class Functions(Tree):
    def long(self, lines, head="void f() {", statement="  g();\n"):
        return head + "\n" + statement * (lines - 2) + "}\n"

    def test_sixty_lines(self):
        self.quiet("src/core/a.cpp", self.long(60))

    def test_sixty_one(self):
        self.finds("src/core/a.cpp", "\n" + self.long(61), 2, "f has 61 lines")

    def test_of_apps(self):
        self.finds("apps/cli/a.cpp", self.long(61), 1, "61 lines")

    def test_of_other_folders(self):
        self.quiet("tests/core/a.cpp", self.long(61))

    def test_lines_of_the_head_do_not_count(self):
        self.quiet("src/core/a.cpp", self.long(60, "template <class T>\nvoid f(T a,\n       T b) {"))

    def test_comments_and_blank_lines_count(self):
        self.finds("src/core/a.cpp", self.long(61, statement="\n"), 1, "61")

    def test_a_member(self):
        self.finds("src/core/a.h", "class A {\n  int a;\n" + self.long(61, "  int A::f(int b) const override {") + "};\n", 3, "f has")

    def test_constructors(self):
        self.finds("src/core/a.cpp", self.long(61, "A::A(int b)\n    : B{b},\n      c_(b), d_{1} {"), 1, "A has 61")

    def test_a_lambda_with_a_name(self):
        self.finds("src/core/a.cpp", self.long(61, "const auto f = [](int a) {") + ";", 1, "f has 61")

    def test_lines_of_a_table_do_not_count(self):
        rows = '    {"a", [](int x) { return x; }},\n' * 70
        self.quiet("src/core/a.cpp", "Table f() {\n  const int a = 1;\n  return {\n" + rows + "  };\n}\n")
        self.quiet("src/core/a.cpp", "void f() {\n  const Row rows[] = {\n" + rows + "  };\n  use(rows);\n}\n")
        self.finds("src/core/a.cpp", "void f() {\n  const Row rows[] = {\n" + rows + "  };\n" + "g();\n" * 58 + "}\n", 1, "61")

    def test_after_anything_that_is_hard_to_read(self):
        for before in ('auto s = R"x({{ " }} ( )x";\n', "char c = '{', d = '\\'', e = '\"';\n", "int n = 1'000'000;\n",
                       '#define OPEN {\n', '#define TWO(a) \\\n  {\n', "/* { */ // {\n", 'auto s = "{\\"{";\n',
                       "MACRO(a, b)\nMACRO(c)\n", "enum class E : char { a, b };\n", "int a[] = {1, 2}, b{3};\n",
                       "#if A\nvoid g() {\n#else\nvoid g(int) {\n#endif\n}\n", "extern \"C\" {\nint q();\n}\n",
                       "using F = void (*)(int);\n", "template <class T, int N = (2 > 1)>\nstruct S;\n",
                       "template <class T>\nconcept C = requires(T t) {\n  { t.f() };\n};\n", "bool operator<(A, B);\n"):
            with self.subTest(before=before):
                text = before + self.long(61)
                self.finds("src/core/a.cpp", text, before.count("\n") + 1, "f has 61")

    def test_macros_before_a_namespace(self):
        self.finds("src/core/a.cpp", 'MACRO(a, B "/c")\nnamespace a::b {\n' + self.long(61) + "}\n", 3, "f has")

    def test_brackets_that_do_not_match(self):
        self.finds("src/core/a.cpp", "\nvoid f() {\n  g(}\n}\n", 3, "bracket")


class Outlines(unittest.TestCase):
    def test_what_counts_as_a_public_function(self):
        for code in ("void f();", "virtual void f(int a = 3) const = 0;", "static int f() { return 1; }",
                     "auto f() -> std::array<int, 2>;", "template <class T>\n  requires(sizeof(T) > 1)\n  void f(T&& t);",
                     "[[nodiscard]] int f() const noexcept(noexcept(g()));", "std::function<void(int)> f(int);",
                     "explicit operator bool() const;", "A* operator->();", "bool operator<(const A&) const;",
                     "int operator()(int) const { return {}; }", "int operator[](int);", "A& operator=(int);",
                     "decltype(auto) f();", "__attribute__((hot)) void f();", "void f() requires(true) {}",
                     "const std::vector<std::pair<int, int>>& f() const&;", "struct B f();", "void f() && {}",
                     "template <class T>\n  requires requires(T t) { t.f(); }\n  void f();", "MACRO(a)\n  void f();"):
            with self.subTest(code=code):
                self.assertEqual(widths(f"struct A {{\n  {code}\n}};\n")["A"], (1, 0))

    def test_what_counts_as_a_member(self):
        for code in ("int a;", "int a = 3;", "int a{3};", "std::vector<int> a = {1, 2};", "void (*f)(int);",
                     "void (A::*f)(int) = nullptr;", "std::function<void(int)> f;", "alignas(64) double a[4];",
                     "int (&a)[3];", "decltype(f(1)) a;", "struct B a;", "struct { int b; } a;", "enum { x, y } a;",
                     "std::map<int, std::pair<int, int>> a;", "int a : 3;", "std::function<int()> a = [] { return 1; };",
                     "[[no_unique_address]] B a;", "bool a = 1 < 2;", "unsigned a = f(1, 2);", "union { int a; };",
                     "mutable std::mutex a;", "const B& a;"):
            with self.subTest(code=code):
                self.assertEqual(widths(f"struct A {{\n  {code}\n}};\n")["A"], (0, 1))

    def test_several_members_of_one_declaration(self):
        for code in ("int a, b = f(1, 2), c[3], *d;", "std::map<int, int> a, b; int c, d{3};",
                     "union { int a; double b; };\n  struct { int e; } c, d;"):
            with self.subTest(code=code):
                self.assertEqual(widths(f"struct A {{\n  {code}\n}};\n")["A"], (0, 4))

    def test_what_does_not_count(self):
        for code in ("A();", "explicit A(int a) : b_(a), c_{a} {}", "~A();", "virtual ~A() = default;", "A(const A&) = delete;",
                     "A& operator=(const A&) = delete;", "bool operator==(const A&) const = default;", "friend class B;",
                     "friend bool operator<(const A& a, const A& b) { return true; }", "using B = int;", "using C::f;",
                     "typedef int B;", "static_assert(sizeof(int) == 4);", "enum class E { a, b };", "enum class E : char;",
                     "struct B;", "template <class T>\n  friend class B;", "static constexpr int a = 3;", "MACRO(a);",
                     "template <class T>\n  using B = C<T>;", "template <class T>\n  A(T t) : A{t, 1} {}", ";",
                     "template <class T>\n  requires(\n      !same<T, A>)\n  A(T&& t) : b_(t), c_([](int) { return 1; }) {}",
                     "private:\n  void f();", "protected:\n  void f() {}", "A() try : a{1} {}", "A() : B<int>{1}, c{2} {}"):
            with self.subTest(code=code):
                self.assertEqual(widths(f"struct A {{\n  {code}\n}};\n")["A"], (0, 0))

    def test_access_of_a_class_begins_private(self):
        self.assertEqual(widths("class A : public B {\n  void f();\n public:\n  void g();\n};\n")["A"], (1, 0))

    def test_names_of_classes(self):
        code = ("class alignas(8) A final : public B<int> {};\ntemplate <class R, class... T>\nclass F<R(T...)> {};\n"
                "struct S::P {};\nclass [[nodiscard]] N {};\nclass MACRO(x) M {};\nclass G;\nenum class E { a };\n"
                "struct D : decltype([] {}) {};\nnamespace a {\ninline namespace b {\nunion U {\n  int a, b;\n};\n}\n}\n")
        self.assertEqual(sorted(widths(code)), ["A", "D", "F", "M", "N", "P", "U"])

    def test_names_of_functions(self):
        code = ("int f() { return 1; }\ntemplate <>\nint g<3>() {}\nA::~A() {}\nvoid A<T>::h(int a) const {}\n"
                "A::operator bool() const {}\nbool operator==(A, B) {}\nauto k = [](int) -> int { return 1; };\n"
                "auto l() -> decltype(f()) {}\nstd::vector<int> m(std::function<void(int)> f) {}\nextern \"C\" void n() {}\n"
                "RESILIN_INLINE void o() {}\nint main(int, char**) try {} catch (...) {}\n")
        self.assertEqual(functions(code)[:12],
                         ["f", "g", "A", "h", "operator bool", "operator==", "k", "l", "m", "n", "o", "main"])


class Solvers(Tree):
    def test_what_a_solver_asks(self):
        for code, word in (("problem.model().mass", "model()"), ("p->elements().model ()", "model"),
                           ("for_chunks(space.pool(), 3)", "pool()"), ("if (space.rows_are_vertices())", "rows_are_vertices"),
                           ("if (subspace != nullptr)", "subspace"), ("const Subspace& s", "Subspace"),
                           ("subspace_ = 1", "subspace_"), ("if (in_subspace())", "in_subspace"),
                           ('#include "problem/subspace.h"', "subspace")):
            with self.subTest(code=code):
                self.finds("src/solvers/a.cpp", f"\n{code};\n", 2, word)

    def test_comments_strings_and_other_names(self):
        self.quiet("src/solvers/a.cpp", '// model() of a subspace\n/* pool() */ f("pool()"); model(a); remodel(); pools();\n')

    def test_other_folders(self):
        self.quiet("src/problem/a.cpp", "model(); pool(); subspace;\n")

    def test_two_problems_in_a_line(self):
        self.write("src/solvers/a.cpp", "f(model(), pool());\n")
        self.assertEqual(len(self.problems()), 2)


class Comments(Tree):
    def test_columns(self):
        for folder in ("src/core", "include/resilin", "apps/cli", "bench", "tests/core", "python/src"):
            with self.subTest(folder=folder):
                self.quiet(f"{folder}/a.cpp", "// " + "x" * 113 + "\n")
                self.finds(f"{folder}/a.cpp", "\n// " + "x" * 114 + "\n", 2, "column 117")
                (self.root / folder / "a.cpp").unlink()

    def test_columns_are_characters(self):
        self.quiet("src/core/a.cpp", "// " + "é" * 113 + "\n")

    def test_behind_code(self):
        self.finds("src/core/a.cpp", "int a;  // " + "x" * 120 + "\n", 1, "comment")

    def test_of_a_block(self):
        self.finds("src/core/a.cpp", "/* a\n" + "x" * 120 + "\n*/\n", 2, "comment")

    def test_long_code(self):
        self.quiet("src/core/a.cpp", "f(/* b */ " + "x" * 120 + ");\nauto s = \"// " + "x" * 120 + '";\n')

    def test_other_files(self):
        self.quiet("docs/a.md", "// " + "x" * 200 + "\n")
        self.quiet("build/a.cpp", "// " + "x" * 200 + "\n")


class Names(Tree):
    def test_every_word(self):
        for entry in house.WORDS:
            for word in entry.words:
                with self.subTest(word=word):
                    snake = house.spaced(word).strip().replace(" ", "_")
                    text = {house.ANY: f"int {snake}_ = 0;\n", house.TYPE: f"class {word} {{}};\n",
                            house.FUNCTION: f"void {snake}();\n"}[entry.kind]
                    self.finds("src/core/a.h", "\n" + text, 2, f"'{word}'", entry.instead)

    def test_declarations(self):
        for code in ("class SafeRegion {};", "struct SafeRegionPairs : A {};", "enum class SafeRegion { a };", "using SafeRegion = int;",
                     "const std::vector<int>& safe_region = a;", "void f(int a, B* safe_region) {}", "bool is_safe_region() const;",
                     "for (auto& safe_region : all) {}", "std::vector<int> safe_region_;", "auto [a, safe_region] = f();",
                     "int a = f(1, 2), safe_region = 3;", "bool A<T>::add_safe_region(int a) {}", "namespace safe_region {}",
                     "enum class State { free, safe_region };", "double safe_region{};", "#define SAFE_REGION 1"):
            with self.subTest(code=code):
                self.finds("src/core/a.h", f"\n\n{code}\n", 3, "'SafeRegion'", "FeasibleRegion")

    def test_uses_of_a_name_that_is_declared_elsewhere(self):
        self.write("src/core/a.h", "struct A {\n  int safe_region;\n};\n")
        self.finds("src/core/a.h", "struct A {\n  int safe_region;\n};\n", 2)
        self.write("src/core/b.cpp", "int f(A a) { return a.safe_region * safe_region; }\nbool g(A& a) { a.safe_region = 1; }\n")
        self.assertEqual(len(self.problems()), 1)

    def test_a_name_that_nothing_seems_to_declare(self):
        self.finds("src/core/b.cpp", "\nint f(A a) { return a.safe_region + a.safe_region; }\n", 2, "safe_region")

    def test_each_file_that_declares_a_name_once(self):
        for name in ("a", "b"):
            self.write(f"src/core/{name}.cpp", "int safe_region = 0;\nvoid f() { int safe_region = 0; }\n")
        self.assertEqual(len(self.problems()), 2)

    def test_forward_declarations(self):
        self.write("src/core/a.h", "class SafeRegion {};\n")
        self.write("src/core/b.h", "class SafeRegion;\nvoid f(const SafeRegion& a);\nSafeRegion::SafeRegion() {}\n")
        self.assertEqual(len(self.problems()), 1)

    def test_words_that_only_hold_it(self):
        self.quiet("src/core/a.h", "int handle, beforehand, rectangle, always, department, HandleSet; void recover(); void reached();\n")

    def test_kinds(self):
        self.quiet("src/core/a.h", "int reach = 0, ways; double pushes; void crossings(); struct Reach {}; bool barriers;\n"
                                   "f(reach, 1); Vec3 look{0, 0, 1};\n")

    def test_functions(self):
        for code in ("bool reach(int a);", "void A::reach_start(int a) {}", "const auto reach = [&](int a) { return a; };",
                     "std::vector<int>& look() const;", "static Pair look_up(int a) {}"):
            with self.subTest(code=code):
                self.finds("src/core/a.h", code + "\n", 1, "a function with")
        self.quiet("src/core/a.h", "void f() { reach(1); x.look(); return look(2); }\n")

    def test_comments_and_strings(self):
        self.quiet("src/core/a.h", '// int safe_region;\n/* class Apart {}; */ auto s = "int lagged = 0;";\n')

    def test_lagged_belongs_to_friction(self):
        self.quiet("src/contact/friction/a.h", "double lagged = 0;\n")
        self.quiet("src/lab/b.cpp", "auto a = force.lagged;\n")
        self.write("src/solvers/c.h", "double lagged = 0;\n")
        self.assertEqual(len(self.problems()), 1)

    def test_tests_are_named_by_sentences(self):
        self.quiet("tests/core/a.cpp", "TEST(Model, BodiesStayApart) {}\nTEST_F(Model, SolversReachIt) {}\n")
        self.finds("tests/core/a.cpp", "TEST(Crossings, AreFound) {}\n", 1, "Crossings")

    def test_files(self):
        self.finds("src/contact/safe_region.h", "", 1, "safe_region.h", "FeasibleRegion")


class Exemptions(Tree):
    BAD = "double safe_region = 0;"

    def test_behind_the_code(self):
        self.quiet("src/core/a.h", f"\n{self.BAD}  // house: of two tangents\n")
        self.quiet("src/core/a.h", f"{self.BAD}  // [m] // house: of two tangents\n")

    def test_on_the_line_before(self):
        self.quiet("src/core/a.h", f"  // house: of two tangents\n{self.BAD}\n")

    def test_not_two_lines_before(self):
        self.write("src/core/a.h", f"// house: of two tangents\n\n{self.BAD}\n")
        problems = self.problems()
        self.assertEqual(len(problems), 2, problems)
        self.assertIn("exempts nothing", problems[0])

    def test_behind_code_covers_no_other_line(self):
        self.write("src/core/a.h", f"int a;  // house: of two tangents\n{self.BAD}\n")
        self.assertEqual(len(self.problems()), 2)

    def test_without_a_reason(self):
        for bare in ("// house:", "// house: ", "//house:"):
            with self.subTest(bare=bare):
                self.finds("src/core/a.h", f"{self.BAD}  {bare}\n", 1, "without a reason")

    def test_of_nothing(self):
        self.finds("src/core/a.h", "int a;  // house: it was long once\n", 1, "exempts nothing")

    def test_every_limit(self):
        body = "  g();\n" * 59
        long = "x" * 120
        for path, text in (("src/core/a.h", "// house: a table\ntemplate <class T>\nvoid f() {\n" + body + "}\n"),
                           ("src/core/a.h", "template <class T>\nvoid f(  // house: a table\n  int a) {\n" + body + "}\n"),
                           ("src/core/a.h", "struct A {  // house: a record\n" + "int a;\n" * 41 + "};\n"),
                           ("src/core/a.h", f"// house: an address\n// {long}\n"),
                           ("src/core/a.h", f"// {long} // house: an address\n"),
                           ("src/core/safe_region.h", "// house: the verb\n#pragma once\n"),
                           ("src/core/safe_region.h", "#pragma once  // house: the verb\n"),
                           ("src/solvers/a.cpp", "a.model();  // house: by element\n"),
                           ("src/problem/problem.h", "// house: until refresh goes\n" + Interface().problem(16))):
            with self.subTest(path=path, text=text):
                self.quiet(path, text)
                (self.root / path).unlink()
                self.write("src/problem/problem.h", INTERFACE)

    def test_one_exempts_all_of_a_line(self):
        self.quiet("src/solvers/a.cpp", "auto safe_region = f(model(), pool());  // house: both for now\n")

    def test_several_before_one_line(self):
        self.quiet("src/solvers/a.cpp", "// house: the verb\n// house: by element\nauto safe_region = model();\n")

    def test_an_exemption_does_not_exempt_itself(self):
        self.write("src/core/a.h", f"// house: {'x' * 120}\n{self.BAD}\n")
        self.assertEqual(len(self.problems()), 1)

    def test_in_a_block(self):
        self.finds("src/core/a.h", f"/* house: it has no end of line */ {self.BAD}\n", 1, "safe_region")

    def test_in_a_string(self):
        self.finds("src/core/a.h", 'const char* safe_region = "// house: no comment";\n', 1, "safe_region")


class Command(Tree):
    def run_script(self):
        return subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True)

    def test_exit_status_and_counts(self):
        result = self.run_script()
        self.assertEqual((result.returncode, result.stdout), (0, "0 violations\n"))
        self.write("src/core/wrong.h", "int safe_region;\nint lagged;\n// " + "x" * 120 + "\n")
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].startswith("src/core/wrong.h:1: "), lines)
        self.assertEqual(lines[-1], "3 violations, 1 comment, 2 name")


if __name__ == "__main__":
    unittest.main()
