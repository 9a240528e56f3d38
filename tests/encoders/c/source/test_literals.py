"""Types and values of literal constants, compared with the standard's table."""

from fractions import Fraction

import pytest

from encoders.c.lowering.operators.conversions import arithmetic_type, promoted, round_to
from encoders.c.source.literals import character_literal, floating_literal, integer_literal, string_literal
from encoders.c.types.c_types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    ILP32,
    INT,
    INT128,
    LDOUBLE,
    LLONG,
    LP64,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    USHORT,
    CInteger,
    CType,
    long_type,
)

LONG, ULONG = long_type(LP64), long_type(LP64, signed=False)
LONG32, ULONG32 = long_type(ILP32), long_type(ILP32, signed=False)


@pytest.mark.parametrize(
    ("text", "value", "lp64", "ilp32"),
    [
        ("0", 0, INT, INT),
        ("2147483647", 2**31 - 1, INT, INT),
        ("2147483648", 2**31, LONG, LLONG),
        ("4294967296", 2**32, LONG, LLONG),
        ("0x7fffffff", 2**31 - 1, INT, INT),
        ("0x80000000", 2**31, UINT, UINT),
        ("0xFFFFFFFF", 2**32 - 1, UINT, UINT),
        ("0x100000000", 2**32, LONG, LLONG),
        ("0x8000000000000000", 2**63, ULONG, ULLONG),
        ("037777777777", 2**32 - 1, UINT, UINT),
        ("010", 8, INT, INT),
        ("0b101", 5, INT, INT),
        ("3u", 3, UINT, UINT),
        ("4294967296U", 2**32, ULONG, ULLONG),
        ("3l", 3, LONG, LONG32),
        ("2147483648L", 2**31, LONG, LLONG),
        ("3UL", 3, ULONG, ULONG32),
        ("3lu", 3, ULONG, ULONG32),
        ("3ll", 3, LLONG, LLONG),
        ("3ULL", 3, ULLONG, ULLONG),
        ("0xffl", 255, LONG, LONG32),
        ("1'000", 1000, INT, INT),
    ],
)
def test_integers(text: str, value: int, lp64: CInteger, ilp32: CInteger) -> None:
    assert integer_literal(text, LP64) == (value, lp64)
    assert integer_literal(text, ILP32) == (value, ilp32)


def test_integers_beyond_every_type() -> None:
    """gcc takes a type of its own as long as 64 bits hold the value."""
    assert integer_literal("9223372036854775808", LP64) == (1 << 63, INT128)
    assert integer_literal("9223372036854775808L", ILP32) == (-1 << 63, LLONG)
    with pytest.raises(ValueError, match="too large"):
        integer_literal("18446744073709551616", LP64)


@pytest.mark.parametrize(
    ("text", "value"),
    [("'a'", 97), (r"'\n'", 10), (r"'\0'", 0), (r"'\xff'", -1), (r"'\377'", -1), (r"'\''", 39), ("'ab'", 24930)],
)
def test_characters(text: str, value: int) -> None:
    assert character_literal(text, LP64) == (value, INT)


def test_wide_characters() -> None:
    assert character_literal("L'a'", LP64) == (97, INT)
    assert character_literal("u'a'", LP64) == (97, USHORT)
    assert character_literal("U'a'", LP64) == (97, UINT)


def test_strings() -> None:
    assert string_literal('"a\\"b"', LP64) == ([97, 34, 98, 0], CHAR)
    assert string_literal(r'"\1" "23"', LP64) == ([1, 50, 51, 0], CHAR)
    assert string_literal(r'"\x41g\101"', LP64) == ([65, 103, 65, 0], CHAR)
    assert string_literal('"é"', LP64) == ([-61, -87, 0], CHAR)
    assert string_literal('L"é"', LP64) == ([233, 0], INT)


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("1.5", Fraction(3, 2), DOUBLE),
        (".5f", Fraction(1, 2), FLOAT),
        ("1e3", Fraction(1000), DOUBLE),
        ("0x1.8p1", Fraction(3), DOUBLE),
        ("0x.1p-4F", Fraction(1, 256), FLOAT),
        ("2.L", Fraction(2), LDOUBLE),
    ],
)
def test_floats(text: str, value: Fraction, kind: CType) -> None:
    assert floating_literal(text) == (value, kind)


def test_rounding_to_single_is_not_done_twice() -> None:
    # Just above a tie between two floats, by less than a double can tell.
    tie = Fraction(1) + Fraction(1, 2**24)
    above = tie + Fraction(1, 2**60)
    assert round_to(tie, FLOAT) == 1.0
    assert round_to(above, FLOAT) == 1.0 + 2.0**-23
    assert round_to(Fraction("0.1"), FLOAT) == 0.10000000149011612
    assert round_to(Fraction(10) ** 39, FLOAT) == float("inf")
    assert round_to(Fraction(1, 2**149), FLOAT) == 2.0**-149
    assert round_to(Fraction(1, 2**151), FLOAT) == 0.0
    assert round_to(Fraction("0.1"), LDOUBLE) == Fraction(14757395258967641293, 2**67)


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [
        (CHAR, SHORT, INT),
        (UCHAR, BOOL, INT),
        (INT, UINT, UINT),
        (UINT, LONG, LONG),
        (UINT, LONG32, ULONG32),
        (LONG, ULLONG, ULLONG),
        (ULONG, LLONG, ULLONG),
        (LLONG, LONG, LLONG),
        (INT, FLOAT, FLOAT),
        (FLOAT, DOUBLE, DOUBLE),
    ],
)
def test_usual_arithmetic_conversions(left: CType, right: CType, common: CType) -> None:
    for kind in (arithmetic_type(left, right), arithmetic_type(right, left)):
        assert isinstance(common, type(kind))
        assert (kind.width, getattr(kind, "signed", None), getattr(kind, "rank", None)) == (
            common.width,  # type: ignore[union-attr]
            getattr(common, "signed", None),
            getattr(common, "rank", None),
        )


def test_promotion_of_bit_fields() -> None:
    assert promoted(CInteger("unsigned int:5", 5, False, 3, is_bit_field=True)) == INT
    assert promoted(CInteger("unsigned long:32", 32, False, 4, is_bit_field=True)) == UINT
    assert promoted(CInteger("unsigned long:40", 40, False, 4, is_bit_field=True)).width == 40
