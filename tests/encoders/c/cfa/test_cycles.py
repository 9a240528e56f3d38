"""Edges that a run may pass more than once, against the powers of the graph's matrix."""

import random

import pytest

from chcverify.horn.origin import Origin
from encoders.c.cfa import ir
from encoders.c.cfa.cycles import Cycles
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, InlineFrame, flatten
from encoders.c.encoding.clause_origins import ClauseKind
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64, VOID, CFunction

HERE = Origin("a.c", 1)
FRAME = InlineFrame(0, ir.FunctionCfa("f", CFunction(VOID, ()), (), (), None, 0, 1, (), ()))


def flat(pairs: list[tuple[int, int]]) -> FlatFunction:
    """A function with these edges."""
    edges = [FlatEdge(a, b, ir.Skip(), FRAME, ir.Edge(a, b, ir.Skip(), HERE)) for a, b in pairs]
    return FlatFunction("f", FRAME, 0, 1, edges=edges)


@pytest.mark.parametrize("seed", range(30))
def test_an_edge_is_in_a_cycle_if_its_source_is_reached_from_its_target(seed: int) -> None:
    pick = random.Random(seed)
    size = pick.randint(1, 8)
    pairs = [(pick.randrange(size), pick.randrange(size)) for _ in range(pick.randint(1, 2 * size))]
    reached = [[a == b or (a, b) in pairs for b in range(size)] for a in range(size)]
    for middle in range(size):
        for a in range(size):
            for b in range(size):
                reached[a][b] = reached[a][b] or (reached[a][middle] and reached[middle][b])
    function = flat(pairs)
    cycles = Cycles(function)
    assert [cycles.contains(edge) for edge in function.edges] == [reached[b][a] for a, b in pairs]


def test_an_edge_to_its_own_source_is_a_cycle_and_a_chain_has_none() -> None:
    function = flat([(0, 1), (1, 1), (1, 2), (0, 2)])
    assert [Cycles(function).contains(edge) for edge in function.edges] == [False, True, False, False]


def test_statements_in_loops_of_a_program(load) -> None:
    program = load("int main() { int n = nondet(); for (int i = 0; i < n; i++) n += 2; n = 7; return n; }")
    functions = flatten(program).functions.values()
    inside = {edge.edge.text for f in functions for edge in f.edges if Cycles(f).contains(edge)}
    outside = {edge.edge.text for f in functions for edge in f.edges if not Cycles(f).contains(edge)}
    assert "n += 2" in inside and "i++" in inside and "n = 7" in outside and "n = 7" not in inside


TWICE = """int f(int n, int *q) {{ int s = 0; {body} return n > 0 ? f(n - 1, &s) + s : *q; }}
int main(void) {{ int a = 1; return f(3, &a); }}"""


@pytest.mark.parametrize(
    ("body", "is_twice"),
    [
        ("int x = n, *p = &x; s += *p;", False),
        ("for (int i = 0; i < 3; i++) { int x = i, *p = &x; s += *p; }", False),
        ("again:; int x = n, *p = &x; s += *p; if (s < 5) goto again;", True),
        ("again: { int x = n, *p = &x; s += *p; } if (s < 5) goto again;", False),
        ("goto in; { in:; int x = n, *p = &x; s += *p; if (s < 5) goto in; }", True),
    ],
)
def test_variables_that_live_a_second_time(body: str, is_twice: bool) -> None:
    """Only in one call: each call of a recursive function has its own."""
    encoding = encode(load_source(TWICE.format(body=body), "a.c", LP64, "undefined-behaviour"), "undefined-behaviour")
    assert any(info.kind is ClauseKind.TRAP for info in encoding.infos) is is_twice
