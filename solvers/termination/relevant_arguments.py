"""Arguments on which ranks of a component may depend: those that its steps move, and what these are compared with."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import z3

from chcverify.certificate.kernel.runs import ends
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables
from chcverify.terms.core.unionfind import UnionFind
from solvers.termination.relaxation import relaxed

_Place = tuple[str, int]
"""The name of a predicate and the position of an argument."""


@dataclass(frozen=True, eq=False)
class RelevantArguments:
    """Positions of arguments, by the predicates of a component."""

    all: Mapping[Predicate, frozenset[int]]
    """Of those that a clause moves, and of those that are compared with such a one."""
    counters: Sequence[Mapping[Predicate, frozenset[int]]]
    """Of each value that is moved and lives in all cut points."""


def relevant_arguments(
    system: HornSystem, component: Collection[int], cut_points: Collection[Predicate]
) -> RelevantArguments:
    """The arguments that matter for ranks of a component. component: its clauses.

    An argument is moved where it becomes a linear term of others; copies of one value in several predicates are one
    argument. What is only read anew, or set to constants, is left out.
    """
    clauses = [system.clauses[index] for index in sorted(component)]
    copies: UnionFind[_Place] = UnionFind()
    for clause in clauses:
        source, target = ends(clause)
        before = _positions(clause)
        for position, argument in enumerate(_head(clause)):
            if argument.get_id() in before:
                copies.union((source.name, before[argument.get_id()]), (target.name, position))
    moved = dict.fromkeys(copies.find(place) for clause in clauses for place in _moved(clause))
    relevant = {*moved, *(copies.find(place) for clause in clauses for place in _compared(clause, moved, copies))}
    predicates = dict.fromkeys(end for clause in clauses for end in ends(clause))

    def positions(wanted: Collection[_Place]) -> dict[Predicate, frozenset[int]]:
        return {p: frozenset(i for i in range(p.arity) if copies.find((p.name, i)) in wanted) for p in predicates}

    counters = [positions([value]) for value in moved]
    inside = [predicate for predicate in predicates if predicate in cut_points]
    return RelevantArguments(positions(relevant), [found for found in counters if all(found[p] for p in inside)])


def _head(clause: Clause) -> Sequence[z3.ExprRef]:
    assert clause.head is not None
    return clause.head.arguments


def _positions(clause: Clause) -> dict[int, int]:
    """The positions of the first body atom's arguments, by their identities."""
    return {argument.get_id(): position for position, argument in enumerate(clause.body[0].arguments)}


def _moved(clause: Clause) -> Iterable[_Place]:
    """The arguments of the head that are linear terms of others, and copies of none."""
    before, target = _positions(clause), ends(clause)[1]
    for position, argument in enumerate(_head(clause)):
        if argument.get_id() in before or not z3.is_int(argument):
            continue
        if any(v.get_id() in before for v in free_variables(argument)) and relaxed(argument >= 0).eq(argument >= 0):
            yield target.name, position


def _compared(clause: Clause, moved: Collection[_Place], copies: UnionFind[_Place]) -> Iterable[_Place]:
    """The arguments of the first body atom that are compared with a moved one."""
    before, source = _positions(clause), ends(clause)[0]
    for comparison in _comparisons(clause.constraint):
        places = [
            copies.find((source.name, before[v.get_id()])) for v in free_variables(comparison) if v.get_id() in before
        ]
        if any(place in moved for place in places):
            yield from places


def _comparisons(formula: z3.BoolRef) -> list[z3.BoolRef]:
    """The comparisons of integers in a formula."""
    found: list[z3.BoolRef] = []
    pending: list[z3.ExprRef] = [formula]
    seen: set[int] = set()
    while pending:
        term = pending.pop()
        if term.get_id() in seen or not z3.is_app(term):
            continue
        seen.add(term.get_id())
        if isinstance(term, z3.BoolRef) and term.num_args() == 2 and z3.is_int(term.arg(0)):
            found.append(term)
        else:
            pending += term.children()
    return found
