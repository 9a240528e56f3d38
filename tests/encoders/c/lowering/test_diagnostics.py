"""What is no C program, or not modelled, is named with file, line and column."""

import shutil
from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.frontend import load_files, load_source
from encoders.c.source.preprocessor import preprocess
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import ILP32, LP64

needs_compiler = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

WRONG = [
    ("int main(void) { return x; }", 1, 25, "'x' undeclared"),
    ("int main(void) {\n  int x = ;\n}", 2, 11, "syntax error"),
    ("int main(void) { return 0;", 1, 26, "end of input"),
    ("/* open\nint main(void) { }", 1, 1, "unterminated comment"),
    ("int f(void);", 1, 1, "no function 'main'"),
    (" // nothing\n", 1, 1, "empty"),
    ("int main(void) { break; }", 1, 18, "break statement"),
    ("int main(void) { continue; }", 1, 18, "continue statement"),
    ("int main(void) { case 1: ; }", 1, 18, "case label"),
    ("int main(void) { goto L; }", 1, 18, "label 'L'"),
    ("int main(void) { L: ; L: ; }", 1, 23, "duplicate label"),
    ("int main(void) { int x; int x; }", 1, 29, "redeclaration"),
    ("int x = 3; int x = 4; int main(void) { }", 1, 16, "redefinition"),
    ("int f(void) { } int f(void) { } int main(void) { }", 1, 21, "redefinition"),
    ("int main(void) { switch (1) { case 1: case 1: ; } }", 1, 39, "duplicate case"),
    ("int main(void) { 5 = 6; }", 1, 18, "lvalue"),
    ("int main(void) { int a[2]; a = 0; }", 1, 28, "assignment"),
    ("int main(void) { int x; x.a = 1; }", 1, 25, "no members"),
    ("int main(void) { struct { int a; } *p; return p->b; }", 1, 50, "no member named 'b'"),
    ("struct S { int a; }; int main(void) { struct S s; return s + 1; }", 1, 58, "invalid operands"),
    ("int main(void) { struct T t; }", 1, 27, "incomplete type"),
    ("int main(void) { int x; return *x; }", 1, 33, "not a pointer"),
    ("int f(int); int main(void) { return f(1, 2); }", 1, 37, "too many arguments"),
    ("int f(int a) { return a; } int main(void) { return f(); }", 1, 52, "too few arguments"),
    ("void f(void) { } int main(void) { int x = f(); }", 1, 43, "incompatible types"),
    ("int f(); int g = f(); int main(void) { return g; }", 1, 18, "not constant"),
    ("int main(void) { int i = 1.5 % 2; }", 1, 26, "invalid operands"),
    ("int main(void) { int x = 08; }", 1, 26, "octal"),
    ("int n = 2; int a[n]; int main(void) { return a[0]; }", 1, 16, "file scope"),
    ('_Static_assert(sizeof(int) == 8, "no"); int main(void) { }', 1, 1, "static assertion failed"),
    ("int main(void) { if (1) { int y; } return y; }", 1, 43, "'y' undeclared"),
    ("int main(void) { \x01 }", 1, 18, "Illegal character"),
]


