"""The control-flow automata (CFA) that C programs are lowered to: typed, side-effect-free expressions on edges.

Every implicit conversion is an explicit Cast; operands of arithmetic and comparison have the same type (shifts keep
their own right type; pointer arithmetic is PointerAdd/PointerDifference). Expressions are pure: calls, assignments,
++/-- and undetermined values are operations on edges. Locations are explicit and carry source coordinates.
"""

import enum
from dataclasses import field

from chcverify.horn.system import Origin
from chcverify.options import SourceFile
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check, CheckKind
from encoders.c.cfa.operations.pure_expressions import (
    OBJECT_COMPARISONS as OBJECT_COMPARISONS,
)
from encoders.c.cfa.operations.pure_expressions import (
    ORDERS as ORDERS,
)
from encoders.c.cfa.operations.pure_expressions import (
    SAME_OBJECT as SAME_OBJECT,
)
from encoders.c.cfa.operations.pure_expressions import (
    SHARED_OBJECT as SHARED_OBJECT,
)
from encoders.c.cfa.operations.pure_expressions import (
    AddressOf as AddressOf,
)
from encoders.c.cfa.operations.pure_expressions import (
    AddressReuse as AddressReuse,
)
from encoders.c.cfa.operations.pure_expressions import (
    Binary as Binary,
)
from encoders.c.cfa.operations.pure_expressions import (
    Cast as Cast,
)
from encoders.c.cfa.operations.pure_expressions import (
    Conditional as Conditional,
)
from encoders.c.cfa.operations.pure_expressions import (
    Constant as Constant,
)
from encoders.c.cfa.operations.pure_expressions import (
    Dereference as Dereference,
)
from encoders.c.cfa.operations.pure_expressions import (
    ElementLValue as ElementLValue,
)
from encoders.c.cfa.operations.pure_expressions import (
    Expression as Expression,
)
from encoders.c.cfa.operations.pure_expressions import (
    FieldLValue as FieldLValue,
)
from encoders.c.cfa.operations.pure_expressions import (
    FunctionAddress as FunctionAddress,
)
from encoders.c.cfa.operations.pure_expressions import (
    Load as Load,
)
from encoders.c.cfa.operations.pure_expressions import (
    LValue as LValue,
)
from encoders.c.cfa.operations.pure_expressions import (
    PointerAdd as PointerAdd,
)
from encoders.c.cfa.operations.pure_expressions import (
    PointerDifference as PointerDifference,
)
from encoders.c.cfa.operations.pure_expressions import (
    Unary as Unary,
)
from encoders.c.cfa.operations.pure_expressions import (
    Variable as Variable,
)
from encoders.c.cfa.operations.pure_expressions import (
    VariableLValue as VariableLValue,
)
from encoders.c.cfa.operations.thread_operations import (
    AtomicBegin as AtomicBegin,
)
from encoders.c.cfa.operations.thread_operations import (
    AtomicEnd as AtomicEnd,
)
from encoders.c.cfa.operations.thread_operations import (
    CreateThread as CreateThread,
)
from encoders.c.cfa.operations.thread_operations import (
    CurrentThread as CurrentThread,
)
from encoders.c.cfa.operations.thread_operations import (
    ExitThread as ExitThread,
)
from encoders.c.cfa.operations.thread_operations import (
    JoinThread as JoinThread,
)
from encoders.c.cfa.operations.thread_operations import (
    ThreadOperation as ThreadOperation,
)
from encoders.c.types.c_types import CField, CFunction, DataModel

RESULT = "<result>"  # name of the variable that holds what a function returns
TEMPORARY = "$"  # the name in the program of all temporaries; no name of C


# --- operations on edges -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Skip:
    pass


@dataclass(frozen=True)
class Assign:
    """copies: a scalar is copied as memory, so that it may be one that nobody wrote. Records always are."""

    lvalue: LValue
    value: Expression
    copies: bool = False


@dataclass(frozen=True)
class Assume:
    """A condition on paths: the edge can be taken if (condition != 0) == holds."""

    condition: Expression
    holds: bool


@dataclass(frozen=True)
class Nondet:
    """An assignment of any value of the lvalue's (scalar) type."""

    lvalue: LValue
    source: str
    """`__VERIFIER_nondet_int`, or the name of an undefined function."""
    is_estimate: bool = False
    """A run determines the value, but that is not modelled: proofs cover all values, and no run goes on."""
    is_unknown: bool = False
    """A pointer that a function without a body has made, to any object that it knows."""


