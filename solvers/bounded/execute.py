"""Symbolic execution of a linear system: loops as often as their conditions can hold, states merged at joins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import z3

from chcverify.effort import MAX_TRIED
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.bounds import Intervals
from chcverify.terms.arithmetic.interval import is_empty
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.arrays import Reads
from solvers.bounded.clauses import Transition, transitions
from solvers.bounded.facts import Facts
from solvers.bounded.forecast import Forecast, LoopExit
from solvers.bounded.graph import Node, UnrolledEdge
from solvers.bounded.order import Order, OrderedLoop, hierarchical
from solvers.bounded.paths import PathCondition, PathConditions

_FIRST_QUESTION = 4
"""Iterations of a loop before its constants are looked at, and before it is asked whether there are further ones; then
half as many again each time, or a sixth where questions are cheap. An iteration too much costs milliseconds, a question
up to a second (measured on benchmarks/bounded)."""
_DRIVEN = 32
"""Iterations before it is asked, where the last one could not end the loop and constants change from iteration to
iteration: mostly they bound it. A cipher's loops over its state have 16 (measured on benchmarks/harnesses)."""

_SETTLED = 2
"""Iterations after which what is known at a loop's head mostly changes no more, where it does not change for ever.
Chosen by hand."""
_COMPARISONS = frozenset(
    {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ}
    | {
        z3.Z3_OP_ULEQ,
        z3.Z3_OP_ULT,
        z3.Z3_OP_UGEQ,
        z3.Z3_OP_UGT,
        z3.Z3_OP_SLEQ,
        z3.Z3_OP_SLT,
        z3.Z3_OP_SGEQ,
        z3.Z3_OP_SGT,
    }
)


class GaveUp(Exception):
    """The system is not unrolled, and why."""


@dataclass(frozen=True)
class UnrollingLimits:
    """Where the unrolling of a system ends."""

    nodes: int
    """The most of the unrolling."""
    iterations: int
    """The most of a loop that could end earlier."""
    can_hold: Callable[[ArenaTerm], bool]
    """Is this condition, a term over inputs, known to be satisfiable after a cheap question?"""
    out_of_reach: Callable[[ArenaTerm], tuple[bool, bool]]
    """Can this condition not hold, and was that cheap to find out? Asked where a loop could go on as well as end."""
    exhausted: Callable[[], str]
    """Why it cannot go on, where time or memory is at an end; else ""."""


@dataclass(eq=False)
class UnrolledSystem:
    """What was executed."""

    beginnings: list[UnrolledEdge] = field(default_factory=list)
    """Edges of clauses without body."""
    domain: list[ArenaTerm] = field(default_factory=list)
    """Bounds of inputs, which may be assumed wherever control is."""
    nodes: list[Node] = field(default_factory=list)
    violations: list[UnrolledEdge] = field(default_factory=list)
    """Edges of queries."""
    cut: list[UnrolledEdge] = field(default_factory=list)
    """Edges that were shown to be out of reach."""


