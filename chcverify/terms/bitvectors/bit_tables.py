"""Tables of numbers as functions of bit-vectors: one search tree for all reads with an index of the same width."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.terms.array_reads import NumberTable
from chcverify.terms.bitvectors.integers_to_bits import Bits, width
from chcverify.terms.core.traversal import substitute, subterms


class BitTables:
    """Applies tables to bit-vectors that stand for integers."""

    def __init__(self, tables: Mapping[int, NumberTable]) -> None:
        self._tables = tables
        self._trees: dict[tuple[int, int], tuple[z3.BitVecRef, z3.BitVecRef]] = {}  # place and tree, by table and width

    def is_in(self, formula: z3.BoolRef) -> bool:
        """Does the formula apply one of the tables?"""
        return bool(self._tables) and any(
            z3.is_app(term) and term.decl().get_id() in self._tables for term in subterms(formula)
        )

    def applied(self, term: z3.ExprRef, index: Bits) -> Bits | None:
        """What the table reads at the index, if the term is a read of one."""
        table = self._tables.get(term.decl().get_id())
        if table is None:
            return None
        low, high = min(table.values), max(table.values)
        size = index.term.size()
        key = (table.function.get_id(), size)
        if key not in self._trees:
            place = z3.BitVec(f"index~{key[0]}~{size}", size)
            self._trees[key] = (place, _tree(table, place, width(low, high)))
        place, tree = self._trees[key]
        return Bits(substitute(tree, [(place, index.term)]), low, high)


def _tree(table: NumberTable, index: z3.BitVecRef, size: int) -> z3.BitVecRef:
    """The table's values as signed numbers of so many bits, by binary search for the signed index."""
    least, most = -(1 << index.size() - 1), (1 << index.size() - 1) - 1
    pieces: list[tuple[int, int]] = []  # where each value begins, within what the index can be
    for start, value in zip(table.starts, table.values, strict=True):
        if start is None or start <= least:
            pieces = [(least, value)]
        elif start <= most:
            pieces.append((start, value))

    def tree(part: Sequence[tuple[int, int]]) -> z3.BitVecRef:
        if len(part) == 1:
            return z3.BitVecVal(part[0][1], size)
        middle = len(part) // 2
        found = z3.If(index < z3.BitVecVal(part[middle][0], index.size()), tree(part[:middle]), tree(part[middle:]))
        assert isinstance(found, z3.BitVecRef)
        return found

    return tree(pieces)
