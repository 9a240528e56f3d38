"""The abstract state that a clause derives from those of its body."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from chcverify.effort import MAX_COMBINED
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import INTEGER, ClauseCode
from solvers.value_analysis.clause_objects import ClauseObjects, TrackedInClause
from solvers.value_analysis.evaluation import solve
from solvers.value_analysis.node_values import Empty, NodeValues, Value
from solvers.value_analysis.pointers.handed_on import HandedOn
from solvers.value_analysis.pointers.kept_lives import KeptLives, with_inequalities
from solvers.value_analysis.pointers.pointing_arguments import PointingArguments
from solvers.value_analysis.relations.differences import ClauseDifferences
from solvers.value_analysis.relations.linear_inequalities import ClauseInequalities, Relation
from solvers.value_analysis.states import (
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
class _PhaseCase:
    """A clause where a tracked object begins at one address, and is in one phase in each atom of the body."""

    key: int | None
    """The address; None: any of those for which no separate values are kept."""
    values: NodeValues
    relations: Sequence[Relation]
    """The inequalities of the body."""
    divisors: Mapping[int, int]
    """Of nodes that are sizes in the body."""


_Pointing = Callable[[], PointingArguments]
"""Gives the arguments of the head that may lead to objects."""

_Argument = tuple[int, int, int]
"""An atom of the body, a position in it, and the node there."""


@dataclass(frozen=True, eq=False)
class Visit:
    """What a clause derives from states of its body."""

    run: NodeValues
    """The values of its nodes."""
    state: AbstractState
    """Of its head."""


class ClauseStep:
    """A clause as a function from the states of its body to that of its head."""

    def __init__(self, code: ClauseCode, tracked: Mapping[Predicate, Sequence[TrackedArguments]]) -> None:
        self.code = code
        clause = code.clause
        self.of_body = [tracked.get(atom.predicate, ()) for atom in clause.body]
        self.of_head = () if clause.head is None else tracked.get(clause.head.predicate, ())
        self.objects = ClauseObjects(code, self.of_body, self.of_head)
        self.differences = ClauseDifferences(code)
        self.inequalities = self._relations()
        self._lives_kept = KeptLives(code, self.objects, self.of_head, self.inequalities)
        self._integers = frozenset(i for i, node in enumerate(code.head) if code.widths[node] == INTEGER)
        self._copied = self._positions() if code.constants.get(code.constraint) == value_sets.TRUE else None
        self._set, self._met = self._arguments()
        self._is_unmoved = [nodes == code.head for nodes in code.body]
        self._suppliers: dict[int, tuple[int, int]] = {}
        self._same = [item for item in self.objects.all if item.is_same and item.body]

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

    def _arguments(self) -> tuple[list[_Argument], list[_Argument]]:
        """The arguments of the body: variables where they occur first, and the others."""
        first: list[_Argument] = []
        others: list[_Argument] = []
        known = set[int]()
        for atom, nodes in enumerate(self.code.body):
            for position, node in enumerate(nodes):
                is_first = node not in known and self.code.is_variable(node)
                (first if is_first else others).append((atom, position, node))
                known.add(node)
        return first, others

    def _positions(self) -> tuple[int, ...] | None:
        """Where the arguments of the head are in the only atom of the body; None if there are others."""
        if len(self.code.body) != 1:
            return None
        place = {node: position for position, node in enumerate(self.code.body[0])}
        if not all(node in place for node in self.code.head) or len(place) != len(self.code.body[0]):
            return None
        return tuple(place[node] for node in self.code.head)

    def is_possible(self, bodies: Sequence[AbstractState]) -> bool:
        """False if no state of the body satisfies the constraint."""
        run = self._solved(bodies)
        return run is not None and all(
            item.is_same or any(True for _ in self._cases(run, bodies, item, self._keys(run, bodies, item)))
            for item in self.objects.all
        )

    def after(self, bodies: Sequence[AbstractState]) -> "Visit | None":
        """What the clause derives; None if it derives nothing."""
        run = self._solved(bodies)
        if run is None:
            return None
        objects = self.kept(run, bodies, [(item, number) for item in self._same for number in item.head])
        pointing = cache(lambda: self.of_head[0].pointing([run.values[node] for node in self.code.head]))
        for item in self.objects.all:
            if item.is_same and item.body:
                continue
            keys = self._keys(run, bodies, item)
            left = self._untouched(run, bodies, item)
            found = list(self._cases(run, bodies, item, [key for key in keys if key not in left]))
            if not found and not any(lives.lives for each in left.values() for lives in each):
                return None
            for place, number in enumerate(item.head):
                own = self._collected(item, number, keys, found, pointing)
                known = {key: left[key][place] if key in left else lives for key, lives in own.known.items()}
                objects[number] = replace(own, known=known)
        values = [expressible(run.values[node]) for node in self.code.head]
        self.set_sizes_and_states(values, objects)
        differences = self.differences.after([state.differences for state in bodies])
        inequalities = self._lives_kept.related(run, self._known_relations(bodies))
        in_order = tuple(objects[number] for number in range(len(self.of_head)))
        return Visit(run, AbstractState(tuple(values), in_order, differences, inequalities, self._integers))

    def kept(
        self, run: NodeValues, bodies: Sequence[AbstractState], items: Iterable[tuple[TrackedInClause, int]]
    ) -> dict[int, Objects]:
        """Objects of the head, by their numbers, that the clause leaves as they are. items: with these numbers."""
        pointing = cache(lambda: self.of_head[0].pointing([run.values[node] for node in self.code.head]))
        handed_on = cache(lambda atom: self._handed_on(run, atom, bodies[atom]))
        return {number: self._kept(run, bodies, item, number, pointing, handed_on) for item, number in items}

    def set_sizes_and_states(self, values: list[Value], objects: Mapping[int, Objects]) -> None:
        """Sets the values of the head's arguments that are sizes and states of objects, by their numbers."""
        for number, each in objects.items():
            arguments = self.of_head[number]
            if arguments.size is not None and each.sizes:
                values[arguments.size] = each.sizes
            if arguments.state is not None and each.states:
                values[arguments.state] = each.states

    def _known_relations(self, bodies: Sequence[AbstractState]) -> list[Relation]:
        """The inequalities of the atoms in the body, with the nodes of their arguments."""
        return [
            (nodes, state.inequalities)
            for nodes, state in zip(self.code.body, bodies, strict=True)
            if state.inequalities
        ]

    def _handed_on(self, run: NodeValues, atom: int, body: AbstractState) -> HandedOn:
        """How the arguments of an atom of the body go on to the head."""
        arguments = self.of_head[0]
        return HandedOn(run, self.code.body[atom], body.values, arguments.reserved, arguments.stride)

    def _kept(
        self,
        run: NodeValues,
        bodies: Sequence[AbstractState],
        item: TrackedInClause,
        own: int,
        pointing: _Pointing,
        handed_on: Callable[[int], HandedOn],
    ) -> Objects:
        """The object of the head, which an atom of the body has, too. own: its number in the head. pointing: as of
        `_collected`. handed_on: as of `_handed_on`, by the atom."""
        atom, number = supplier = self._supplier(item, own)
        objects = bodies[atom].objects[number]
        if self._is_unmoved[atom]:
            return self._of_head(objects, own)
        if not objects.is_related and handed_on(atom).leaves(objects.known, objects.present):
            return self._of_head(objects, own)
        relations = self._known_relations(bodies)
        moved = {
            key: self._lives_kept.lives(run, relations, own, supplier, (key, lives), handed_on)
            for key, lives in objects.known.items()
        }
        known = {key: lives for key, lives in moved.items() if lives is not None}
        changed = [key for key in objects.known if key not in known]
        if changed:
            found = [case for key in changed for case in self._cases_at(run, bodies, item, key, ((key, key),))]
            known.update(self._collected(item, own, changed, found, pointing).known)
        elif all(lives is objects.known[key] for key, lives in known.items()):
            return self._of_head(objects, own)
        return Objects(self.of_head[own], known, objects.other)

    def _of_head(self, objects: Objects, own: int) -> Objects:
        """An object of the body as one of the head."""
        arguments = self.of_head[own]
        return objects if objects.arguments == arguments else replace(objects, arguments=arguments)

    def _supplier(self, item: TrackedInClause, own: int) -> tuple[int, int]:
        """Where the body has an object of the head that is left as it is."""
        found = self._suppliers.get(own)
        if found is None:
            nodes = self.objects.head_nodes[own]
            found = next(supplier for supplier in item.body if self.objects.of_body(*supplier) == nodes)
            self._suppliers[own] = found
        return found

    def _untouched(
        self, run: NodeValues, bodies: Sequence[AbstractState], item: TrackedInClause
    ) -> dict[int, list[Lives]]:
        """The object at the addresses where the clause leaves it as it is, in each place of the head."""
        if not item.body:
            return {}
        handed_on = cache(lambda atom: self._handed_on(run, atom, bodies[atom]))
        body = bodies[item.body[0][0]]
        return self._lives_kept.untouched(run, self._known_relations(bodies), item, body, handed_on)

    def _solved(self, bodies: Sequence[AbstractState]) -> NodeValues | None:
        """The values of the nodes; None if no state of the body satisfies the constraint."""
        run = NodeValues(self.code)
        if self._copied is not None:
            for node, value in zip(self.code.body[0], bodies[0].values, strict=True):
                run.values[node] = value
            return run
        for atom, position, node in self._set:
            value = bodies[atom].values[position]
            if value is not None:
                run.values[node] = value
        if not all(self._narrowed(run, node, bodies[atom].values[position]) for atom, position, node in self._met):
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
        self, run: NodeValues, bodies: Sequence[AbstractState], item: TrackedInClause, keys: Sequence[int]
    ) -> Iterator[_PhaseCase]:
        """Those that are possible, for each address where the object may begin, in each phase."""
        last = 1 << 63 if self.code.widths[item.point] > 0 else item.stride << 100
        for key in keys:
            yield from self._cases_at(run, bodies, item, key, ((key, key),))
        yield from self._cases_at(run, bodies, item, None, value_sets.gaps(keys, 0, last, item.stride))

    def _cases_at(
        self,
        run: NodeValues,
        bodies: Sequence[AbstractState],
        item: TrackedInClause,
        key: int | None,
        addresses: Pieces,
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
            is_new = case.is_due or len(relations) > len(of_body)
            if not is_new or self._settled(case, bodies, relations):
                sizes = [
                    (self.objects.of_body(*supplier)[0], life) for supplier, life in zip(item.body, lives, strict=True)
                ]
                divisors = {node: life.divisor for node, life in sizes if node is not None and life.divisor > 1}
                yield _PhaseCase(key, case, relations, divisors)

    def _phases_together(
        self, item: TrackedInClause, known: Sequence[Objects], bodies: Sequence[AbstractState], key: int | None
    ) -> Iterator[list[Life]]:
        """The phases that the object may be in where the atoms in the body have it, one for each of these.

        They are the same where the state is; before and after a call they may differ.
        """
        at = [
            objects.other if key is None else objects.at(key, bodies[atom])
            for (atom, _), objects in zip(item.body, known, strict=True)
        ]
        states = [self.objects.of_body(atom, number)[1] for atom, number in item.body]
        different = list(dict.fromkeys(states))
        for phases in product(Phase, repeat=len(different)):
            chosen = dict(zip(different, phases, strict=True))
            lives = [each.of(chosen[state]) for each, state in zip(at, states, strict=True)]
            if None not in lives:
                yield [life for life in lives if life is not None]

    def _of_lives(self, item: TrackedInClause, lives: Sequence[Life]) -> list[Relation]:
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
        item: TrackedInClause,
        lives: Sequence[Life],
        key: int | None,
    ) -> NodeValues | None:
        """The values of the nodes where the object is so, before the constraint is used; None if it cannot be.

        lives: of the atoms in the body.
        """
        case = run.copy()
        for (atom, number), life in zip(item.body, lives, strict=True):
            of_life = (life.size, life.state, life.fresh)
            for node, value in zip(self.objects.of_body(atom, number), of_life, strict=True):
                if node is not None and not self._narrowed(case, node, value):
                    return None
            if key is not None and self.of_body[atom][number].is_not_alive(life.state):
                apart = bodies[atom].pointing.without(key, life.present)
                if not all(self._narrowed(case, self.code.body[atom][p], held) for p, held in apart.items()):
                    return None
        return case

    def _keys(self, run: NodeValues, bodies: Sequence[AbstractState], item: TrackedInClause) -> list[int]:
        """The addresses at which the tracked object may begin and for which separate values are kept."""
        found = {key: None for atom, number in item.body for key in bodies[atom].objects[number].known}
        for node in item.equal:
            for address in value_sets.numbers(run.pieces(node), MAX_COMBINED) or ():
                if address % item.stride == 0 and len(found) < MAX_OBJECTS:
                    found[address] = None
        return sorted(found)

    def _collected(
        self,
        item: TrackedInClause,
        number: int,
        keys: Sequence[int],
        cases: Sequence[_PhaseCase],
        pointing: _Pointing,
    ) -> Objects:
        """The head's object, from the cases that are possible. pointing: of the head, whatever the case is."""
        found: dict[int | None, Lives] = {}
        for case in cases:
            found[case.key] = found.get(case.key, NEVER).joined(self._lives(item, number, case, pointing))
        return Objects(self.of_head[number], {key: found.get(key, NEVER) for key in keys}, found.get(None, NEVER))

    def _lives(self, item: TrackedInClause, number: int, found: _PhaseCase, pointing: _Pointing) -> Lives:
        """The lives of the head's object in one case."""
        return Lives(tuple(self._life(item, number, found, phase, pointing) for phase in Phase))

    def _life(
        self, item: TrackedInClause, number: int, found: _PhaseCase, phase: Phase, pointing: _Pointing
    ) -> Life | None:
        """The head's object in a phase; None if it is not in it."""
        arguments, case, key = self.of_head[number], found.values, found.key
        size_node, state_node, fresh_node = self.objects.head_nodes[number]
        state = value_sets.ANY if state_node is None else case.pieces(state_node)
        own = value_sets.meet(state, arguments.states_of(phase))
        if not own:
            return None
        if own != state and state_node is not None:
            case = case.copy()
            if not self._narrowed(case, state_node, own) or not solve(case):
                return None
        size, fresh = (value_sets.ANY if node is None else case.pieces(node) for node in (size_node, fresh_node))
        divisor = 1 if size_node is None else self.inequalities.divisor(size_node, case, found.divisors)
        size = value_sets.multiples(size, divisor)
        if not size:
            return None
        life = Life(size, own, fresh=fresh, divisor=divisor)
        if key is None:
            return life
        if phase is not Phase.ALIVE:
            present = frozenset(pointing().to_with(key, [case.values[node] for node in self.code.head]))
            return replace(life, present=present)
        if arguments.size is None:
            return life
        of_body = self.objects.of_body(*item.body[0])[0] if item.body else None
        related = self._lives_kept.related(case, found.relations, of_body, arguments.size)
        return with_inequalities(life, arguments.size, related)


def expressible(value: Value) -> Value:
    """The value without what no formula without quantifiers says: what all other cells of an array hold."""
    return value.without_others() if isinstance(value, CellValues) and value.other is not None else value


def _met(one: Pieces, other: Pieces) -> Pieces:
    """The numbers of both, however many pieces that are."""
    found = [(max(a, c), min(b, d)) for a, b in one for c, d in other if a <= d and c <= b]
    return tuple(found)
