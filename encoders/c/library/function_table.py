"""The table of the C and POSIX library: what each function reads, writes, calls, returns and requires.

The entries are text, in `functions/*.txt` by header; `table_reader.py` describes the lines. Nothing is read before a
program calls a function without a body, and then only the entries that are asked for are taken apart.
No module compares the name of a library function: modules ask the reader for its entry and look at that.
"""

from enum import Enum, Flag, auto

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class Parameter:
    """A parameter of a library function. type: as C writes it, without qualifiers: `char *`, `size_t`, `function *`."""

    name: str
    type: str

    @property
    def is_pointer(self) -> bool:
        """Is it a pointer to objects or to a function?"""
        return self.type.endswith("*")

    @property
    def is_wide(self) -> bool:
        """Does it point to wide characters?"""
        return self.type == "wchar_t *"


@dataclass(frozen=True)
class Size:
    """A number of elements of what a pointer points to, bytes for `void *`: the product of the factors.

    factors: numbers and the names of parameters.
    """

    factors: tuple[int | str, ...]


@dataclass(frozen=True)
class MemoryRange:
    """Elements that a function reads or writes from a pointer on."""

    pointer: str
    """A parameter's name."""
    size: Size | None
    """Their number; None: it depends on more."""
    whole: bool = True
    """All of them, always; else no others."""
    or_null: bool = False
    """A null pointer is allowed, and then nothing is read or written."""
    in_bytes: bool = False
    """The size counts bytes."""


@dataclass(frozen=True)
class StringRead:
    """A string that a function reads up to its terminator. limit: no more characters than that, if it is not None."""

    pointer: str
    limit: Size | None = None
    or_null: bool = False


class FormatFamily(Enum):
    """The languages of formats."""

    PRINTF = "output"
    SCANF = "input"
    STRFTIME = "date"


@dataclass(frozen=True)
class FormatRead:
    """A format."""

    pointer: str
    """Its parameter."""
    family: FormatFamily
    to: str = ""
    """Where the text goes, or comes from, "" if that is no memory."""
    room: str | None = None
    """How many characters, the null one included, None: all."""
    list: str = ""
    """The parameter of type va_list, "" if the arguments follow."""
    or_null: bool = False


class End(Enum):
    """How a function ends the program."""

    AT_ONCE = "ends"
    AFTER_HANDLERS = "ends after handlers"
    """After the functions that atexit was given."""


class BlockStorage(Flag):
    """What is special about a block that a function allocates."""

    PLAIN = 0
    ZEROED = auto()
    STACK = auto()
    """It lives until the calling function returns."""


@dataclass(frozen=True)
class Allocation:
    """A block that a call makes; its address is the result, or goes where a parameter points to."""

    factors: tuple[str, ...]
    """The parameters whose product is its size in bytes; none: the function decides."""
    storage: BlockStorage = BlockStorage.PLAIN
    alignment: str = ""
    """The parameter that gives it, or ""."""
    failure: int = 0
    """The result where there is no memory."""


class ResultKind(Enum):
    """Where a result comes from."""

    ANY = "any"  # any value of its type
    ARGUMENT = "argument"  # the value of a parameter
    INSIDE = "inside"  # points into what a parameter points to
    FRESH = "fresh"  # a block that only the result leads to
    STATIC = "static"  # an object of the library


@dataclass(frozen=True)
class Result:
    """What a function returns. pointer: the parameter that it is, or points into. or_null: it may be null."""

    kind: ResultKind = ResultKind.ANY
    pointer: str = ""
    or_null: bool = False


@dataclass(frozen=True)
class Separation:
    """Two ranges that must not overlap (C11 6.7.3.1). size: elements; None: as many characters as the string at
    `other` has with its terminator."""

    pointer: str
    other: str
    size: Size | None


@dataclass(frozen=True)
class TypedModel:
    """The model over elements of one type."""

    elements: tuple[str, ...]
    """The pointers to these."""
    size: str
    """The parameter that counts bytes, or gives the size of one element."""
    order: str = ""
    """The parameter that compares elements, or ""."""


class Trait(Enum):
    """Other facts, without arguments."""

    ABNORMAL = "abnormal"  # the program ends as by an error
    ASSERTION = "assertion"  # a failed assertion calls it
    COPIES = "copies"  # what was not written in the source is not written in the copy; copying reads nothing
    JUMPS = "jumps"  # it goes on behind an earlier call of a function that marks a place
    MARKS = "marks"  # later jumps go on behind its call
    MEASURES = "measures"  # all that it does is to read a string; the result is its length
    ERROR_NUMBER = "errno"  # its result points to errno
    IN_MEMORY = "inmemory"  # the stream that it opens changes memory
    INPUT = "input"  # its model gives any input
    REGISTERS = "registers"  # the function that it is given runs when the program ends
    RELEASES = "releases"  # all that it does is to end the lifetime of a block
    ROUNDS = "rounds"  # it changes how floating-point operations round
    SETS = "sets"  # every byte gets the same value
    STOPS = "stops"  # its model stops reading where the result is known; the function reads all
    UNREACHABLE = "unreachable"  # a call says that no run comes here


@dataclass(frozen=True)
class LibraryFunction:
    """An entry of the table."""

    name: str
    result_type: str
    parameters: tuple[Parameter, ...]
    variadic: bool
    source: str
    """The paragraph of a standard, or whose extension it is."""
    outside: bool = False
    """What it does beside reading and writing as the entry says concerns the environment alone, and its result is any
    value."""
    reads: tuple[MemoryRange, ...] = ()
    writes: tuple[MemoryRange, ...] = ()
    strings: tuple[StringRead, ...] = ()
    format: FormatRead | None = None
    end: End | None = None
    allocation: Allocation | None = None
    frees: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    """Parameters."""
    returns: Result = Result()
    fails: bool = False
    """It may fail and says why in errno."""
    streams: tuple[str, ...] = ()
    """Parameters that must be open streams, or null where they are among `null_streams`, too."""
    null_streams: tuple[str, ...] = ()
    separate: tuple[Separation, ...] = ()
    requires: tuple[str, ...] = ()
    """Other conditions on the parameters, as C expressions."""
    bounds: tuple[float, float] | None = None
    """Of the result, a floating-point number."""
    between: tuple[int, int | str] | None = None
    """The least and the greatest result, a number; the latter may be the name of a parameter."""
    overflow: str = ""
    """The operator whose result must fit, as in 0 - x or x / y."""
    nonzero: str = ""
    """A parameter; for 0 there is no result."""
    typed: TypedModel | None = None
    operation: str = ""
    """Of expressions, that computes the result."""
    closes: tuple[str, ...] = ()
    """Streams."""
    assumes: str = ""
    """What is assumed of each program that calls it."""
    traits: frozenset[Trait] = frozenset()

    @property
    def stops_early(self) -> bool:
        """Does its model read less than the function may?"""
        return Trait.STOPS in self.traits

    def position(self, name: str) -> int:
        """The index of a parameter, from 0."""
        return next(number for number, parameter in enumerate(self.parameters) if parameter.name == name)
