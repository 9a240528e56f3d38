"""`dataclass` as in the standard library, with the same behaviour, in a third of the time for each class.

The standard decorator of Python 3.11 writes up to eleven methods for each class as text and compiles each by itself.
Here it only collects the fields. What is called often, `__init__`, `__eq__` and `__hash__`, is one text, so it is as
quick as there; the other methods are closures. A class that inherits from a data class gets the standard methods.
`lazy_dataclass.py` completes classes with it. The certificate kernel uses the standard decorator.
"""

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, InitVar, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

# Flags that are left to the standard decorator.
_STANDARD = ("order", "kw_only", "init", "repr", "unsafe_hash", "match_args", "weakref_slot")
_unset = object()  # the default of a parameter whose field has a factory


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Mutable:
    """Has the description of the flag that matters for classes that inherit."""


@dataclasses.dataclass(init=False, repr=False, eq=False, frozen=True)
class _Frozen:
    """As _Mutable."""


def _quick_dataclass(cls: type | None = None, /, **flags: bool) -> Any:
    """Returns the class with its methods, or a decorator with these flags, which are those of the standard one."""
    if cls is None:
        return lambda decorated: _quick_dataclass(decorated, **flags)
    is_frozen, has_slots = (flags.get(name, False) for name in ("frozen", "slots"))
    inherits = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
    if inherits or any(name in flags for name in _STANDARD):
        return dataclasses.dataclass(**flags)(cls)
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # for which the standard decorator would look at the signature
    explicit = set(vars(cls))
    if "__eq__" in explicit and vars(cls).get("__hash__") is None:  # of a class with __eq__ alone Python makes it None
        explicit.discard("__hash__")
    collected: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=has_slots)(cls)
    own = fields(collected)
    if any(isinstance(field.type, InitVar) or "InitVar" in str(field.type) for field in _all_fields(collected)):
        raise TypeError(f"{collected.__name__}: only the standard data class has parameters that are no fields")
    methods = _compiled(collected, own, is_frozen, flags.get("eq", True)) | {"__repr__": _repr(own)}
    if is_frozen:
        methods |= _refusals(collected, frozenset(field.name for field in own))
        if has_slots:
            methods |= _state([field.name for field in own])
    for name, method in methods.items():
        if name not in explicit:
            if method is not None:
                method.__name__, method.__qualname__ = name, f"{collected.__qualname__}.{name}"
            setattr(collected, name, method)
        elif name in ("__setattr__", "__delattr__"):
            raise TypeError(f"{collected.__name__} defines {name}, which its data class has, too")
    described: Any = _Frozen if is_frozen else _Mutable
    collected.__dataclass_params__ = described.__dataclass_params__  # type: ignore[attr-defined]
    return collected


def _all_fields(cls: type) -> Iterable[Field[Any]]:
    """Those of class variables and of parameters that are no fields, too."""
    described: dict[str, Field[Any]] = cls.__dataclass_fields__  # type: ignore[attr-defined]
    return described.values()


def _compiled(cls: type, own: Sequence[Field[Any]], is_frozen: bool, has_eq: bool) -> dict[str, Any]:
    """The methods that are used most, of the class with these fields; __hash__ is None where objects can change."""
    names: dict[str, Any] = {"__unset": _unset, "__set": object.__setattr__, "__name__": cls.__module__}
    parameters, body = ["self"], []
    for number, field in enumerate(own):
        if field.kw_only:
            raise TypeError(f"{cls.__name__}.{field.name}: only the standard data class has fields by keyword alone")
        value, has_factory = field.name, field.default_factory is not MISSING
        if has_factory:
            names[f"__factory{number}"] = field.default_factory
            made = f"__factory{number}()"
            value = f"{made} if {value} is __unset else {value}" if field.init else made
        if field.init:
            default = "=__unset" if has_factory else f"=__default{number}" if field.default is not MISSING else ""
            names[f"__default{number}"] = field.default
            parameters.append(field.name + default)
        if field.init or has_factory:
            body.append(f"__set(self, {field.name!r}, {value})" if is_frozen else f"self.{field.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = [f"def __init__({', '.join(parameters)}):", *(f" {line}" for line in body or ["pass"])]
    if has_eq:
        compared = [field.name for field in own if field.compare]
        hashed = [field.name for field in own if (field.compare if field.hash is None else field.hash)]
        lines += ["def __eq__(self, other):", " if other.__class__ is self.__class__:"]
        lines += [f"  return {_tuple('self', compared)} == {_tuple('other', compared)}", " return NotImplemented"]
        lines += (
            ["def __hash__(self):", f" return hash({_tuple('self', hashed)})"] if is_frozen else ["__hash__ = None"]
        )
    exec("\n".join(lines), names)
    names["__init__"].__annotations__ = {field.name: field.type for field in own if field.init} | {"return": None}
    return {name: names[name] for name in ("__init__", "__eq__", "__hash__") if name in names}


def _tuple(instance: str, names: Sequence[str]) -> str:
    """The text of the tuple of these attributes."""
    return "(" + "".join(f"{instance}.{name}, " for name in names) + ")"


def _repr(own: Sequence[Field[Any]]) -> Callable[[Any], str]:
    shown = [field.name for field in own if field.repr]

    @recursive_repr()
    def method(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    return method


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
