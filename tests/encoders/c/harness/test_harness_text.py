"""Harnesses: C code that gcc accepts, whose runs are all calls that the options describe, and no others."""

import shutil
import subprocess
from pathlib import Path

import pytest
import z3

from chcverify.horn.system import HornSystem
from chcverify.options import HarnessOptions, SourceFile
from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.harness.entry_functions import matching
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions, VolatileReads
from encoders.c.parsed_sources import ParsedSources
from encoders.c.source.source_errors import LinkError
from encoders.c.source_queries import functions_of, harness_file
from encoders.c.types.c_types import LP64
from encoders.c.types.record_layout import LARGEST_OBJECT

OUTSIDE = Surroundings(UndefinedFunctions.HAVOC, VolatileReads.FRESH)
ERROR = "extern void reach_error(void);\n"
RUNS = 400  # random runs; each case below is met within the first hundred
TYPES = """
#include <stddef.h>
typedef struct node { int value; struct node *next; const char *name; struct { short low, high; } part; } node;
typedef union { int i; node *p; } either;
typedef int (*callback)(void *, size_t);
struct opaque;
enum colour { RED, GREEN };
struct table { callback call[2]; node *slots[3]; unsigned flag : 3; };
"""
FUNCTIONS = [
    "int f(void) { return 0; }",
    "void f(int a, unsigned char b, long long c, _Bool d, enum colour e, double g) {}",
    "static inline int f(const node *list, node *const other) { return list == other; }",
    "void f(const char *const *names, int argc, char **argv) {}",
    "void f(int a[10], int (*b)[4], int c[3][4], const unsigned char key[static 16]) {}",
    "void f(void *p, const void *q, struct opaque *o, either e, either *r) {}",
    "void f(callback c, int (*d)(int), struct table *t, struct table u) {}",
    "void f(volatile int *device, int *restrict p) {}",
    "int f(a, b) int a; char *b; { return a; }",
    "void f(int f_, int main) {}",
    "typedef int row[4];\nint f(row r, const row s, __builtin_va_list list) { return r[0]; }",
    "void f(int, char *);\nvoid f(int named, char *other) {}",
]


def found(
    text: str, function: str = "f", options: HarnessOptions | None = None, folder: Path | None = None
) -> set[str]:
    """The outcomes of random runs that begin with the function."""
    assert folder is not None
    path = folder / "p.c"
    path.write_text(text)
    begin = Begin(function, options or HarnessOptions())
    program = load_files([SourceFile(str(path))], LP64, surroundings=OUTSIDE, begin=begin)
    return {execute(program, Random(seed, (0, 1, 2, 5), 1 << seed % 8)).outcome for seed in range(RUNS)}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    "options", [HarnessOptions(), HarnessOptions(True, True, 2, "arbitrary", strings=True, sizes=True)]
)
def test_gcc_accepts_the_harness(function: str, options: HarnessOptions, tmp_path: Path) -> None:
    path, out = tmp_path / "p.c", tmp_path / "h.c"
    path.write_text(TYPES + "static int *state; int count;\n" + function)
    text = harness_file([SourceFile(str(path))], LP64, "f", options)
    out.write_text(text)
    assert "chcverify_harness" in text
    load_files([SourceFile(str(path))], LP64, surroundings=OUTSIDE, begin=Begin("f", options))
    load_files([SourceFile(str(out))], LP64, surroundings=OUTSIDE)
    if shutil.which("gcc") is not None:
        command = ["gcc", "-std=gnu11", "-fsyntax-only", "-w", "-Werror=incompatible-pointer-types", str(out)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    "condition",
    ["a == c", "p[0] == 5", "p[1] == 2", "list->value == 1 && list->next", "list->next && list->next->value == 5",
     "!list->next", "list->name && list->name[0] == 2"],
)  # fmt: skip
def test_calls_are_arbitrary(condition: str, tmp_path: Path) -> None:
    text = f"{TYPES}{ERROR}void f(int a, char c, int *p, node *list) {{ if ({condition}) reach_error(); }}"
    assert "error" in found(text, folder=tmp_path)


