"""Where invariants are written into C programs, and where not."""

import shutil
import subprocess
from pathlib import Path

import pytest

from chcverify.explain.annotated_source import DECLARATION, Annotated, annotated
from chcverify.horn.system import Origin
from chcverify.results.source_facts import LoopVariant, SourceInvariant

PROGRAM = """extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0;
  for (int i = 0; i < 9; i++) x++;
  for (;;) { if (x > 20) break; x++; }
  while (x < 50) x++; while (y < 50) { y++; }
  do { x--; } while (x > 0);
  if (y) do y--; while (y > 3);
again:
  if (x < 5) { x++; goto again; }
  if (y) while (1) if (y >= 30) break; else y = y + 2;
  return 0;
}
"""


def head(line: int, column: int, text: str, file: str = "p.c", exact: bool = True) -> SourceInvariant:
    return SourceInvariant(Origin(file, line, column), "main", True, text, exact)


def written(source: str, *invariants: SourceInvariant, style: str = "assume") -> Annotated:
    return annotated(source, "p.c", invariants, style)  # type: ignore[arg-type]


def compiles(text: str, folder: Path) -> bool:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    (folder / "out.c").write_text(text)
    command = ["gcc", "-std=gnu11", "-Wall", "-Werror", "-Wno-comment", "-fsyntax-only", str(folder / "out.c")]
    relaxed = [*command[:4], "-Wno-unused-value", "-Wno-misleading-indentation", "-Wno-dangling-else", *command[4:]]
    return subprocess.run(relaxed, capture_output=True, check=False, timeout=600).returncode == 0


HEADS = [  # line, column, invariant, what the line becomes
    (4, 3, "i >= 0", "for (int i = 0; __VERIFIER_assume(i >= 0), i < 9; i++) x++;"),
    (5, 14, "x <= 21", "for (;;) { __VERIFIER_assume(x <= 21); if (x > 20) break; x++; }"),
    (6, 3, "x >= 1", "while (__VERIFIER_assume(x >= 1), x < 50) x++; while (y < 50) { y++; }"),
    (6, 23, "y >= 0", "while (x < 50) x++; while (__VERIFIER_assume(y >= 0), y < 50) { y++; }"),
    (7, 3, "x <= 50", "do { __VERIFIER_assume(x <= 50); x--; } while (x > 0);"),
    (8, 10, "y >= 3", "if (y) do { __VERIFIER_assume(y >= 3); y--; } while (y > 3);"),
    (10, 7, "x >= 0", "{ __VERIFIER_assume(x >= 0); if (x < 5) { x++; goto again; } }"),
    (11, 24, "y >= 0", "if (y) while (1) { __VERIFIER_assume(y >= 0); if (y >= 30) break; else y = y + 2; }"),
]


@pytest.mark.parametrize(("line", "column", "text", "expected"), HEADS)
def test_every_kind_of_loop(line: int, column: int, text: str, expected: str, tmp_path: Path) -> None:
    result = written(PROGRAM, head(line, column, text))
    assert (result.written, result.skipped) == (1, ())
    assert result.text.startswith(DECLARATION)
    lines = result.text.removeprefix(DECLARATION).split("\n")
    assert lines[line - 1].strip() == expected
    assert [a for i, a in enumerate(lines) if i != line - 1] == [
        b for i, b in enumerate(PROGRAM.split("\n")) if i != line - 1
    ]
    assert compiles(result.text, tmp_path)


def test_all_at_once_in_every_style(tmp_path: Path) -> None:
    invariants = [head(line, column, text) for line, column, text, _ in HEADS]
    for style in ("assume", "acsl", "comment"):
        result = written(PROGRAM, *invariants, style=style)
        assert (result.written, result.skipped) == (len(HEADS), ())
        assert compiles(result.text, tmp_path)


def test_acsl_and_comments() -> None:
    assert "  /*@ loop invariant x >= 1; */ while (x < 50)" in written(PROGRAM, head(6, 3, "x >= 1"), style="acsl").text
    assert "again:\n  /*@ assert x >= 0; */ if" in written(PROGRAM, head(10, 7, "x >= 0"), style="acsl").text
    comment = written(PROGRAM, head(6, 3, "x >= 1 */ y"), style="comment")
    assert "  /* invariant: x >= 1 * / y */ while (x < 50)" in comment.text
    assert DECLARATION not in comment.text


