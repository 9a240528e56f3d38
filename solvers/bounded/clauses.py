"""Clauses as transitions: a guard over the body's arguments and inputs, and terms for the head's arguments."""

from collections.abc import Mapping

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.equations import solve_equations
from chcverify.terms.native.arena import Arena, ArenaTerm


@dataclass(frozen=True, slots=True)
class Transition:
    """A linear clause, solved. guard: conjuncts; outputs: the head's arguments; both over the formals of the body's
    predicate ($0, $1, ...) and `inputs`, the clause's variables that nothing determines."""

    clause: int
    source: Predicate | None
    target: Predicate | None
    guard: tuple[ArenaTerm, ...]
    outputs: tuple[ArenaTerm, ...]
    inputs: tuple[ArenaTerm, ...]


def transitions(system: HornSystem, arena: Arena) -> Mapping[Predicate | None, list[Transition]]:
    """By body predicate, None for those without a body. The system is linear."""
    out: dict[Predicate | None, list[Transition]] = {predicate: [] for predicate in (None, *system.predicates)}
    for index, clause in enumerate(system.clauses):
        solved = _transition(index, clause, arena)
        out[solved.source].append(solved)
    return out


def _transition(index: int, clause: Clause, arena: Arena) -> Transition:
    source = clause.body[0].predicate if clause.body else None
    parts = arena.conjuncts(arena.handle(clause.constraint))
    formals: dict[ArenaTerm, ArenaTerm] = {}
    if clause.body:
        for argument, formal in zip(clause.body[0].arguments, clause.body[0].predicate.formals, strict=True):
            term = arena.handle(argument)
            if arena.is_variable(term) and term not in formals:
                formals[term] = arena.handle(formal)
            else:
                parts.append(arena.equation(term, arena.handle(formal)))
    parts = [arena.substitute(part, formals) for part in parts]
    known = frozenset(arena.handle(formal) for formal in source.formals) if source is not None else frozenset()
    head = (
        [arena.substitute(arena.handle(a), formals) for a in clause.head.arguments] if clause.head is not None else []
    )
    solved = solve_equations(parts, lambda variable, term: 0 if variable in known else 1, arena)
    outputs = tuple(arena.substitute(term, solved.definitions) for term in head)
    guard = tuple(solved.rest)
    inputs = frozenset().union(*map(arena.variables, (*guard, *outputs))) - known
    target = clause.head.predicate if clause.head is not None else None
    return Transition(index, source, target, guard, outputs, tuple(arena.in_order(inputs)))
