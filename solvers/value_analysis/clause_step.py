"""The abstract state that a clause derives from those of its body."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from solvers.value_analysis.pointers.pointing_arguments import Place, PointingArguments
from solvers.value_analysis.pointers.value_sources import ValueSources
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
    TrackedArguments,
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
    equal: tuple[int, ...]
    """The nodes that its address is compared with."""
    is_same: bool
    """The head has what an atom of the body has, and the constraint does not read it."""


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
        self._body_nodes = [
            [_object_nodes(item, nodes) for item in items] for items, nodes in zip(self.of_body, code.body, strict=True)
        ]
        self._head_nodes = [_object_nodes(item, code.head) for item in self.of_head]
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
        read = self._below([code.constraint])
        return [
            item
            for point, stride in points.items()
            for item in self._of_point(point, stride, body.get(point, []), head.get(point, []), read)
        ]

    def _of_point(
        self, point: int, stride: int, suppliers: list[tuple[int, int]], consumers: list[int], read: set[int]
    ) -> Iterator[_Tracked]:
        """A tracked object: what of it the clause leaves as it is, as that before the call that goes on, and the rest.
        read: by the constraint."""
        of_body = [self._nodes(*supplier) for supplier in suppliers]
        new = [node for n in consumers if self._head_nodes[n] not in of_body for node in self._head_nodes[n]]
        read = read | self._below(node for node in new if node is not None)
        is_read = point in read or any(node in read for nodes in of_body for node in nodes)
        same = [s for s in suppliers if self.of_body[s[0]][s[1]].is_at_entry and self._is_alone(s, suppliers, read)]
        if not is_read and len({atom for atom, _ in suppliers}) <= 1:
            same = suppliers
        of_same = [self._nodes(*supplier) for supplier in same]
        kept = tuple(number for number in consumers if self._head_nodes[number] in of_same)
        if same:
            yield _Tracked(point, stride, tuple(same), kept, (), is_same=True)
        rest = tuple(supplier for supplier in suppliers if supplier not in same)
        if rest or len(kept) < len(consumers):
            others, equal = (number for number in consumers if number not in kept), self._equal(point)
            yield _Tracked(point, stride, rest, tuple(others), tuple(equal), is_same=False)

    def _is_alone(self, supplier: tuple[int, int], suppliers: Sequence[tuple[int, int]], read: set[int]) -> bool:
        """True if its state and the next address of its region are not read, nor are they those of another one."""
        _, *own = self._nodes(*supplier)
        others = [node for other in suppliers if other != supplier for node in self._nodes(*other)[1:]]
        return all(node is None or (node not in read and node not in others) for node in own)

    def _equal(self, point: int) -> Iterator[int]:
        """The nodes that a node is compared with."""
        for kind, parts in zip(self.code.kinds, self.code.arguments, strict=True):
            if kind == z3.Z3_OP_EQ and point in parts:
                left, right = parts
                yield right if left == point else left

    def _nodes(self, atom: int, number: int) -> _ObjectNodes:
        """The nodes of a tracked object of the body."""
        return self._body_nodes[atom][number]

    def _below(self, roots: Iterable[int]) -> set[int]:
        work = list(roots)
        found = set(work)
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
        pointing: PointingArguments | None = None
        for item in self.objects:
            if item.is_same and item.body and not item.head:
                continue
            if item.head and pointing is None:
                pointing = self.of_head[0].pointing([run.values[node] for node in self.code.head])
            if item.is_same and item.body:
                for number in item.head:
                    assert pointing is not None
                    objects[number] = self._kept(run, bodies, item, number, pointing)
                continue
            keys = self._keys(run, bodies, item)
            found = list(self._cases(run, bodies, item, keys))
            if not found:
                return None
            for number in item.head:
                assert pointing is not None
                objects[number] = self._collected(item, number, keys, found, pointing)
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
        of_body: int | None = None,
        size: int | None = None,
    ) -> dict[Form, int]:
        """The inequalities of the head; of a tracked object, where `of_body` is the node of its size in the body, and
        `size` the position in the head."""
        if not relations and self.inequalities.is_trivial and size is None:
            return {}
        compared = self.inequalities.compared(run, of_body)
        return self.inequalities.of_head(run, [*self.inequalities.known(run, relations), *compared], size)

    def _kept(
        self, run: NodeValues, bodies: Sequence[AbstractState], item: _Tracked, own: int, pointing: PointingArguments
    ) -> Objects:
        """The object of the head, which an atom of the body has, too. own: its number in the head. pointing: as of
        `_collected`."""
        atom, number = next(supplier for supplier in item.body if self._nodes(*supplier) == self._head_nodes[own])
        objects, nodes = bodies[atom].objects[number], self.code.body[atom]
        if nodes == self.code.head:
            return Objects(self.of_head[own], objects.known, objects.other)
        place = {node: position for position, node in enumerate(nodes)}
        known, relations = {}, self._known_relations(bodies)
        for key, lives in objects.known.items():
            phases = []
            for phase, life in zip(Phase, lives.phases, strict=True):
                if life is not None and phase is Phase.ALIVE:
                    life = self._moved(run, relations, own, (atom, number), life)
                elif life is not None:
                    present = self._still_present(run, place, pointing, key, life)
                    if present is None:
                        break
                    life = life if present == life.present else replace(life, present=present)
                phases.append(life)
            else:
                known[key] = Lives(tuple(phases))
        changed = [key for key in objects.known if key not in known]
        if changed:
            found = [case for key in changed for case in self._cases_at(run, bodies, item, key, ((key, key),))]
            known.update(self._collected(item, own, changed, found, pointing).known)
        return Objects(self.of_head[own], known, objects.other)

    def _still_present(
        self, run: NodeValues, place: Mapping[int, int], pointing: PointingArguments, key: int, life: Life
    ) -> frozenset[Place] | None:
        """The places of the head that may lead to an object that is not alive; None if a new value may. place: where
        the body has a node. pointing: those of the head that lead to objects that are alive."""
        sources = ValueSources(run, place, life.present)
        window = (key - pointing.stride // 2 + 1, key + pointing.stride // 2 - 1)
        present = set()
        for position, cell in pointing.to(key):
            leads = sources.may_be(self.code.head[position], cell, window)
            if leads is None:
                return None
            if leads:
                present.add((position, cell))
        return frozenset(present)

    def _moved(
        self, run: NodeValues, relations: Sequence[Relation], own: int, supplier: tuple[int, int], life: Life
    ) -> Life:
        """The life of an object that the clause does not touch, with what its inequalities say of the head. own,
        supplier: where the head and the body have it."""
        size = self.of_head[own].size
        if size is None or not life.inequalities:
            return replace(life, inequalities={}) if life.inequalities else life
        related = [*relations, (self.code.body[supplier[0]], life.inequalities)]
        return _with_inequalities(life, size, self._related(run, related, self._nodes(*supplier)[0], size))

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
        last = 1 << 63 if self.code.widths[item.point] > 0 else item.stride << 100
        for key in keys:
            yield from self._cases_at(run, bodies, item, key, ((key, key),))
        yield from self._cases_at(run, bodies, item, None, value_sets.gaps(keys, 0, last, item.stride))

    def _cases_at(
        self, run: NodeValues, bodies: Sequence[AbstractState], item: _Tracked, key: int | None, addresses: Pieces
    ) -> Iterator[_PhaseCase]:
        """Those where the object begins at one of some addresses. key: as of a case."""
        where = _met(run.pieces(item.point), addresses)
        if not where:
            return
        known = [bodies[atom].objects[number] for atom, number in item.body]
        of_body = self._known_relations(bodies)
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
            objects.other if key is None else objects.at(key, bodies[atom])
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
                apart = bodies[atom].pointing.without(key, life.present)
                if not all(self._narrowed(case, self.code.body[atom][p], held) for p, held in apart.items()):
                    return None
        return case

    def _keys(self, run: NodeValues, bodies: Sequence[AbstractState], item: _Tracked) -> list[int]:
        """The addresses at which the tracked object may begin and for which separate values are kept."""
        found = {key: None for atom, number in item.body for key in bodies[atom].objects[number].known}
        for node in item.equal:
            for address in value_sets.numbers(run.pieces(node), MAX_NEW_OBJECTS) or ():
                if address % item.stride == 0 and len(found) < MAX_OBJECTS:
                    found[address] = None
        return sorted(found)

    def _collected(
        self,
        item: _Tracked,
        number: int,
        keys: Sequence[int],
        cases: Sequence[_PhaseCase],
        pointing: PointingArguments,
    ) -> Objects:
        """The head's object, from the cases that are possible. pointing: of the head, whatever the case is."""
        found: dict[int | None, Lives] = {}
        for case in cases:
            found[case.key] = found.get(case.key, NEVER).joined(self._lives(item, number, case, pointing))
        return Objects(self.of_head[number], {key: found.get(key, NEVER) for key in keys}, found.get(None, NEVER))

    def _lives(self, item: _Tracked, number: int, found: _PhaseCase, pointing: PointingArguments) -> Lives:
        """The lives of the head's object in one case."""
        return Lives(tuple(self._life(item, number, found, phase, pointing) for phase in Phase))

    def _life(
        self, item: _Tracked, number: int, found: _PhaseCase, phase: Phase, pointing: PointingArguments
    ) -> Life | None:
        """The head's object in a phase; None if it is not in it."""
        arguments, case, key = self.of_head[number], found.values, found.key
        size_node, state_node, fresh_node = self._head_nodes[number]
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
            present = frozenset(pointing.to_with(key, [case.values[node] for node in self.code.head]))
            return Life(size, own, present, fresh=fresh)
        life = Life(size, own, fresh=fresh)
        if arguments.size is None:
            return life
        of_body = self._nodes(*item.body[0])[0] if item.body else None
        return _with_inequalities(life, arguments.size, self._related(case, found.relations, of_body, arguments.size))


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
