"""Contracts of entries about pointers in structures: what is assumed, what is checked, and where."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.cfa.ir import Program
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64

MEMORY = "assertion,bounds,null,lifetime"
BUFFER = """struct buffer { struct { int *at; } data; unsigned char *buf; unsigned n, cap; };
/*@ requires \\valid(p) && p->n < p->cap <= 3;
    requires \\valid(p->buf + (0 .. p->cap - 1)) && \\separated(p, p->buf + (0 .. p->cap - 1));
    requires \\forall integer i; 0 <= i < p->n ==> p->buf[i] != 0;
    ensures p->n == \\old(p->n) + 1 && p->buf == \\old(p->buf);
    ensures \\forall integer i; 0 <= i < p->n ==> p->buf[i] != 0;
    ensures \\valid(p->buf + (0 .. p->n - 1)); */
void push(struct buffer *p, unsigned char byte) { BODY }
"""


def load(folder: Path, text: str, entry: str, options: HarnessOptions | None = None) -> Program:
    path = folder / "p.c"
    path.write_text(text)
    options = options or HarnessOptions(contracts=True)
    begin = Begin(entry, options, contracts=True)
    return load_files([SourceFile(str(path))], LP64, MEMORY, begin=begin)


def violations(program: Program, runs: int = 4000) -> set[tuple[str, int]]:
    """The texts and lines of checks that some runs violate; one run at least ends without a violation."""
    found = set()
    ends = 0
    for seed in range(runs):
        ended = execute(program, Random(seed, (0, 1, 2, 3), 1 << seed % 3))
        ends += ended.outcome == "end"
        if ended.violation is not None:
            found.add((ended.violation.check.text, ended.violation.check.origin.line))
    assert ends or found
    return found


def test_what_is_required_of_pointers_in_structures_is_assumed(tmp_path: Path) -> None:
    body = "p->buf[p->n] = byte ? byte : 1; p->n++;"
    assert violations(load(tmp_path, BUFFER.replace("BODY", body), "push")) == set()


@pytest.mark.parametrize(
    "body, clause, line",
    [
        ("p->buf[p->n] = 1;", "ensures p->n == \\old(p->n) + 1 && p->buf == \\old(p->buf)", 5),
        ("p->buf[p->n++] = byte;", "ensures \\forall integer i; 0 <= i < p->n ==> p->buf[i] != 0", 6),
        ("p->n++; p->buf = 0;", "ensures p->n == \\old(p->n) + 1 && p->buf == \\old(p->buf)", 5),
    ],
)
def test_the_violated_clause_is_shown(body: str, clause: str, line: int, tmp_path: Path) -> None:
    assert (clause, line) in violations(load(tmp_path, BUFFER.replace("BODY", body), "push"))


def test_accesses_beyond_what_is_valid(tmp_path: Path) -> None:
    body = "p->buf[p->cap] = 1; p->buf[p->n++] = 1;"
    assert any(line == 8 for _, line in violations(load(tmp_path, BUFFER.replace("BODY", body), "push")))


@pytest.mark.parametrize(
    "clause, reason",
    [
        ("requires \\valid(p->buf + (1 .. 2));", "\\valid in 'requires"),
        ("requires \\valid(q->buf);", "\\valid in 'requires"),
        ("ensures \\separated(p, p->buf);", "\\separated in 'ensures"),
        ("requires \\separated(p, g);", "\\separated in 'requires"),
    ],
)
def test_what_has_no_meaning_is_named(clause: str, reason: str, tmp_path: Path) -> None:
    text = f"struct s {{ int *buf; }}; int *g;\n  /*@ {clause} */\nint f(struct s *p) {{ return p->buf != 0; }}\n"
    with pytest.raises(Unsupported) as found:
        load(tmp_path, text, "f")
    assert reason in str(found.value)
    assert (found.value.origin.line, found.value.origin.column) == (2, 3)


def test_pointers_that_may_share_are_not_separated(tmp_path: Path) -> None:
    text = "/*@ requires \\separated(p, q); */ int f(int *p, int *q) { *p = 1; *q = 2; return *p; }"
    assert violations(load(tmp_path, text, "f"), 50) == set()
    with pytest.raises(Unsupported, match=r"\\separated"):
        load(tmp_path, text, "f", HarnessOptions(contracts=True, alias=True))
