"""What a verdict takes for granted of what the program does not show: functions defined elsewhere, volatile objects."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, order=True)
class Assumption:
    """One assumption. kind: "function" (without a body), "undeclared" (function), "volatile", "object" (defined
    elsewhere), "order" (of addresses).

    subject: the name that it is about. effect: what is assumed of it, a verb first. file, line, column: where the
    program first depends on it.
    """

    kind: str
    subject: str
    effect: str
    file: str
    line: int
    column: int

    @property
    def place(self) -> str:
        """FILE:LINE."""
        return f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """Returns the assumption as a sentence with its place."""
        return f"{self.subject} {self.effect} ({self.place})"

    def document(self) -> dict[str, Any]:
        """Returns the fields as a JSON object."""
        return asdict(self)
