"""C types with exact sizes under a data model."""

from dataclasses import field

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class DataModel:
    """Sizes in bytes of what differs between data models; everything else is common to both."""

    name: str
    long: int
    pointer: int
    long_long_align: int  # alignment of long long and double inside structs
    long_double: int
    long_double_align: int


ILP32 = DataModel("ILP32", long=4, pointer=4, long_long_align=4, long_double=12, long_double_align=4)
LP64 = DataModel("LP64", long=8, pointer=8, long_long_align=8, long_double=16, long_double_align=16)
DATA_MODELS = {model.name: model for model in (ILP32, LP64)}


@dataclass(frozen=True)
class CVoid:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class CInteger:
    """An integer type."""

    name: str
    width: int
    """Its bits; of a bit-field, those of the field."""
    signed: bool
    rank: int
    """The order for conversions: bool 0, char 1, short 2, int 3, long 4, long long 5, __int128 6. A bit-field has the
    rank of its declared type."""
    is_bit_field: bool = False
    """It is narrower than its declared type."""

    @property
    def is_bool(self) -> bool:
        return self.rank == 0

    @property
    def minimum(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        if self.is_bool:
            return 1
        return (1 << (self.width - 1)) - 1 if self.signed else (1 << self.width) - 1

    def wrap(self, value: int) -> int:
        """The value of this type congruent to `value` (for _Bool: 0 or 1)."""
        if self.is_bool:
            return int(value != 0)
        low = value & ((1 << self.width) - 1)
        return low - (1 << self.width) if self.signed and low >> (self.width - 1) else low

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class CFloat:
    """A floating-point type of width 32, 64 or 80 bits (x87 long double)."""

    name: str
    width: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class CPointer:
    """A pointer type. What its target is makes no difference between types here."""

    target: "CType"
    volatile: bool = field(default=False, compare=False)
    """Is the target volatile?"""
    atomic: bool = field(default=False, compare=False)
    """Is the target atomic?"""
    constant: bool = field(default=False, compare=False)
    """Is the target constant?"""

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True)
class CArray:
    """An array type. length: in elements; None while incomplete (`int a[]`) or variable."""

    element: "CType"
    length: int | None

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.length is None else self.length}]"


@dataclass(frozen=True)
class CFunction:
    result: "CType"
    parameters: tuple["CType", ...]
    variadic: bool = False

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.parameters))})"


@dataclass(frozen=True)
class CField:
    """A member of a record. offset: in bytes. bit_offset: of bit-fields, within that storage.

    The type of a bit-field is a CInteger of the field's own width.
    """

    name: str
    type: "CType"
    offset: int
    bit_offset: int | None = None
    volatile: bool = field(default=False, compare=False)
    atomic: bool = field(default=False, compare=False)
    constant: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class CRecord:
    """A struct or union, named by a tag that is unique in the program.

    Its fields are looked up in Program.records by tag, since records refer to themselves through pointers.
    """

    tag: str
    is_union: bool = False

    def __str__(self) -> str:
        return f"{'union' if self.is_union else 'struct'} {self.tag}"


CType = CVoid | CInteger | CFloat | CPointer | CArray | CFunction | CRecord

VOID = CVoid()
BOOL = CInteger("_Bool", 8, False, 0)
CHAR = CInteger("char", 8, True, 1)
SCHAR = CInteger("signed char", 8, True, 1)
UCHAR = CInteger("unsigned char", 8, False, 1)
SHORT = CInteger("short", 16, True, 2)
USHORT = CInteger("unsigned short", 16, False, 2)
INT = CInteger("int", 32, True, 3)
UINT = CInteger("unsigned int", 32, False, 3)
LLONG = CInteger("long long", 64, True, 5)
ULLONG = CInteger("unsigned long long", 64, False, 5)
INT128 = CInteger("__int128", 128, True, 6)
UINT128 = CInteger("unsigned __int128", 128, False, 6)
FLOAT = CFloat("float", 32)
DOUBLE = CFloat("double", 64)
LDOUBLE = CFloat("long double", 80)


def long_type(model: DataModel, signed: bool = True) -> CInteger:
    return CInteger("long" if signed else "unsigned long", 8 * model.long, signed, 4)


def size_type(model: DataModel) -> CInteger:
    """The type size_t: unsigned int under ILP32, unsigned long under LP64."""
    return UINT if model.pointer == 4 else long_type(model, signed=False)


def is_scalar(kind: CType) -> bool:
    return isinstance(kind, CInteger | CFloat | CPointer)
