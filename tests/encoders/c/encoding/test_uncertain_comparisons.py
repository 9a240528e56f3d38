"""Equality of pointers where one leads to an object that is gone: any result, but for the same pointer and for null."""

import pytest
import z3

from chcverify.horn.io.writer import to_smtlib
from encoders.c.analysis.regions import Region
from encoders.c.analysis.storage import NULL
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.memory.pointer_comparisons import is_uncertain
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

START = """#include <stdlib.h>
extern void reach_error(void);
static int *kept, fixed;
static void keep(void) { int gone; kept = &gone; }
static int is_kept(void) { int fresh, *p = &fresh; return p == kept; }
"""


def is_derivable(body: str, condition: str) -> bool:
    """Do the clauses derive that the condition fails behind the body?"""
    text = f"{START}int main(void) {{ {body} if (!({condition})) reach_error(); return 0; }}"
    system = encode(load_source(text, "program.c", LP64)).system
    engine = z3.SolverFor("HORN")
    engine.from_string(to_smtlib(system).replace("(check-sat)", ""))
    return bool(engine.check() == z3.unsat)


RELEASED = "int *old = malloc(4); free(old); int *new = malloc(4);"


@pytest.mark.parametrize(
    ("body", "condition", "is_open"),
    [
        (RELEASED, "old == new", True),
        (RELEASED, "old != new", True),
        (RELEASED + "int *copy = old;", "copy == old", False),
        (RELEASED, "old != &fixed", False),  # static objects never take the place of blocks
        ("int *old = malloc(4); int *new = malloc(4); free(old);", "old != new", False),
        ("keep();", "!is_kept()", True),
        ("keep();", "is_kept()", True),
        ("", "!is_kept()", False),
    ],
)
def test_equality(body: str, condition: str, is_open: bool) -> None:
    assert is_derivable(body, condition) == is_open


def test_null_differs_from_pointers_to_objects_that_are_gone() -> None:
    encoding = encode(load_source(f"{START}int main(void) {{ {RELEASED} return old == new; }}", "program.c", LP64))
    region = next(region for region in encoding.memory.points_to.regions.reachable() if region.flags)
    node = _comparison(encoding.memory.flat.program)
    pointers = encoding.theory.address(NULL), encoding.theory.address(1)
    truth = pointers[0].term == pointers[1].term
    regions: tuple[Region, Region] = (region, region)
    assert z3.is_false(z3.simplify(is_uncertain(encoding.memory, encoding.theory, node, regions, pointers, truth)))


def _comparison(program: ir.Program) -> ir.Binary:
    for edge in program.functions["main"].edges:
        value = edge.operation.value if isinstance(edge.operation, ir.Assign) else None
        if isinstance(value, ir.Binary) and value.reuse is ir.AddressReuse.HEAP:
            return value
    raise AssertionError("there is no comparison")
