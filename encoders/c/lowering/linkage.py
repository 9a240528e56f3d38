"""The symbols that declarations name for the linker: assembler names, aliases, weak symbols."""

from collections.abc import Iterable

from chcverify.quick_dataclass import dataclass
from encoders.c.source.attributes import ASSEMBLER_NAME, Attribute, refused


@dataclass(frozen=True)
class Linkage:
    """name: the symbol that a declaration means, None if that is the declared name. weak: may it be undefined, and is
    its address null then? alias: is the declared name a symbol, too?"""

    name: str | None = None
    weak: bool = False
    alias: bool = False


def linkage_of(attributes: Iterable[Attribute]) -> Linkage:
    """The linkage that the attributes of a declaration give its symbol. Raises Unsupported for weakref and ifunc.

    An alias is one more name of the symbol that it is for: both have one definition and one address.
    """
    name, weak, alias = None, False, False
    for attribute in attributes:
        match attribute.name:
            case "weak":
                weak = True
            case "alias":
                name, alias = attribute.arguments.replace('"', "").replace(" ", ""), True
            case "weakref" | "ifunc":
                raise refused(attribute)
            case _ if attribute.name == ASSEMBLER_NAME:
                name = name or attribute.arguments
    return Linkage(name, weak, alias)