@pytest.mark.parametrize(
    ("condition", "options"),
    [
        ("!p", HarnessOptions(null=True)),
        ("p == q", HarnessOptions(alias=True)),
        ("q == p + 1", HarnessOptions(alias=True)),
        ("list->next && list->next->next", HarnessOptions(depth=2)),
        ("state == 5", HarnessOptions(globals="arbitrary")),
        ("where && where[0] == 2", HarnessOptions(globals="arbitrary")),
        ("counted() == 5", HarnessOptions(globals="arbitrary")),
    ],
)
def test_options_allow_more_calls(condition: str, options: HarnessOptions, tmp_path: Path) -> None:
    before = "static int state = 3; static int *where; static int counted(void) { static int n = 1; return n; }"
    body = f"void f(int *p, int *q, node *list) {{ if ({condition}) reach_error(); }}"
    assert "error" in found(f"{TYPES}{ERROR}{before}{body}", options=options, folder=tmp_path)
    assert "error" not in found(f"{TYPES}{ERROR}{before}{body}", folder=tmp_path)


@pytest.mark.parametrize(
    ("function", "condition", "options"),
    [
        ("void f(char *s)", "__builtin_strlen(s) == 7", HarnessOptions(strings=True)),
        ("void f(char *s)", "s[0]", HarnessOptions(strings=True)),
        ("void f(const int *p, int size)", "size == 2 && p[1] == 2", HarnessOptions(sizes=True)),
        ("void f(const int *p, int size)", "size < 0", HarnessOptions(sizes=True)),
        ("void f(node *list, unsigned count)", "count == 1 && list->value == 5", HarnessOptions(sizes=True)),
        ("void f(int *p, unsigned other)", "other == 5", HarnessOptions(sizes=True)),
    ],
)
def test_options_allow_calls_with_strings_and_sizes(
    function: str, condition: str, options: HarnessOptions, tmp_path: Path
) -> None:
    text = f"{TYPES}{ERROR}{function} {{ if ({condition}) reach_error(); }}"
    assert "error" in found(text, options=options, folder=tmp_path)


@pytest.mark.parametrize(
    ("function", "condition", "options"),
    [
        ("void f(char *s)", "p_size(s) <= __builtin_strlen(s)", HarnessOptions(strings=True)),
        ("void f(node *list, unsigned count)", "count > 1", HarnessOptions(sizes=True)),
        ("void f(node *list, unsigned count)", "count && !list", HarnessOptions(sizes=True, null=True)),
        ("void f(const int *p, int p_len)", "p_len > 0 && p_size(p) < 4UL * p_len", HarnessOptions(sizes=True)),
        ("void f(const int *p, int *q, int p_len)", "p_len > 0 && p_size(q) < 4UL * p_len", HarnessOptions(sizes=True)),
        ("void f(int a[3])", "p_size(a) < 12", HarnessOptions(sizes=True)),
        ("void f(int a[static 3])", "p_size(a) < 12", HarnessOptions()),
    ],
)
def test_options_exclude_calls_beyond_strings_and_sizes(
    function: str, condition: str, options: HarnessOptions, tmp_path: Path
) -> None:
    size = "#define p_size(p) __builtin_object_size(p, 0)\n"
    text = f"{TYPES}{ERROR}{size}{function} {{ if ({condition}) reach_error(); }}"
    assert "error" not in found(text, options=options, folder=tmp_path)
    path = tmp_path / "p.c"
    program = load_files([SourceFile(str(path))], LP64, surroundings=OUTSIDE, begin=Begin("f", options))
    assert any(word in program.assumptions[0].effect for word in ("strings that end", "sizes are at", "array param"))


def test_constants_keep_their_values(tmp_path: Path) -> None:
    text = ERROR + "static const int limit = 3; void f(void) { if (limit != 3) reach_error(); }"
    assert found(text, options=HarnessOptions(globals="arbitrary"), folder=tmp_path) == {"end"}


def test_what_is_assumed_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int f(int *p, int n) { return p[n]; }")
    program = load_files([SourceFile(str(path))], LP64, begin=Begin("f", HarnessOptions()))
    (assumption,) = program.assumptions
    assert (assumption.kind, assumption.subject, assumption.line) == ("entry", "f", 1)
    assert "pointers lead to new objects of up to 2^46 bytes, and are not null" in assumption.effect


