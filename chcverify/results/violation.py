"""What a run of a program violates, and the object that it is about: plain values for people and reports."""

from enum import StrEnum

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check


class Storage(StrEnum):
    """How long an object lives. The values are what people read."""

    STATIC = "static"  # as long as the program
    STACK = "stack"  # until its block ends, or its function returns (alloca)
    HEAP = "heap"  # until it is released
    STRING = "string constant"  # as long as the program


@dataclass(frozen=True)
class ObjectDescription:
    """An object in memory."""

    name: str
    """The name of a variable; "" for blocks of an allocation."""
    storage: Storage
    size: int | None
    """Its size in bytes; None if not known."""
    began: Origin | None = None
    """Where it was declared or allocated."""
    ended: Origin | None = None
    """Where it was released or its block ended; None while it lives."""
    number: int | None = None
    """The position of an allocated block among the run's allocations, from 1."""

    def __str__(self) -> str:
        """One phrase: `a heap block of 12 bytes, allocated at a.c:3:8, freed at a.c:5:3`."""
        what = "the string constant" if self.storage is Storage.STRING else self.name or f"a {self.storage} block"
        size = "unknown size" if self.size is None else f"{self.size} byte{'s' * (self.size != 1)}"
        text = f"{what} of {size}"
        if self.began is not None and self.storage is not Storage.STRING:
            text += f", {'declared' if self.name else 'allocated'} at {self.began}"
        if self.ended is not None:
            text += f", {'freed' if self.storage is Storage.HEAP else 'whose lifetime ended'} at {self.ended}"
        return text


@dataclass(frozen=True)
class Violation:
    """A violated check. what: what happened, "" if the check says it all. object: that it happened to, if any."""

    check: Check
    what: str = ""
    object: ObjectDescription | None = None

    @property
    def description(self) -> str:
        """One phrase: what happened, and to which object."""
        return (self.what or self.check.text) + (f" ({self.object})" if self.object is not None else "")

    def __str__(self) -> str:
        """One line: position, what happened, and to which object."""
        return f"{self.check.origin}: {self.description}"
