"""Reads of arrays that are written, chosen or constant, as choices among what was written: no such array is left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import z3

from chcverify.terms.core.traversal import fold, substitute, subterms

_MAX_STEPS = 200_000
"""Cells looked at; formulas that need more are left as they are. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class NumberTable:
    """A function from integers to numbers, by intervals: from each start to the next one the number beside it.

    starts: in increasing order, the first one None. function: of one integer, in place of the table.
    """

    function: z3.FuncDeclRef
    starts: tuple[int | None, ...]
    values: tuple[int, ...]


def expanded_reads(formula: z3.BoolRef, tables: dict[int, NumberTable] | None = None) -> z3.BoolRef:
    """An equivalent formula that reads array variables only, unless it compares arrays; the same one if too large.

    select(store(a, i, v), j) is v if i = j, and else select(a, j). Writes at numbers become a search tree. tables:
    filled, by the identities of their functions, with the tables of numbers that are read at other integers than
    numbers: such a read becomes the application of a new function, for which the formula says nothing of its values.
    """
    if not any(z3.is_app_of(term, z3.Z3_OP_SELECT) for term in subterms(formula)):
        return formula
    reads = _Reads(tables)
    try:
        return cast(z3.BoolRef, fold(formula, reads.visit))
    except _TooMany:
        if tables is not None:
            tables.clear()
        return formula


class _TooMany(Exception):
    pass


class _Reads:
    def __init__(self, numbers: dict[int, NumberTable] | None) -> None:
        self._numbers = numbers
        self._searches: dict[int, _TableSearch] = {}  # by the array that is read, for what is the same at each index
        self._known: dict[tuple[int, int], tuple[z3.ExprRef, z3.ExprRef, z3.ExprRef]] = {}  # keeps its keys alive
        self._tables: dict[int, tuple[z3.ExprRef, dict[int, z3.ExprRef], z3.ExprRef]] = {}
        self._steps = 0

    def visit(self, term: z3.ExprRef, parts: list[z3.ExprRef]) -> z3.ExprRef:
        """The term with its new arguments, once its reads are expanded."""
        if not parts or not z3.is_app(term):
            return term
        if z3.is_app_of(term, z3.Z3_OP_SELECT) and len(parts) == 2:
            return self._read(parts[0], parts[1])
        same = all(part.eq(child) for part, child in zip(parts, term.children(), strict=True))
        return term if same else term.decl()(*parts)

    def _read(self, array: z3.ExprRef, index: z3.ExprRef) -> z3.ExprRef:
        """Without recursion: a stack of arrays, what they are made of first."""
        stack = [array]
        while stack:
            term = stack[-1]
            if (term.get_id(), index.get_id()) in self._known:
                stack.pop()
                continue
            below = [a for a in self._below(term) if (a.get_id(), index.get_id()) not in self._known]
            if below:
                stack += below
                continue
            self._known[term.get_id(), index.get_id()] = (term, index, self._step(term, index))
        return self._at(array, index)

    def _at(self, array: z3.ExprRef, index: z3.ExprRef) -> z3.ExprRef:
        return self._known[array.get_id(), index.get_id()][2]

    def _below(self, array: z3.ExprRef) -> Sequence[z3.ExprRef]:
        if z3.is_app_of(array, z3.Z3_OP_ITE):
            return array.arg(1), array.arg(2)
        if not z3.is_store(array) or array.num_args() != 3:
            return ()
        return (self._table(array)[1],) if _number(array.arg(1)) is not None else (array.arg(0),)

    def _step(self, array: z3.ExprRef, index: z3.ExprRef) -> z3.ExprRef:
        if z3.is_app_of(array, z3.Z3_OP_ITE):
            one, other = self._at(array.arg(1), index), self._at(array.arg(2), index)
            return one if one.eq(other) else _choice(array.arg(0), one, other)
        if z3.is_app_of(array, z3.Z3_OP_CONST_ARRAY):
            value: z3.ExprRef = array.arg(0)
            return value
        if not z3.is_store(array) or array.num_args() != 3:
            read: z3.ExprRef = z3.Select(array, index)
            return read
        if _number(array.arg(1)) is None:
            self._count(1)
            return _choice(index == array.arg(1), array.arg(2), self._at(array.arg(0), index))
        writes, base = self._table(array)
        rest = self._at(base, index)
        number = _number(index)
        if number is not None:
            return writes.get(number, rest)
        if not z3.is_app_of(base, z3.Z3_OP_CONST_ARRAY):
            self._count(len(writes))
            return _tree(index, _pieces(index.sort(), writes, rest))
        search = self._searches.get(array.get_id())
        if search is None:
            search = self._searches[array.get_id()] = self._search(array, index, writes, rest)
        return search.at(index)

    def _search(
        self, array: z3.ExprRef, index: z3.ExprRef, writes: dict[int, z3.ExprRef], rest: z3.ExprRef
    ) -> "_TableSearch":
        """Of an array that is constant but for the writes."""
        self._count(len(writes))
        pieces = _pieces(index.sort(), writes, rest)
        numbers = [_number(value) if z3.is_int(value) else None for _, value in pieces]
        values = tuple(number for number in numbers if number is not None)
        if self._numbers is not None and z3.is_int(index) and len(values) == len(pieces):
            function = z3.Function(f"table~{array.get_id()}", z3.IntSort(), z3.IntSort())
            starts = tuple(start for start, _ in pieces)
            self._numbers[function.get_id()] = NumberTable(function, starts, values)
            return _TableSearch(array, None, function)
        place = z3.FreshConst(index.sort(), "index")
        return _TableSearch(array, place, _tree(place, pieces))

    def _table(self, array: z3.ExprRef) -> tuple[dict[int, z3.ExprRef], z3.ExprRef]:
        """The last writes at numbers, and the array before them."""
        found = self._tables.get(array.get_id())
        if found is None:
            writes: dict[int, z3.ExprRef] = {}
            base = array
            while z3.is_store(base) and base.num_args() == 3 and (number := _number(base.arg(1))) is not None:
                writes.setdefault(number, base.arg(2))
                base = base.arg(0)
            found = self._tables[array.get_id()] = (array, writes, base)
        return found[1], found[2]

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > _MAX_STEPS:
            raise _TooMany


