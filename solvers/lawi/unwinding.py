"""The unwinding of the clauses into a tree: vertices with labels, and which of them cover others.

McMillan: Lazy abstraction with interpolants (CAV 2006) [McMillan2006].
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import field

from chcverify.lazy_dataclass import dataclass
from chcverify.terms.native.raw import Renaming, Term
from solvers.pdr.transition_system.rule_system import Rule, RuleSystem


@dataclass(eq=False)
class Vertex:
    """A use of a rule after the uses that lead to its parent.

    number: in the order of creation. state: variables for the values of the predicate's arguments. step: conjuncts of
    the rule, over the parent's state and this one. to_state, lift: from formals to the state and back. label: formulas
    over the predicate's formals whose conjunction contains all values that the path can lead to. coverer: an earlier
    vertex whose label follows from this one's. postponed: vertices below, to be expanded once this one is not covered.
    """

    number: int
    parent: "Vertex | None"
    rule: Rule
    state: tuple[Term, ...]
    step: tuple[Term, ...]
    to_state: Renaming
    lift: Renaming
    label: dict[Term, None] = field(default_factory=dict)
    children: "list[Vertex]" = field(default_factory=list)
    expanded: bool = False
    coverer: "Vertex | None" = None
    covered: "dict[Vertex, None]" = field(default_factory=dict)
    postponed: "list[Vertex]" = field(default_factory=list)

    @property
    def predicate(self) -> int:
        """The predicate of the label."""
        return self.rule.head

    def ancestors(self) -> "Iterator[Vertex]":
        """This vertex, its parent, and so on to a fact."""
        vertex: Vertex | None = self
        while vertex is not None:
            yield vertex
            vertex = vertex.parent

    def path(self) -> "list[Vertex]":
        """The vertices from a fact to this one."""
        return list(self.ancestors())[::-1]

    def hidden_by(self) -> "Vertex | None":
        """The vertex on the path that is covered; None if there is none."""
        return next((vertex for vertex in self.ancestors() if vertex.coverer is not None), None)

    def subtree(self) -> "Iterator[Vertex]":
        """This vertex and all that were made from it."""
        stack = [self]
        while stack:
            vertex = stack.pop()
            yield vertex
            stack.extend(vertex.children)


class Unwinding:
    """The vertices by predicate, and the queue of those that are to be expanded."""

    def __init__(self, problem: RuleSystem) -> None:
        self.problem, self.raw = problem, problem.raw
        self.of: list[list[Vertex]] = [[] for _ in problem.names]
        self.queue: deque[Vertex] = deque()
        self.count = 0

    def vertex(self, parent: Vertex | None, rule: Rule) -> Vertex:
        """A new vertex for the rule, used after the parent's path; not yet part of the tree."""
        raw, formals = self.raw, self.problem.formals[rule.head]
        state = tuple(raw.fresh(f"s{rule.head}", raw.sort(formal)) for formal in formals)
        pairs = list(zip(formals, state, strict=True))
        to_state, lift = Renaming(raw, pairs), Renaming(raw, zip(state, formals, strict=True))
        if parent is not None:
            pairs += zip(rule.body[0].constants, parent.state, strict=True)
        named = {old for old, _ in pairs}
        own = raw.in_order(self.problem.projector.variables(rule.formula) - named)
        pairs += [(old, raw.fresh(f"i{rule.index}", raw.sort(old))) for old in own]
        step = tuple(raw.conjuncts(Renaming(raw, pairs)(rule.formula)))
        self.count += 1
        return Vertex(self.count, parent, rule, state, step, to_state, lift)

    def insert(self, vertex: Vertex) -> None:
        """The vertex becomes part of the tree and is to be expanded."""
        if vertex.parent is not None:
            vertex.parent.children.append(vertex)
        self.of[vertex.predicate].append(vertex)
        self.queue.append(vertex)

    def next(self) -> Vertex | None:
        """A vertex that is neither expanded nor hidden, or None: then the labels are a model."""
        while self.queue:
            vertex = self.queue.popleft()
            covered = vertex.hidden_by()
            if covered is not None:
                covered.postponed.append(vertex)
            elif not vertex.expanded:
                return vertex
        return None

    def cover(self, vertex: Vertex, coverer: Vertex) -> None:
        """The vertex needs no successors: those of the coverer include them. What its subtree covers is open again."""
        for below in vertex.subtree():
            for other in list(below.covered):
                self.uncover(other)
        vertex.coverer = coverer
        coverer.covered[vertex] = None

    def uncover(self, vertex: Vertex) -> None:
        """The vertex, and what was postponed below it, is to be expanded."""
        assert vertex.coverer is not None
        del vertex.coverer.covered[vertex]
        vertex.coverer = None
        self.queue.append(vertex)
        self.queue.extend(vertex.postponed)
        vertex.postponed.clear()

    def possible_coverers(self, vertex: Vertex) -> Iterator[Vertex]:
        """Earlier vertices of the same predicate that are not hidden, the latest first."""
        for other in reversed(self.of[vertex.predicate]):
            if other.number < vertex.number and other.hidden_by() is None:
                yield other
