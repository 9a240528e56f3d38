"""Unfold: resolves predicates away, down to cut points."""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import product

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import depth_first
from chcverify.transforms.arena_clauses import ArenaClause, PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of
from chcverify.transforms.exact.interval_simplification import simplify_by_intervals
from chcverify.transforms.grounding import Grounder
from chcverify.transforms.model_completion import ModelCompletion
from chcverify.transforms.resolution import DerivedClause, expand, leaf, rename, resolve


class Unfold:
    """Eliminates predicates that are not in the body of a clause of their own, as long as the clauses do not grow.

    Those are the predicates with |resolvents| <= |in| + |out|, which is |in| * |out| <= |in| + |out| for linear
    clauses. `max_size` bounds the constraints that arise, `max_copies` what an elimination duplicates (nodes as trees).
    `not_unfolded`: predicates that stay in any case.
    """

    name = "unfold"

    def __init__(
        self,
        max_size: int = 5_000,
        max_copies: int = 2_000,
        not_unfolded: frozenset[Predicate] = frozenset(),
    ) -> None:
        self.max_size = max_size
        self.max_copies = max_copies
        self.not_unfolded = not_unfolded

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        graph = _Graph(system, work)
        if work.late or not any(self._possible(predicate, graph) for predicate in system.predicates):
            return system, Identity()
        graph.rename_apart()
        waiting = deque(_flow_order(system))
        queued = set(waiting)
        eliminated: list[_Elimination] = []
        while waiting and not work.late:
            predicate = waiting.popleft()
            queued.discard(predicate)
            done = self._eliminate(predicate, graph, work)
            if done is None:
                continue
            eliminated.append(done)
            for neighbour in done.neighbours():
                if neighbour in graph.ins and neighbour not in queued:
                    waiting.append(neighbour)
                    queued.add(neighbour)
        if not eliminated:
            return system, Identity()
        nodes = graph.ordered()
        predicates = tuple(p for p in system.predicates if p in graph.ins)
        result = HornSystem(predicates, tuple(graph.clause(node) for node in nodes))
        return result, _UnfoldingBackTranslator(nodes, eliminated, work)

    def _possible(self, predicate: Predicate, graph: "_Graph") -> bool:
        """True if the numbers and sizes of the predicate's clauses allow its elimination."""
        if predicate in self.not_unfolded:
            return False
        ins, outs = graph.ins[predicate].values(), graph.outs[predicate].values()
        positions = [len(_positions(node, predicate)) for node in outs]
        if any(_positions(node, predicate) for node in ins):
            return False
        if sum(len(ins) ** min(count, 6) for count in positions) > len(ins) + len(outs):
            return False
        if not self._are_resolvents_small(ins, outs, positions):
            return False
        copied = (max(0, len(outs) - 1), ins), (max(0, len(ins) - 1), outs)
        return sum(times * sum(node.size for node in nodes) for times, nodes in copied) <= self.max_copies

    def _are_resolvents_small(
        self, ins: Collection[DerivedClause], outs: Collection[DerivedClause], counts: Sequence[int]
    ) -> bool:
        """True if every resolvent is within the limits; counts: of the predicate's atoms in each body of outs."""
        widest = max((node.size for node in ins), default=0)
        longest = max((len(node.clause_row.body) for node in ins), default=0)
        for node, count in zip(outs, counts, strict=True):
            if ins and node.size + count * widest > self.max_size:
                return False
            length = len(node.clause_row.body) + count * (longest - 1)
            if length > max(MAX_ALTERNATIVES, len(node.clause_row.body), longest):
                return False
        return True

    def _eliminate(self, predicate: Predicate, graph: "_Graph", work: PassContext) -> "_Elimination | None":
        if not self._possible(predicate, graph):
            return None
        ins, outs = list(graph.ins[predicate].values()), list(graph.outs[predicate].values())
        for node in (*ins, *outs):
            graph.remove(node)
        for node in outs:
            where = _positions(node, predicate)
            for choice in product(ins, repeat=len(where)):
                resolvent = _resolve_all(node, where, choice, work)
                if resolvent is not None and (simpler := _within_ranges(resolvent, work)) is not None:
                    graph.add(simpler)
        del graph.ins[predicate], graph.outs[predicate]
        return _Elimination(predicate, ins, outs)


def _positions(node: DerivedClause, predicate: Predicate) -> list[int]:
    return [i for i, atom in enumerate(node.clause_row.body) if atom.predicate == predicate]


def _resolve_all(
    outer: DerivedClause, positions: list[int], choice: tuple[DerivedClause, ...], work: PassContext
) -> DerivedClause | None:
    """The resolvent at all positions, from the last to the first, so that the earlier positions stay valid."""
    current: DerivedClause | None = outer
    for place, inner in zip(reversed(positions), reversed(choice), strict=True):
        if current is None:
            return None
        current = resolve(current, place, inner, work)
    return current


