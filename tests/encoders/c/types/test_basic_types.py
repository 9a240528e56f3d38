"""Types that lists of specifiers and machine modes name, in both data models."""

import itertools

import pytest

from encoders.c.types.basic_types import basic_type, integer_mode
from encoders.c.types.c_types import BOOL, CHAR, ILP32, INT, LDOUBLE, LLONG, LP64, SCHAR, UINT, CInteger, DataModel


@pytest.mark.parametrize("model", [LP64, ILP32], ids=lambda model: model.name)
def test_the_order_of_specifiers_does_not_matter(model: DataModel) -> None:
    for text, width, signed in (
        ("unsigned long int", 8 * model.long, False), ("long long signed int", 64, True), ("short", 16, True),
        ("unsigned __int128", 128, False), ("signed", 32, True), ("unsigned char", 8, False),
    ):  # fmt: skip
        for names in itertools.permutations(text.split()):
            kind = basic_type(names, model)
            assert isinstance(kind, CInteger) and (kind.width, kind.signed) == (width, signed)


def test_single_types() -> None:
    assert basic_type((), LP64) == INT and basic_type(("char",), LP64) == CHAR
    assert basic_type(("char", "signed"), LP64) == SCHAR and basic_type(("_Bool",), LP64) == BOOL
    assert basic_type(("long", "double"), LP64) == LDOUBLE


def test_what_is_no_type() -> None:
    for text in ("long long long", "signed double", "unsigned float", "short char", "signed unsigned"):
        assert basic_type(tuple(text.split()), LP64) is None


def test_machine_modes() -> None:
    assert integer_mode("SI", False, LP64) == UINT and integer_mode("DI", True, ILP32) == LLONG
    for model in (LP64, ILP32):
        pointer = integer_mode("pointer", True, model)
        assert pointer is not None and pointer.width == 8 * model.pointer
    assert integer_mode("SF", True, LP64) is None
