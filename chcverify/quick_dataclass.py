"""`dataclass` as in the standard library, with the same behaviour, in a quarter of the time for each class.

The standard decorator of Python 3.11 writes up to six methods for each class as text and compiles each by itself; a run
that decides a C program imports some 340 data classes. Here the standard decorator only collects the fields, and only
`__init__`, which is called most, is compiled; the other methods are closures. Classes that inherit from a data class,
and rare flags, are left to the standard decorator. What the certificate kernel imports uses the standard one alone, so
that this module need not be trusted.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_FLAGS = {"frozen", "eq", "slots"}  # the others are left to the standard decorator
_UNSET = object()  # the default of a parameter whose field has a factory


def _quick_dataclass(cls: type | None = None, /, **flags: bool) -> Any:
    """Returns the class with its methods, or a decorator with these flags, which are those of the standard one."""
    if cls is None:
        return lambda decorated: _quick_dataclass(decorated, **flags)
    if flags.keys() - _FLAGS or any("__dataclass_fields__" in vars(base) for base in cls.__mro__[1:]):
        return dataclasses.dataclass(**flags)(cls)
    explicit = set(vars(cls))
    if "__eq__" in explicit and vars(cls)["__hash__"] is None:  # what Python does to a class that defines __eq__ alone
        explicit.remove("__hash__")
    slots, frozen = flags.get("slots", False), flags.get("frozen", False)
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__dataclass_params__.frozen = frozen  # the standard decorator asks for it where a class inherits
    own = fields(made)
    methods = {"__init__": _initialisation(made, own, frozen), "__repr__": _representation(own)}
    if flags.get("eq", True):
        methods |= _comparison(own, frozen)
    if frozen:
        methods |= _refusals(made, frozenset(field.name for field in own))
        if slots:
            methods |= _state([field.name for field in own])
    for name, method in methods.items():
        if name not in explicit:
            if method is not None:
                method.__name__, method.__qualname__ = name, f"{made.__qualname__}.{name}"
            setattr(made, name, method)
        elif name in ("__setattr__", "__delattr__"):
            raise TypeError(f"{made.__name__} defines {name}, which its data class has, too")
    return made


def _initialisation(cls: Any, own: Sequence[Field[Any]], is_frozen: bool) -> Any:
    """The method __init__ of the class with these fields."""
    if any(field.kw_only is True or "InitVar" in str(field.type) for field in cls.__dataclass_fields__.values()):
        raise TypeError(f"{cls.__name__}: only the standard data class has fields by keyword alone, and InitVar")
    names: dict[str, Any] = {"_UNSET": _UNSET, "_set": object.__setattr__, "__name__": cls.__module__}
    parameters, body = ["self"], []
    for number, field in enumerate(own):
        value, has_factory = field.name, field.default_factory is not MISSING
        if has_factory:
            names[f"_factory{number}"] = field.default_factory
            value = f"_factory{number}() if {value} is _UNSET else {value}" if field.init else f"_factory{number}()"
        if field.init:
            default = names[f"_default{number}"] = _UNSET if has_factory else field.default
            parameters.append(field.name if default is MISSING else f"{field.name}=_default{number}")
        if field.init or has_factory:
            body.append(f"_set(self, {field.name!r}, {value})" if is_frozen else f"self.{field.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    exec("\n ".join([f"def __init__({', '.join(parameters)}):", *(body or ["pass"])]), names)
    method = names["__init__"]
    method.__annotations__ = {field.name: field.type for field in own if field.init} | {"return": None}
    return method


def _representation(own: Sequence[Field[Any]]) -> Callable[[Any], str]:
    shown = [field.name for field in own if field.repr]

    @recursive_repr()
    def method(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    return method


def _comparison(own: Sequence[Field[Any]], is_frozen: bool) -> dict[str, Any]:
    """The methods of a class whose objects are equal if their fields are; without a hash where objects can change."""
    compared = _values([field.name for field in own if field.compare])
    hashed = _values([field.name for field in own if (field.compare if field.hash is None else field.hash)])

    def equals(self: Any, other: object) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hash_(self: Any) -> int:
        return hash(hashed(self))

    return {"__eq__": equals, "__hash__": hash_ if is_frozen else None}


def _values(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Returns the function that gives these attributes of an object."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple([getattr(instance, name) for name in names])


def _refusals(cls: type, names: frozenset[str]) -> dict[str, Any]:
    """The methods of a frozen class that keep its objects from being changed."""

    def set_(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)  # type: ignore[arg-type]

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)  # type: ignore[arg-type]

    return {"__setattr__": set_, "__delattr__": delete}


def _state(names: Sequence[str]) -> dict[str, Any]:
    """The methods for copies of frozen objects with slots, whose slots `copy` and `pickle` could not set."""

    def get(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def set_(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": get, "__setstate__": set_}


if TYPE_CHECKING:  # type checkers know the standard one
    from dataclasses import dataclass as dataclass
else:
    dataclass = _quick_dataclass
