"""The basic types that lists of type specifiers and machine modes name."""

from functools import cache

from encoders.c.types.c_types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LDOUBLE,
    LLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    USHORT,
    VOID,
    CInteger,
    CType,
    DataModel,
    long_type,
)


@cache
def basic_type(names: tuple[str, ...], model: DataModel) -> CType | None:
    """The type of specifiers in any order, None if there is none."""
    words = sorted(name for name in names if name not in ("signed", "__signed__", "__signed"))
    signed = len(words) < len(names)
    table: dict[str, CType] = {
        "void": VOID,
        "_Bool": BOOL,
        "char": SCHAR if signed else CHAR,
        "char unsigned": UCHAR,
        "short": SHORT,
        "int short": SHORT,
        "short unsigned": USHORT,
        "int short unsigned": USHORT,
        "": INT,
        "int": INT,
        "unsigned": UINT,
        "int unsigned": UINT,
        "long": long_type(model),
        "int long": long_type(model),
        "long unsigned": long_type(model, signed=False),
        "int long unsigned": long_type(model, signed=False),
        "long long": LLONG,
        "int long long": LLONG,
        "long long unsigned": ULLONG,
        "int long long unsigned": ULLONG,
        "__int128": INT128,
        "__int128 unsigned": UINT128,
        "float": FLOAT,
        "double": DOUBLE,
        "double long": LDOUBLE,
    }
    kind = table.get(" ".join(words))
    contradicts = signed and ("unsigned" in words or not isinstance(kind, CInteger))
    return None if contradicts else kind


def enumeration_type(values: list[int], packed: bool, model: DataModel) -> CInteger | None:
    """gcc's choice for an enumeration: unsigned int unless a value is negative or does not fit; None if none does."""
    low, high = min(values, default=0), max(values, default=0)
    wide: tuple[CInteger, ...] = (UCHAR, SCHAR, USHORT, SHORT, UINT, INT) if packed else (UINT, INT)
    wide = (*wide, long_type(model, signed=False), long_type(model), ULLONG, LLONG)
    fitting = (kind for kind in wide if kind.signed == (low < 0) and kind.minimum <= low and high <= kind.maximum)
    return next(fitting, None)


def integer_mode(mode: str, signed: bool, model: DataModel) -> CInteger | None:
    """The integer type of a machine mode (`QI`, `word`, ...), None if there is none."""
    width = {"QI": 8, "byte": 8, "HI": 16, "SI": 32, "DI": 64, "TI": 128}.get(mode)
    if mode in ("word", "pointer", "unwind_word"):
        width = 8 * model.pointer
    longs = (long_type(model), long_type(model, signed=False))
    for kind in (SCHAR, UCHAR, SHORT, USHORT, INT, UINT, *longs, LLONG, ULLONG, INT128, UINT128):
        if kind.width == width and kind.signed == signed:
            return kind
    return None
