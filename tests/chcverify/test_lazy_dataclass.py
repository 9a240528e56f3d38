"""Lazy data classes are the standard library's, as soon as anything of them is used."""

import copy
import dataclasses
import pickle
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError, field
from typing import Generic, TypeVar

import pytest

from chcverify.lazy_dataclass import complete_all, dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class Point:
    """With defaults."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=list)


@dataclass
class Base:
    """Mutable."""

    first: int


@dataclass(frozen=True)
class Fixed:
    """A base for others."""

    first: int


@dataclass(frozen=True)
class Derived(Fixed):
    """Inherits a field of a class that is incomplete at that time."""

    second: int = 5


@dataclass(frozen=True, eq=False)
class Box(Generic[T]):
    """Compared by identity."""

    content: T


@dataclass(frozen=True)
class OwnEquality:
    """Defines one of the methods itself."""

    x: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnEquality)

    def __repr__(self) -> str:
        return "own"


@dataclass(frozen=True, order=True)
class Ordered:
    """Made at once."""

    x: int


@dataclass(frozen=True, slots=True)
class Slotted:
    """Made at once."""

    x: int


@dataclass(frozen=True)
class Sent:
    """Used by one test only, which needs it incomplete."""

    x: int


@dataclass(frozen=True)
class Described:
    """As Sent."""

    x: int


@dataclass(frozen=True)
class Matched:
    """As Sent."""

    x: int


@dataclass(frozen=True)
class Shared:
    """As Sent."""

    x: int


def test_methods() -> None:
    assert Point(1) == Point(1, 2) != Point(2)
    assert repr(Point(1)) == "Point(x=1, y=2, names=[])"
    assert Point(1).names is not Point(1).names
    assert hash(Fixed(3)) == hash(Fixed(3))
    with pytest.raises(FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_inheritance() -> None:
    assert Derived(1) == Derived(1, 5)
    assert [each.name for each in dataclasses.fields(Derived)] == ["first", "second"]
    with pytest.raises(TypeError, match="cannot inherit"):

        @dataclass
        class _Mixed(Fixed):  # type: ignore[misc]  # mutable from frozen
            third: int = 0

        _Mixed(1)


def test_mutable_without_hash() -> None:
    base = Base(1)
    base.first = 2
    assert base == Base(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(base)


def test_identity() -> None:
    box = Box("a")
    assert box == box != Box("a")
    assert len({box, Box("a")}) == 2


def test_own_methods_stay() -> None:
    assert OwnEquality(1) == OwnEquality(2)
    assert repr(OwnEquality(1)) == "own"
    assert hash(OwnEquality(1)) == hash(OwnEquality(1))


def test_what_is_made_at_once() -> None:
    assert Ordered(1) < Ordered(2)
    assert not hasattr(Slotted(1), "__dict__")


def test_description_completes() -> None:
    assert dataclasses.is_dataclass(Described)
    assert dataclasses.replace(Described(1), x=2) == Described(2)
    assert dataclasses.asdict(Described(3)) == {"x": 3}


def test_pattern_completes() -> None:
    match object.__new__(Matched):
        case Matched() as matched:
            assert Matched.__match_args__ == ("x",)
            assert isinstance(matched, Matched)


def test_objects_that_were_not_made_by_their_class() -> None:
    """A copy and an object from another process are made without __init__."""
    made = object.__new__(Sent)
    made.__dict__["x"] = 1
    assert copy.copy(made) == made
    assert pickle.loads(pickle.dumps(made)) == made
    code = f"import pickle; a = pickle.loads({pickle.dumps(Fixed(1))!r}); assert a == type(a)(1) and hash(a)"
    subprocess.run(
        [sys.executable, "-c", f"import {Fixed.__module__}; {code}"], check=True, env={"PYTHONPATH": _path()}
    )


def _path() -> str:
    return ":".join(sys.path)


def test_threads() -> None:
    made: list[Shared] = []
    threads = [threading.Thread(target=lambda: made.append(Shared(1))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [Shared(1)] * 8


def test_all_at_once() -> None:
    @dataclass(frozen=True)
    class Late:
        x: int = 3

    stub = Late.__init__
    complete_all()
    assert Late.__init__ is not stub
    assert Late() == Late(3)
