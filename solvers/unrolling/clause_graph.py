"""Natural loops of the clause graph of a linear system: predicates are nodes, clauses edges, facts enter it.

Donaldson, Haller, Kroening, Rümmer: Software Verification Using k-Induction, section 3 (dominators, definition 2).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import Dominators, reverse_postorder
from chcverify.terms.core.traversal import conjuncts, is_variable
from chcverify.terms.core.unionfind import UnionFind

Positions = Mapping[int, int]
"""Argument positions of a loop's header, each with a position at which another predicate carries the same value."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A natural loop: its header, and all its predicates, the header among them."""

    header: Predicate
    body: frozenset[Predicate]


class Irreducible(Exception):
    """Raised if a cycle of the clause graph can be entered at more than one predicate."""


class ClauseGraph:
    """The part of the clause graph that facts reach. Iterative; linear systems only."""

    def __init__(self, system: HornSystem) -> None:
        self.system = system
        self.order = _reverse_postorder(system)
        self.number = {predicate: i for i, predicate in enumerate(self.order)}

    @cached_property
    def dominators(self) -> Dominators[Predicate]:
        """The dominators of the predicates; the entry leads to the heads of facts."""
        return Dominators(self.order, self._sources)

    def _sources(self, predicate: Predicate) -> Iterator[Predicate | None]:
        """The predicates before this one, None for a fact."""
        for index in self.system.defining[predicate]:
            clause = self.system.clauses[index]
            yield clause.body[0].predicate if clause.body else None

    def dominates(self, over: Predicate, predicate: Predicate) -> bool:
        """True if every path from a fact to `predicate` passes `over`."""
        return self.dominators.dominates(over, predicate)

    def edges(self) -> Iterator[tuple[Predicate, Predicate]]:
        for predicate in self.order:
            for index in self.system.using[predicate]:
                head = self.system.clauses[index].head
                if head is not None:
                    yield predicate, head.predicate

    def loops(self) -> list[Loop]:
        """All natural loops, one per header, inner ones before outer ones; raises Irreducible."""
        bodies: dict[Predicate, set[Predicate]] = {}
        for source, target in self.edges():
            if self.number[source] < self.number[target]:
                continue
            if not self.dominates(target, source):
                raise Irreducible(f"the cycle through {source} and {target} has more than one entry")
            self._collect(source, bodies.setdefault(target, {target}))
        found = [Loop(header, frozenset(body)) for header, body in bodies.items()]
        return sorted(found, key=lambda loop: (len(loop.body), self.number[loop.header]))

    def natural_loop(self, back_edge: Clause) -> Loop:
        """The loop of this one back edge."""
        assert back_edge.head is not None
        header = back_edge.head.predicate
        body = {header}
        self._collect(back_edge.body[0].predicate, body)
        return Loop(header, frozenset(body))

    def _collect(self, source: Predicate, body: set[Predicate]) -> None:
        """Adds all that reaches `source` without passing the header, which is in `body` already."""
        stack = [source]
        while stack:
            predicate = stack.pop()
            if predicate in body:
                continue
            body.add(predicate)
            clauses = (self.system.clauses[index] for index in self.system.defining[predicate])
            stack += [c.body[0].predicate for c in clauses if c.body and c.body[0].predicate in self.number]


def _reverse_postorder(system: HornSystem) -> list[Predicate]:
    following: dict[Predicate, list[Predicate]] = {predicate: [] for predicate in system.predicates}
    starts: list[Predicate] = []
    for clause in system.clauses:
        if clause.head is not None:
            (following[clause.body[0].predicate] if clause.body else starts).append(clause.head.predicate)
    return reverse_postorder(starts, following.__getitem__)


def carried(system: HornSystem, loop: Loop, back_edges: Collection[int] | None = None) -> dict[Predicate, Positions]:
    """For each predicate of the loop, the positions of those header arguments that no clause of the loop changes.

    back_edges: the clauses from the loop to its header that count, by default all. All predicates have the same keys:
    the positions of the header that are not loop-modified (Donaldson et al., SAS 2011, section 3, `modified`). A must-
    analysis: a value is copied where a head argument is a body argument or equal to it by a conjunct.
    """
    copies = _copies_within(system, loop, back_edges)
    values = _header_values(loop.header, copies)
    kept = set(range(loop.header.arity))
    for copy in copies:
        if copy.target == loop.header:
            kept &= {j for j in kept if any(j in values[copy.source][q] for q in copy.sources[j])}
    return {
        p: {j: next(q for q, held in enumerate(values[p]) if j in held) for j in sorted(kept)}
        for p in system.predicates
        if p in loop.body
    }


@dataclass(frozen=True, eq=False)
class _ClauseCopies:
    """Values that a linear clause copies. sources[p]: positions of the body atom whose value head position p has."""

    source: Predicate
    target: Predicate
    sources: list[list[int]]


def _copies_within(system: HornSystem, loop: Loop, back_edges: Collection[int] | None) -> list[_ClauseCopies]:
    """The copies of each clause inside the loop; of the clauses to its header only `back_edges`, if they are given."""
    found = []
    for index, clause in enumerate(system.clauses):
        if clause.head is None or not clause.body or any(a.predicate not in loop.body for a in clause.applications):
            continue
        target = clause.head.predicate
        if back_edges is None or target != loop.header or index in back_edges:
            found.append(_ClauseCopies(clause.body[0].predicate, target, _copied_positions(clause)))
    return found


def _header_values(header: Predicate, copies: Sequence[_ClauseCopies]) -> dict[Predicate, list[set[int]]]:
    """For each position of each predicate reached from the header: the header positions whose value it surely has.

    The greatest fixpoint of a must-analysis: values are joined over the positions copied and met over the clauses.
    """
    values: dict[Predicate, list[set[int]]] = {header: [{j} for j in range(header.arity)]}
    changed = True
    while changed:
        changed = False
        for copy in copies:
            if copy.target == header or copy.source not in values:
                continue
            before = values[copy.source]
            met: list[set[int]] = [set().union(*(before[q] for q in positions)) for positions in copy.sources]
            if copy.target in values:
                met = [a & b for a, b in zip(met, values[copy.target], strict=True)]
            if values.get(copy.target) != met:
                values[copy.target], changed = met, True
    return values


def _copied_positions(clause: Clause) -> list[list[int]]:
    """For each position of the head, the positions of the body atom that surely have the same value."""
    classes: UnionFind[int] = UnionFind()
    for part in conjuncts(clause.constraint):
        if part.num_args() == 2 and part.decl().name() == "=" and all(map(is_variable, part.children())):
            classes.union(part.arg(0).get_id(), part.arg(1).get_id())
    assert clause.head is not None
    body = [classes.find(argument.get_id()) for argument in clause.body[0].arguments]
    heads = [classes.find(argument.get_id()) for argument in clause.head.arguments]
    return [[q for q, value in enumerate(body) if value == head] for head in heads]