@dataclass(frozen=True)
class Declare:
    """The beginning of a local's lifetime: it gets one fixed unknown value (scalars and aggregates alike).

    length: for variable length arrays, the element count. ends: it is the end of its block, where nobody checks
    lifetimes: from then on it may have any value.
    """

    variable: Variable
    length: Expression | None = None
    ends: bool = False


@dataclass(frozen=True)
class Clear:
    """An assignment of zero to all of the lvalue (static storage, aggregate initialisers).

    is_fresh: a part of a block that was allocated as zero and that nothing else has written: a run changes nothing.
    """

    lvalue: LValue
    is_fresh: bool = False


@dataclass(frozen=True)
class Allocate:
    """An allocation: the lvalue gets a pointer to a fresh object of `size` bytes, unspecified, or zero if `cleared`.

    on_stack: it lives until its function returns (alloca), else until it is released. is_cleared_later: operations
    behind it (`Clear` with is_fresh) set its cells to zero for the clauses, too.
    """

    lvalue: LValue
    size: Expression
    cleared: bool
    on_stack: bool = False
    is_cleared_later: bool = False


@dataclass(frozen=True)
class Call:
    """A call of a function that the program defines; the lvalue, if any, gets its result."""

    lvalue: LValue | None
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class ReachError:
    """The violation: the edge's target is never left."""

    what: str  # "reach_error", "assert(x > 0)", ...
    kind: CheckKind = CheckKind.ASSERTION


class AccessClaim(enum.Enum):
    """What is said of an access."""

    CHECKED = "checked"  # it is a violation where it is not valid
    HOLDS = "holds"  # runs go on only where it is valid
    FAILS = "fails"  # runs go on only where it is not valid; proofs cover others, too


@dataclass(frozen=True)
class CheckAccess:
    """A check that some bytes lie in one living object; where they do not, the violation is of one of three kinds.

    Only where memory is checked: CheckKind.BOUNDS, NULL or LIFETIME is among the program's checks.
    """

    lvalue: LValue
    """Where the bytes begin."""
    size: Expression | None = None
    """Their number; None: all of the lvalue's type."""
    counts_none: bool = False
    """No bytes must lie in a living object, or at its end, too."""
    held: frozenset[CheckKind] = frozenset()
    """The kinds of checks whose violation cannot be the first one of a run here."""
    claim: AccessClaim = AccessClaim.CHECKED

    @property
    def is_claim(self) -> bool:
        """Is it no check of the program, but decides which runs go on?"""
        return self.claim is not AccessClaim.CHECKED


@dataclass(frozen=True)
class CheckWritten:
    """A check that a scalar that is read next was written. Only with CheckKind.UNINITIALISED among the checks."""

    lvalue: LValue


@dataclass(frozen=True)
class Release:
    """A call of free: ends the lifetime of the block that the pointer points to; of null it does nothing.

    With CheckKind.FREE among the program's checks, it is the violation where the pointer is neither null nor the first
    byte of a living block. Only where the lifetimes of objects are checked.
    """

    pointer: Expression


@dataclass(frozen=True)
class Forget:
    """The end of a block's lifetime where nobody checks that: what it held is any value from then on.

    pointer: the value of a variable that points to the block's first byte, or null, which changes nothing.
    """

    pointer: Expression

    @property
    def variable(self) -> Variable:
        """The variable."""
        assert isinstance(self.pointer, Load) and isinstance(self.pointer.lvalue, VariableLValue)
        return self.pointer.lvalue.variable


@dataclass(frozen=True)
class EndStream:
    """The end of a stream: an object that the system makes later may have its address. No contents change."""

    pointer: Expression


@dataclass(frozen=True)
class EndLifetimes:
    """The end of a block: the lifetimes of its variables end. Only where the lifetimes of objects are checked."""

    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class CheckBlocks:
    """The end of the program: with CheckKind.CLEANUP, the violation where a block lives.

    leaves_main: main has returned, so that its own variables live no more (for CheckKind.LEAK); else the program ends
    in a call of exit or abort.
    """

    leaves_main: bool