def _within_ranges(node: DerivedClause, work: PassContext) -> DerivedClause | None:
    """The clause simplified by its bounds, if an argument of its head is an if-then-else, which would be copied.

    None if it cannot be used.
    """
    arena, head = work.arena, node.clause_row.head
    if work.late or head is None or all(arena.kind(argument) != z3.Z3_OP_ITE for argument in head.arguments):
        return node
    clause_row = simplify_by_intervals(node.clause_row, (), arena)
    if clause_row is node.clause_row:
        return node
    if arena.false in arena.conjuncts(clause_row.constraint):
        return None
    return replace(
        node,
        clause_row=clause_row,
        variables=work.variables(clause_row),
        size=min(node.size, 1 + arena.size(clause_row.constraint)),
    )


@dataclass(frozen=True, eq=False)
class _Elimination:
    predicate: Predicate
    ins: list[DerivedClause]
    outs: list[DerivedClause]

    def neighbours(self) -> Iterable[Predicate]:
        """The predicates of the removed clauses, each once, in the order of the clauses."""
        return dict.fromkeys(atom.predicate for node in (*self.ins, *self.outs) for atom in node.clause_row.atoms)


class _Graph:
    """The clauses by head and by body predicates. Before anything is resolved they are renamed apart."""

    def __init__(self, system: HornSystem, work: PassContext) -> None:
        self.ins: dict[Predicate, dict[int, DerivedClause]] = {p: {} for p in system.predicates}
        self.outs: dict[Predicate, dict[int, DerivedClause]] = {p: {} for p in system.predicates}
        self._nodes: dict[int, DerivedClause] = {}
        self._work = work
        for index, clause_row in enumerate(work.clause_rows(system.clauses)):
            self.add(leaf(clause_row, index, work))

    def rename_apart(self) -> None:
        """By names, not identities: z3 allows one name with two sorts, other tools do not."""
        taken: set[str] = set()
        for node in self.ordered():
            names = set(map(self._work.arena.name, node.variables))
            self.remove(node)
            if len(names) < len(node.variables) or not taken.isdisjoint(names):
                node = leaf(_renamed_apart(node, self._work), node.index, self._work)
            else:
                taken |= names
            self.add(node)

    def clause(self, node: DerivedClause) -> Clause:
        return self._work.clause(node.clause_row)

    def add(self, node: DerivedClause) -> None:
        self._nodes[id(node)] = node
        if node.clause_row.head is not None:
            self.ins[node.clause_row.head.predicate][id(node)] = node
        for atom in node.clause_row.body:
            self.outs[atom.predicate][id(node)] = node

    def remove(self, node: DerivedClause) -> None:
        self._nodes.pop(id(node), None)
        if node.clause_row.head is not None:
            self.ins[node.clause_row.head.predicate].pop(id(node), None)
        for atom in node.clause_row.body:
            self.outs[atom.predicate].pop(id(node), None)

    def ordered(self) -> list[DerivedClause]:
        return list(self._nodes.values())


def _renamed_apart(node: DerivedClause, work: PassContext) -> ArenaClause:
    arena = work.arena
    return rename(node.clause_row, {v: arena.fresh_like(b"u", v) for v in arena.in_order(node.variables)}, arena)


def _flow_order(system: HornSystem) -> list[Predicate]:
    """Reverse postorder from the facts, targets of back edges (loop heads) last, so that these stay as cut points."""
    successors = {
        p: [h.predicate for i in system.using[p] if (h := system.clauses[i].head) is not None]
        for p in system.predicates
    }
    roots = [c.head.predicate for c in system.clauses if c.is_fact and c.head is not None]
    search = depth_first((*roots, *system.predicates), successors.__getitem__)
    loop_heads, finished = search.retreating, search.postorder[::-1]
    return [p for p in finished if p not in loop_heads] + [p for p in finished if p in loop_heads]


@dataclass(frozen=True, eq=False)
class _UnfoldingBackTranslator:
    nodes: list[DerivedClause]
    eliminated: list[_Elimination]
    work: PassContext

    def model(self, model: Model) -> Model:
        """Latest elimination first: then all neighbours of a predicate have their interpretation."""
        rebuild = ModelCompletion(self.work)
        found = {predicate: self.work.arena.handle(formula) for predicate, formula in model.interpretations.items()}
        for item in reversed(self.eliminated):
            ins, outs = ([node.clause_row for node in side] for side in (item.ins, item.outs))
            found[item.predicate] = rebuild.interpretation(item.predicate, ins, outs, found)
        return Model({predicate: self.work.arena.wrap(formula) for predicate, formula in found.items()})

    def derivation(self, derivation: Derivation) -> Derivation:
        grounder = Grounder(self.work.arena)
        steps: list[Step] = []
        last: list[int] = []

        def emit(step: Step) -> int:
            steps.append(step)
            return len(steps) - 1

        given = steps_of(derivation)
        values = [tuple(map(self.work.arena.handle, step.arguments)) for step in given]
        for step, arguments in zip(given, values, strict=True):
            node = self.nodes[step.clause]
            head = None if node.clause_row.head is None else arguments
            assignment = grounder.instance(node.clause_row, head, [values[p] for p in step.premises])
            if assignment is None:
                raise TranslationError(f"no instance of unfolded clause {step.clause} has the values of its step")
            last.append(expand(node, assignment, [last[p] for p in step.premises], grounder, emit))
        return Derivation(tuple(steps))
