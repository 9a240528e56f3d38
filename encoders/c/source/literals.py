"""Literal constants: values and types as the standard gives them under a data model (C11 6.4.4)."""

import re
from fractions import Fraction

from encoders.c.types.c_types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LDOUBLE,
    LLONG,
    UINT,
    ULLONG,
    USHORT,
    CFloat,
    CInteger,
    DataModel,
    long_type,
)

_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|([^\\])", re.DOTALL)
_CHARACTER_TYPES = {"": CHAR, "u8": CHAR, "u": USHORT, "U": UINT}


def escaped(text: str) -> str:
    """A line of text as it stands inside a string literal."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def character_type(prefix: str, model: DataModel) -> CInteger:
    """The type of the elements of a literal: wchar_t is long on i386."""
    if prefix == "L":
        return long_type(model) if model.pointer == 4 else INT
    return _CHARACTER_TYPES[prefix]


def integer_literal(text: str, model: DataModel) -> tuple[int, CInteger]:
    """The first type of the standard's list that holds the value; beyond it gcc's: __int128, or long long (wrapping)
    where there is none. Raises ValueError for more than 64 bits."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9'].*?)([uUlL]*)", text)
    if match is None:
        raise ValueError(f"invalid integer constant {text}")
    digits, suffix = match[1].replace("'", ""), match[2].lower()
    decimal = not digits.startswith("0") or digits == "0"
    octal = not decimal and digits.isdigit()
    value = int(digits, 8 if octal else 0)
    longs = [(INT, UINT), (long_type(model), long_type(model, signed=False)), (LLONG, ULLONG)]
    for signed, unsigned in longs[suffix.count("l") :]:
        if "u" not in suffix and value <= signed.maximum:
            return value, signed
        if ("u" in suffix or not decimal) and value <= unsigned.maximum:
            return value, unsigned
    if value < 1 << 64 and "u" not in suffix:
        return (value, INT128) if model.pointer == 8 else (LLONG.wrap(value), LLONG)
    raise ValueError(f"integer constant {text} is too large")


def floating_literal(text: str) -> tuple[Fraction, CFloat]:
    """The exact value written and its type."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F'.]+[pP][+-]?\d+|[0-9.'eE+-]+)([fFlL]?)", text)
    if match is None:
        raise ValueError(f"invalid floating constant {text}")
    digits = match[1].replace("'", "")
    kind = {"": DOUBLE, "f": FLOAT, "l": LDOUBLE}[match[2].lower()]
    if digits[:2].lower() != "0x":
        return Fraction(digits), kind
    mantissa, exponent = re.split("[pP]", digits[2:])
    whole, _, part = mantissa.partition(".")
    return Fraction(int(whole + part or "0", 16)) * Fraction(2) ** (int(exponent) - 4 * len(part)), kind


def character_literal(text: str, model: DataModel) -> tuple[int, CInteger]:
    """'a' has type int; a multi-character constant combines its bytes as gcc does; u, U and L have their own types."""
    prefix, body = text[: text.index("'")], text[text.index("'") + 1 : -1]
    units = _units(body, prefix)
    if prefix:
        kind = character_type(prefix, model)
        return kind.wrap(units[-1]), kind
    if len(units) == 1:
        return CHAR.wrap(units[0]), INT
    value = 0
    for unit in units:
        value = value << 8 | (unit & 0xFF)
    return INT.wrap(value), INT


def string_literal(text: str, model: DataModel) -> tuple[list[int], CInteger]:
    """The elements of (adjacent) string literals with the terminating zero, and the element type."""
    prefix = text[: text.index('"')]
    element = character_type(prefix, model)
    units: list[int] = []
    for body in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL):
        units += [element.wrap(unit) for unit in _units(body, prefix)]
    return [*units, 0], element


def _units(body: str, prefix: str) -> list[int]:
    units: list[int] = []
    for match in _ESCAPE.finditer(body):
        hexadecimal, octal, short, long, simple, plain = match.groups()
        if hexadecimal is not None:
            units.append(int(hexadecimal, 16))
        elif octal is not None:
            units.append(int(octal, 8))
        elif simple is not None:
            units.append(_SIMPLE.get(simple, ord(simple)))
        else:
            character = plain if plain is not None else chr(int(short or long, 16))
            units += _encode(character, prefix)
    return units


def _encode(character: str, prefix: str) -> list[int]:
    if prefix in ("", "u8"):
        return list(character.encode("utf-8", "surrogateescape"))
    if prefix == "u":
        raw = character.encode("utf-16-le", "surrogatepass")
        return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]
    return [ord(character)]
