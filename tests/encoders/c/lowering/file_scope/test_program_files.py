"""Programs of several files: they mean what the linker makes of them. Each is compiled, linked and run by gcc, too."""

import shutil
import subprocess
from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.cfa import ir
from encoders.c.cfa.ir import Program
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_files
from encoders.c.source.source_errors import LinkError
from encoders.c.types.c_types import LP64

MAIN = "extern void reach_error(void);\nint main(void) { if (!(%s)) return 0; reach_error(); return 0; }\n"
RUNTIME = "#include <stdlib.h>\nvoid reach_error(void) { exit(77); }\n"


def write(folder: Path, texts: list[str]) -> list[SourceFile]:
    sources = []
    for number, text in enumerate(texts):
        path = folder / f"{chr(ord('a') + number)}.c"
        path.write_text(text)
        sources.append(SourceFile(str(path)))
    return sources


def load(folder: Path, texts: list[str]) -> Program:
    return load_files(write(folder, texts), LP64)


def native(folder: Path, *flags: str) -> int | None:
    """The exit status of the program that gcc makes of the files; None without gcc."""
    if shutil.which("gcc") is None:
        return None
    (folder / "runtime.c").write_text(RUNTIME)
    names = sorted(str(path) for path in folder.glob("*.c"))
    subprocess.run(["gcc", "-w", "-fwrapv", *flags, "-o", str(folder / "program"), *names], check=True)
    return subprocess.run([str(folder / "program")], check=False).returncode


