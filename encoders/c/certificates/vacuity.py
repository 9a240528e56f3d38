"""Detection of programs whose assertions no run reaches: `true` is vacuous for these."""

import time

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Predicate
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import substitute
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction
from encoders.c.cfa.program_checks import checks_of, checks_of_edge
from encoders.c.encoding.encoder import Encoding

LONGEST_CHAIN = 60  # clauses that are followed backwards, where only one leads to each location
MAX_ASSERTIONS = 50  # of a program; of more it is not asked
QUERY_MS = 100  # of one query


def unreached_checks(encoding: Encoding, model: Model, until: float) -> frozenset[Check]:
    """Returns the checks of which the model shows that no run reaches them.

    until: time.monotonic() to stop at; of checks that were not looked at until then nothing is said.
    """
    predicates = {location.number: predicate for predicate, location in encoding.locations.items()}
    asked: dict[Check, set[int]] = {}
    for function in encoding.flat.functions.values():
        incoming = _incoming(function)
        for edge in function.edges:
            for check in checks_of_edge(edge.edge, encoding.program.checks):
                is_error = isinstance(edge.operation, ir.ReachError)
                before = _conditions_before({edge.source}, incoming) if is_error else {edge.source}
                asked.setdefault(check, set()).update(before)
    found = set(checks_of(encoding.program)) - asked.keys()  # in code that no call leads to
    unreachable: dict[int, bool] = {}
    for check, numbers in asked.items():
        for number in numbers - unreachable.keys():
            if time.monotonic() >= until:
                return frozenset(found)
            unreachable[number] = number not in predicates or _is_unreachable(encoding, model, predicates[number])
        if all(unreachable[number] for number in numbers):
            found.add(check)
    return frozenset(found - encoding.program.assumed)


def is_vacuous(encoding: Encoding, model: Model, until: float) -> bool:
    """Returns whether it is certain that no run comes to an assertion or to the condition of a call of `reach_error`.

    until: time.monotonic() to stop at; then the answer is False.
    """
    functions = encoding.program.functions.values()
    left = sum(isinstance(edge.operation, ir.ReachError) for function in functions for edge in function.edges)
    if encoding.property != "unreach-call" or left != encoding.program.violations:
        return False  # what a constant excludes was reached, perhaps
    checks = checks_of(encoding.program)
    return len(checks) <= MAX_ASSERTIONS and len(unreached_checks(encoding, model, until)) == len(checks)


def _incoming(function: FlatFunction) -> dict[int, list[FlatEdge]]:
    """The edges of a function by their targets."""
    incoming: dict[int, list[FlatEdge]] = {}
    for edge in function.edges:
        incoming.setdefault(edge.target, []).append(edge)
    return incoming


def _conditions_before(sources: set[int], incoming: dict[int, list[FlatEdge]]) -> set[int]:
    """The locations at which the last conditions before some locations are decided."""
    work = list(sources)
    seen, found = set(work), set()
    while work:
        number = work.pop()
        before = incoming.get(number, ())
        if not before:
            found.add(number)
        for edge in before:
            if isinstance(edge.operation, ir.Assume):
                found.add(edge.source)
            elif edge.source not in seen:
                seen.add(edge.source)
                work.append(edge.source)
    return found


def _is_unreachable(encoding: Encoding, model: Model, predicate: Predicate) -> bool:
    """True if the model excludes a location, judged along the only path to it as far as there is only one."""
    system = encoding.system
    here = predicate(*predicate.formals)
    parts: list[z3.BoolRef] = []
    for step in range(LONGEST_CHAIN):
        parts.append(model.instantiate(here))
        defining = system.defining[here.predicate]
        if not defining:
            return True
        if len(defining) > 1:
            break
        clause = system.clauses[defining[0]]
        assert clause.head is not None
        renamed = [(v, z3.Const(f"{v.decl().name()}~{step}", v.sort())) for v in clause.variables]
        arguments = [substitute(argument, renamed) for argument in clause.head.arguments]
        parts += [one == two for one, two in zip(arguments, here.arguments, strict=True)]
        parts.append(substitute(clause.constraint, renamed))
        if len(clause.body) != 1:
            break
        body = clause.body[0]
        here = Application(body.predicate, tuple(substitute(argument, renamed) for argument in body.arguments))
    solver = z3.SimpleSolver()
    solver.set("timeout", QUERY_MS)
    # model(location) & the clauses of the only way to it & model(where that way begins)
    solver.add(*parts)
    return bool(solver.check() == z3.unsat)
