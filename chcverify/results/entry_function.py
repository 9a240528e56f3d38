"""A function where verification may begin: a plain value."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class EntryFunction:
    """name: in the program, `f` or `f (b.c)`. file, line: of its definition."""

    name: str
    file: str
    line: int
