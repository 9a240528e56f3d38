"""Nodes of a clause as sums of other nodes, over integers.

A sum of bit-vectors is that of their unsigned numbers wherever its interval shows that it does not wrap around, or
wraps around the same number of times whatever the values are.
"""

from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush

import z3

from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.clause_code import INTEGER, ClauseCode
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.value_sets import FAR

_ADDITIONS = frozenset({z3.Z3_OP_ADD, z3.Z3_OP_BADD})
_SUBTRACTIONS = frozenset({z3.Z3_OP_SUB, z3.Z3_OP_BSUB})
_NEGATIONS = frozenset({z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG})
_PRODUCTS = frozenset({z3.Z3_OP_MUL, z3.Z3_OP_BMUL})
_SUMS = _ADDITIONS | _SUBTRACTIONS | _NEGATIONS | _PRODUCTS | {z3.Z3_OP_BSHL}
_EXTENSIONS = frozenset({z3.Z3_OP_CONCAT, z3.Z3_OP_ZERO_EXT, z3.Z3_OP_SIGN_EXT, z3.Z3_OP_EXTRACT})


@dataclass(frozen=True)
class LinearSum:
    """terms + number: a sum of nodes with factors other than zero."""

    terms: Mapping[int, int]
    number: int


class LinearTerms:
    """The nodes of one clause as sums."""

    def __init__(self, code: ClauseCode) -> None:
        self.code = code
        self._sums: dict[int, LinearSum] = {}
        self._reads: dict[int, list[int]] = {}  # of each array that is read more than once, by its node
        for node in code.operations:
            if code.kinds[node] == z3.Z3_OP_SELECT and len(code.arguments[node]) == 2:
                self._reads.setdefault(code.arguments[node][0], []).append(node)

    def of(self, root: int) -> LinearSum:
        """A node as a sum of nodes of its sort that are none; of bit-vectors modulo their width."""
        found = self._sums.get(root)
        if found is None:
            found = self._sums[root] = self._sum(root)
        return found

    def leaves(self, root: int) -> set[int]:
        """The nodes that it may be a sum of, whatever the values are."""
        return {node for node in self.parts(root) if not self._has_parts(node)}

    def parts(self, root: int) -> set[int]:
        """The nodes that it may be a sum of, and the sums on the way to these."""
        seen, work = set[int](), [root]
        while work:
            node = work.pop()
            if node in seen or node in self.code.constants:
                continue
            seen.add(node)
            if self._has_parts(node):
                is_choice = self.code.kinds[node] == z3.Z3_OP_ITE
                work += self.code.arguments[node][1:] if is_choice else self.code.arguments[node]
        return seen

    def _has_parts(self, node: int) -> bool:
        kind = self.code.kinds[node]
        return kind in _SUMS or kind in _EXTENSIONS or kind == z3.Z3_OP_ITE or self._is_whole(node)

    def _is_whole(self, node: int) -> bool:
        """Is it an integer divided by 1, as numbers of elements of one byte are?"""
        if self.code.kinds[node] != z3.Z3_OP_IDIV:
            return False
        return self.code.constants.get(self.code.arguments[node][1]) == ((1, 1),)

    def resolved(self, terms: Mapping[int, int], run: NodeValues) -> LinearSum:
        """A sum over integers without nodes that have one value, and of choices the branch that is taken."""

        def inner(node: int) -> LinearSum | None:
            value = value_sets.constant(run.pieces(node))
            return self._inner(node, run) if value is None else LinearSum({}, value)

        return _expanded(terms, inner)

    def _inner(self, node: int, run: NodeValues) -> LinearSum | None:
        """What a node is the sum of, where the values are these; None if it is none."""
        kind = self.code.kinds[node]
        if kind == z3.Z3_OP_ITE:
            condition, then, otherwise = self.code.arguments[node]
            truth = run.values[condition]
            if truth == value_sets.TRUE:
                return LinearSum({then: 1}, 0)
            return LinearSum({otherwise: 1}, 0) if truth == value_sets.FALSE else None
        if kind in _EXTENSIONS:
            return self._extended(node, run)
        if kind == z3.Z3_OP_SELECT:
            return self._same_cell(node, run)
        if kind not in _SUMS and not self._is_whole(node):
            return None
        linear = self.of(node)
        if node in linear.terms:
            return None
        width = self.code.widths[node]
        return linear if width == INTEGER else _unwrapped(linear, width, run)

    def _same_cell(self, node: int, run: NodeValues) -> LinearSum | None:
        """The first read of the cell that a node reads, if their indices have the same one value."""
        array, *at = self.code.arguments[node]
        reads = self._reads.get(array, ())
        if len(reads) < 2 or (index := value_sets.constant(run.pieces(at[0]))) is None:
            return None
        same = (read for read in reads if value_sets.constant(run.pieces(self.code.arguments[read][1])) == index)
        first = next(same, node)
        return None if first == node else LinearSum({first: 1}, 0)

    def _extended(self, node: int, run: NodeValues) -> LinearSum | None:
        """The bit-vector of another width that has the same number."""
        code, arguments = self.code, self.code.arguments[node]
        inner = arguments[-1]
        values = run.pieces(inner)
        match code.kinds[node]:
            case z3.Z3_OP_CONCAT:
                is_same = len(arguments) == 2 and code.constants.get(arguments[0]) == value_sets.FALSE
            case z3.Z3_OP_ZERO_EXT:
                is_same = True
            case z3.Z3_OP_SIGN_EXT:
                is_same = values[-1][1] < 1 << (code.widths[inner] - 1)
            case _:
                high, low = code.parameters[node]
                is_same = low == 0 and values[-1][1] < 1 << (high + 1)
        return LinearSum({inner: 1}, 0) if is_same else None

    def _sum(self, root: int) -> LinearSum:
        found, width = _expanded({root: 1}, self._parts), self.code.widths[root]
        if width <= 0:
            return found
        terms = {node: _nearest_to_zero(factor, width) for node, factor in found.terms.items()}
        kept = {node: factor for node, factor in terms.items() if factor}
        return LinearSum(kept, _nearest_to_zero(found.number, width))

    def _parts(self, node: int) -> LinearSum | None:
        """What a node is the sum of by its operation; None for other operations."""
        kind, arguments, constant = self.code.kinds[node], self.code.arguments[node], self.code.constants.get(node)
        if constant is not None:
            return LinearSum({}, constant[0][0])
        if kind in _ADDITIONS or kind in _SUBTRACTIONS:
            terms: dict[int, int] = {}
            for number, part in enumerate(arguments):
                terms[part] = terms.get(part, 0) + (-1 if number and kind in _SUBTRACTIONS else 1)
            return LinearSum(terms, 0)
        scale = self._scale(node)
        return None if scale is None else LinearSum({scale[0]: scale[1]}, 0)

    def _scale(self, node: int) -> tuple[int, int] | None:
        """A node as another one and the constant that it is multiplied by."""
        code, kind, arguments = self.code, self.code.kinds[node], self.code.arguments[node]
        if self._is_whole(node):
            return arguments[0], 1
        if kind in _NEGATIONS:
            return arguments[0], -1
        if kind in _PRODUCTS and len(arguments) == 2:
            for one, other in (arguments, arguments[::-1]):
                if one in code.constants:
                    return other, code.constants[one][0][0]
        if kind == z3.Z3_OP_BSHL and arguments[1] in code.constants:
            places = code.constants[arguments[1]][0][0]
            return (arguments[0], 1 << places) if places < code.widths[node] else None
        return None


