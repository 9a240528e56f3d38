"""Random loops with clauses `loop assigns`, whose writes are followed by hand: a check is violated only by a write of
something else, and each such write violates a check, or comes to a trap."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.types.c_types import LP64

PROGRAMS = 120
N = 3
Cell = tuple[str, int]
# A statement of the loop's body, and the cell that it writes in an iteration, None for a variable of the loop.
STATEMENTS: tuple[tuple[str, Callable[[int], Cell | None]], ...] = (
    ("s = i;", lambda i: ("s", 0)),
    ("g++;", lambda i: ("g", 0)),
    ("a[i] = 1;", lambda i: ("a", i)),
    ("a[i + 1] += 2;", lambda i: ("a", i + 1)),
    ("p[i] = 3;", lambda i: ("a", i + 1)),
    ("*p = 4;", lambda i: ("a", 1)),
    ("*(p + 1) = 4;", lambda i: ("a", 2)),
    ("*q = 5;", lambda i: ("g", 0)),
    ("r.m = 6;", lambda i: ("r.m", 0)),
    ("r.b[1] = 6;", lambda i: ("r.b", 1)),
    ("h->b[i] = 7;", lambda i: ("r.b", i)),
    ("int t = i; t++;", lambda i: None),
    ("int u[2]; u[1] = i;", lambda i: None),
)
# A location of a clause, and the cells that it names.
LOCATIONS: tuple[tuple[str, frozenset[Cell]], ...] = (
    ("s", frozenset({("s", 0)})),
    ("g", frozenset({("g", 0)})),
    ("a[0 .. 4]", frozenset({("a", k) for k in range(5)})),
    ("a[1 .. n]", frozenset({("a", k) for k in range(1, N + 1)})),
    ("a[0]", frozenset({("a", 0)})),
    ("*p", frozenset({("a", 1)})),
    ("p[0 .. n - 1]", frozenset({("a", k) for k in range(1, N + 1)})),
    ("*q", frozenset({("g", 0)})),
    ("r", frozenset({("r.m", 0), *(("r.b", k) for k in range(3))})),
    ("r.m", frozenset({("r.m", 0)})),
    ("r.b[0 .. 1]", frozenset({("r.b", 0), ("r.b", 1)})),
    ("h->b[0 .. 2]", frozenset({("r.b", k) for k in range(3)})),
)
FRAME = """struct record { int m, b[3]; } r;
int g, a[6];
int main(void) {
  int *p = a + 1, *q = &g, s = 0, n = 3, i; struct record *h = &r;
  /*@ loop assigns i, %s; */
  for (i = 0; i < n; i++) { %s }
  return s;
}
"""


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_the_checks_are_about_the_writes(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    body = draw.sample(STATEMENTS, draw.randint(1, 3))
    listed = draw.sample(LOCATIONS, draw.randint(1, 3))
    path = tmp_path / "p.c"
    path.write_text(FRAME % (", ".join(text for text, _ in listed), " ".join(text for text, _ in body)))
    program = load_files([SourceFile(str(path))], LP64, "invariant", begin=Begin(contracts=True))
    ended = execute(program, Random(0, (0,), 1))
    allowed = frozenset().union(*(cells for _, cells in listed))
    written = {write(i) for i in range(N) for _, write in body} - {None}
    if ended.outcome == "error":
        assert not written <= allowed, path.read_text()
    if not written <= allowed:
        assert ended.outcome != "end", path.read_text()
