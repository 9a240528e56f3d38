"""`dataclass` as in the standard library, whose methods are written when the first object of the class is made.

A run imports some 260 data classes and uses a third of them. Here a class first has stubs; the first use of one of them
completes the class (`quick_dataclass.py`), which then is as if it had been decorated at once.
The certificate kernel uses the standard library's decorator, so that this module need not be trusted.
"""

import os
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chcverify.quick_dataclass import dataclass as _complete_dataclass

_lock = threading.RLock()  # two threads may be the first to use a class
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
_AT_ONCE = ("slots", "order", "kw_only", "init", "repr", "unsafe_hash")  # slots make another class; the others are rare
_DESCRIPTIONS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


_waiting: "weakref.WeakSet[_Incomplete]" = weakref.WeakSet()  # the classes that are incomplete


class _Incomplete:
    """A class whose methods are still stubs.

    cls: the class. flags: the arguments of the decorator. names: of the stubs in the class.
    """

    def __init__(self, cls: type, flags: dict[str, bool]) -> None:
        self.cls = cls
        self.flags = flags
        _waiting.add(self)
        self.names = [name for name in (*self._methods(), *_DESCRIPTIONS) if not self._is_explicit(name)]
        for name in self.names:
            setattr(cls, name, _Description(self, name) if name in _DESCRIPTIONS else self._stub(name))

    def _methods(self) -> list[str]:
        """The names of the methods that the decorator would write."""
        is_frozen, has_eq = self.flags.get("frozen", False), self.flags.get("eq", True)
        names = ["__init__", "__repr__"] + ["__eq__"] * has_eq
        return names + ["__setattr__", "__delattr__"] * is_frozen + ["__hash__"] * (is_frozen and has_eq)

    def _is_explicit(self, name: str) -> bool:
        """True if the class itself defines it. Of a class that defines __eq__ alone, Python makes __hash__ None."""
        own = vars(self.cls)
        return name in own and not (name == "__hash__" and own[name] is None and "__eq__" in own)

    def _stub(self, name: str) -> Callable[..., Any]:
        def method(instance: object, *arguments: Any, **named: Any) -> Any:
            self.complete()
            return getattr(self.cls, name)(instance, *arguments, **named)

        return method

    def complete(self) -> None:
        """Makes the class what the decorator makes of it; once."""
        with _lock:
            names, self.names = self.names, []
            if names:
                for name in names:
                    delattr(self.cls, name)
                _complete_dataclass(**self.flags)(self.cls)


def complete_all() -> None:
    """Completes all classes, for a process that forks others which would do so one by one."""
    for incomplete in list(_waiting):
        incomplete.complete()


class _Description:
    """An attribute that describes the fields of an incomplete class."""

    def __init__(self, incomplete: _Incomplete, name: str) -> None:
        self._incomplete = incomplete
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        self._incomplete.complete()
        return getattr(owner, self._name)


def _lazy_dataclass(cls: type | None = None, /, **flags: bool) -> Any:
    """Returns the class, or a decorator with these flags, which are those of the standard library's `dataclass`."""
    if cls is None:
        return lambda decorated: _lazy_dataclass(decorated, **flags)
    if any(name in flags for name in _AT_ONCE):
        return _complete_dataclass(**flags)(cls)
    _Incomplete(cls, flags)
    return cls


if TYPE_CHECKING:  # type checkers know the standard one
    from dataclasses import dataclass as dataclass
else:
    dataclass = _lazy_dataclass
