"""What an inlined body means where it stands: the values of its variables, and what of its contract counts there."""

from pathlib import Path

import pytest

from tests.encoders.boogie.test_boogie_programs import PROVED, VIOLATED, statuses_of

PROGRAMS = {
    "the condition of a local speaks of the argument": (
        """procedure {:inline 1} Q(x: int) { var y: int where y == x; assert y == x; }
        procedure P() { call Q(3); }""",
        [PROVED],
    ),
    "a condition of a callee's variable says nothing of the beginning of the caller": (
        """var g: int; procedure {:inline 1} Q() { var y: int where g > 0; assert g > 0; }
        procedure P() { assert g != 0; call Q(); assert g > 0; }""",
        [VIOLATED, PROVED, PROVED],
    ),
    "free conditions say nothing": (
        """procedure {:inline 1} Q(x: int) free requires x > 0; free ensures false; { assert x > 0; }
        procedure P() { call Q(0); }  procedure R() { call Q(1); assert false; }""",
        [VIOLATED, PROVED, VIOLATED],
    ),
    "an assumption variable begins as true in each call": (
        """procedure {:inline 1} Q(b: bool) returns (r: bool)
        { var {:assumption} a: bool; a := a && b; r := a; }
        procedure P() { var r: bool; call r := Q(false); assert !r; call r := Q(true); assert r; }""",
        [PROVED, PROVED],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_inlined_bodies(tmp_path: Path, name: str) -> None:
    text, wanted = PROGRAMS[name]
    assert [status for _, status in statuses_of(tmp_path, text)] == wanted
