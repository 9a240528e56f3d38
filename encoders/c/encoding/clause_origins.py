"""The origins of clauses and of arguments: the part of the program that they stand for."""

from enum import Enum

from chcverify.horn.roles import Role
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.encoding.edge_values import UndeterminedValue
from encoders.c.encoding.memory.memory_failure import MemoryFailure


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of a location's predicate: the current value of a state variable, or the one at entry."""

    variable: StateVariable
    at_entry: bool

    def role(self, ends: int, alive: int, ranks: int) -> Role:
        """Its role; the values at entry of cells are values that stay. The arguments are bit sets of variables."""
        if ranks >> self.variable.index & 1:
            return Role.RANK
        if self.variable.is_array:
            return Role.IN_USE if alive >> self.variable.index & 1 else Role.ARRAY
        if ends >> self.variable.index & 1 and not self.at_entry:
            return Role.END
        return Role.CELL if self.variable.is_element and not self.at_entry else Role.SCALAR


class ClauseKind(Enum):
    """What a clause stands for."""

    INIT = "the beginning of the program"
    ENTRY = "the beginning of a function that is a summary"
    STEP = "an edge of an automaton"
    CALL = "the state at the beginning of a called function that is a summary"
    RETURN = "the state behind a call of a function that is a summary"
    VIOLATION = "a violated check; a query"
    TRAP = "a run that comes to what is not modelled; a query"


@dataclass(frozen=True, eq=False)
class ClauseInfo:
    """The origin of a clause."""

    kind: ClauseKind
    edge: FlatEdge | None
    """The edge that the clause encodes; None for the beginning of the program or of a function."""
    inputs: tuple[UndeterminedValue, ...] = ()
    """The undetermined values of the edge."""
    check: Check | None = None
    """The check that a violation violates."""
    failure: MemoryFailure | None = None
    """Of a violated check of memory: how the access fails."""
    passed: tuple[FlatEdge, ...] = ()
    """Of the beginning of the program: the edges that every run passes first."""
    open_failures: tuple[MemoryFailure, ...] = ()
    """Of a step: how checks of the edge fail that may hold, too, whether or not their violation is a query."""
