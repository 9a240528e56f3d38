"""From the values of arguments to those of results."""

from collections.abc import Callable
from functools import reduce

import z3

from chcverify.effort import MAX_COMBINED
from solvers.value_analysis import value_sets
from solvers.value_analysis.bit_operations import BIT_OPERATIONS
from solvers.value_analysis.cell_values import UNKNOWN, CellValues
from solvers.value_analysis.clause_code import anything
from solvers.value_analysis.comparisons import BIT_ORDERS, DENIED, ORDERS, SWAPPED, restricted
from solvers.value_analysis.node_values import NodeValues, Value
from solvers.value_analysis.value_sets import EITHER, FALSE, TRUE, Pieces

_LEAVES = (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_ANUM, z3.Z3_OP_SELECT)


def _truth(is_true: bool, is_false: bool) -> Pieces:
    return TRUE if is_true else FALSE if is_false else EITHER


def _and(run: NodeValues, node: int) -> Value:
    parts = [run.pieces(part) for part in run.code.arguments[node]]
    return _truth(all(part == TRUE for part in parts), any(part == FALSE for part in parts))


def _or(run: NodeValues, node: int) -> Value:
    parts = [run.pieces(part) for part in run.code.arguments[node]]
    return _truth(any(part == TRUE for part in parts), all(part == FALSE for part in parts))


def _not(run: NodeValues, node: int) -> Value:
    part = run.pieces(run.code.arguments[node][0])
    return _truth(part == FALSE, part == TRUE)


def _equal(run: NodeValues, node: int) -> Value:
    left, right = run.code.arguments[node][:2]
    if left == right:
        return TRUE
    one, other = run.values[left], run.values[right]
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return EITHER
    if not value_sets.meet(one, other):
        return FALSE
    number = value_sets.constant(one)
    return _truth(number is not None and number == value_sets.constant(other), False)


def _distinct(run: NodeValues, node: int) -> Value:
    if len(run.code.arguments[node]) != 2:
        return EITHER
    equal = _equal(run, node)
    return TRUE if equal == FALSE else FALSE if equal == TRUE else EITHER


def _compared(kind: int, one: Pieces, other: Pieces) -> Pieces:
    """one <= other, <, >=, >"""
    if kind in (z3.Z3_OP_GE, z3.Z3_OP_GT):
        one, other, kind = other, one, z3.Z3_OP_LE if kind == z3.Z3_OP_GE else z3.Z3_OP_LT
    if not one or not other:
        return EITHER
    strict = kind == z3.Z3_OP_LT
    return _truth(one[-1][1] + strict <= other[0][0], one[0][0] >= other[-1][1] + (not strict))


def _order(run: NodeValues, node: int) -> Value:
    left, right = run.code.arguments[node]
    return _compared(run.code.kinds[node], run.pieces(left), run.pieces(right))


def _choice(run: NodeValues, node: int) -> Value:
    condition, then, otherwise = run.code.arguments[node]
    decided = run.pieces(condition)
    if decided == TRUE:
        return run.values[then]
    if decided == FALSE:
        return run.values[otherwise]
    one, other = run.values[then], run.values[otherwise]
    if isinstance(one, CellValues) and isinstance(other, CellValues):
        return one.joined(other)
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return None
    return _branches(run, node, {}, MAX_COMBINED)


def _branches(run: NodeValues, node: int, under: dict[int, Pieces], depth: int) -> Pieces:
    """The values of a choice between numbers, each branch with what its condition says of one node."""
    condition, then, otherwise = run.code.arguments[node]
    found = value_sets.NONE
    for branch, holds in ((then, True), (otherwise, False)):
        known = _said(run, condition, holds, under)
        if known is not None:
            found = value_sets.join(found, _under(run, branch, known, depth - 1))
    return found


def _said(run: NodeValues, condition: int, holds: bool, under: dict[int, Pieces]) -> dict[int, Pieces] | None:
    """The values of nodes if a comparison with a number holds (or does not); None if that cannot be."""
    code = run.code
    while code.kinds[condition] == z3.Z3_OP_NOT:
        condition, holds = code.arguments[condition][0], not holds
    kind = code.kinds[condition]
    if kind not in ORDERS and kind != z3.Z3_OP_EQ:
        return under
    left, right = code.arguments[condition]
    if code.widths[left] != 0:
        return under
    actual = kind if holds else DENIED[kind]
    found = dict(under)
    for one, other, relation in ((left, right, actual), (right, left, SWAPPED.get(actual, actual))):
        if one not in code.constants:
            left_values = restricted(under.get(one, run.pieces(one)), relation, under.get(other, run.pieces(other)))
            if not left_values:
                return None
            found[one] = left_values
    return found


