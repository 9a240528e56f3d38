"""The graph of runs: clauses as edges between predicates, its components, and paths between cut points as formulas."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.graphs import components, is_cyclic
from chcverify.terms.core.traversal import conjunction, substitute


def is_step(clause: Clause) -> bool:
    """True if runs go on by the clause: it has a head, and a first body atom to come from."""
    return bool(clause.body) and clause.head is not None


def ends(clause: Clause) -> tuple[Predicate, Predicate]:
    """The predicates that a step leads from and to."""
    assert clause.head is not None
    return clause.body[0].predicate, clause.head.predicate


def is_interpreted(term: z3.ExprRef) -> bool:
    """True if no term of the term is an application of a function without a meaning, or has a binder."""
    pending, seen = [term], set()
    while pending:
        part = pending.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if not z3.is_app(part) or (part.num_args() and part.decl().kind() == z3.Z3_OP_UNINTERPRETED):
            return False
        pending += part.children()
    return True


def clause_components(system: HornSystem, clauses: Iterable[int]) -> list[frozenset[int]]:
    """The clauses of each strongly connected component that has any. clauses: indices; only steps among them count."""
    inside = [index for index in clauses if is_step(system.clauses[index])]
    successors: dict[Predicate, list[Predicate]] = {}
    for index in inside:
        source, target = ends(system.clauses[index])
        successors.setdefault(source, []).append(target)
        successors.setdefault(target, [])
    number = {
        predicate: position
        for position, component in enumerate(components(successors, lambda predicate: successors[predicate]))
        for predicate in component
    }
    found: dict[int, set[int]] = {}
    for index in inside:
        source, target = ends(system.clauses[index])
        if number[source] == number[target]:
            found.setdefault(number[source], set()).add(index)
    return [frozenset(found[position]) for position in sorted(found)]


def are_cut(system: HornSystem, clauses: Iterable[int], cut_points: Collection[Predicate]) -> bool:
    """True if each cycle of these steps passes a cut point."""
    successors: dict[Predicate, list[Predicate]] = {}
    for index in clauses:
        source, target = ends(system.clauses[index])
        if source not in cut_points and target not in cut_points:
            successors.setdefault(source, []).append(target)
            successors.setdefault(target, [])
    return not is_cyclic(successors, lambda predicate: successors[predicate])


@dataclass(frozen=True, eq=False)
class CutPointPaths:
    """All paths by some clauses from a cut point to the next one, as a formula. Their cycles must all pass cut points.

    Each predicate on the way has one vector of variables, each clause variables of its own and a Boolean: it is used.
    """

    system: HornSystem
    model: Model
    """Formulas that hold in all facts, which the paths may assume."""
    clauses: frozenset[int]
    cut_points: frozenset[Predicate]
    start: Predicate

    @cached_property
    def used(self) -> Mapping[int, z3.BoolRef]:
        """The Boolean of each clause that a path from the start can use."""
        outgoing: dict[Predicate, list[int]] = {}
        for index in sorted(self.clauses):
            outgoing.setdefault(ends(self.system.clauses[index])[0], []).append(index)
        found: dict[int, z3.BoolRef] = {}
        pending, seen = [self.start], {self.start}
        while pending:
            for index in outgoing.get(pending.pop(), ()):
                found[index] = z3.Bool(f"use!{index}")
                target = ends(self.system.clauses[index])[1]
                if target not in self.cut_points and target not in seen:
                    seen.add(target)
                    pending.append(target)
        return found

    @cached_property
    def targets(self) -> tuple[Predicate, ...]:
        """The cut points at which paths end."""
        heads = dict.fromkeys(ends(self.system.clauses[index])[1] for index in self.used)
        return tuple(predicate for predicate in heads if predicate in self.cut_points)

    @cached_property
    def first(self) -> tuple[z3.ExprRef, ...]:
        """The variables of the fact at the start."""
        return _vector("from", self.start)

    def last(self, target: Predicate) -> tuple[z3.ExprRef, ...]:
        """The variables of the fact at the end of a path to a cut point."""
        return _vector("to", target)

    def reaches(self, target: Predicate) -> z3.BoolRef:
        """The path ends at this cut point."""
        return z3.Or([b for index, b in self.used.items() if ends(self.system.clauses[index])[1] == target])

    def formula(self) -> z3.BoolRef:
        """The clauses whose Booleans are true are a path, and their instances fit together.

        Exactly one clause leads on from the start and, if one leads to it, from each predicate on the way; each
        used clause begins at the start or where another used one ends. So they are one path: no cycle is on the way.
        """
        incoming: dict[Predicate, list[z3.BoolRef]] = {}
        outgoing: dict[Predicate, list[z3.BoolRef]] = {self.start: []}
        parts = [self._holds(self.start, self.first)]
        for index, is_used in self.used.items():
            source, target = ends(self.system.clauses[index])
            outgoing.setdefault(source, []).append(is_used)
            if target not in self.cut_points:
                incoming.setdefault(target, []).append(is_used)
            parts.append(z3.Implies(is_used, self._instance(index)))
        parts.append(z3.Or(outgoing[self.start]))
        for predicate, leaving in outgoing.items():
            parts += [z3.Not(z3.And(a, b)) for i, a in enumerate(leaving) for b in leaving[:i]]
            if predicate != self.start:
                arriving = z3.Or(incoming.get(predicate, []))
                parts += [z3.Implies(is_used, arriving) for is_used in leaving]
        for predicate, arriving_at in incoming.items():
            parts += [z3.Implies(is_used, z3.Or(outgoing.get(predicate, []))) for is_used in arriving_at]
        return conjunction(parts)

    def vector(self, predicate: Predicate, *, at_end: bool) -> tuple[z3.ExprRef, ...]:
        """The variables of the fact of a predicate, at the end of a clause or at its beginning."""
        if predicate not in self.cut_points:
            return _vector("at", predicate)
        return self.last(predicate) if at_end else self.first

    def renamed(self, index: int) -> Callable[[Any], Any]:
        """Gives the terms of a clause the clause's own variables."""
        clause = self.system.clauses[index]
        pairs = [(v, z3.Const(f"c{index}!{v.decl().name()}", v.sort())) for v in clause.variables]
        return lambda term: substitute(term, pairs)

    def _instance(self, index: int) -> z3.BoolRef:
        """The clause's constraint, other body atoms included, with its first atom and its head as facts of the path."""
        clause, rename = self.system.clauses[index], self.renamed(index)
        assert clause.head is not None
        source, target = ends(clause)
        parts = [rename(clause.constraint)]
        parts += [rename(self.model.instantiate(atom)) for atom in clause.body[1:]]
        if source not in self.cut_points:
            parts.append(self._holds(source, self.vector(source, at_end=False)))
        for atom, vector in (
            (clause.body[0], self.vector(source, at_end=False)),
            (clause.head, self.vector(target, at_end=True)),
        ):
            parts += [rename(given) == value for given, value in zip(atom.arguments, vector, strict=True)]
        return conjunction(parts)

    def _holds(self, predicate: Predicate, vector: Sequence[z3.ExprRef]) -> z3.BoolRef:
        return self.model.instantiate(Application(predicate, tuple(vector)))


def _vector(where: str, predicate: Predicate) -> tuple[z3.ExprRef, ...]:
    return tuple(z3.Const(f"{where}!{predicate.name}!{i}", sort) for i, sort in enumerate(predicate.sorts))