@pytest.mark.parametrize(("source", "line", "column", "message"), WRONG)
def test_source_errors(source: str, line: int, column: int, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        load_source(source, "wrong.c", LP64)
    origin = caught.value.origin
    assert (origin.file, origin.line, origin.column) == ("wrong.c", line, column)
    assert message in caught.value.message


REFUSED = [
    ("void f(void) __attribute__((constructor)); int main(void) { }", 1, "constructor"),
]


TRAPS = [
    ('int main(void) { asm("nop"); }', 1, "assembler statement"),
    ('int main(void) { int x; __asm__ volatile ("nop" : "=r"(x) : : "memory"); }', 1, "assembler statement"),
    ("int f(int a, ...) { return a; } int main(void) { return f(1, 2.0L); }", 1, "additional argument"),
    (
        "int f(int a, ...) { return a; } int (*g)(int, ...) = f; int main(void) { return g(1, 2); }",
        1,
        "variable number",
    ),
    ("int main(void) { _Complex long double d; }", 1, "_Complex"),
    ("int main(void) { __float128 d; }", 1, "__float128"),
    ("int main(void) { int x __attribute__((vector_size(16))); }", 1, "vector_size"),
    ("int scanf(const char *, ...); int main(void) { int x; scanf(0, &x); }", 1, "scanf"),
    ("struct S { char c; int i __attribute__((vector_size(16))); }; int main(void) { struct S s; }", 1, "vector_size"),
    ("struct __attribute__((ms_struct)) S { char c; }; int main(void) { struct S s; }", 1, "ms_struct"),
    ("int v __attribute__((not_documented)); int main(void) { return v; }", 1, "not_documented"),
    ("int main(void) { int (*f)(void); return f(); }", 1, "no known function"),
    ("void f(void) { }\nint main(void) { return ((int (*)(int))f)(1); }", 2, "another type"),
    ("int pthread_create(void *); int main(void) { pthread_create(0); }", 1, "threads"),
    ('int printf(const char *, ...); int main(void) { int n; printf("%n", &n); }', 1, "%n"),
    (
        "int printf(char *, ...);\nint f(char *p) { int n; return printf(p, &n); } int main(void) { f(0); }",
        2,
        "%n",
    ),
]


@pytest.mark.parametrize(("source", "line", "construct"), TRAPS)
def test_constructs_that_are_not_modelled(source: str, line: int, construct: str, not_modelled) -> None:
    found = not_modelled(source, "odd.c")
    assert [(origin.line, construct in what) for what, origin in found] == [(line, True)]


def test_setjmp_without_a_place_for_its_environment(not_modelled) -> None:
    """There is a trap where it is called, and one in the model: the end of a longjmp that no place waits for."""
    found = not_modelled("int setjmp(int *);\nint main(void) { return setjmp(0); }", "odd.c")
    assert ("setjmp or longjmp without the address of a jmp_buf", 2) in [(what, at.line) for what, at in found]


@pytest.mark.parametrize(("source", "line", "construct"), REFUSED)
def test_programs_that_are_refused(source: str, line: int, construct: str) -> None:
    with pytest.raises(Unsupported) as caught:
        load_source(source, "odd.c", LP64)
    assert construct in caught.value.construct
    assert (caught.value.origin.file, caught.value.origin.line) == ("odd.c", line)


@needs_compiler
@pytest.mark.parametrize(
    "source",
    [
        "int main(void) { int f(int a) { return a; } return f(0); }",
    ],
)
def test_what_gcc_accepts_is_unsupported_rather_than_wrong(source: str) -> None:
    with pytest.raises(Unsupported, match="gcc accepts"):
        load_source(source, "gnu.c", LP64)


@pytest.mark.parametrize(
    "source",
    [
        "_Complex double unused(_Complex double); int main(void) { return 0; }",
        "extern __float128 q; int main(void) { return 0; }",
        "struct S { int x __attribute__((aligned(64))); }; extern struct S s; int main(void) { return 0; }",
        'int f(void) { asm("nop"); return 1; } int main(void) { return 0; }',
        'int printf(const char *, ...); int main(void) { return printf("%d", 1); }',
        'int g(int) asm("other"); static __inline __attribute__((always_inline)) int f(void) { return 1; }'
        " int main(void) { return f(); }",
        "int main(void) { int x = 1; switch (x) { case 1: x = 2; __attribute__((fallthrough)); default: x = 3; } }",
        "#pragma once\n#pragma GCC diagnostic push\nint main(void) { return 0; }",
    ],
)
def test_harmless_constructs_are_accepted(source: str) -> None:
    assert load_source(source, "fine.c", LP64).functions["main"].edges


@pytest.mark.parametrize("marker", ['# 10 "orig.c"', '#line 10 "orig.c"', '# 10 "orig.c" 2 3'])
def test_line_markers_are_honoured(marker: str) -> None:
    with pytest.raises(SourceError) as caught:
        load_source(f"int a;\n{marker}\nint main(void) {{\n  return y;\n}}", "pre.i", LP64)
    assert str(caught.value).startswith("orig.c:11:10: 'y' undeclared")
    program = load_source(f"int a;\n{marker}\nint main(void) {{\n  return 3;\n}}", "pre.i", LP64)
    assert {(edge.origin.file, edge.origin.line) for edge in program.functions["main"].edges} == {("orig.c", 11)}


@needs_compiler
def test_coordinates_survive_the_preprocessor() -> None:
    source = "#include <stdlib.h>\n#define TWICE(x) ((x) + (x))\n\nint main(void) {\n  return TWICE(y);\n}"
    with pytest.raises(SourceError) as caught:
        load_source(source, "macro.c", LP64)
    assert (caught.value.origin.file, caught.value.origin.line) == ("macro.c", 5)


@needs_compiler
@pytest.mark.parametrize("model", [LP64, ILP32])
def test_system_headers_are_read(model) -> None:  # type: ignore[no-untyped-def]
    names = "stdio stdlib string assert stdint limits math ctype stddef stdbool errno inttypes time".split()  # noqa: SIM905
    includes = "".join(f"#include <{name}.h>\n" for name in names)
    program = load_source(f'{includes}int main(void) {{ size_t n = strlen("ab"); return (int)n; }}', "all.c", model)
    assert "strlen" in program.functions


@needs_compiler
def test_missing_headers_are_named() -> None:
    with pytest.raises(SourceError, match=r"missing.c:2:10: nothere.h"):
        load_source("int x;\n#include <nothere.h>\nint main(void) { }", "missing.c", LP64)


def test_comments_keep_the_columns() -> None:
    clean = preprocess('int /* a\n b */ x; // y\nchar *s = "/* no */";', "c.c", LP64)
    assert clean == 'int \n      x;     \nchar *s = "/* no */";'


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "junk.c").write_bytes(b"\x7fELF\0\0\1")
    (tmp_path / "empty.c").write_bytes(b"")
    for name, message in [
        ("none.c", "no such file"),
        ("junk.c", "not a text"),
        ("empty.c", "empty"),
        ("", "directory"),
    ]:
        with pytest.raises(SourceError, match=message):
            load_files([SourceFile(str(tmp_path / name))], LP64)