@dataclass(frozen=True)
class Havoc:
    """A call of a function without a body: objects that it can reach may have any contents afterwards.

    arguments: the pointers that it is given; it also reaches those of earlier calls, and `Program.external`. numbers:
    the numbers and records that it is given, in which addresses may be.
    """

    function: str
    arguments: tuple[Expression, ...]
    numbers: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Trap:
    """An operation that is not modelled: the edge's target is never left, and no proof covers runs that come here."""

    what: str
    """One of "call of fesetround", ..."""
    goes_on: tuple[int, ...] | None = None
    """The locations where a real run may come back to the automaton behind it; None: it may do anything."""
    calls: tuple[str, ...] = ()
    """Functions of the program that it may enter before."""


@dataclass(frozen=True)
class OpenCheck:
    """A check that is not known to hold: no run goes on, but proofs of other checks cover what follows."""

    what: str
    kind: CheckKind


@dataclass(frozen=True)
class LoopInvariant:
    """A condition that an annotation of the source claims at a location. Finished automata keep it in `claims`."""

    condition: Expression
    text: str


MemoryCheck = CheckAccess | CheckWritten | Release | EndLifetimes | CheckBlocks
Operation = (
    Havoc
    | Forget
    | EndStream
    | Skip
    | Assign
    | Assume
    | Nondet
    | Declare
    | Clear
    | Allocate
    | Call
    | ReachError
    | Trap
    | CheckAccess
    | CheckWritten
    | Release
    | EndLifetimes
    | CheckBlocks
    | OpenCheck
    | LoopInvariant
    | ThreadOperation
)

# --- automata ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Location:
    """A control-flow location. number is unique in the program; locations without outgoing edges end the path."""

    number: int
    function: str
    origin: Origin
    is_loop_head: bool = False

    def __str__(self) -> str:
        return f"{self.function}#{self.number}"


@dataclass(frozen=True)
class Edge:
    source: int
    target: int
    operation: Operation
    origin: Origin
    text: str = ""  # the statement or condition as the user wrote it, on one line


@dataclass(frozen=True)
class LoopClaim:
    """An invariant that the source claims at a location, by its number: a candidate, which no run depends on."""

    location: int
    condition: Expression
    text: str
    origin: Origin


@dataclass(frozen=True)
class FunctionCfa:
    """The automaton of a function."""

    name: str
    type: CFunction
    parameters: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    result: Variable | None
    """The variable that holds the function's result when exit is reached; None for void."""
    entry: int
    exit: int
    """A location by its number, as the entry is."""
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    claims: tuple[LoopClaim, ...] = ()
    """Of loops."""
    escaping: frozenset[str] = frozenset()
    """The local variables, by their unique names, whose address may be used when their block has ended."""
    is_reallocation: bool = False
    """It is the model of realloc or its like, whose result may be its argument."""


@dataclass(frozen=True)
class HarnessCode:
    """C code behind the file of the program, with a function that calls another one with any arguments.

    entry: that other function.
    """

    text: str
    file: str
    function: str
    entry: str


@dataclass(frozen=True)
class Program:
    """A whole program. `initialise` names a CFA in `functions` that sets the globals and then calls main."""

    file: str
    data_model: DataModel
    functions: dict[str, FunctionCfa]
    globals: tuple[Variable, ...]
    records: dict[str, tuple[CField, ...]]
    """The fields of each structure or union, by tag."""
    initialise: str = "<init>"
    record_sizes: dict[str, int] = field(default_factory=dict)
    """The size in bytes of each, by tag."""
    external: frozenset[str] = frozenset()
    """The variables that functions of other files may change, if such functions are called."""
    assumptions: tuple[Assumption, ...] = ()
    """What is assumed about functions and objects that the files do not define."""
    violations: int = 0
    """The number of positions in the source that can be errors, including those that have no edge because a condition
    is constant."""
    checks: frozenset[CheckKind] = frozenset({CheckKind.ASSERTION})
    """The kinds of errors that are looked for."""
    assumed: frozenset[Check] = frozenset()
    """The checks that others decide: a run that violates one ends."""
    sources: tuple[SourceFile, ...] = ()
    """The files with their flags, that at `file` first; () for a text."""
    harness: HarnessCode | None = None
    """The code that the program begins with instead of main, if it does."""
    ends_at_violations: bool = False
    """A run ends at the first violation of a check of memory, also where that check is not assumed, so that the clauses
    of other selections of checks differ in their violations only."""

    def external_globals(self) -> list[Variable]:
        """The global variables that functions of other files may change, in the order of the program."""
        return [variable for variable in self.globals if variable.unique in self.external]
