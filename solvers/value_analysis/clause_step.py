"""The abstract state that a clause derives from those of its body."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import z3

from chcverify.horn.system import Predicate
from chcverify.lazy_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import ClauseCode
from solvers.value_analysis.evaluation import solve
from solvers.value_analysis.node_values import Empty, NodeValues, Value
from solvers.value_analysis.relations.differences import ClauseDifferences
from solvers.value_analysis.relations.linear_inequalities import ClauseInequalities, Form, Relation
from solvers.value_analysis.states import (
    MAX_NEW_OBJECTS,
    MAX_OBJECTS,
    NEVER,
    AbstractState,
    Life,
    Lives,
    Objects,
    Phase,
    Place,
    TrackedArguments,
    leads_to,
    without_object,
)
from solvers.value_analysis.value_sets import Pieces


@dataclass(frozen=True, eq=False)
class _Tracked:
    """A tracked object in a clause."""

    point: int
    """The node of its address."""
    stride: int
    body: tuple[tuple[int, int], ...]
    """Where the atoms in the body have it (atom, number of their tracked objects)."""
    head: tuple[int, ...]
    """The number in the head."""
    is_same: bool
    """The body's first one is the head's, and the constraint does not read it."""


@dataclass(frozen=True, eq=False)
class _PhaseCase:
    """A clause where a tracked object begins at one address, and is in one phase in each atom of the body."""

    key: int | None
    """The address; None: any of those for which no separate values are kept."""
    values: NodeValues
    relations: Sequence[Relation]
    """The inequalities of the body."""


_ObjectNodes = tuple[int | None, int | None, int | None]
"""The nodes of the size and the state of a tracked object, and of the next fresh address."""


def _object_nodes(item: TrackedArguments, nodes: Sequence[int]) -> _ObjectNodes:
    size, state, fresh = (
        None if position is None else nodes[position] for position in (item.size, item.state, item.fresh)
    )
    return size, state, fresh


class ClauseStep:
    """A clause as a function from the states of its body to that of its head."""

    def __init__(self, code: ClauseCode, tracked: Mapping[Predicate, Sequence[TrackedArguments]]) -> None:
        self.code = code
        clause = code.clause
        self.of_body = [tracked.get(atom.predicate, ()) for atom in clause.body]
        self.of_head = () if clause.head is None else tracked.get(clause.head.predicate, ())
        self.objects = self._objects()
        self.differences = ClauseDifferences(code)
        self.inequalities = self._relations()
        self._copied = self._positions() if code.constants.get(code.constraint) == value_sets.TRUE else None

    def _relations(self) -> ClauseInequalities:
        """The inequalities of the clause; what tracked objects are is reserved."""
        code = self.code
        head = {p for item in self.of_head for p in (item.point, item.size, item.state) if p is not None}
        body = {
            nodes[p]
            for nodes, items in zip(code.body, self.of_body, strict=True)
            for item in items
            for p in (item.point, item.size, item.state)
            if p is not None
        }
        return ClauseInequalities(code, frozenset(body), frozenset(head))

    def _positions(self) -> tuple[int, ...] | None:
        """Where the arguments of the head are in the only atom of the body; None if there are others."""
        if len(self.code.body) != 1:
            return None
        place = {node: position for position, node in enumerate(self.code.body[0])}
        if not all(node in place for node in self.code.head) or len(place) != len(self.code.body[0]):
            return None
        return tuple(place[node] for node in self.code.head)

    def _objects(self) -> list[_Tracked]:
        code = self.code
        points: dict[int, int] = {}
        body: dict[int, list[tuple[int, int]]] = {}
        head: dict[int, list[int]] = {}
        for atom, arguments in enumerate(self.of_body):
            for number, item in enumerate(arguments):
                point = code.body[atom][item.point]
                points[point] = item.stride
                body.setdefault(point, []).append((atom, number))
        for number, item in enumerate(self.of_head):
            points[code.head[item.point]] = item.stride
            head.setdefault(code.head[item.point], []).append(number)
        read = self._below(code.constraint)
        found = []
        for point, stride in points.items():
            suppliers, consumers = body.get(point, []), head.get(point, [])
            nodes = {point, *(n for s in suppliers for n in self._nodes(*s) if n is not None)}
            is_same = not nodes & read and len(suppliers) <= 1
            is_same &= all(bool(suppliers) and self._head_nodes(n) == self._nodes(*suppliers[0]) for n in consumers)
            found.append(_Tracked(point, stride, tuple(suppliers), tuple(consumers), is_same))
        return found

    def _nodes(self, atom: int, number: int) -> _ObjectNodes:
        """The nodes of a tracked object of the body."""
        return _object_nodes(self.of_body[atom][number], self.code.body[atom])

    def _head_nodes(self, number: int) -> _ObjectNodes:
        """The nodes of a tracked object of the head."""
        return _object_nodes(self.of_head[number], self.code.head)

    def _below(self, root: int) -> set[int]:
        found, work = {root}, [root]
        while work:
            for part in self.code.arguments[work.pop()]:
                if part not in found:
                    found.add(part)
                    work.append(part)
        return found

    def is_possible(self, bodies: Sequence[AbstractState]) -> bool:
        """False if no state of the body satisfies the constraint."""
        run = self._solved(bodies)
        return run is not None and all(
            item.is_same or any(True for _ in self._cases(run, bodies, item, self._keys(run, bodies, item)))
            for item in self.objects
        )

    def after(self, bodies: Sequence[AbstractState]) -> AbstractState | None:
        """The state of the head; None if the clause derives nothing."""
        run = self._solved(bodies)
        if run is None:
            return None
        objects: dict[int, Objects] = {}
        for item in self.objects:
            if item.is_same and item.body and not item.head:
                continue
            if item.is_same and item.body:
                kept = self._kept(run, bodies, item)
                if kept is not None:
                    objects.update({own: replace(kept, arguments=self.of_head[own]) for own in item.head})
                    continue
            keys = self._keys(run, bodies, item)
            found = list(self._cases(run, bodies, item, keys))
            if not found:
                return None
            for number in item.head:
                objects[number] = self._collected(item, number, keys, found)
        values = [_expressible(run.values[node]) for node in self.code.head]
        for number, arguments in enumerate(self.of_head):
            lives = [life for each in objects[number].all() for life in each.lives]
            for position, parts in (
                (arguments.size, [life.size for life in lives]),
                (arguments.state, [life.state for life in lives]),
            ):
                if position is not None and parts:
                    values[position] = value_sets.united(piece for part in parts for piece in part)
        differences = self.differences.after([state.differences for state in bodies])
        inequalities = self._related(run, self._known_relations(bodies))
        return AbstractState(
            tuple(values), tuple(objects[number] for number in range(len(self.of_head))), differences, inequalities
        )

    def _known_relations(self, bodies: Sequence[AbstractState]) -> list[Relation]:
        """The inequalities of the atoms in the body, with the nodes of their arguments."""
        return [
            (nodes, state.inequalities)
            for nodes, state in zip(self.code.body, bodies, strict=True)
            if state.inequalities
        ]

    def _related(
        self,
        run: NodeValues,
        relations: Sequence[Relation],
        item: _Tracked | None = None,
        size: int | None = None,
    ) -> dict[Form, int]:
        """The inequalities of the head; of a tracked object, where `size` is the position of its size."""
        if not relations and self.inequalities.is_trivial and size is None:
            return {}
        sizes = [] if item is None else [self._nodes(*supplier)[0] for supplier in item.body]
        compared = self.inequalities.compared(run, sizes[0] if sizes else None)
        return self.inequalities.of_head(run, [*self.inequalities.known(run, relations), *compared], size)

    def _kept(self, run: NodeValues, bodies: Sequence[AbstractState], item: _Tracked) -> Objects | None:
        """The object of the body, with the places of the head that may lead to it; None if a new value may."""
        atom, number = item.body[0]
        objects, nodes = bodies[atom].objects[number], self.code.body[atom]
        if nodes == self.code.head:
            return objects
        place = {node: position for position, node in enumerate(nodes)}
        known, relations = {}, self._known_relations(bodies)
        for key, lives in objects.known.items():
            phases = []
            for phase, life in zip(Phase, lives.phases, strict=True):
                if life is not None and phase is Phase.ALIVE:
                    life = self._moved(run, relations, item, life)
                elif life is not None:
                    present = self._still_present(run, item, place, key, life)
                    if present is None:
                        return None
                    life = life if present == life.present else replace(life, present=present)
                phases.append(life)
            known[key] = Lives(tuple(phases))
        return Objects(objects.arguments, known, objects.other)

    def _still_present(
        self, run: NodeValues, item: _Tracked, place: Mapping[int, int], key: int, life: Life
    ) -> frozenset[Place] | None:
        """The places of the head that may lead to an object that is not alive; None if a new value may. place: where
        the body has a node."""
        present = set()
        own = self.of_head[item.head[0]]
        for position, node in enumerate(self.code.head):
            if position in own.reserved:
                continue
            for cell in leads_to(run.values[node], key, item.stride):
                if node not in place:
                    return None
                if (place[node], cell) in life.present:
                    present.add((position, cell))
        return frozenset(present)

    def _moved(self, run: NodeValues, relations: Sequence[Relation], item: _Tracked, life: Life | None) -> Life | None:
        """The life of an object that the clause does not touch, with what its inequalities say of the head."""
        if life is None or not life.inequalities:
            return life
        size, atom = self.of_head[item.head[0]].size, item.body[0][0]
        if size is None or len(item.head) > 1:
            return replace(life, inequalities={})
        related = self._related(run, [*relations, (self.code.body[atom], life.inequalities)], item, size)
        return _with_inequalities(life, size, related)

    def _solved(self, bodies: Sequence[AbstractState]) -> NodeValues | None:
        """The values of the nodes; None if no state of the body satisfies the constraint."""
        run = NodeValues(self.code)
        if self._copied is not None:
            for node, value in zip(self.code.body[0], bodies[0].values, strict=True):
                run.values[node] = value
            return run
        for nodes, state in zip(self.code.body, bodies, strict=True):
            for node, value in zip(nodes, state.values, strict=True):
                if not self._narrowed(run, node, value):
                    return None
        return run if self._settled(run, bodies, self._known_relations(bodies)) else None

    def _settled(self, run: NodeValues, bodies: Sequence[AbstractState], relations: Sequence[Relation]) -> bool:
        """Narrows all nodes by the constraint, the differences and the inequalities; False if no state satisfies
        them."""
        differences = [state.differences for state in bodies]
        if not solve(run):
            return False
        try:
            if self.differences.narrowed(run, differences) and not solve(run):
                return False
            known = self.inequalities.known(run, relations)
            return not self.inequalities.narrowed(run, known) or solve(run)
        except Empty:
            return False

    @staticmethod
    def _narrowed(run: NodeValues, node: int, value: Value) -> bool:
        try:
            run.narrow(node, value)
        except Empty:
            return False
        return True

    # --- tracked objects ----------------------------------------------------------------------------------------------

    def _cases(
        self, run: NodeValues, bodies: Sequence[AbstractState], item: _Tracked, keys: Sequence[int]
    ) -> Iterator[_PhaseCase]:
        """Those that are possible, for each address where the object may begin, in each phase."""
        known = [bodies[atom].objects[number] for atom, number in item.body]
        last = 1 << 63 if self.code.widths[item.point] > 0 else item.stride << 100
        others = value_sets.gaps(keys, 0, last, item.stride)
        of_body = self._known_relations(bodies)
        for key in (*keys, None):
            where = _met(run.pieces(item.point), others if key is None else ((key, key),))
            if not where:
                continue
            for lives in self._phases_together(item, known, bodies, key):
                case = self._case(run, bodies, item, lives, key)
                if case is None:
                    continue
                if where != case.values[item.point]:
                    case.set_narrowed(item.point, where)
                relations = [*of_body, *self._of_lives(item, lives)]
                if self._settled(case, bodies, relations):
                    yield _PhaseCase(key, case, relations)

    def _phases_together(
        self, item: _Tracked, known: Sequence[Objects], bodies: Sequence[AbstractState], key: int | None
    ) -> Iterator[list[Life]]:
        """The phases that the object may be in where the atoms in the body have it, one for each of these.

        They are the same where the state is; before and after a call they may differ.
        """
        at = [
            objects.other if key is None else objects.at(key, bodies[atom].values)
            for (atom, _), objects in zip(item.body, known, strict=True)
        ]
        states = [self._nodes(atom, number)[1] for atom, number in item.body]
        different = list(dict.fromkeys(states))
        for phases in product(Phase, repeat=len(different)):
            chosen = dict(zip(different, phases, strict=True))
            lives = [each.of(chosen[state]) for each, state in zip(at, states, strict=True)]
            if None not in lives:
                yield [life for life in lives if life is not None]

    def _of_lives(self, item: _Tracked, lives: Sequence[Life]) -> list[Relation]:
        """The inequalities of the object's size. lives: of the atoms in the body."""
        return [
            (self.code.body[atom], life.inequalities)
            for (atom, _), life in zip(item.body, lives, strict=True)
            if life.inequalities
        ]

    def _case(
        self,
        run: NodeValues,
        bodies: Sequence[AbstractState],
        item: _Tracked,
        lives: Sequence[Life],
        key: int | None,
    ) -> NodeValues | None:
        """The values of the nodes where the object is so, before the constraint is used; None if it cannot be.

        lives: of the atoms in the body.
        """
        case = run.copy()
        for (atom, number), life in zip(item.body, lives, strict=True):
            of_life = (life.size, life.state, life.fresh)
            for node, value in zip(self._nodes(atom, number), of_life, strict=True):
                if node is not None and not self._narrowed(case, node, value):
                    return None
            if key is not None and self.of_body[atom][number].is_not_alive(life.state):
                apart = without_object(bodies[atom].values, life.present, key, self.of_body[atom][number])
                for argument, held in zip(self.code.body[atom], apart, strict=True):
                    if not self._narrowed(case, argument, held):
                        return None
        return case

    def _keys(self, run: NodeValues, bodies: Sequence[AbstractState], item: _Tracked) -> list[int]:
        """The addresses at which the tracked object may begin and for which separate values are kept."""
        found = {key: None for atom, number in item.body for key in bodies[atom].objects[number].known}
        code = self.code
        for node, kind in enumerate(code.kinds):
            if kind == z3.Z3_OP_EQ and item.point in code.arguments[node]:
                left, right = code.arguments[node]
                addresses = value_sets.numbers(run.pieces(right if left == item.point else left), MAX_NEW_OBJECTS)
                for address in addresses or ():
                    if address % item.stride == 0 and len(found) < MAX_OBJECTS:
                        found[address] = None
        return sorted(found)

    def _collected(
        self,
        item: _Tracked,
        number: int,
        keys: Sequence[int],
        cases: Sequence[_PhaseCase],
    ) -> Objects:
        """The head's object, from the cases that are possible."""
        found: dict[int | None, Lives] = {}
        for case in cases:
            found[case.key] = found.get(case.key, NEVER).joined(self._lives(item, number, case))
        return Objects(self.of_head[number], {key: found.get(key, NEVER) for key in keys}, found.get(None, NEVER))

    def _lives(self, item: _Tracked, number: int, found: _PhaseCase) -> Lives:
        """The lives of the head's object in one case."""
        return Lives(tuple(self._life(item, number, found, phase) for phase in Phase))

    def _life(self, item: _Tracked, number: int, found: _PhaseCase, phase: Phase) -> Life | None:
        """The head's object in a phase; None if it is not in it."""
        arguments, case, key = self.of_head[number], found.values, found.key
        size_node, state_node, fresh_node = self._head_nodes(number)
        state = value_sets.ANY if state_node is None else case.pieces(state_node)
        own = value_sets.meet(state, arguments.states_of(phase))
        if not own:
            return None
        if own != state and state_node is not None:
            case = case.copy()
            if not self._narrowed(case, state_node, own) or not solve(case):
                return None
        size, fresh = (value_sets.ANY if node is None else case.pieces(node) for node in (size_node, fresh_node))
        if key is None:
            return Life(size, own, fresh=fresh)
        if phase is not Phase.ALIVE:
            present = arguments.leading_to([case.values[node] for node in self.code.head], key)
            return Life(size, own, present, fresh=fresh)
        life = Life(size, own, fresh=fresh)
        if arguments.size is None:
            return life
        return _with_inequalities(life, arguments.size, self._related(case, found.relations, item, arguments.size))


def _with_inequalities(life: Life, size: int, found: Mapping[Form, int]) -> Life:
    """The life with inequalities of its object. size: the position of that; what bounds it alone narrows its size."""
    least, largest = found.get(((size, 1),)), found.get(((size, -1),))
    limits = value_sets.of(-value_sets.FAR if least is None else least, value_sets.FAR if largest is None else -largest)
    related = {form: number for form, number in found.items() if len(form) > 1}
    return replace(life, size=value_sets.meet(life.size, limits) or life.size, inequalities=related)


def _expressible(value: Value) -> Value:
    """The value without what no formula without quantifiers says: what all other cells of an array hold."""
    return CellValues(value.known) if isinstance(value, CellValues) and value.other is not None else value


def _met(one: Pieces, other: Pieces) -> Pieces:
    """The numbers of both, however many pieces that are."""
    found = [(max(a, c), min(b, d)) for a, b in one for c, d in other if a <= d and c <= b]
    return tuple(found)
