"""Runs that record what they compare, and what inputs may take from it.

An input that a comparison meets unchanged is likely the value that decides it: with the other side in its place the
comparison holds, without knowing how the value came there. Aschermann, Schumilo, Blazytko, Gawlik, Holz: REDQUEEN:
Fuzzing with Input-to-State Correspondence (NDSS 2019) [Aschermann2019].
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set

from chcverify.effort import MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import postorder
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.memory.memory_checks import ViolationReached
from encoders.c.execution.state_access import MachineAccess, Number, StateAccess, Test
from encoders.c.types.comparison_operators import COMPARISONS

_EQUALITIES = ("==", "!=")
_LEAST_CHAR, _LARGEST_CHAR = -128, 255  # of the types of characters, signed or not


@dataclass(frozen=True)
class RecordedComparison:
    """Two different integers that were compared, and the expression that did, as id() of its node."""

    node: int
    left: int
    right: int
    is_equality: bool


@dataclass(frozen=True)
class Substitution:
    """Another value for one choice of a run.

    node: the comparison that it is for. place: the number of the choice.
    """

    node: int
    place: int
    value: int


class ComparisonRecorder(Automata):
    """Automata whose runs record their comparisons of integers, in order, in `recorded`."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.recorded: dict[RecordedComparison, None] = {}
        self._decided: defaultdict[int, list[int]] = defaultdict(list)  # edges by the comparisons of their conditions
        for function in program.functions.values():
            errors = {edge.source for edge in function.edges if isinstance(edge.operation, ir.ReachError)}
            for edge in function.edges:
                if isinstance(edge.operation, ir.Assume) and edge.target not in errors:
                    for node in postorder(edge.operation.condition):
                        if isinstance(node, ir.Binary) and node.operator in COMPARISONS:
                            self._decided[id(node)].append(id(edge))

    def decides_another(self, node: int, passed: Set[int]) -> bool:
        """True if some edge whose condition contains the comparison was passed by no run; edges to failing checks do
        not count, since most checks never fail. Also true for comparisons in no condition: those whose result is
        stored, and those of sizes where an access failed.

        node: as id(). passed: edges, as id().
        """
        edges = self._decided.get(node)
        return edges is None or any(edge not in passed for edge in edges)

    def assuming(self, program: ir.Program) -> "ComparisonRecorder | None":
        found = super().assuming(program)
        assert found is None or isinstance(found, ComparisonRecorder)
        return found

    def comparison(self, node: ir.Binary, left: Number, right: Number) -> Test:
        compare, key, is_equality = COMPARISONS[node.operator], id(node), node.operator in _EQUALITIES
        recorded = self.recorded

        def test(state: StateAccess) -> bool:
            a, b = left(state), right(state)
            if a != b and isinstance(a, int) and isinstance(b, int) and len(recorded) < MAX_FORMULAS:
                recorded[RecordedComparison(key, a, b, is_equality)] = None
            return compare(a, b)

        return test

    def _access(self, operation: ir.CheckAccess) -> Callable[[MachineAccess], None]:
        """An access outside of an object compares the size of the object with the size that is needed."""
        check, lvalue = super()._access(operation), operation.lvalue
        spot, width, key = self.function(lvalue), self.sizes.of(lvalue.type), id(operation)

        def recorded_access(state: MachineAccess) -> None:
            try:
                check(state)
            except ViolationReached:
                target, offset = spot(state)
                if target is not None and target.lifetime is not None and offset >= 0:
                    self._record_sizes(key, target.lifetime.size or 0, offset + width, width)
                raise

        return recorded_access

    def _record_sizes(self, node: int, size: int, needed: int, width: int) -> None:
        """Records sizes in bits as numbers of bytes and of elements of this width, since either may be a choice."""
        for unit in {8, max(8, width)}:
            if size < needed:
                self.recorded[RecordedComparison(node, size // unit, -(-needed // unit), False)] = None

    def substitutions(self, choices: Mapping[int, int]) -> Iterator[Substitution]:
        """What the comparisons that were recorded last suggest for the choices of their run.

        First come equalities, then orders, each from the last one back. choices: by number.
        """
        places = _ChoicesByValue(choices)
        last_first = [*reversed(self.recorded)]
        for compared in sorted(last_first, key=lambda item: not item.is_equality):
            near = (0,) if compared.is_equality else (0, 1, -1)
            for place, other in places.to_change(compared):
                yield from (Substitution(compared.node, place, other + step) for step in near)


class _ChoicesByValue:
    """The choices of a run, found by the value that a comparison meets: as it is, or as a character of another
    signedness."""

    def __init__(self, choices: Mapping[int, int]) -> None:
        self._characters: defaultdict[int, list[int]] = defaultdict(list)
        self._others: defaultdict[int, list[int]] = defaultdict(list)
        for place, value in choices.items():
            numbers, key = self._of(value)
            numbers[key].append(place)

    def _of(self, value: int) -> "tuple[defaultdict[int, list[int]], int]":
        """The index for values of this size, and the key of the value in it."""
        is_character = _LEAST_CHAR <= value <= _LARGEST_CHAR
        return (self._characters, value % 256) if is_character else (self._others, value)

    def to_change(self, compared: RecordedComparison) -> list[tuple[int, int]]:
        """Numbers of choices that one side of the comparison may be, with the other side, in the order of numbers."""
        found: list[tuple[int, int]] = []
        for one, other in ((compared.left, compared.right), (compared.right, compared.left)):
            numbers, key = self._of(one)
            found += [(place, other) for place in numbers.get(key, ())]
        return sorted(found, key=lambda item: item[0])
