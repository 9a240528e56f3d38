"""Operations of programs with threads. Mutexes, conditions and their like are models in C over atomic sections.

A thread has a number: main has 1, the others 2, 3, ... in the order of their creation. Each edge is one step of its
thread, and a section between `AtomicBegin` and its `AtomicEnd` is one step, too (sequential consistency).
"""

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.operations.pure_expressions import Expression, LValue


@dataclass(frozen=True)
class CreateThread:
    """A new thread begins at a function that the program defines; the lvalue gets its number, before it begins.

    arguments: one, or none if the function has no parameter. interrupts: it calls an interrupt handler again and again,
    each time in an atomic section.
    """

    lvalue: LValue
    function: str
    arguments: tuple[Expression, ...]
    interrupts: bool = False


@dataclass(frozen=True)
class JoinThread:
    """Waits until the thread with a number has ended; the lvalue, if any, gets the pointer that it ended with."""

    thread: Expression
    lvalue: LValue | None


@dataclass(frozen=True)
class ExitThread:
    """The executing thread ends with a pointer; the edge's target is never left. Of main: the other threads go on."""

    value: Expression


@dataclass(frozen=True)
class AtomicBegin:
    """Waits until a condition holds, and begins a section in which no other thread runs. Sections nest.

    condition: holds if it is not zero; None: always. It is evaluated in the section.
    """

    condition: Expression | None = None


@dataclass(frozen=True)
class AtomicEnd:
    """The end of the innermost atomic section."""


@dataclass(frozen=True)
class CurrentThread:
    """The lvalue, an integer, gets the number of the executing thread."""

    lvalue: LValue


ThreadOperation = CreateThread | JoinThread | ExitThread | AtomicBegin | AtomicEnd | CurrentThread
