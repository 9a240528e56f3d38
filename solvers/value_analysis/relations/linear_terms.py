"""Nodes of a clause as sums of other nodes, over integers.

A sum of bit-vectors is that of their unsigned numbers wherever its interval shows that it does not wrap around, or
wraps around the same number of times whatever the values are.
"""

from collections.abc import Mapping

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

    def of(self, root: int) -> LinearSum:
        """A node as a sum of nodes of its sort that are none; of bit-vectors modulo their width."""
        found = self._sums.get(root)
        if found is None:
            found = self._sums[root] = self._sum(root)
        return found

    def leaves(self, root: int) -> set[int]:
        """The nodes that it may be a sum of, whatever the values are."""
        found, work = set[int](), [root]
        while work:
            node = work.pop()
            kind = self.code.kinds[node]
            if node in self.code.constants:
                continue
            if kind in _SUMS or kind in _EXTENSIONS or kind == z3.Z3_OP_ITE:
                work += self.code.arguments[node][1:] if kind == z3.Z3_OP_ITE else self.code.arguments[node]
            else:
                found.add(node)
        return found

    def resolved(self, terms: Mapping[int, int], run: NodeValues) -> LinearSum:
        """A sum over integers without nodes that have one value, and of choices the branch that is taken."""
        found: dict[int, int] = {}
        work, total = list(terms.items()), 0
        while work:
            node, factor = work.pop()
            value = value_sets.constant(run.pieces(node))
            if value is not None:
                total += factor * value
                continue
            inner = self._inner(node, run)
            if inner is None:
                found[node] = found.get(node, 0) + factor
                continue
            total += factor * inner.number
            work += [(part, factor * its) for part, its in inner.terms.items()]
        return LinearSum({node: factor for node, factor in found.items() if factor}, total)

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
        if kind not in _SUMS:
            return None
        linear = self.of(node)
        if node in linear.terms:
            return None
        width = self.code.widths[node]
        return linear if width == INTEGER else _unwrapped(linear, width, run)

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
        code, terms, total = self.code, dict[int, int](), 0
        work = [(root, 1)]
        while work:
            node, factor = work.pop()
            constant, kind, arguments = code.constants.get(node), code.kinds[node], code.arguments[node]
            scale = self._scale(node)
            if constant is not None:
                total += factor * constant[0][0]
            elif kind in _ADDITIONS:
                work += [(part, factor) for part in arguments]
            elif kind in _SUBTRACTIONS:
                work += [(arguments[0], factor), *((part, -factor) for part in arguments[1:])]
            elif scale is not None:
                work.append((scale[0], factor * scale[1]))
            else:
                terms[node] = terms.get(node, 0) + factor
        width = code.widths[root]
        if width > 0:
            terms = {node: _nearest_to_zero(factor, width) for node, factor in terms.items()}
            total = _nearest_to_zero(total, width)
        return LinearSum({node: factor for node, factor in terms.items() if factor}, total)

    def _scale(self, node: int) -> tuple[int, int] | None:
        """A node as another one and the constant that it is multiplied by."""
        code, kind, arguments = self.code, self.code.kinds[node], self.code.arguments[node]
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
