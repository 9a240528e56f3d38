"""What surrounds a program: functions that are defined elsewhere, and objects that others may change."""

from enum import Enum

from pycparser import c_ast

from chcverify.lazy_dataclass import dataclass
from encoders.c.library.special_functions import VIOLATIONS

# Bytes, for pointers of 64 bits: processors address 2^47 bytes, and clauses do not follow an index farther than this.
LARGEST_OBJECT = 1 << 46
INTERFACE = "__VERIFIER_"  # prefix of the names of the competition's interface


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


@dataclass(frozen=True)
class Surroundings:
    """The choices about what surrounds a program; None where the program's format decides.

    competition: is the program known to be a task in the competition's format? largest_allocation: bytes that an
    allocation has at most, None for no limit.
    """

    functions: UndefinedFunctions | None = None
    volatile: VolatileReads | None = None
    competition: bool = False
    largest_allocation: int | None = None
    assembler: Assembler = Assembler.REFUSE

    def decided(self, tree: c_ast.Node) -> "Surroundings":
        """Returns the choices with none left open.

        The rules of the competition say that functions without a body change nothing and that no other code runs.
        Nothing says so of other programs.
        """
        ruled = self.competition or uses_interface(tree)
        functions = self.functions or (UndefinedFunctions.PURE if ruled else UndefinedFunctions.HAVOC)
        volatile = self.volatile or (VolatileReads.PLAIN if ruled else VolatileReads.FRESH)
        return Surroundings(functions, volatile, ruled, self.largest_allocation, self.assembler)


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
