"""What declarations call their symbols for the linker: assembler names, aliases, weak symbols."""

from collections.abc import Iterable
from dataclasses import dataclass

from encoders.c.tokens import ASSEMBLER_NAME


@dataclass(frozen=True)
class Linkage:
    """name: the symbol that a declaration means, None if that is the declared name. weak: may it be undefined, and is
    its address null then? refused: an attribute that is not modelled."""

    name: str | None = None
    weak: bool = False
    refused: str | None = None


def linkage_of(attributes: Iterable[tuple[str, str]]) -> Linkage:
    """What the attributes of a declaration, pairs of name and argument, say about its symbol.

    An alias is one more name of the symbol that it is for: both have one definition and one address.
    """
    name, weak, refused = None, False, None
    for attribute, argument in attributes:
        match attribute:
            case "weak":
                weak = True
            case "alias":
                name = argument.replace('"', "").replace(" ", "")
            case "weakref" | "ifunc":
                refused = f"__attribute__(({attribute}))"
            case _ if attribute == ASSEMBLER_NAME:
                name = name or argument
    return Linkage(name, weak, refused)