def test_many_objects_lower_the_depth(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    members = "".join(f"struct s *m{number};" for number in range(12))
    path.write_text(f"struct s {{ {members} }}; void f(struct s *p) {{}}")
    program = load_files([SourceFile(str(path))], LP64, begin=Begin("f", HarnessOptions(depth=3)))
    assert "1 level deep" in program.assumptions[0].effect


def test_functions_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("static int in_header(void) { return 1; }\n")
    for name in "ab":
        text = f'#include <stdlib.h>\n#include "own.h"\nstatic int same(void) {{ return 2; }}\nint only_{name}(void);\n'
        (tmp_path / f"{name}.c").write_text(text + f"int only_{name}(void) {{ return same() + in_header(); }}\n")
    sources = [SourceFile(str(tmp_path / f"{name}.c")) for name in "ab"]
    names = [entry.name for entry in functions_of(ParsedSources.of(sources, LP64))]
    assert names == ["in_header", "same", "only_a", "same (b.c)", "only_b"]
    assert matching(names, ["only_*"]) == ["only_a", "only_b"]
    assert matching(names, ["same"]) == ["same", "same (b.c)"]
    assert matching(names, ["*"]) == names
    assert load_files(sources, LP64, begin=Begin("same (b.c)", HarnessOptions())).functions["same (b.c)"]


def test_a_function_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int f(void);")
    with pytest.raises(LinkError, match="no function 'f'"):
        load_files([SourceFile(str(path))], LP64, begin=Begin("f", HarnessOptions()))


def test_an_index_up_to_the_size_of_any_object_can_be_proved(tmp_path: Path) -> None:
    """Objects are no larger than what the clauses follow: an index beyond that would not be modelled."""
    path = tmp_path / "p.c"
    path.write_text("char last(const char *p, unsigned long n) { return n > 0 ? p[n - 1] : 0; }")
    options = HarnessOptions(sizes=True)
    program = load_files(
        [SourceFile(str(path))], LP64, "bounds,null,lifetime", surroundings=OUTSIDE, begin=Begin("last", options)
    )
    assert solve(encode(program, "bounds,null,lifetime").system) == z3.sat


def test_an_allocation_of_an_entry_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "void *malloc(unsigned long); void f(unsigned long n) { char *p = malloc(n); if (n > 0) p[n - 1] = *p; }"
    )
    limited = Surroundings(UndefinedFunctions.HAVOC, VolatileReads.FRESH, largest_allocation=LARGEST_OBJECT)
    for surroundings, result in ((limited, z3.sat), (OUTSIDE, z3.unsat)):
        begin = Begin("f", HarnessOptions())
        program = load_files([SourceFile(str(path))], LP64, "bounds", surroundings=surroundings, begin=begin)
        assert solve(encode(program, "bounds").system) == result
        assert ("allocation" in {each.kind for each in program.assumptions}) == (surroundings is limited)


def solve(system: HornSystem) -> z3.CheckSatResult:
    """What z3 finds of a system: satisfiable if nothing is violated and everything is modelled."""
    solver = z3.SolverFor("HORN")
    solver.set("timeout", 60_000)
    for clause in system.clauses:
        head = z3.BoolVal(False) if clause.head is None else clause.head.term
        rule = z3.Implies(z3.And([*(a.term for a in clause.body), clause.constraint]), head)
        solver.add(z3.ForAll(list(clause.variables), rule) if clause.variables else rule)
    return solver.check()


def test_a_harness_that_no_compiler_takes_says_so(tmp_path):
    """It names members of a record that only another file defines."""
    (tmp_path / "user.c").write_text(
        "struct task; struct link { struct task *owner; };\nint f(struct link *l) { return !l->owner; }"
    )
    (tmp_path / "task.c").write_text(
        "struct task { struct task *next; };\nint g(struct task *t) { return t->next != 0; }"
    )
    files = [SourceFile(str(tmp_path / name)) for name in ("user.c", "task.c")]
    remark = "A compiler refuses it: "
    assert f"{remark}{files[0].path} does not define struct task. */" in harness_file(
        files, LP64, "f", HarnessOptions()
    )
    assert remark not in harness_file(files, LP64, "g", HarnessOptions())


def test_a_pointer_named_like_an_end_ends_the_object_of_the_one_before_it(tmp_path: Path) -> None:
    body = "int f(const char *p, const char *end) { while (p != end) { if (*p++ == 7) return 1; } return 0; }\n"
    (tmp_path / "p.c").write_text(body)

    def outcomes(options: HarnessOptions) -> set[str]:
        begin = Begin("f", options)
        program = load_files([SourceFile(str(tmp_path / "p.c"))], LP64, "bounds", surroundings=OUTSIDE, begin=begin)
        return {execute(program, Random(seed, (0, 1, 2, 5), 1 << seed % 8)).outcome for seed in range(60)}

    assert "error" in outcomes(HarnessOptions())
    assert "error" not in outcomes(HarnessOptions(sizes=True))
