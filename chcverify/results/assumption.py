"""Assumptions of a verdict about parts that the program does not contain: external functions, volatile objects."""

from dataclasses import asdict
from typing import Any

from chcverify.quick_dataclass import dataclass

UNFOLLOWED_ACCESSES = "race"
"""The kind of the assumption that what a library function accesses through its arguments is in no data race."""


@dataclass(frozen=True, order=True)
class Assumption:
    """One assumption."""

    kind: str
    """One of "function" (without a body), "undeclared" (function), "volatile", "object" (defined elsewhere), "order"
    (of addresses, of calls), "allocation" (its size), "success" (of allocations and of what creates threads),
    "lifetime", "annotation" (that is not checked), "contract" (in place of a body), "race" (of a function's accesses),
    "environment" (signals, locales)."""
    subject: str
    """The name that it is about."""
    effect: str
    """What is assumed of it, a verb first."""
    file: str
    line: int
    column: int
    """Where the program first depends on it."""

    @property
    def place(self) -> str:
        """FILE:LINE."""
        return f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """The assumption as a sentence with its position."""
        return f"{self.subject} {self.effect} ({self.place})"

    def document(self) -> dict[str, Any]:
        """Returns the fields as a JSON object."""
        return asdict(self)
