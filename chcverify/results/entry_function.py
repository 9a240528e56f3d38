"""A function where verification may begin: a plain value."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class EntryFunction:
    """A function, by its name in the program and the position of its definition."""

    name: str
    """`f`, or `f (b.c)` of a static function of a second file."""
    file: str
    line: int
    callers: tuple[str, ...] = ()
    """Of a function that only calls of the program lead to, the others from which these come; () of other functions."""
