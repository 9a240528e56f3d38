"""Operations that are added to a function are executed once by each call, in their order."""

import itertools

from encoders.c.cfa import ir
from encoders.c.cfa.added_operations import at_entry, before_exit
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TEXT = "int main(void) { int n = 0; while (n < 3) { if (n == 2) return 7; n++; } return n; }"


def operations_of_a_run(function: ir.FunctionCfa, loops: int) -> list[str]:
    """The texts of the edges on a way through the function that takes each branch the other way from time to time."""
    found, at = [], function.entry
    for turn in itertools.count():
        edges = [edge for edge in function.edges if edge.source == at]
        if not edges:
            return found
        edge = edges[(turn // max(1, loops)) % len(edges)]
        found.append(edge.text or type(edge.operation).__name__)
        at = edge.target
        assert turn < 1000
    return found


def test_each_way_begins_and_ends_with_them() -> None:
    function = load_source(TEXT, "a.c", LP64, "unreach-call").functions["main"]
    numbers = itertools.count(10_000)
    longer = at_entry(function, numbers, [ir.Skip(), ir.Skip()])
    longer = before_exit(longer, numbers, [(ir.Skip(), "first"), (ir.Skip(), "second")])
    for loops in (1, 2, 3, 5):
        found = operations_of_a_run(longer, loops)
        assert found[:2] == ["Skip", "Skip"]
        assert found[-2:] == ["first", "second"]
        assert found.count("first") == found.count("second") == 1
    assert longer.exit == function.exit


def test_nothing_added_changes_nothing() -> None:
    function = load_source(TEXT, "a.c", LP64, "unreach-call").functions["main"]
    assert before_exit(at_entry(function, itertools.count(), []), itertools.count(), []) == function
