"""Names in the languages that the writers produce."""

import re
from collections.abc import Iterable

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*")
_RESERVED = frozenset(
    """
    ! _ as BINARY DECIMAL exists HEXADECIMAL forall lambda let match NUMERAL par STRING true false not and or xor => =
    distinct ite + - * / div mod abs < <= > >= to_real to_int is_int select store const Bool Int Real Array BitVec is
    assert check-sat declare-fun declare-const define-fun exit set-logic rule query repeat concat extract
    """.split()  # noqa: SIM905
)
# What solvers take for an operation of their own, if a predicate is called so.
_OPERATOR_NAMES = """
abs and or not xor distinct ite select store map const mod rem div power divisible to_real to_int is_int true
false implies iff if let forall exists match par as pi e sin cos tan asin acos atan sinh cosh tanh asinh acosh
atanh exp log sqrt concat extract repeat default array update nand nor bvadd bvand bvor bvnot bvneg bvsub bvmul
bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvult bvule bvslt bvsle bvcomp bvredor bvredand bv2int
bv2nat int2bv nat2bv union intersection complement subset card first last set member insert fp
"""
OPERATIONS_OF_SOLVERS = frozenset(_OPERATOR_NAMES.split())


def quoted(name: str) -> str:
    """A writable name as an SMT-LIB symbol."""
    return name if _SIMPLE.fullmatch(name) and name[0] not in "." and name not in _RESERVED else f"|{name}|"


def writable(name: str) -> str:
    """The name without | and backslash, which no SMT-LIB symbol can have."""
    return name.replace("|", "_").replace("\\", "_")


def plain(name: str) -> str:
    """The name as letters, digits and underscores, first a letter: good in every language once it is made unique."""
    clean = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_") or "x"
    return clean if clean[0].isalpha() else f"x{clean}"


class Fresh:
    """Hands out names that differ from each other and from the names taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def __call__(self, base: str) -> str:
        name, count = base, 0
        while name in self._taken or name in _RESERVED:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name