@dataclass(frozen=True, eq=False)
class _TableSearch:
    """The read of an array at any index: a tree over `place`, or the application of a function if there is none."""

    array: z3.ExprRef  # keeps its identity
    place: z3.ExprRef | None
    found: z3.ExprRef | z3.FuncDeclRef

    def at(self, index: z3.ExprRef) -> z3.ExprRef:
        """What is read there."""
        if isinstance(self.found, z3.FuncDeclRef):
            return cast(z3.ExprRef, self.found(index))
        assert self.place is not None
        return substitute(self.found, [(self.place, index)])


def _number(index: z3.ExprRef) -> int | None:
    if z3.is_int_value(index) or z3.is_bv_value(index):
        return int(index.as_long())
    if z3.is_app_of(index, z3.Z3_OP_UMINUS) and z3.is_int_value(index.arg(0)):
        return -int(index.arg(0).as_long())
    return None


_Pieces = Sequence[tuple[int | None, z3.ExprRef]]
"""Where an interval of indices begins, and the term that is read in it. The first one begins nowhere."""


def _pieces(sort: z3.SortRef, writes: dict[int, z3.ExprRef], rest: z3.ExprRef) -> _Pieces:
    """writes[index], and rest elsewhere."""
    starts: list[tuple[int | None, z3.ExprRef]] = [(None, rest)]
    most = (1 << sort.size()) - 1 if isinstance(sort, z3.BitVecSortRef) else None
    for number in sorted(writes):
        if starts[-1][0] == number:
            starts.pop()
        starts.append((number, writes[number]))
        if number != most:
            starts.append((number + 1, rest))
    merged = starts[:1]
    for start, value in starts[1:]:
        if not value.eq(merged[-1][1]):
            merged.append((start, value))
    return merged


def _tree(index: z3.ExprRef, pieces: _Pieces) -> z3.ExprRef:
    """A binary search over the intervals."""

    def tree(pieces: _Pieces) -> z3.ExprRef:
        if len(pieces) == 1:
            return pieces[0][1]
        middle = len(pieces) // 2
        number = pieces[middle][0]
        assert number is not None  # only the first piece begins nowhere
        border = z3.BitVecVal(number, index.size()) if z3.is_bv(index) else z3.IntVal(number)
        below = z3.ULT(index, border) if z3.is_bv(index) else index < border
        return _choice(below, tree(pieces[:middle]), tree(pieces[middle:]))

    return tree(pieces)


def _choice(condition: z3.BoolRef, then: z3.ExprRef, otherwise: z3.ExprRef) -> z3.ExprRef:
    """The if-then-else term."""
    term: z3.ExprRef = z3.If(condition, then, otherwise)
    return term
