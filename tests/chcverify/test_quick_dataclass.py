"""Quick data classes behave as the standard library's."""

import copy
import dataclasses
import operator
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, InitVar, field
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from chcverify.quick_dataclass import dataclass

T = TypeVar("T")
FLAGS = [
    {},
    {"frozen": True},
    {"eq": False},
    {"frozen": True, "eq": False},
    {"order": True},
    {"frozen": True, "order": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "repr": False},
]
SHAPES: dict[str, dict[str, Any]] = {
    "none": {"__annotations__": {}},
    "one": {"__annotations__": {"a": int}},
    "defaults": {"__annotations__": {"a": int, "b": str, "c": list}, "b": "x", "c": field(default_factory=list)},
    "no repr": {"__annotations__": {"a": int, "b": int}, "b": field(default=1, repr=False, compare=False)},
    "hash": {"__annotations__": {"a": int, "b": int}, "b": field(default=1, hash=False)},
    "no parameter": {"__annotations__": {"a": int, "b": list}, "b": field(init=False, default_factory=list)},
    "class variable": {"__annotations__": {"a": int, "b": ClassVar[int]}, "b": 3},
    "own methods": {"__annotations__": {"a": int}, "__repr__": lambda self: "own", "__eq__": lambda self, other: True},
    "own hash": {"__annotations__": {"a": int}, "__hash__": lambda self: 5},
    "own init": {"__annotations__": {"a": int}, "__init__": lambda self, a=0: object.__setattr__(self, "a", a)},
}


def make(decorator: Callable[..., Any], shape: str, flags: dict[str, bool]) -> Any:
    contents = {name: copy.copy(value) for name, value in SHAPES[shape].items()}
    return decorator(**flags)(type("Made", (), {"__doc__": "A class.", "__module__": __name__, **contents}))


def outcome(action: Callable[[], Any]) -> Any:
    """The result, or the kind of exception."""
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error)


def behaviour(cls: Any) -> dict[str, Any]:
    """What can be observed of the class and its objects."""
    arguments = (1,) if "a" in cls.__annotations__ else ()
    first, same = cls(*arguments), cls(*arguments)
    other = cls(a=2) if arguments else cls()
    observed: dict[str, Any] = {
        "fields": [(each.name, each.default, each.type) for each in dataclasses.fields(cls)],
        "match": cls.__match_args__,
        "frozen": cls.__dataclass_params__.frozen,
        "repr": repr(first).split(" object at ")[0],
        "equal": (first == same, first == other, first == 1),
        "hash": outcome(lambda: hash(first) == hash(same)) if cls.__hash__ is not object.__hash__ else "identity",
        "slots": hasattr(first, "__dict__"),
        "too many": outcome(lambda: cls(1, 2, 3, 4)),
        "unknown": outcome(lambda: cls(nothing=1)),
        "set": outcome(lambda: setattr(first, "a", 7)),
        "set another": outcome(lambda: setattr(first, "zzz", 7)),
        "delete": outcome(lambda: delattr(first, "a")),
    }
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        observed[compare.__name__] = outcome(lambda compare=compare: (compare(same, other), compare(other, same)))
    observed["asdict"] = dataclasses.asdict(same)
    observed["replaced"] = outcome(lambda: dataclasses.asdict(dataclasses.replace(same, a=5)))
    observed["copied"] = dataclasses.asdict(copy.copy(same))
    return observed


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_as_the_standard_one(shape: str, flags: dict[str, bool]) -> None:
    standard = outcome(lambda: make(dataclasses.dataclass, shape, flags))
    quick = outcome(lambda: make(dataclass, shape, flags))
    if isinstance(standard, type) and issubclass(standard, Exception):
        assert quick is standard
        return
    ours, theirs = behaviour(quick), behaviour(standard)
    if flags.get("frozen") and flags.get("slots"):  # the standard one calls `super` with a class that was replaced
        for change in ("set", "set another", "delete"):
            assert ours.pop(change) is FrozenInstanceError
            assert theirs.pop(change) in (FrozenInstanceError, TypeError)
    assert ours == theirs


@dataclass(frozen=True, slots=True)
class Sent:
    """Goes through pickle."""

    a: int
    b: tuple[int, ...] = ()


@dataclass(frozen=True)
class Checked:
    """Refuses some values, and has no parameter for one field."""

    a: int
    twice: int = field(init=False)

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("negative")
        object.__setattr__(self, "twice", 2 * self.a)


@dataclass(frozen=True, eq=False)
class Box(Generic[T]):
    """Compared by identity."""

    content: T


def test_generic() -> None:
    box = Box("a")
    assert box == box != Box("a")
    assert len({box, Box("a")}) == 2
    match box:
        case Box(content):
            assert content == "a"


def test_pickle() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, (2,)))) == Sent(1, (2,))
    assert pickle.loads(pickle.dumps(Checked(2))) == Checked(2)


def test_post_init() -> None:
    assert Checked(3).twice == 6
    with pytest.raises(ValueError, match="negative"):
        Checked(-1)


def test_nan_is_itself() -> None:
    """Fields are compared as parts of tuples: an object equals itself first."""

    @dataclass(frozen=True)
    class Number:
        value: float

    nan = float("nan")
    assert Number(nan) == Number(nan)
    assert Number(nan) != Number(float("nan"))


def test_objects_of_a_subclass_are_others() -> None:
    class Special(Sent):
        pass

    assert Sent(1) != Special(1)
    with pytest.raises(FrozenInstanceError):
        Special(1).a = 2  # type: ignore[misc]


def test_recursive_repr() -> None:
    @dataclass
    class Node:
        next: Any = None

    node = Node()
    node.next = node
    assert repr(node).endswith("(next=...)")


def test_inheritance() -> None:
    @dataclass(frozen=True)
    class Base:
        a: int

    @dataclass(frozen=True)
    class Derived(Base):
        b: int = 2

    assert Derived(1) == Derived(1, 2) != Base(1)
    with pytest.raises(TypeError, match="cannot inherit"):

        @dataclass
        class _Mutable(Base):  # type: ignore[misc]
            b: int = 2


def test_what_only_the_standard_one_has() -> None:
    with pytest.raises(TypeError, match="standard"):

        @dataclass
        class _WithParameter:
            a: InitVar[int]

    with pytest.raises(TypeError, match="standard"):

        @dataclass
        class _ByKeyword:
            a: int = field(kw_only=True)