class SymbolicExecution:
    """Of one system. `run` fills `unrolling`."""

    def __init__(self, system: HornSystem, arena: Arena, limits: UnrollingLimits) -> None:
        self.arena = arena
        self.limits = limits
        self.paths = PathConditions(arena)
        self.reads = Reads(arena)
        self.facts = Facts(arena, self.reads)
        self.forecast = Forecast(arena)
        self.outer: list[OrderedLoop] = []  # the loops that are being executed, outermost first
        self.unrolling = UnrolledSystem()
        self.transitions: Mapping[Predicate | None, list[Transition]] = transitions(system, arena)
        self.doomed = _doomed(self.transitions)
        self.pending: dict[Predicate, list[UnrolledEdge]] = {}
        self.latest: dict[Order, Node] = {}  # of each predicate
        self.gone_on: dict[Order, int] = {}  # iterations after which a loop, by its head, could still go on when asked
        self.inputs: list[ArenaTerm] = []  # of the run, in the order of reading
        successors = {
            source: [t.target for t in found if t.target is not None] for source, found in self.transitions.items()
        }
        self.order: Sequence[Order] = hierarchical([None, *system.predicates], successors)

    def run(self) -> None:
        """Executes everything. Raises GaveUp."""
        self._leave(None)
        self._all(self.order)

    def _all(self, elements: Sequence[Order]) -> None:
        for element in elements:
            if isinstance(element, OrderedLoop):
                self._loop(element)
            elif isinstance(element, Predicate) and element in self.pending:
                self._enter(element)

    def _loop(self, loop: OrderedLoop) -> None:
        """Iteration after iteration, until no path comes back."""
        self.outer.append(loop)
        self._iterate(loop)
        self.outer.pop()

    def _iterate(self, loop: OrderedLoop) -> None:
        inside = set(_predicates(loop))
        # Within another loop, it mostly goes on as often as the last time.
        iteration, asked, same, is_tried = 0, max(_FIRST_QUESTION, self.gone_on.get(loop.elements[0], 0) + 1), 0, False
        first = first_idle = len(self.unrolling.nodes)
        earlier: Mapping[Predicate, Node] = {}
        previous: Mapping[Predicate, Node] = {}
        begin = self._condition(inside)
        while any(predicate in self.pending for predicate in inside):
            known, before, left = len(self.inputs), self.latest.get(loop.elements[0]), self._left(inside)
            ways_out = self._ways_out(inside)
            nodes = len(self.unrolling.nodes)
            # Nodes of an earlier run of this loop, within another one, say nothing of how this one goes on.
            earlier, previous = previous, self._latest_at_exits(inside) if iteration else {}
            self._all(loop.elements)
            head = self.latest.get(loop.elements[0])
            iteration, same = iteration + 1, same + 1 if _has_same_facts(before, head) else 0
            if same == 0:
                first_idle = nodes
            condition = self._condition(inside)
            if condition is begin or condition is None:
                if iteration > self.limits.iterations and self._is_endless(inside):
                    raise GaveUp("a loop without end")
                if condition is not None and iteration & iteration - 1 == 0:  # constants alone decide that it goes on
                    self._look_far_ahead(inside, previous, len(self.unrolling.nodes) - nodes)
                continue
            if iteration == _FIRST_QUESTION:
                self._look_on(self._exits_of(inside, previous, earlier), condition, set(self.inputs[known:]))
            if not is_tried and (iteration >= _FIRST_QUESTION or len(self.unrolling.nodes) - first > MAX_TRIED):
                is_tried = True
                self._look_ahead(inside)
            if same >= _SETTLED and len(self.unrolling.nodes) - first_idle > MAX_TRIED:
                raise GaveUp(f"a loop that could end goes on after {iteration} iterations")
            if self._left(inside) > left:
                self._give_up_in_time(iteration, same, self._is_up_to(condition, head, known))
            is_driven = same == 0 and self._ways_out(inside) == ways_out
            if iteration >= asked and not (is_driven and iteration < _DRIVEN):
                was_cheap = self._cut_off(inside)
                if any(predicate in self.pending for predicate in inside):
                    self.gone_on[loop.elements[0]] = iteration
                often = was_cheap and self._left(inside) > left
                asked = iteration + (max(1, iteration // 6) if often else (iteration + 1) // 2)

    def _give_up_in_time(self, iteration: int, same: int, is_up_to_new: bool) -> None:
        """Raises GaveUp in a loop that could have ended and has no bound, or none that is seen. same: the number of
        iterations without new facts at the head. is_up_to_new: do only new inputs decide whether it goes on?"""
        if same > _SETTLED and is_up_to_new:
            raise GaveUp("a loop without bound")
        if iteration > self.limits.iterations:
            raise GaveUp(f"a loop that could end goes on after {iteration} iterations")

    def _is_endless(self, inside: set[Predicate]) -> bool:
        """True if transitions without a guard lead from a predicate of the loop to itself."""
        free = {p: [t.target for t in self.transitions[p] if t.target in inside and not t.guard] for p in inside}
        while True:
            ends = [p for p, targets in free.items() if not any(target in free for target in targets)]
            if not ends:
                return bool(free)
            for predicate in ends:
                del free[predicate]

    def _left(self, inside: set[Predicate]) -> int:
        """The number of edges that lead elsewhere so far."""
        outside = sum(len(edges) for predicate, edges in self.pending.items() if predicate not in inside)
        return outside + len(self.unrolling.violations)

    def _ways_out(self, inside: set[Predicate]) -> int:
        """The number of edges that lead elsewhere so far, to where the system goes on."""
        outside = (predicate for predicate in self.pending if predicate not in inside | self.doomed)
        return sum(len(self.pending[predicate]) for predicate in outside)

    def _is_up_to(self, path: PathCondition | None, head: Node | None, known: int) -> bool:
        """Does it depend on nothing but inputs since the last iteration whether the loop goes on? known: the number of
        inputs before."""
        new = set(self.inputs[known:])
        while path is not None and head is not None and path is not head.path:
            if not self.arena.variables(path.literal) <= new:
                return False
            path = path.parent
        return path is not None and head is not None

    def _latest_at_exits(self, inside: set[Predicate]) -> Mapping[Predicate, Node]:
        """The last node of each predicate from which a transition leaves the loop."""
        return {p: self.latest[p] for p in inside if p in self.latest and self._exits(p, inside)}

    def _exits(self, source: Predicate, inside: set[Predicate]) -> list[Transition]:
        return [t for t in self.transitions[source] if t.target is not None and t.target not in inside]

    def _exits_of(
        self, inside: set[Predicate], previous: Mapping[Predicate, Node], earlier: Mapping[Predicate, Node]
    ) -> list[LoopExit]:
        """The exits of the loop with those predicates, as far as these were reached. previous, earlier: the nodes of
        the last iteration but one, and of the one before."""
        latest = self._latest_at_exits(inside).items()
        return [
            LoopExit(exit, previous.get(p), node, earlier.get(p))
            for p, node in latest
            for exit in self._exits(p, inside)
        ]

    def _look_far_ahead(self, inside: set[Predicate], previous: Mapping[Predicate, Node], nodes: int) -> None:
        """Raises GaveUp if the loop, whose course constants decide, goes on for more nodes than the limit.

        nodes: of the last iteration. The loops around it are expected to repeat it until they are left.
        """
        often = 1
        for loop in self.outer[:-1]:
            often *= self.forecast.distance(self._exits_of(set(_predicates(loop)), {}, {}))
        iterations = (self.limits.nodes - len(self.unrolling.nodes)) // (often * max(1, nodes))
        if self.forecast.goes_on(self._exits_of(inside, previous, {}), iterations):
            raise GaveUp(f"a loop of more than {self.limits.nodes} steps")

    def _look_on(self, exits: Sequence[LoopExit], condition: PathCondition, new: set[ArenaTerm]) -> None:
        """Raises GaveUp if the loop can go on for the most iterations, as far as its exits show that.

        new: the inputs of the last iteration."""
        most = self.limits.iterations
        not_left = self.forecast.not_left(exits, most, new)
        if not_left is not None:
            # exists inputs. path condition of going on, and no exit after `most` further iterations
            formula = self.arena.conjunction([*self.unrolling.domain, condition.term, not_left])
            if self.limits.can_hold(formula):
                raise GaveUp(f"a loop that could go on for more than {most} iterations")

    def _look_ahead(self, inside: set[Predicate]) -> None:
        """Raises GaveUp if the loop may end where something is compared with a number that is out of reach. Violations
        do not count: a large number there says nothing of the loop."""
        for predicate in inside:
            for transition in self._exits(predicate, inside | self.doomed):
                most = max(map(self._bound, transition.guard), default=0)
                if most > self.limits.nodes // len(inside):
                    raise GaveUp(f"a loop that may be taken {most} times")

    def _bound(self, literal: ArenaTerm) -> int:
        """The number that the literal compares something with, unless it looks like the end of a type; otherwise 0."""
        arena = self.arena
        if arena.kind(literal) == z3.Z3_OP_NOT:
            (literal,) = arena.children(literal)
        if arena.kind(literal) not in _COMPARISONS:
            return 0
        found = 0
        for side in arena.children(literal):
            value = arena.wrap(side)
            if z3.is_int_value(value) or z3.is_bv_value(value):
                number = abs(value.as_signed_long() if z3.is_bv_value(value) else value.as_long())
                if number & number - 1 and number & number + 1:
                    found = max(found, number)
        return found

    def _condition(self, inside: set[Predicate]) -> PathCondition | None:
        """Of all paths that lead on within the loop together; None if there are none."""
        edges = [edge for predicate in inside for edge in self.pending.get(predicate, ())]
        return self.paths.merge([(edge.path, ()) for edge in edges])[0] if edges else None

    def _cut_off(self, inside: set[Predicate]) -> bool:
        """Forgets the paths that lead on within the loop if none can be taken. Was it cheap to find out?"""
        edges = [edge for predicate in inside for edge in self.pending.get(predicate, ())]
        if not edges:
            return True
        never, was_cheap = self.limits.out_of_reach(self.reached(edges))
        if never:
            self.unrolling.cut += edges
            for predicate in inside:
                self.pending.pop(predicate, None)
        return was_cheap

    def reached(self, edges: Sequence[UnrolledEdge]) -> ArenaTerm:
        """A formula over inputs: is one of the edges taken?"""
        taken = self.arena.disjunction([edge.path.term for edge in edges])
        return self.arena.conjunction([*self.unrolling.domain, taken])

    def _enter(self, predicate: Predicate) -> None:
        """A node for all pending edges, and what leaves it."""
        if len(self.unrolling.nodes) >= self.limits.nodes:
            raise GaveUp(f"more than {self.limits.nodes} steps")
        if reason := self.limits.exhausted():
            raise GaveUp(f"{reason} after {len(self.unrolling.nodes)} steps")
        edges = self.pending.pop(predicate)
        path, values = self.paths.merge([(edge.path, edge.values) for edge in edges])
        node = Node(len(self.unrolling.nodes), predicate, path, list(values), entering=edges)
        for edge in edges:
            edge.target = node
        self.latest[predicate] = node
        self.facts.learn(node)
        for formal, value in node.constants.items():
            node.values[self._position(predicate, formal)] = value
        self.unrolling.nodes.append(node)
        self._leave(node)

    def _position(self, predicate: Predicate, formal: ArenaTerm) -> int:
        return list(map(self.arena.handle, predicate.formals)).index(formal)

    def _leave(self, node: Node | None) -> None:
        """The edges that leave the node; None: those of clauses without body."""
        found = []
        for transition in self.transitions[node.predicate if node is not None else None]:
            guard, outputs = self.facts.instance(node, transition.guard, transition.outputs)
            if guard != [self.arena.false]:
                found.append((transition, guard, outputs))
        often: dict[ArenaTerm, int] = {}
        for _, guard, _ in found:
            for literal in guard:
                often[literal] = often.get(literal, 0) + 1
        made = []
        for transition, guard, outputs in found:
            # What several edges have in common comes first: their path conditions then share it.
            ordered = sorted(guard, key=lambda literal: -often[literal])
            made.append(self._edge(node, transition, ordered, outputs))
        self._separate([one for one in made if one[0].target is not None], node)

    def _edge(
        self, node: Node | None, transition: Transition, guard: list[ArenaTerm], outputs: list[ArenaTerm]
    ) -> tuple[Transition, list[ArenaTerm], UnrolledEdge]:
        """The edge, without its path, and the literals that the guard adds to the node's."""
        arena = self.arena
        inputs = {variable: arena.fresh_like(b"in", variable) for variable in transition.inputs}
        self.inputs += inputs.values()
        instance = self.reads.instance(node, inputs)
        literals = [instance(literal) for literal in guard]
        values = [instance(term) for term in outputs]
        path = self.paths.extend(node.path if node is not None else self.paths.root, literals)
        edge = UnrolledEdge(node, transition.clause, tuple(guard), tuple(outputs), inputs, path, values)
        for variable, constant in inputs.items():
            # Off the paths on which it is read, an input may be what it likes: also something within its bounds.
            if arena.is_integer(variable):
                bound = Intervals(arena, guard).of(variable)
                if None not in bound and not is_empty(bound):
                    self.unrolling.domain += self.facts.within(constant, bound)
        (node.leaving if node is not None else self.unrolling.beginnings).append(edge)
        if transition.target is None:
            self.unrolling.violations.append(edge)
        return transition, literals, edge

    def _separate(self, edges: Sequence[tuple[Transition, list[ArenaTerm], UnrolledEdge]], node: Node | None) -> None:
        """Lets the edges lead on, only one of them at a time: where guards do not exclude each other, a new Boolean
        input says which. States are merged on that understanding."""
        here = node.path if node is not None else self.paths.root
        denied = [{self.arena.complement(literal) for literal in literals} for _, literals, _ in edges]
        pairs = ((i, j) for j in range(len(edges)) for i in range(j))
        if any(denied[i].isdisjoint(edges[j][1]) for i, j in pairs):
            others: list[ArenaTerm] = []
            for number, (_, literals, edge) in enumerate(edges):
                choice = self.arena.fresh_like(b"choice", self.arena.true)
                mine = [] if number == len(edges) - 1 else [choice]
                edge.choices = (*others, *mine)
                edge.path = self.paths.extend(here, [*literals, *edge.choices])
                others.append(self.arena.negate(choice))
        for transition, _, edge in edges:
            assert transition.target is not None
            self.pending.setdefault(transition.target, []).append(edge)


def _has_same_facts(before: Node | None, head: Node | None) -> bool:
    if before is None or head is None:
        return False
    return (before.constants, before.bounds) == (head.constants, head.bounds)


def _doomed(found: Mapping[Predicate | None, Sequence[Transition]]) -> frozenset[Predicate]:
    """The predicates that lead to a violation, whatever their arguments are, and nowhere else."""
    out: set[Predicate | None] = {None}  # as target: of queries
    size = 0
    while len(out) > size:
        size = len(out)
        out |= {p for p, leaving in found.items() if leaving and all(not t.guard and t.target in out for t in leaving)}
    return frozenset(predicate for predicate in out if predicate is not None)


def _predicates(loop: OrderedLoop) -> list[Predicate]:
    out: list[Predicate] = []
    for element in loop.elements:
        out += _predicates(element) if isinstance(element, OrderedLoop) else [element]  # type: ignore[list-item]
    return out
