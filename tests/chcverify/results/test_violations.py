"""Phrases about objects and what happened to them."""

from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind
from chcverify.results.violation import ObjectDescription, Storage, Violation

BLOCK = ObjectDescription("", Storage.HEAP, 12, Origin("a.c", 3, 8), Origin("a.c", 5, 3), 1)


def test_objects() -> None:
    assert str(BLOCK) == "a heap block of 12 bytes, allocated at a.c:3:8, freed at a.c:5:3"
    variable = ObjectDescription("x", Storage.STACK, 1, Origin("a.c", 2, 1))
    assert str(variable) == "x of 1 byte, declared at a.c:2:1"
    assert str(ObjectDescription("", Storage.STRING, None)) == "the string constant of unknown size"


def test_violations() -> None:
    check = Check(Origin("a.c", 7, 2), CheckKind.LIFETIME, "*p")
    assert Violation(check).description == "*p"
    assert str(Violation(check, "use after free", BLOCK)).startswith("a.c:7:2: use after free (a heap block")