# Declarations of main's file, the condition that holds, the other files.
CASES = {
    "statics apart": (
        "static int f(int x) { return x + 1; } static int v = 3; int g(void);",
        "f(1) == 2 && v == 3 && g() == 57",
        ["static int f(int x) { return x + 50; } static int v = 7; int g(void) { return f(v); }"],
    ),
    "static locals apart": (
        "static int f(void) { static int n; return ++n; } int g(void);",
        "f() == 1 && f() == 2 && g() == 11 && g() == 12 && f() == 3",
        ["static int f(void) { static int n = 10; return ++n; } int g(void) { return f(); }"],
    ),
    "a static function and one for all": (
        "int f(void); int g(void);",
        "f() == 1 && g() == 2",
        ["int f(void) { return 1; }", "static int f(void) { return 2; } int g(void) { return f(); }"],
    ),
    "a static variable and one for all": (
        "static int v = 1; int *where(void); int other(void);",
        "v == 1 && *where() == 2 && other() == 2 && &v != where()",
        ["int v = 2; int *where(void) { return &v; }", "extern int v; int other(void) { return v; }"],
    ),
    "tentative definitions": (
        "int v; int f(void);",
        "v == 5 && f() == 6 && v == 6",
        ["int v = 5;", "int v; int f(void) { return ++v; }"],
    ),
    "tentative definitions without a value": (
        "int v; int f(void);",
        "f() == 1 && v == 1",
        ["int v; int f(void) { return ++v; }"],
    ),
    "an array of unknown length": (
        "extern int a[]; int f(void);",
        "a[2] == 9 && f() == 12",
        ["int a[3] = {1, 2, 9}; int f(void) { return sizeof a; }"],
    ),
    "order of initialisation": (
        "extern int *p; extern int w;",
        "*p == 4 && p == &w",
        ["extern int w; int *p = &w;", "int w = 4;"],
    ),
    "incomplete records": (
        "struct s; struct s *make(int); int get(struct s *);",
        "get(make(4)) == 4",
        ["struct s { int v; }; static struct s only; struct s *make(int v) { only.v = v; return &only; }"
         "int get(struct s *p) { return p->v; }"],
    ),
    "records in each file": (
        "struct s { int a; struct s *next; }; typedef struct { char c; short d; } t; extern struct s x; int f(t *);",
        "x.next->a == 8 && f(&(t){1, 2}) == 3",
        ["struct s { int a; struct s *next; }; typedef struct { char c; short d; } t; struct s y = {8}, x = {1, &y};"
         "int f(t *p) { return p->c + p->d; }"],
    ),
    "private records of one tag": (
        "struct s { int a; }; static struct s x = {1}; int f(void);",
        "x.a == 1 && sizeof(struct s) == 4 && f() == 18",
        ["struct s { char a; long b; }; static struct s x = {2, 16}; int f(void) { return x.a + (int)x.b; }",
         "struct s { int a; }; int g(struct s *p) { return p->a; }"],
    ),
    "records that refer to private ones": (
        "struct t { int a; }; "
        "struct s { struct t *p; }; static struct t y = {1}; static struct s x = {&y}; int f(void);",
        "x.p->a == 1 && f() == 5",
        ["struct t { char c[9]; int a; }; "
         "struct s { struct t *p; }; static struct t y = {{0}, 5}; static struct s x = {&y};"
         "int f(void) { return x.p->a; }"],
    ),
    "enumerations and typedefs apart": (
        "typedef int T; enum { A = 1 }; int f(void);",
        "(T)A == 1 && f() == 9",
        ["typedef char T; enum { A = 9 }; int f(void) { return (T)A; }"],
    ),
    "weak functions give way": (
        "__attribute__((weak)) int f(void) { return 1; } int g(void);",
        "f() == 2 && g() == 2",
        ["int f(void) { return 2; } int g(void) { return f(); }"],
    ),
    "weak functions give way, whatever comes first": (
        "int f(void) { return 2; } int g(void);",
        "f() == 2 && g() == 2",
        ["int f(void) __attribute__((weak)); int f(void) { return 1; } int g(void) { return f(); }"],
    ),
    "of two weak functions the first": (
        "__attribute__((weak)) int f(void) { return 1; } int g(void);",
        "f() == 1 && g() == 1",
        ["__attribute__((weak)) int f(void) { return 2; } int g(void) { return f(); }"],
    ),
    "weak variables give way": (
        "__attribute__((weak)) int v = 1; int f(void);",
        "v == 2 && f() == 2",
        ["int v = 2; int f(void) { return v; }"],
    ),
    "weak variables give way to zero": ("int v = 0;", "v == 0", ["__attribute__((weak)) int v = 1;"]),
    "functions that are not declared": (
        "int f();",
        "f(2) == 4",
        ["int f(int x) { return g(x) * 2; }", "int g(int x) { return x; }"],
    ),
    "inline functions": (
        "inline int f(void) { return 3; } extern int f(void); int g(void);",
        "f() == 3 && g() == 3",
        ["inline int f(void) { return 3; } int g(void) { return f(); }"],
    ),
    "gnu_inline without extern is a definition for all": (
        "inline __attribute__((gnu_inline)) int f(void) { return 3; } int g(void);",
        "f() == 3 && g() == 3",
        ["int f(void); int g(void) { return f(); }"],
    ),
    "gnu_inline with extern, and the same elsewhere": (
        "extern inline __attribute__((gnu_inline)) int f(void) { return 3; }",
        "f() == 3",
        ["int f(void) { return 3; }"],
    ),
    "a block's extern": (
        "int f(void);",
        "f() == 7",
        ["int f(void) { extern int hidden; return hidden; }", "int hidden = 7;"],
    ),
    "pointers to functions of two files": (
        "static int f(void) { return 1; } int (*g(void))(void);",
        "f() == 1 && g()() == 2 && g() != f",
        ["static int f(void) { return 2; } int (*g(void))(void) { return f; }"],
    ),
    "literals and pointers across files": (
        "const char *name(int); extern const char *const table[2];",
        "name(1)[0] == 'y' && table[0][1] == 'b'",
        ['const char *const table[2] = {"abc", "y"}; const char *name(int i) { return table[i]; }'],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("holds", [True, False])
def test_a_program_of_several_files(case: str, holds: bool, tmp_path: Path) -> None:
    declarations, condition, others = CASES[case]
    main = declarations + MAIN % (condition if holds else f"!({condition})")
    program = load(tmp_path, [main, *others])
    assert execute(program, Random(0, (), 9)).outcome == ("error" if holds else "end")
    assert native(tmp_path, "-fcommon", "-std=gnu11") in (None, 77 if holds else 0)


@pytest.mark.parametrize("case", CASES)
def test_the_order_of_the_files_does_not_matter(case: str, tmp_path: Path) -> None:
    declarations, condition, others = CASES[case]
    if case == "of two weak functions the first":
        return
    program = load(tmp_path, [*reversed(others), declarations + MAIN % condition])
    assert execute(program, Random(0, (), 9)).outcome == "error"


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("int f(void) { return 1; }", "\n int f(void) { return 2; }", r"b.c:2:6: redefinition of 'f': see .*a.c:1:5"),
        ("int v = 1;", "int v = 2;", r"b.c:1:5: redefinition of 'v': see .*a.c:1:5"),
        ("int f(int x) { return x; }", "char *f(int);", r"b.c:1:7: conflicting types for 'f': see .*a.c:1:5"),
        ("int v;", "extern long v;", r"b.c:1:13: conflicting types for 'v': see .*a.c:1:5"),
        ("int v[3];", "extern int v[4];", r"b.c:1:12: conflicting types for 'v': see .*a.c:1:5"),
        ("int v;", "int v(void) { return 1; }", r"b.c:1:5: 'v' redeclared as different kind of symbol: see .*a.c:1:5"),
        ("struct s { int a; }; int f(struct s *p) { return p->a; }", "struct s { long a; }; int f(struct s *p);",
         r"b.c:1:27: conflicting types for 'f': see .*a.c:1:26"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit(one: str, other: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(LinkError, match=message):
        load(tmp_path, [f"{one}\nint main(void) {{ return 0; }}", other])


def test_flags_are_those_of_each_file(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "n.h").write_text("#define N 4\n")
    (tmp_path / "before.h").write_text("#define OFFSET 10\n")
    text = "#include <n.h>\nextern int g(void);" + MAIN % "g() == 15 && N == 4 && K == 2"
    one, other = write(tmp_path, [text, "int g(void) { return K + OFFSET; }"])
    include = f"-I{tmp_path / 'include'}"
    sources = [
        SourceFile(one.path, (include, "-DK=2")),
        SourceFile(other.path, ("-DK=5", f"-include{tmp_path / 'before.h'}", "-std=c99")),
    ]
    assert execute(load_files(sources, LP64), Random(0, (), 9)).outcome == "error"


@pytest.mark.parametrize("storage", ["inline", "extern inline __attribute__((gnu_inline))"])
def test_inline_definitions_that_differ_are_not_modelled(storage: str, tmp_path: Path) -> None:
    main = f"{storage} int f(void) {{ return 1; }} int main(void) {{ return f(); }}"
    program = load(tmp_path, [main, "int f(void) { return 2; }"])
    traps = [e.operation.what for f in program.functions.values() for e in f.edges if isinstance(e.operation, ir.Trap)]
    assert len(traps) == 1 and "C leaves open which one is called" in traps[0]


@pytest.mark.parametrize("is_first", [True, False])
def test_an_alias_of_a_static_function(is_first: bool, tmp_path: Path) -> None:
    """Its name means the function in the files behind it; in those before, calls of it are not modelled."""
    main = "int g(void); " + MAIN % "g() != 8"
    alias = 'static int f(void) { return 8; } int g(void) __attribute__((alias("f")));'
    program = load(tmp_path, [alias, main] if is_first else [main, alias])
    found = execute(program, Random(1, (), 8)).outcome
    assert found == ("end" if is_first else "stuck")
