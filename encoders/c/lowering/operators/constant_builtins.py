"""gcc's built-in functions that are constants where their arguments are: they may stand in constant expressions."""

from collections.abc import Callable

from chcverify.quick_dataclass import dataclass
from encoders.c.library.table_reader import find
from encoders.c.types.c_types import INT, LLONG, UINT, ULLONG, USHORT, CInteger, DataModel, long_type


@dataclass(frozen=True)
class Folded:
    """A function of one integer: the type of its argument, of its result, and what it computes."""

    argument: CInteger
    result: CInteger
    compute: Callable[[int, CInteger], int | None]


TYPE_QUESTIONS = frozenset({"__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_constant_p"})
"""Those whose arguments are never evaluated."""
CHOICES = frozenset({"__builtin_expect", "__builtin_expect_with_probability", "__builtin_choose_expr"})
"""Those that have the value of one of their arguments."""


def folded_builtin(name: str, model: DataModel) -> Folded | None:
    """The function of that name, None if there is none."""
    plain = name.removeprefix("__builtin_")
    if plain == name:
        return None
    if plain in ("bswap16", "bswap32", "bswap64"):
        kind = {"16": USHORT, "32": UINT, "64": long_type(model, False) if model.long == 8 else ULLONG}[plain[5:]]
        return Folded(kind, kind, _swapped)
    entry = find(name)
    if entry is not None and entry.operation in _OPERATIONS:
        kinds = {"int": INT, "long": long_type(model), "long long": LLONG}
        return Folded(kinds[entry.parameters[0].type], kinds[entry.result_type], _OPERATIONS[entry.operation])
    for stem, compute in _BITS.items():
        if plain in (stem, f"{stem}l", f"{stem}ll"):
            signed = stem == "clrsb"
            longs = {"": INT if signed else UINT, "l": long_type(model, signed), "ll": LLONG if signed else ULLONG}
            return Folded(longs[plain[len(stem) :]], INT, compute)
    return None


def _swapped(value: int, kind: CInteger) -> int:
    return int.from_bytes(value.to_bytes(kind.width // 8, "little"), "big")


def _leading(value: int, kind: CInteger) -> int | None:
    return kind.width - value.bit_length() if value else None  # undefined for 0


def _trailing(value: int, _: CInteger) -> int | None:
    return (value & -value).bit_length() - 1 if value else None


def _first_set(value: int, _: CInteger) -> int:
    return (value & -value).bit_length()


def _redundant_signs(value: int, kind: CInteger) -> int:
    return kind.width - 1 - (value if value >= 0 else ~value).bit_length()


_OPERATIONS: dict[str, Callable[[int, CInteger], int | None]] = {
    "first_set": _first_set,
    "magnitude": lambda value, kind: abs(value) if abs(value) <= kind.maximum else None,  # it overflows
}
_BITS: dict[str, Callable[[int, CInteger], int | None]] = {
    "clz": _leading,
    "ctz": _trailing,
    "clrsb": _redundant_signs,
    "popcount": lambda value, kind: value.bit_count(),
    "parity": lambda value, kind: value.bit_count() % 2,
}
