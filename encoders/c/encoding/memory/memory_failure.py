"""One way in which a check of memory fails."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.analysis.memory.tracked_objects import TrackedObject
from encoders.c.cfa import ir


@dataclass(frozen=True, eq=False)
class MemoryFailure:
    """A condition under which a check fails."""

    kind: CheckKind | None
    """Of the check; None if it is not modelled what happens then."""
    condition: z3.BoolRef
    tracked: TrackedObject | None = None
    """The object that the access fails for, if it is tracked."""
    address: z3.ExprRef | None = None
    """The pointer, in cells of that object's top region."""
    is_open: bool = False
    """The check may hold, too, and runs go on behind it."""
    ends: bool = False
    """Runs do not go on: C leaves what follows undefined, and it is not modelled."""
    is_implied: bool = False
    """Where it holds, another failure of the same access holds for some choice of the tracked object: it is no query,
    and runs go on only where it does not hold."""

    @property
    def is_excluded(self) -> bool:
        """True if runs go on behind the check only where it does not fail so."""
        return self.kind is not None and (self.ends or not self.is_open)

    def asked(self, kinds: Collection[CheckKind]) -> "MemoryFailure | None":
        """The failure where these kinds are checked; None if nothing depends on it."""
        if self.kind is None or self.kind in kinds:
            return self
        return MemoryFailure(None, self.condition) if self.ends else None


def claimed(check: ir.CheckAccess, failures: Iterable[MemoryFailure]) -> Iterator[MemoryFailure]:
    """The failures of an access of which something is said: no queries. Where it is valid, runs go on only where none
    of them holds; where it is not, proofs cover all runs."""
    if check.claim is ir.AccessClaim.CHECKED:
        yield from failures
    elif check.claim is ir.AccessClaim.HOLDS:
        yield from (failure if failure.kind is None else replace(failure, is_implied=True) for failure in failures)
