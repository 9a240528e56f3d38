"""What a run may come to behind a trap: the targets in the automaton, and the positions before checks."""

import random
from dataclasses import replace

import pytest

from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.program_checks import checks_of
from encoders.c.cfa.trap_continuations import Positions, with_continuations
from encoders.c.types.c_types import LP64, VOID, CFunction

HERE = Origin("a.c", 1)


def edge(source: int, target: int, operation: ir.Operation | None = None, line: int = 1) -> ir.Edge:
    return ir.Edge(source, target, operation or ir.Skip(), Origin("a.c", line))


def error(source: int, target: int, line: int) -> ir.Edge:
    return edge(source, target, ir.ReachError("error"), line)


def program(**edges: list[ir.Edge]) -> ir.Program:
    """Functions with these edges, whose entry is location 0 and whose exit is 1."""
    functions = {}
    for name, own in edges.items():
        numbers = sorted({0, 1, *(e.source for e in own), *(e.target for e in own)})
        locations = tuple(ir.Location(number, "f", HERE) for number in numbers)
        functions[name] = ir.FunctionCfa(name, CFunction(VOID, ()), (), (), None, 0, 1, locations, tuple(own))
    return ir.Program("a.c", LP64, functions, (), {})


def check_at(line: int) -> Check:
    return Check(Origin("a.c", line), CheckKind.ASSERTION)


def positions_before(made: ir.Program, line: int) -> frozenset[tuple[str, int]] | None:
    return Positions(made).before([check_at(line)], [])


def goes_on(trap: ir.Trap, lowered: list[ir.Edge], kept: set[int]) -> ir.Trap:
    """The trap of a finished automaton, whose other edges stay as they are."""
    first, second = with_continuations([edge(0, 9, trap), edge(0, 2)], lowered, kept)
    assert second == edge(0, 2) and isinstance(first.operation, ir.Trap)
    return first.operation


def test_a_run_comes_back_where_code_behind_the_trap_joins_the_automaton() -> None:
    lowered = [edge(5, 6), edge(6, 7, ir.Call(None, "g", ())), edge(7, 2), edge(2, 3), edge(8, 4)]
    assert goes_on(ir.Trap("w", (5,)), lowered, {0, 2, 3, 4}) == ir.Trap("w", (2, 3), ("g",))
    assert goes_on(ir.Trap("w", (8,)), lowered, {0, 2, 3, 4}) == ir.Trap("w", (4,))
    assert goes_on(ir.Trap("w", ()), lowered, {0, 2, 3, 4}) == ir.Trap("w", ())


def test_anything_may_follow_a_trap_that_leads_to_one_which_anything_may_follow() -> None:
    lowered = [edge(5, 6), edge(6, 9, ir.Trap("inner", (7,))), edge(7, 9, ir.Trap("innermost"))]
    assert goes_on(ir.Trap("w", (5,)), lowered, {0}).goes_on is None
    assert goes_on(ir.Trap("w"), [], {0}).goes_on is None
    known = [*lowered[:2], edge(7, 2)]
    assert goes_on(ir.Trap("w", (5,)), known, {0, 2}).goes_on == (2,)


@pytest.mark.parametrize("seed", range(30))
def test_positions_before_a_check_are_those_with_a_path_to_it(seed: int) -> None:
    """Without calls and traps; the paths are searched forwards here."""
    pick = random.Random(seed)
    edges = [edge(pick.randrange(9), pick.randrange(9)) for _ in range(12)]
    made = program(f=[*edges, error(3, 10, 7)])

    def reached(start: int) -> set[int]:
        found = {start}
        while more := {e.target for e in edges if e.source in found} - found:
            found |= more
        return found

    assert positions_before(made, 7) == {("f", start) for start in range(10) if 3 in reached(start)}


