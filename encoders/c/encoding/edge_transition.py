"""What an edge does, as terms."""

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.storage import StateVariable
from encoders.c.encoding.edge_values import UndeterminedValue
from encoders.c.encoding.memory.memory_failure import MemoryFailure


@dataclass(frozen=True, eq=False)
class EdgeTransition:
    """An edge as a transition. Terms are over the edge's state and `inputs`."""

    guard: tuple[z3.BoolRef, ...]
    """Ends with the constraints on the inputs."""
    updates: dict[StateVariable, z3.ExprRef]
    """Of the variables that change."""
    inputs: tuple[UndeterminedValue, ...]
    traps: tuple[z3.BoolRef, ...] = ()
    """Conditions under which the edge is not modelled."""
    constraints: tuple[z3.BoolRef, ...] = ()
    failures: tuple[MemoryFailure, ...] = ()
    """Of the checks of memory."""

    @property
    def open_failures(self) -> tuple[MemoryFailure, ...]:
        """Those of checks that may hold, too."""
        return tuple(failure for failure in self.failures if failure.is_open)
