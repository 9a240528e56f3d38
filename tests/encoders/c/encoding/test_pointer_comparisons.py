"""Equality of pointers to different objects: open where one may be the end of its object, else they differ."""

import pytest
import z3

from chcverify.horn.io.writer import to_smtlib
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.memory.pointer_comparisons import may_meet
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64


def is_derivable(condition: str) -> bool:
    """Do the clauses derive that the condition fails?"""
    text = f"""
extern void reach_error(void);
static int first, second, many[2];
int main(void) {{ int *end = many + 2; if (!({condition})) reach_error(); return 0; }}
"""
    system = encode(load_source(text, "program.c", LP64)).system
    engine = z3.SolverFor("HORN")
    engine.from_string(to_smtlib(system).replace("(check-sat)", ""))
    return bool(engine.check() == z3.unsat)


@pytest.mark.parametrize(
    ("condition", "is_open"),
    [
        ("&first != &second", False),
        ("&first + 1 != &second", True),
        ("&second != &first + 1", True),
        ("&first + 1 != &first", False),
        ("end != &first", True),
        ("many != &first", False),
    ],
)
def test_equality(condition: str, is_open: bool) -> None:
    assert is_derivable(condition) == is_open


def test_places_in_one_object_are_known() -> None:
    encoding = encode(load_source("int main(void) { int a[4], *p = a; p[1] = 1; return *p; }", "program.c", LP64))
    region = next(iter(encoding.memory.points_to.regions.reachable()))
    places = encoding.theory.address(1), encoding.theory.address(2)
    assert not may_meet(encoding.memory, (region, region), places)
