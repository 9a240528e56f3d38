"""GNU attributes as the parser attaches them to declarations, records and enumerations."""

from collections.abc import Iterable

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.source.source_errors import Unsupported

ASSEMBLER_NAME = "assembler name"
"""Not an attribute, but kept like one: `__asm__("name")` behind a declarator."""
SYMBOL_ATTRIBUTES = frozenset({"alias", "weak", "weakref", "ifunc", "gnu_inline", ASSEMBLER_NAME})
"""Those that say which symbol a declaration is about."""


@dataclass(frozen=True)
class Attribute:
    """One name of `__attribute__((...))`, without its underscores.

    arguments: their text (`QI` of `mode(QI)`); value: the expression that `aligned` has as its argument.
    """

    name: str
    origin: Origin
    arguments: str = ""
    value: c_ast.Node | None = None


@dataclass(frozen=True)
class Attached:
    """The attributes of a node; the node is kept, so that no other gets its identity."""

    node: c_ast.Node
    attributes: tuple[Attribute, ...]


class Attributes:
    """The attributes of the nodes of syntax trees, and the `#pragma pack` that was in force where a record closes."""

    def __init__(self) -> None:
        self._attached: dict[int, Attached] = {}
        self._pack: dict[int, int] = {}

    def __getstate__(self) -> list[tuple[Attached, int | None]]:
        """The nodes with what they have, without their identities: those that are unpickled have others."""
        return [(attached, self._pack.get(identity)) for identity, attached in self._attached.items()]

    def __setstate__(self, state: list[tuple[Attached, int | None]]) -> None:
        self._attached = {id(attached.node): attached for attached, _ in state}
        self._pack = {id(attached.node): limit for attached, limit in state if limit is not None}

    def attach(self, node: c_ast.Node, attributes: Iterable[Attribute]) -> None:
        """Add attributes to those of the node."""
        more = tuple(attributes)
        if more:
            self._attached[id(node)] = Attached(node, self.of(node) + more)

    def of(self, node: c_ast.Node) -> tuple[Attribute, ...]:
        """The node's attributes in the order of the source."""
        known = self._attached.get(id(node))
        return known.attributes if known is not None else ()

    def set_pack(self, node: c_ast.Node, byte_offsets: int) -> None:
        """Note the limit of `#pragma pack`, in bytes, for a record."""
        self._attached.setdefault(id(node), Attached(node, ()))
        self._pack[id(node)] = byte_offsets

    def pack(self, node: c_ast.Node) -> int:
        """The greatest alignment of the record's members in bytes, 0 where there is no limit."""
        return self._pack.get(id(node), 0)

    def update(self, other: "Attributes") -> None:
        """Adds the attributes of the nodes of another tree."""
        self._attached.update(other._attached)
        self._pack.update(other._pack)


def require_modelled(attributes: Iterable[Attribute], allowed: frozenset[str]) -> None:
    """Raises Unsupported at the first attribute that is not modelled, or not on this kind of declaration."""
    for attribute in attributes:
        if attribute.name not in allowed:
            raise refused(attribute)


def refused(attribute: Attribute) -> Unsupported:
    """The error that names the attribute."""
    return Unsupported(attribute.origin, f"__attribute__(({attribute.name}))")
