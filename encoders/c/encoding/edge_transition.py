"""What an edge does, as terms."""

import z3

from chcverify.lazy_dataclass import dataclass
from encoders.c.analysis.storage import StateVariable
from encoders.c.encoding.edge_values import UndeterminedValue
from encoders.c.encoding.memory.memory_failures import MemoryFailure


@dataclass(frozen=True, eq=False)
class EdgeTransition:
    """An edge as a transition. guard: ends with the constraints on the inputs. updates: of the variables that change.

    Terms are over the edge's state and `inputs`. traps: conditions under which the edge is not modelled. failures: of
    the checks of memory.
    """

    guard: tuple[z3.BoolRef, ...]
    updates: dict[StateVariable, z3.ExprRef]
    inputs: tuple[UndeterminedValue, ...]
    traps: tuple[z3.BoolRef, ...] = ()
    constraints: tuple[z3.BoolRef, ...] = ()
    failures: tuple[MemoryFailure, ...] = ()