def test_calls_lead_into_functions_and_back_to_all_callers() -> None:
    main = [edge(0, 2, ir.Call(None, "g", ())), edge(2, 3), error(3, 1, 5)]
    other = [edge(0, 2), edge(2, 1, ir.Call(None, "g", ()))]
    made = program(main=main, other=other, g=[edge(0, 2), error(2, 4, 6), edge(2, 1)])
    assert positions_before(made, 6) == {("g", 0), ("g", 2), ("main", 0), ("other", 0), ("other", 2)}
    found = positions_before(made, 5)
    assert found is not None and {("g", 0), ("g", 1), ("main", 0), ("other", 2)} <= found
    assert ("other", 1) not in found


def test_a_trap_leads_to_where_it_goes_on_and_into_what_it_calls() -> None:
    trap = edge(0, 9, ir.Trap("w", (2,), ("g",)))
    made = program(main=[trap, error(2, 1, 5)], g=[error(0, 4, 6), edge(0, 1)])
    assert positions_before(made, 5) == {("main", 0), ("main", 2), ("g", 0), ("g", 1)}
    assert positions_before(made, 6) == {("main", 0), ("g", 0)}
    closed = program(main=[edge(0, 9, ir.Trap("w", ())), error(2, 1, 5)])
    assert positions_before(closed, 5) == {("main", 2)}


def test_a_trap_that_anything_may_follow_is_before_all_checks() -> None:
    made = program(f=[edge(0, 2), edge(2, 9, ir.Trap("w"))], g=[error(0, 1, 5)])
    assert positions_before(made, 5) == {("f", 0), ("f", 2), ("g", 0)}


def test_nothing_is_excluded_for_a_check_that_the_automata_do_not_have() -> None:
    made = program(f=[error(0, 1, 5)])
    assert positions_before(made, 6) is None
    assert Positions(made).before([check_at(5), check_at(6)], []) is None
    assert Positions(made).before([], [("f", 4)]) == {("f", 4)}


def test_more_checks_have_no_fewer_positions_before_them(load) -> None:
    made = load(
        "int f(int n) { if (n > 3) reach_error(); return n; }"
        "\nint main() { int n = nondet();\n while (n) { n = f(n);\n if (n == 2) reach_error(); }\n reach_error(); }"
    )
    checks, positions = checks_of(made), Positions(made)
    assert len(checks) == 3
    for first in checks:
        for second in checks:
            both, one = positions.before([first, second], []), positions.before([first], [])
            assert both is not None and one is not None and one <= both
    without = replace(made, checks=frozenset())
    assert Positions(without).before(checks[:1], []) == positions.before(checks[:1], [])


@pytest.mark.parametrize("seed", range(60))
def test_the_first_source_is_the_first_position_before_the_check(seed: int) -> None:
    """Law: `first_to` agrees with `before`, check by check, on random automata with calls and traps."""
    pick = random.Random(seed)

    def random_edge() -> ir.Edge:
        source, target = pick.randrange(7), pick.randrange(7)
        traps = [ir.Trap("w", tuple(pick.sample(range(7), pick.randrange(3))), tuple(pick.sample("fgh", 1)))]
        traps += [ir.Trap("w")] if pick.random() < 0.1 else []
        operation = pick.choice([ir.Skip(), ir.Skip(), ir.Call(None, pick.choice("fgh"), ()), pick.choice(traps)])
        return edge(source, target, operation)

    made = program(**{
        name: [*(random_edge() for _ in range(6)), error(pick.randrange(7), 1, line)]
        for line, name in enumerate("fgh", start=5)
    })  # fmt: skip
    positions = Positions(made)
    every = [(name, number) for name in "fgh" for number in range(7)]
    sources, seen = pick.sample(every, pick.randrange(5)), pick.sample(every, pick.randrange(3))
    first = positions.first_to(sources)
    for line in (5, 6, 7, 8):
        before = positions.before([check_at(line)], seen)
        wanted = (n for n, source in enumerate(sources) if before is None or source in before)
        assert first.of(check_at(line), seen) == next(wanted, None)
