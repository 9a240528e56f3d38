"""Which functions of a program call which, directly and through others."""

from collections.abc import Iterable

from encoders.c.cfa import ir


def callers_in(program: ir.Program) -> dict[str, set[str]]:
    """For each function that is called, those that call it directly, by their names."""
    callers: dict[str, set[str]] = {}
    for name, function in program.functions.items():
        for edge in function.edges:
            if isinstance(edge.operation, ir.Call):
                callers.setdefault(edge.operation.function, set()).add(name)
    return callers


def with_callers(program: ir.Program, names: Iterable[str]) -> frozenset[str]:
    """These functions, and all that call one of them, directly or through others."""
    callers, found = callers_in(program), set(names)
    work = list(found)
    while work:
        more = callers.get(work.pop(), set()) - found
        found |= more
        work += more
    return frozenset(found)
