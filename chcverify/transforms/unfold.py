"""Unfold: resolves predicates away, down to cut points."""

from collections import deque
from dataclasses import dataclass
from itertools import product

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.equations import apply_table
from chcverify.terms.occurrence import Occurrences
from chcverify.transforms.base import BackTranslator, Identity, TranslationError
from chcverify.transforms.ground import Assignment, Grounder
from chcverify.transforms.reconstruct import Reconstruction
from chcverify.transforms.resolve import Node, expand, leaf, resolve


class Unfold:
    """Eliminates predicates that are not in the body of a clause of their own, as long as the clauses do not grow.

    `only_single`: only predicates with one clause or one use; else all with |resolvents| <= |in| + |out|, which for
    linear clauses is |in| * |out| <= |in| + |out|. `max_size` bounds the constraints that arise,
    `max_copies` what an elimination duplicates (nodes as trees), `max_body` the body atoms that arise.
    """

    name = "unfold"

    def __init__(
        self, only_single: bool = False, max_size: int = 5_000, max_copies: int = 2_000, max_body: int = 8
    ) -> None:
        self.only_single = only_single
        self.max_size = max_size
        self.max_copies = max_copies
        self.max_body = max_body

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        memo = Occurrences()
        graph = _Graph(system, memo)
        waiting = deque(_flow_order(system))
        queued = set(waiting)
        eliminated: list[_Elimination] = []
        while waiting:
            predicate = waiting.popleft()
            queued.discard(predicate)
            done = self._eliminate(predicate, graph, memo)
            if done is None:
                continue
            eliminated.append(done)
            neighbours = [a.predicate for node in (*done.ins, *done.outs) for a in node.clause.applications]
            for neighbour in dict.fromkeys(neighbours):
                if neighbour in graph.ins and neighbour not in queued:
                    waiting.append(neighbour)
                    queued.add(neighbour)
        if not eliminated:
            return system, Identity()
        nodes = graph.ordered()
        predicates = tuple(p for p in system.predicates if p in graph.ins)
        result = HornSystem(predicates, tuple(node.clause for node in nodes))
        return result, _Back(nodes, eliminated, memo)

    def _eliminate(self, predicate: Predicate, graph: "_Graph", memo: Occurrences) -> "_Elimination | None":
        ins, outs = list(graph.ins[predicate].values()), list(graph.outs[predicate].values())
        places = [_places(node, predicate) for node in outs]
        if any(_places(node, predicate) for node in ins):
            return None
        if self.only_single and len(ins) > 1 and sum(map(len, places)) > 1:
            return None
        if sum(len(ins) ** min(len(p), 6) for p in places) > len(ins) + len(outs):
            return None
        widest = max((node.size for node in ins), default=0)
        longest = max((len(node.clause.body) for node in ins), default=0)
        for node, where in zip(outs, places, strict=True):
            if len(ins) * len(outs) > 0 and node.size + len(where) * widest > self.max_size:
                return None
            length = len(node.clause.body) + len(where) * (longest - 1)
            if length > max(self.max_body, len(node.clause.body), longest):
                return None
        copies = max(0, len(outs) - 1) * sum(node.size for node in ins) + max(0, len(ins) - 1) * sum(
            node.size for node in outs
        )
        if copies > self.max_copies:
            return None
        for node in (*ins, *outs):
            graph.remove(node)
        for node, where in zip(outs, places, strict=True):
            for choice in product(ins, repeat=len(where)):
                if (resolvent := _resolve_all(node, where, choice, memo)) is not None:
                    graph.add(resolvent)
        del graph.ins[predicate], graph.outs[predicate]
        return _Elimination(predicate, ins, outs)


def _places(node: Node, predicate: Predicate) -> list[int]:
    return [i for i, atom in enumerate(node.clause.body) if atom.predicate == predicate]


def _resolve_all(outer: Node, places: list[int], choice: tuple[Node, ...], memo: Occurrences) -> Node | None:
    """Resolves from the last place to the first, so that the earlier places stay valid."""
    current: Node | None = outer
    for place, inner in zip(reversed(places), reversed(choice), strict=True):
        if current is None:
            return None
        current = resolve(current, place, inner, memo)
    return current


@dataclass(frozen=True, eq=False)
class _Elimination:
    predicate: Predicate
    ins: list[Node]
    outs: list[Node]