def test_what_c_would_read_otherwise_is_not_written() -> None:
    for text in ("a[i] == 3", "x == unknown", "...", "x at entry <= y"):
        result = written(PROGRAM, head(6, 3, text))
        assert (result.text, result.written) == (PROGRAM, 0)
        assert result.skipped == ("p.c:6:3: no invariant written: C has no expression that means the same",)
    result = written(PROGRAM, head(6, 3, "x <= 4294967295", exact=False))
    assert result.text == PROGRAM
    assert "machine words" in result.skipped[0]


def test_unsigned_values_are_compared_as_numbers() -> None:
    source = "int main(void) { unsigned u = 0; int s = -1; while (u < 9u) u++; return s; }\n"
    text = written(source, head(1, source.index("while") + 1, "u > s")).text
    assert "__VERIFIER_assume((long long)u > (long long)s)" in text


def test_functions_with_several_calls_are_left_out() -> None:
    source = "void f(int n) { while (n > 0) n--; }\nint main(void) { f(1); f(2); return 0; }\n"
    invariants = [
        SourceInvariant(Origin("p.c", 1, 17), "f", True, "n <= 1"),
        SourceInvariant(Origin("p.c", 1, 17), "f", True, "n <= 2"),
    ]
    result = written(source, *invariants)
    assert result.text == source
    assert "several places" in result.skipped[0]
    assert "n <= 1 or n <= 2" in written(source, *invariants, style="comment").text


def test_macros_are_left_out_and_lines_around_them_are_not() -> None:
    source = """#define UP(v) while (v < 9) v++
#define MOST 9
int main(void) {
  int x = 0, y = 0;
  UP(x);
  while (y < MOST) y++;
  while (x) x--; while (y) y--;
  return 0;
}
"""
    result = written(source, head(5, 3, "x >= 0"), head(6, 3, "y >= 0"), head(7, 3, "x >= 0"), head(7, 18, "y >= 0"))
    assert [line.split(":")[1] for line in result.skipped] == ["5", "7", "7"]
    assert "  while (__VERIFIER_assume(y >= 0), y < MOST) y++;" in result.text
    assert result.text.count("__VERIFIER_assume(y") == 1


def test_places_that_are_not_in_the_file() -> None:
    result = written(PROGRAM, head(99, 1, "x >= 0"), head(3, 1, "x >= 0", file="other.h"))
    assert (result.text, len(result.skipped)) == (PROGRAM, 2)
    broken = written("int main(void) { while (1) ; ", head(1, 18, "1 > 0"))
    assert "brackets" in broken.skipped[0]


def test_a_declaration_is_not_repeated() -> None:
    source = "void __VERIFIER_assume(int);\n" + PROGRAM
    assert not written(source, head(7, 3, "x >= 1")).text.startswith(DECLARATION)


def test_variants_of_loops() -> None:
    """The variant is the last clause; a loop that goto makes has none, and assumptions say nothing of variants."""
    variants = [
        LoopVariant(Origin("p.c", line, column), "main", "50 - x") for line, column in ((6, 3), (6, 23), (10, 3))
    ]
    invariants = [head(6, 3, "x >= 1")]
    result = annotated(PROGRAM, "p.c", invariants, "acsl", variants=variants)
    assert "/*@ loop invariant x >= 1; loop variant 50 - x; */ while (x < 50)" in result.text
    assert "/*@ loop variant 50 - x; */ while (y < 50)" in result.text
    assert result.text.count("variant 50") == 2 == result.written
    assert result.skipped == ("p.c:10:3: no variant written: it is the variant of no loop statement",)
    comments = annotated(PROGRAM, "p.c", invariants, "comment", variants=variants)
    assert "/* invariant: x >= 1 */ /* variant: 50 - x */ while (x < 50)" in comments.text
    assert "50 - x" not in annotated(PROGRAM, "p.c", invariants, "assume", variants=variants).text
