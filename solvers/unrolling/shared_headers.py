"""Separates nested loops that share a header.

Unfolding may remove the head of an outer loop and keep that of an inner one, so that back edges of both lead to one
predicate. As one loop they would change every argument that either changes. A header's back edges are therefore
separated if some of them keep arguments that others change: those that keep most form the inner loop; the others, and
the entries, lead to a new predicate, which an identity clause connects with the old one.
"""

from collections.abc import Mapping
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction
from solvers.unrolling.clause_graph import ClauseGraph, Loop, carried

OUTER = "outer loop"  # the note of a new header's origin


@dataclass(frozen=True, eq=False)
class SeparatedHeaders:
    """A system with separated headers."""

    before: HornSystem
    """The system without the new headers."""
    system: HornSystem
    """The system with them. Clauses keep their indices; the identity clauses come last."""
    inner: Mapping[Predicate, Predicate]
    """For each new header the header whose facts contain its own."""

    def model(self, model: Model) -> Model:
        """The model without the new headers, whose facts reach the old ones by the identity clauses."""
        return Model({predicate: model[predicate] for predicate in self.before.predicates})

    def derivation(self, derivation: Derivation) -> Derivation:
        """The derivation without steps of identity clauses; steps that used these use their premises."""
        steps: list[Step] = []
        moved: list[int] = []
        for step in derivation.ground_steps:
            premises = tuple(moved[premise] for premise in step.premises)
            if step.clause >= len(self.before.clauses):
                moved.append(premises[0])
                continue
            moved.append(len(steps))
            steps.append(Step(step.clause, step.arguments, premises))
        return Derivation(tuple(steps))


def separate_headers(system: HornSystem) -> SeparatedHeaders:
    """Separates headers until all back edges of each loop agree. Linear systems only; raises Irreducible."""
    current = system
    inner: dict[Predicate, Predicate] = {}
    while found := _mixed(current):
        loop, edges = found
        outer = _new_header(loop.header, current)
        inner[outer] = inner.get(loop.header, loop.header)
        clauses = [
            replace(clause, head=Application(outer, clause.head.arguments))
            if clause.head is not None and clause.head.predicate == loop.header and index not in edges
            else clause
            for index, clause in enumerate(current.clauses)
        ]
        clauses.append(_identity(outer, loop.header))
        current = HornSystem.of(clauses, current.predicates)
    return SeparatedHeaders(system, current, inner)


def _mixed(system: HornSystem) -> tuple[Loop, set[int]] | None:
    """A loop some of whose back edges keep more arguments than all of them do, and those edges."""
    graph = ClauseGraph(system)
    for loop in graph.loops():
        backs = [i for i in system.defining[loop.header] if _is_inside(system.clauses[i], loop)]
        kept = {index: _kept(system, graph.natural_loop(system.clauses[index]), {index}) for index in backs}
        most = max(kept.values(), key=len)
        if len(most) > len(_kept(system, loop, set(backs))):
            return loop, {index for index in backs if kept[index] >= most}
    return None


def _kept(system: HornSystem, loop: Loop, back_edges: set[int]) -> set[int]:
    return set(carried(system, loop, back_edges)[loop.header])


def _is_inside(clause: Clause, loop: Loop) -> bool:
    return bool(clause.body) and clause.body[0].predicate in loop.body


def _new_header(header: Predicate, system: HornSystem) -> Predicate:
    name = f"{header.name}'"
    while name in system.by_name:
        name += "'"
    origin: Origin | None = replace(header.origin, note=OUTER) if header.origin else None
    return replace(header, name=name, origin=origin)


def _identity(outer: Predicate, header: Predicate) -> Clause:
    before = [z3.Const(f"outer.{i}", sort) for i, sort in enumerate(outer.sorts)]
    after = [z3.Const(f"inner.{i}", sort) for i, sort in enumerate(outer.sorts)]
    same = conjunction(a == b for a, b in zip(after, before, strict=True))
    return Clause(header(*after), (outer(*before),), same, outer.origin, "enter the inner loop")
