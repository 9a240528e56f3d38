"""Detection of programs whose assertions no run reaches: `true` is vacuous for these."""

import time

import z3

from chcverify.certificate.model import Model
from chcverify.effort import GLANCE_S, MAX_COMPARED, MOMENT_MS
from chcverify.horn.system import Application, Predicate
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import substitute
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction
from encoders.c.cfa.program_checks import checks_inside_models, checks_of, checks_of_flat_edge
from encoders.c.encoding.encoder import Encoding


def unreached_checks(encoding: Encoding, model: Model, until: float) -> frozenset[Check]:
    """Returns the checks that no run reaches, as the model shows.

    until: time.monotonic() to stop at; of checks that were not looked at until then nothing is said, unless the model
    is false there. The same holds after GLANCE_S.
    """
    numbers_of = {predicate: location.number for predicate, location in encoding.locations.items()}
    predicates = {number: predicate for predicate, number in numbers_of.items()}
    asked: dict[Check, set[int]] = {}
    assumed, inside = encoding.program.assumed, checks_inside_models(encoding.program)
    for function in encoding.flat.functions.values():
        incoming = _incoming(function)
        for edge in function.edges:
            for check in checks_of_flat_edge(edge, encoding.program.checks, inside):
                if check in assumed:
                    continue
                is_error = isinstance(edge.operation, ir.ReachError)
                before = _conditions_before({edge.source}, incoming) if is_error else {edge.source}
                asked.setdefault(check, set()).update(before)
    found = set(checks_of(encoding.program)) - asked.keys() - assumed  # in code that no call leads to
    unreachable = {edge.source: False for edge in encoding.initial_edges()}
    wanted = {number for numbers in asked.values() for number in numbers} - unreachable.keys()
    unreachable.update(dict.fromkeys((n for n in wanted if _is_false_at(model, predicates.get(n))), True))
    begin = time.process_time()
    for number in sorted(wanted, reverse=True):  # a way to the last of them leads through many others
        if number in unreachable:
            continue
        # For 528 checks of aes_encrypt all queries took 5 s, the proof 1 s.
        if time.monotonic() >= until or time.process_time() - begin >= GLANCE_S:
            break
        is_excluded, passed = _excluded(encoding, model, predicates[number])
        unreachable[number] = is_excluded
        if not is_excluded:
            unreachable.update((numbers_of[predicate], False) for predicate in passed if predicate in numbers_of)
    found.update(c for c, numbers in asked.items() if all(unreachable.get(number, False) for number in numbers))
    return frozenset(found)


def _is_false_at(model: Model, predicate: Predicate | None) -> bool:
    """True if nothing holds at a location: it has no predicate, or the model is false there as written."""
    return predicate is None or z3.is_false(model.interpretations.get(predicate, z3.BoolVal(True)))


def is_vacuous(encoding: Encoding, model: Model, until: float) -> bool:
    """Returns whether it is certain that no run comes to an assertion or to the condition of a call of `reach_error`.

    until: time.monotonic() to stop at; then the answer is False.
    """
    functions = encoding.program.functions.values()
    left = sum(isinstance(edge.operation, ir.ReachError) for function in functions for edge in function.edges)
    if encoding.property != "unreach-call" or left != encoding.program.violations:
        return False  # what a constant excludes was reached, perhaps
    checks = checks_of(encoding.program)
    return len(checks) <= MAX_COMPARED and len(unreached_checks(encoding, model, until)) == len(checks)


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


def _excluded(encoding: Encoding, model: Model, predicate: Predicate) -> tuple[bool, list[Predicate]]:
    """Does the model exclude a location, judged along the only path to it as far as there is only one?

    Where it does not: the locations on that path, which it does not exclude either, if all of the path was looked at.
    """
    system = encoding.system
    here = predicate(*predicate.formals)
    parts: list[z3.BoolRef] = [model.instantiate(here)]
    passed: list[Predicate] = []
    for step in range(MAX_COMPARED):
        passed.append(here.predicate)
        defining = system.defining[here.predicate]
        if not defining:
            return True, []
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
    else:
        passed = [predicate]
    if here.predicate != predicate:  # in between, the model follows: it is inductive
        parts.append(model.instantiate(here))
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    # model(location) & the clauses of the only way to it & model(where that way begins)
    solver.add(*parts)
    answer = solver.check()
    return answer == z3.unsat, passed if answer == z3.sat else [predicate]
