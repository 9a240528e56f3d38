"""Abstract values of the nodes of a clause."""

from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import UNKNOWN, CellValues
from solvers.value_analysis.clause_code import ARRAY, OTHER, ClauseCode, anything
from solvers.value_analysis.value_sets import Pieces

Value = Pieces | CellValues | None
"""Of a node: of a number or a truth value, of an array, of anything else."""


class Empty(Exception):
    """No state satisfies the constraint."""


class NodeValues:
    """The values of the nodes of one clause. values: of each node; those of variables are set before."""

    def __init__(self, code: ClauseCode) -> None:
        self.code = code
        self.values: list[Value] = [self._anything(i) for i in range(len(code.kinds))]
        for node, value in code.constants.items():
            self.values[node] = value

    def _anything(self, node: int) -> Value:
        width = self.code.widths[node]
        if width == ARRAY:
            return UNKNOWN
        return None if width == OTHER else anything(width)

    def copy(self) -> "NodeValues":
        """Another one with the same values."""
        other = NodeValues.__new__(NodeValues)
        other.code, other.values = self.code, list(self.values)
        return other

    def narrow(self, node: int, value: Value) -> bool:
        """Leaves a node those of its values that are among the given ones; True if it loses some. Raises Empty."""
        old = self.values[node]
        if value is None or old is None or value is old:
            return False
        if isinstance(value, CellValues):
            assert isinstance(old, CellValues)
            if old is UNKNOWN:
                self.values[node] = value
                return True
            self.values[node] = new = old.met(value)
            return new is not old
        assert not isinstance(old, CellValues)
        met = value_sets.meet(old, value)
        if not met:
            raise Empty
        if met == old:
            return False
        self.values[node] = met
        return True

    def pieces(self, node: int) -> Pieces:
        """The values of a number or truth value."""
        found = self.values[node]
        return found if isinstance(found, tuple) else value_sets.ANY

    def cells(self, node: int) -> CellValues:
        """The values of an array."""
        found = self.values[node]
        return found if isinstance(found, CellValues) else UNKNOWN