def _expanded(terms: Mapping[int, int], inner: Callable[[int], LinearSum | None]) -> LinearSum:
    """The sum with what its nodes are sums of, and so on. inner: what a node is the sum of.

    Arguments have smaller numbers than what is computed from them, so that each node is looked at once.
    """
    pending, found, total = dict(terms), dict[int, int](), 0
    order = [-node for node in pending]
    heapify(order)
    while order:
        node = -heappop(order)
        factor = pending.pop(node)
        within = inner(node)
        if within is None:
            found[node] = factor
            continue
        total += factor * within.number
        for part, its in within.terms.items():
            if part not in pending:
                heappush(order, -part)
            pending[part] = pending.get(part, 0) + factor * its
    return LinearSum({node: factor for node, factor in found.items() if factor}, total)


def _nearest_to_zero(number: int, width: int) -> int:
    """The number of least size that is the same modulo 2 ^ width."""
    number %= 1 << width
    return number - (1 << width) if number >= 1 << (width - 1) else number


def _unwrapped(linear: LinearSum, width: int, run: NodeValues) -> LinearSum | None:
    """The sum over integers that a sum modulo 2 ^ width is; None if that depends on the values."""
    low = high = linear.number
    for node, factor in linear.terms.items():
        values = run.pieces(node)
        ends = values[0][0], values[-1][1]
        if max(abs(end) for end in ends) >= FAR:
            return None
        low += factor * ends[factor < 0]
        high += factor * ends[factor > 0]
    turns = low >> width
    return LinearSum(linear.terms, linear.number - (turns << width)) if high >> width == turns else None
