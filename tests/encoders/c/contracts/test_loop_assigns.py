"""Clauses `loop assigns`: which writes of a loop violate them, and where they cannot be checked."""

from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64

FRAME = """
int g, a[6];
void quiet(void) { int x = 0; x++; }
void loud(void) { g = 1; }
int main(void) {
  int i = 0, s = 0, n = 4, *p = a;
  /*@ loop invariant 0 <= i <= n;
    @ loop assigns %s; */
  %s
  return s;
}
"""


def run(folder: Path, listed: str, loop: str, property: str = "invariant") -> str:
    """The text of the check that a run violates; the outcome of a run that violates none."""
    path = folder / "p.c"
    path.write_text(FRAME % (listed, loop))
    program = load_files([SourceFile(str(path))], LP64, property, begin=Begin(contracts=True))
    ended = execute(program, Random(0, (0,), 1))
    return ended.outcome if ended.violation is None else ended.violation.check.text


@pytest.mark.parametrize(
    "listed, loop",
    [
        ("i", "while (i < n) i++;"),
        ("i, s", "do { s += i; i++; } while (i < n);"),
        ("i, a[0 .. n - 1]", "for (i = 0; i < n; ++i) a[i] = i;"),
        ("i, p[0 .. n - 1]", "for (i = 0; i < n; i++) *(p + i) = i;"),
        ("i, g", "for (; i < n; i++) { int k; for (k = 0; k < 2; k++) g = k; }"),
        ("i, s", "while (s = i, i < n) i++;"),
        ("i", "for (; i < n; i++) quiet();"),
        ("i, n, a[0 .. n]", "for (; i < n; n--) a[n] = 1;"),
    ],
)
def test_loops_that_write_what_is_listed(listed: str, loop: str, tmp_path: Path) -> None:
    assert run(tmp_path, listed, loop) == "end"


@pytest.mark.parametrize(
    "listed, loop, written",
    [
        ("\\nothing", "while (i < n) i++;", "i"),
        ("i", "for (; i < n; i++) s = 0;", "s"),
        ("i, a[0 .. n - 2]", "for (i = 0; i < n; ++i) a[i] = i;", "a[i]"),
        ("i, a[1]", "for (i = 0; i < n; ++i) p[0] = i;", None),
        ("i, p[0 .. 1]", "for (i = 0; i < n; i++) *(p + i) = i;", "*(p + i)"),
        ("i", "for (; i < n; i++) { int k; for (k = 0; k < 2; k++) g = k; }", "g"),
        ("i", "while (s = i, i < n) i++;", "s"),
    ],
)
def test_a_write_of_something_else(listed: str, loop: str, written: str | None, tmp_path: Path) -> None:
    found = run(tmp_path, listed, loop)
    if written is None:  # behind a pointer, perhaps what is listed by another name: a trap
        assert found == "stuck"
    else:
        assert found == f"loop assigns {listed}: {written} is written"


@pytest.mark.parametrize(
    "listed, loop, reason",
    [
        ("i, g", "for (; i < n; i++) loud();", "a loop that calls loud, which writes g"),
        ("i, p[0 .. 1]", "for (; i < n; i++) p++;", "a location behind p, which the loop changes,"),
        ("i, a[0 .. 3]", "while (i < n) a[i++] = 1;", "a write whose location i++ has side effects"),
        ("i", "while (i < n) { again: i++; if (i == 2) goto again; }", "a loop with the label again"),
        ("i + 1", "while (i < n) i++;", "i + 1"),
    ],
)
def test_what_cannot_be_checked_is_refused_by_name(listed: str, loop: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported) as found:
        run(tmp_path, listed, loop)
    assert reason in str(found.value)
    assert (found.value.origin.line, found.value.origin.column) == (8, 7)
    path = tmp_path / "p.c"
    program = load_files([SourceFile(str(path))], LP64, "contract", begin=Begin(contracts=True))
    assert any(reason in assumption.effect for assumption in program.assumptions)


def test_without_the_checks_nothing_changes(tmp_path: Path) -> None:
    assert run(tmp_path, "\\nothing", "while (i < n) i++;", "assertion") == "end"
