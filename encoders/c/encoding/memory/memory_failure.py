"""One way in which a check of memory fails."""

from collections.abc import Collection

import z3

from chcverify.lazy_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.analysis.memory.tracked_objects import TrackedObject


@dataclass(frozen=True, eq=False)
class MemoryFailure:
    """A condition under which a check fails. kind: None if it is not modelled what happens then.

    tracked, address: of a failure of the tracked object, that and the pointer, in cells of its top region. is_open: the
    check may hold, too, and runs go on; ends: not where what C leaves undefined is not modelled.
    """

    kind: CheckKind | None
    condition: z3.BoolRef
    tracked: TrackedObject | None = None
    address: z3.ExprRef | None = None
    is_open: bool = False
    ends: bool = False

    @property
    def is_excluded(self) -> bool:
        """True if runs go on behind the check only where it does not fail so."""
        return self.kind is not None and (self.ends or not self.is_open)

    def asked(self, kinds: Collection[CheckKind]) -> "MemoryFailure | None":
        """The failure where these kinds are checked; None if nothing depends on it."""
        if self.kind is None or self.kind in kinds:
            return self
        return MemoryFailure(None, self.condition) if self.ends else None
