"""What surrounds a program: functions that are defined elsewhere, and objects that others may change."""

from dataclasses import replace
from enum import Enum

from pycparser import c_ast

from chcverify.properties.registry import asks_beyond_competition
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.library.special_functions import VIOLATIONS

INTERFACE = "__VERIFIER_"  # prefix of the names of the competition's interface


EFFECTS_OF = "chcverify_effects_of_"
"""How the name of a function without a body begins that stands for all that another one does besides its result."""


class UndefinedFunctions(Enum):
    """What a function without a body may do, besides returning any value of its type.

    PURE: nothing. HAVOC: change every object that its arguments and the variables with external linkage reach.
    REFUSE: something unknown, so that no run through a call of it has a verdict.
    """

    PURE = "pure"
    HAVOC = "havoc"
    REFUSE = "refuse"


class VolatileReads(Enum):
    """What a read of a volatile object gives. PLAIN: what the program wrote last. FRESH: any value of its type."""

    PLAIN = "plain"
    FRESH = "fresh"


class Assembler(Enum):
    """What assembler statements do. REFUSE: something unknown. OUTPUTS: give any values to the outputs they declare."""

    REFUSE = "refuse"
    OUTPUTS = "outputs"


class ArrayBounds(Enum):
    """What an index must not leave. INNER: the array that it is an index of. OBJECT: the whole object around that."""

    INNER = "inner"
    OBJECT = "object"


class Allocations(Enum):
    """What malloc and its like give. MAY_FAIL: null, too, at any call. NEVER_FAILS: always a block."""

    MAY_FAIL = "may-fail"
    NEVER_FAILS = "never-fails"


@dataclass(frozen=True)
class Surroundings:
    """The choices about what surrounds a program; None where the program's format, or the property, decides."""

    functions: UndefinedFunctions | None = None
    volatile: VolatileReads | None = None
    competition: bool = False
    """Is the program known to be a task in the competition's format?"""
    largest_allocation: int | None = None
    """Bytes that an allocation has at most, None for no limit."""
    assembler: Assembler = Assembler.REFUSE
    array_bounds: ArrayBounds | None = None
    """Of interest where CheckKind.BOUNDS is looked for."""
    allocations: Allocations | None = None

    def decided(self, tree: c_ast.Node, property: str = "unreach-call") -> "Surroundings":
        """Returns the choices with none left open.

        The rules of the competition say that functions without a body change nothing, that no other code runs, and that
        malloc does not fail; its properties are about objects, not about arrays inside of these. Nothing says so of
        other programs and properties. There, malloc may fail where null pointers are looked for: a result that is used
        without a look at it is what that check is for.
        """
        ruled = self.competition or uses_interface(tree)
        functions = self.functions or (UndefinedFunctions.PURE if ruled else UndefinedFunctions.HAVOC)
        volatile = self.volatile or (VolatileReads.PLAIN if ruled else VolatileReads.FRESH)
        bounds = self.array_bounds or (
            ArrayBounds.INNER if asks_beyond_competition(property, CheckKind.BOUNDS) else ArrayBounds.OBJECT
        )
        fails = not ruled and asks_beyond_competition(property, CheckKind.NULL)
        allocations = self.allocations or (Allocations.MAY_FAIL if fails else Allocations.NEVER_FAILS)
        return replace(
            self,
            functions=functions,
            volatile=volatile,
            competition=ruled,
            array_bounds=bounds,
            allocations=allocations,
        )


def may_use_interface(text: str) -> bool:
    """False if no name of the competition's interface is in the text, whose tree need not be searched then."""
    return INTERFACE in text or any(name in text for name in VIOLATIONS)


def uses_interface(tree: c_ast.Node) -> bool:
    """Does the program mention a name of the competition's interface: reach_error, __VERIFIER_...?"""
    stack = [tree]
    while stack:
        node = stack.pop()
        name = getattr(node, "name", None)
        if isinstance(name, str) and (name in VIOLATIONS or name.startswith(INTERFACE)):
            return True
        stack.extend(child for _, child in node.children())
    return False
