"""Abstract values of the nodes of a clause."""

from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import UNKNOWN, CellValues
from solvers.value_analysis.clause_code import ClauseCode
from solvers.value_analysis.value_sets import Pieces

Value = Pieces | CellValues | None
"""Of a node: of a number or a truth value, of an array, of anything else."""


class Empty(Exception):
    """No state satisfies the constraint."""


class NodeValues:
    """The values of the nodes of one clause. values: of each node; those of variables are set before.

    up_due: nodes that may have other values because some that they are computed from were narrowed. down_due: nodes
    whose arguments may have fewer values than they have. Where a node has the values that its arguments give, these
    can have no fewer: so only those matter that something else narrowed (narrowed).
    """

    def __init__(self, code: ClauseCode) -> None:
        self.code = code
        self.values: list[Value] = list(code.initial)
        self.up_due = bytearray(code.is_operation)
        self.down_due = bytearray(len(code.kinds))
        self.narrowed = bytearray(len(code.kinds))

    def copy(self) -> "NodeValues":
        """Another one with the same values."""
        other = NodeValues.__new__(NodeValues)
        other.code, other.values = self.code, list(self.values)
        other.up_due, other.down_due, other.narrowed = self.up_due[:], self.down_due[:], self.narrowed[:]
        return other

    @property
    def is_due(self) -> bool:
        """True if the constraint may say more of the nodes than their values do."""
        return 1 in self.up_due or 1 in self.down_due

    def narrow(self, node: int, value: Value) -> bool:
        """Leaves a node those of its values that are among the given ones; True if it loses some. Raises Empty."""
        old = self.values[node]
        if value is None or old is None or value is old:
            return False
        new = _met(old, value)
        if new is old:
            return False
        self.set_narrowed(node, new)
        return True

    def set_narrowed(self, node: int, value: Value) -> None:
        """Gives a node fewer values than it has."""
        self.values[node] = value
        self.narrowed[node] = self.down_due[node] = 1
        self._is_read(node)

    def compute(self, node: int, value: Value) -> None:
        """Leaves a node those of its values that its arguments give. Raises Empty."""
        old = self.values[node]
        if value is None or old is None or value is old:
            return
        new = _met(old, value)
        if new is not value and new != value:
            self.narrowed[node] = self.down_due[node] = 1
        if new is not old:
            self.values[node] = new
            self._is_read(node)

    def _is_read(self, node: int) -> None:
        for reader in self.code.readers[node]:
            self.up_due[reader] = 1
            if self.narrowed[reader]:
                self.down_due[reader] = 1

    def pieces(self, node: int) -> Pieces:
        """The values of a number or truth value."""
        found = self.values[node]
        return found if isinstance(found, tuple) else value_sets.ANY

    def cells(self, node: int) -> CellValues:
        """The values of an array."""
        found = self.values[node]
        return found if isinstance(found, CellValues) else UNKNOWN


def _met(old: Pieces | CellValues, value: Pieces | CellValues) -> Pieces | CellValues:
    """The values of both, the same object as the old ones if these are all of them. Raises Empty."""
    if isinstance(value, CellValues):
        assert isinstance(old, CellValues)
        return value if old is UNKNOWN else old.met(value)
    assert not isinstance(old, CellValues)
    met = value_sets.meet(old, value)
    if not met:
        raise Empty
    return old if met == old else met
