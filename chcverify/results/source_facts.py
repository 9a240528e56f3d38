"""Facts about source programs in verdicts, independent of the source language."""

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass

CYCLE = "cycle"
"""The kind of the steps that mark where the cycle of a run begins and ends that does not end."""
WITH_INPUTS, SAME_INPUTS = ", with inputs", ", with the same inputs"
INTERRUPT = "<interrupt "  # begins the name of the function that calls an interrupt handler


@dataclass(frozen=True)
class SourceInvariant:
    """`text`, in the syntax of the source language, holds whenever control is at `origin`.

    exact: its numbers are mathematical integers; otherwise it leaves signs, widths or roundings to the reader.
    """

    origin: Origin
    function: str
    is_loop_head: bool
    text: str
    exact: bool = True


@dataclass(frozen=True)
class LoopVariant:
    """A term that each iteration of a loop makes smaller, from at least 0."""

    origin: Origin
    """Of the loop head."""
    function: str
    text: str
    """In the syntax of the source language; its numbers are mathematical integers."""


@dataclass(frozen=True)
class LoopNote:
    """Why the runs of a loop or of a recursion end, or why one does not."""

    origin: Origin | None
    """Of the loop head or the function; None in clauses without a program."""
    place: str
    """Where that is, for people."""
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True)
class ContractCandidate:
    """Clauses that may be a contract of a function, in ACSL; nothing has been proved of them."""

    function: str
    requires: tuple[str, ...]
    """Predicates."""
    assigns: tuple[str, ...]
    """Locations."""
    ensures: tuple[str, ...]
    """Predicates."""
    calls: tuple[str, ...] = ()
    """The functions that it calls, directly or through others."""
    reason: str = ""
    """Why it has no contract, "" if it has one."""
    has_pointers: bool = False
    """Is it given pointers?"""


@dataclass(frozen=True)
class TraceStep:
    """One step of an error trace."""

    origin: Origin
    function: str
    kind: str
    """One of "statement", "condition", "call", "return", "input" (an undetermined value was chosen), "violation",
    CYCLE, and "repeated": what was left out, described by `text`, with WITH_INPUTS at its end if inputs were among it,
    or SAME_INPUTS if those of the iterations before and after were the same."""
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    """The variables that changed, as the user knows them, with their new values as printed."""
    holds: bool | None = None
    """Whether a condition held."""
    value: str = ""
    """The value that an input or a call gave, even if no variable got it."""
    thread: int | None = None
    """In a program with threads, the number of its thread, from 1 for main; else None."""