class _Graph:
    """The clauses by head and by body predicates; its clauses have variables of their own."""

    def __init__(self, system: HornSystem, memo: Occurrences) -> None:
        self.ins: dict[Predicate, dict[int, Node]] = {p: {} for p in system.predicates}
        self.outs: dict[Predicate, dict[int, Node]] = {p: {} for p in system.predicates}
        self._nodes: dict[int, Node] = {}
        taken: set[str] = set()  # names, not identities: z3 allows one name with two sorts, other tools do not
        for index, clause in enumerate(system.clauses):
            node = leaf(clause, index, memo)
            names = {memo.variable(key).decl().name() for key in node.variables}
            if not taken.isdisjoint(names):
                node = leaf(_renamed_apart(node, memo), index, memo)
            taken |= names
            self.add(node)

    def add(self, node: Node) -> None:
        self._nodes[id(node)] = node
        if node.clause.head is not None:
            self.ins[node.clause.head.predicate][id(node)] = node
        for atom in node.clause.body:
            self.outs[atom.predicate][id(node)] = node

    def remove(self, node: Node) -> None:
        self._nodes.pop(id(node), None)
        if node.clause.head is not None:
            self.ins[node.clause.head.predicate].pop(id(node), None)
        for atom in node.clause.body:
            self.outs[atom.predicate].pop(id(node), None)

    def ordered(self) -> list[Node]:
        return list(self._nodes.values())


def _renamed_apart(node: Node, memo: Occurrences) -> Clause:
    clause, variables = node.clause, map(memo.variable, sorted(node.variables))
    table: Assignment = {v.get_id(): (v, z3.FreshConst(v.sort(), "u")) for v in variables}

    def rewrite(atom: Application) -> Application:
        return Application(atom.predicate, tuple(apply_table(a, table, memo) for a in atom.arguments))

    head = None if clause.head is None else rewrite(clause.head)
    constraint = apply_table(clause.constraint, table, memo)
    return Clause(head, tuple(map(rewrite, clause.body)), constraint, clause.origin, clause.name)


def _flow_order(system: HornSystem) -> list[Predicate]:
    """Reverse postorder from the facts, targets of back edges (loop heads) last, so that these stay as cut points."""
    successors = {
        p: [h.predicate for i in system.using[p] if (h := system.clauses[i].head) is not None]
        for p in system.predicates
    }
    roots = [c.head.predicate for c in system.clauses if c.is_fact and c.head is not None]
    finished: list[Predicate] = []
    loop_heads: set[Predicate] = set()
    state: dict[Predicate, bool] = {}  # True: on the stack
    for root in (*roots, *system.predicates):
        if root in state:
            continue
        state[root] = True
        stack = [(root, iter(successors[root]))]
        while stack:
            predicate, rest = stack[-1]
            for successor in rest:
                if successor not in state:
                    state[successor] = True
                    stack.append((successor, iter(successors[successor])))
                    break
                if state[successor]:
                    loop_heads.add(successor)
            else:
                state[predicate] = False
                finished.append(predicate)
                stack.pop()
    finished.reverse()
    return [p for p in finished if p not in loop_heads] + [p for p in finished if p in loop_heads]


@dataclass(frozen=True, eq=False)
class _Back:
    nodes: list[Node]
    eliminated: list[_Elimination]
    memo: Occurrences

    def model(self, model: Model) -> Model:
        """Latest elimination first: then all neighbours of a predicate have their interpretation."""
        rebuild = Reconstruction(self.memo)
        found = dict(model.interpretations)
        for item in reversed(self.eliminated):
            ins, outs = ([node.clause for node in side] for side in (item.ins, item.outs))
            found[item.predicate] = rebuild.interpretation(item.predicate, ins, outs, found)
        return Model(found)

    def derivation(self, derivation: Derivation) -> Derivation:
        grounder = Grounder()
        steps: list[Step] = []
        last: list[int] = []

        def emit(step: Step) -> int:
            steps.append(step)
            return len(steps) - 1

        for step in derivation.steps:
            node = self.nodes[step.clause]
            body = [derivation.steps[p].arguments for p in step.premises]
            head = None if node.clause.head is None else step.arguments
            assignment = grounder.instance(node.clause, head, body)
            if assignment is None:
                raise TranslationError(f"no instance of unfolded clause {step.clause} has the values of its step")
            last.append(expand(node, assignment, [last[p] for p in step.premises], grounder, emit))
        return Derivation(tuple(steps))