def _under(run: NodeValues, node: int, known: dict[int, Pieces], depth: int) -> Pieces:
    """The values of a number where those of some nodes are known better."""
    if node in known:
        return known[node]
    kind = run.code.kinds[node]
    if depth <= 0 or kind in _LEAVES:
        return run.pieces(node)
    arguments = run.code.arguments[node]
    if kind == z3.Z3_OP_ITE:
        return value_sets.meet(run.pieces(node), _branches(run, node, known, depth)) or run.pieces(node)
    if kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB):
        first, *rest = [_under(run, part, known, depth - 1) for part in arguments]
        for part in rest:
            first = value_sets.total(first, part if kind == z3.Z3_OP_ADD else value_sets.negative(part))
        return first
    if kind == z3.Z3_OP_MUL and len(arguments) == 2:
        one, other = (_under(run, part, known, depth - 1) for part in arguments)
        return value_sets.times(one, other)
    if kind == z3.Z3_OP_UMINUS:
        return value_sets.negative(_under(run, arguments[0], known, depth - 1))
    return run.pieces(node)


def _from_left(operation: Callable[[Pieces, Pieces], Pieces]) -> Callable[[NodeValues, int], Value]:
    """The value of a node that applies the operation to its arguments, from left to right."""

    def value(run: NodeValues, node: int) -> Value:
        return reduce(operation, map(run.pieces, run.code.arguments[node]))

    return value


def _negate(run: NodeValues, node: int) -> Value:
    return value_sets.negative(run.pieces(run.code.arguments[node][0]))


def _divide(run: NodeValues, node: int) -> Value:
    one, other = run.code.arguments[node]
    return value_sets.quotient(run.pieces(one), run.pieces(other))


def _modulo(run: NodeValues, node: int) -> Value:
    one, other = run.code.arguments[node]
    return value_sets.remainder(run.pieces(one), run.pieces(other))


def _read(run: NodeValues, node: int) -> Value:
    array, index = run.code.arguments[node][:2]
    width = run.code.widths[node]
    if width < 0 or run.code.widths[index] < 0:
        return None
    return run.cells(array).read(run.pieces(index), anything(width))


def _write(run: NodeValues, node: int) -> Value:
    array, index, value = run.code.arguments[node][:3]
    if run.code.widths[index] < 0:
        return UNKNOWN
    stored = run.values[value]
    return run.cells(array).written(run.pieces(index), stored if isinstance(stored, tuple) else None)


def _filled(run: NodeValues, node: int) -> Value:
    stored = run.values[run.code.arguments[node][0]]
    return CellValues({}, stored) if isinstance(stored, tuple) else UNKNOWN


def _bits(run: NodeValues, node: int) -> Value:
    code = run.code
    operation = BIT_OPERATIONS[code.kinds[node]]
    arguments = [run.pieces(part) for part in code.arguments[node]]
    widths = [code.widths[part] for part in code.arguments[node]]
    if not all(arguments):
        return None
    return operation(arguments, widths, code.widths[node], code.parameters.get(node, ()))


def _bit_order(run: NodeValues, node: int) -> Value:
    plain, is_signed = BIT_ORDERS[run.code.kinds[node]]
    left, right = run.code.arguments[node]
    one, other = run.pieces(left), run.pieces(right)
    if is_signed:
        width = run.code.widths[left]
        one, other = value_sets.signed(one, width), value_sets.signed(other, width)
    return _compared(plain, one, other)


UP: dict[int, Callable[[NodeValues, int], Value]] = {
    z3.Z3_OP_AND: _and,
    z3.Z3_OP_OR: _or,
    z3.Z3_OP_NOT: _not,
    z3.Z3_OP_EQ: _equal,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_ITE: _choice,
    z3.Z3_OP_ADD: _from_left(value_sets.total),
    z3.Z3_OP_SUB: _from_left(lambda one, other: value_sets.total(one, value_sets.negative(other))),
    z3.Z3_OP_MUL: _from_left(value_sets.times),
    z3.Z3_OP_UMINUS: _negate,
    z3.Z3_OP_IDIV: _divide,
    z3.Z3_OP_MOD: _modulo,
    z3.Z3_OP_SELECT: _read,
    z3.Z3_OP_STORE: _write,
    z3.Z3_OP_CONST_ARRAY: _filled,
    **dict.fromkeys(ORDERS, _order),
    **dict.fromkeys(BIT_ORDERS, _bit_order),
    **dict.fromkeys(BIT_OPERATIONS, _bits),
}
