"""From what a result may be to what its arguments may be. Each function returns True if it narrowed an argument."""

from collections.abc import Callable, Sequence

import z3

from solvers.value_analysis import value_sets
from solvers.value_analysis.bit_operations import BIT_REVERSALS
from solvers.value_analysis.clause_code import anything
from solvers.value_analysis.comparisons import BIT_ORDERS, DENIED, ORDERS, SWAPPED, restricted
from solvers.value_analysis.node_values import Empty, NodeValues
from solvers.value_analysis.value_sets import EITHER, FALSE, TRUE, Pieces


def _each(run: NodeValues, parts: Sequence[int], values: Sequence[Pieces]) -> bool:
    """Narrows all parts; True if one of them changes."""
    changed = False
    for part, value in zip(parts, values, strict=True):
        changed |= run.narrow(part, value)
    return changed


def _and_down(run: NodeValues, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if result == TRUE:
        return _each(run, parts, [TRUE] * len(parts))
    return result == FALSE and _last_open(run, parts, TRUE, FALSE)


def _or_down(run: NodeValues, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if result == FALSE:
        return _each(run, parts, [FALSE] * len(parts))
    return result == TRUE and _last_open(run, parts, FALSE, TRUE)


def _last_open(run: NodeValues, parts: tuple[int, ...], neutral: Pieces, wanted: Pieces) -> bool:
    """Of parts that are all neutral but one, that one is as wanted."""
    open_ = [part for part in parts if run.pieces(part) != neutral]
    if not open_:
        raise Empty
    return len(open_) == 1 and run.narrow(open_[0], wanted)


def _not_down(run: NodeValues, node: int) -> bool:
    result, part = run.pieces(node), run.code.arguments[node][0]
    if result == EITHER:
        return False
    return run.narrow(part, FALSE if result == TRUE else TRUE)


def _equal_down(run: NodeValues, node: int) -> bool:
    return _related(run, node, z3.Z3_OP_EQ, 0)


def _distinct_down(run: NodeValues, node: int) -> bool:
    return len(run.code.arguments[node]) == 2 and _related(run, node, z3.Z3_OP_DISTINCT, 0)


def _order_down(run: NodeValues, node: int) -> bool:
    return _related(run, node, run.code.kinds[node], 0)


def _bit_order_down(run: NodeValues, node: int) -> bool:
    kind = run.code.kinds[node]
    plain, is_signed = BIT_ORDERS[kind]
    return _related(run, node, plain, run.code.widths[run.code.arguments[node][0]] if is_signed else 0)


def _related(run: NodeValues, node: int, relation: int, width: int) -> bool:
    """Narrows the sides of a comparison that holds, or does not. width: of signed bit-vectors, else 0."""
    result = run.pieces(node)
    if result == EITHER:
        return False
    left, right = run.code.arguments[node]
    one, other = run.values[left], run.values[right]
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return False
    actual = relation if result == TRUE else DENIED[relation]
    if left == right:
        if actual in (z3.Z3_OP_DISTINCT, z3.Z3_OP_LT, z3.Z3_OP_GT):
            raise Empty
        return False
    if width:
        one, other = value_sets.signed(one, width), value_sets.signed(other, width)
    first = restricted(one, actual, other)
    second = restricted(other, SWAPPED.get(actual, actual), one)
    if not first or not second:
        raise Empty
    if width:
        first, second = value_sets.unsigned(first, width), value_sets.unsigned(second, width)
    one_changed, other_changed = run.narrow(left, first), run.narrow(right, second)
    return one_changed or other_changed


def _choice_down(run: NodeValues, node: int) -> bool:
    condition, then, otherwise = run.code.arguments[node]
    decided = run.pieces(condition)
    result = run.values[node]
    if decided == EITHER:
        if not isinstance(result, tuple):
            return False
        one, other = run.pieces(then), run.pieces(otherwise)
        if not value_sets.meet(result, one):
            return run.narrow(condition, FALSE)
        return not value_sets.meet(result, other) and run.narrow(condition, TRUE)
    return run.narrow(then if decided == TRUE else otherwise, result)


def _add_down(run: NodeValues, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if result == value_sets.ANY or len(parts) > 6:
        return False
    changed = False
    for part in parts:
        rest = result
        for other in parts:
            if other != part:
                rest = value_sets.total(rest, value_sets.negative(run.pieces(other)))
        if parts.count(part) == 1 and run.narrow(part, rest):
            changed = True
    return changed


def _subtract_down(run: NodeValues, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if len(parts) != 2 or parts[0] == parts[1]:
        return False
    one, other = run.pieces(parts[0]), run.pieces(parts[1])
    first = run.narrow(parts[0], value_sets.total(result, other))
    second = run.narrow(parts[1], value_sets.total(one, value_sets.negative(result)))
    return first or second


def _multiply_down(run: NodeValues, node: int) -> bool:
    parts = run.code.arguments[node]
    if len(parts) != 2:
        return False
    for part, other in (parts, parts[::-1]):
        factor = value_sets.constant(run.pieces(other))
        if factor:
            result = run.pieces(node) if factor > 0 else value_sets.negative(run.pieces(node))
            size, far = abs(factor), value_sets.FAR
            found = ((-far if a <= -far else -(-a // size), far if b >= far else b // size) for a, b in result)
            inside = value_sets.united(piece for piece in found if piece[0] <= piece[1])
            if not inside:
                raise Empty
            return run.narrow(part, inside)
    return False


def _modulo_down(run: NodeValues, node: int) -> bool:
    """x mod n is between 0 and n - 1: x is there after some multiple of n."""
    part, period = run.code.arguments[node][0], value_sets.constant(run.pieces(run.code.arguments[node][1]))
    if period is None or period <= 0:
        return False
    inside = value_sets.with_remainder(run.pieces(part), run.pieces(node), period)
    if not inside:
        raise Empty
    return run.narrow(part, inside)


def _negate_down(run: NodeValues, node: int) -> bool:
    return run.narrow(run.code.arguments[node][0], value_sets.negative(run.pieces(node)))


def _read_down(run: NodeValues, node: int) -> bool:
    """What is read is what the array holds there."""
    code, result = run.code, run.values[node]
    array, at = code.arguments[node][:2]
    if not isinstance(result, tuple) or code.widths[at] < 0:
        return False
    index = value_sets.constant(run.pieces(at))
    while index is not None and code.kinds[array] == z3.Z3_OP_STORE:
        inner, cell, stored = code.arguments[array][:3]
        written = run.pieces(cell)
        if value_sets.constant(written) == index:
            return run.narrow(stored, result)
        if value_sets.meet(written, ((index, index),)):
            return False
        array = inner
    if not code.is_variable(array) or result == anything(code.widths[node]):
        return False
    old = run.cells(array)
    if index is None:
        return run.narrow(at, old.indices_of(result, run.pieces(at)))
    new = old.narrowed(index, result)
    if new == old:
        return False
    if index in new.known and not new.known[index]:
        raise Empty
    run.set_narrowed(array, new)
    return True


def _bits_down(run: NodeValues, node: int) -> bool:
    code = run.code
    reversal = BIT_REVERSALS[code.kinds[node]]
    parts = code.arguments[node]
    arguments = [run.pieces(part) for part in parts]
    widths = [code.widths[part] for part in parts]
    found = reversal(run.pieces(node), arguments, widths, code.widths[node], code.parameters.get(node, ()))
    return _each(run, parts, found)


DOWN: dict[int, Callable[[NodeValues, int], bool]] = {
    z3.Z3_OP_AND: _and_down,
    z3.Z3_OP_OR: _or_down,
    z3.Z3_OP_NOT: _not_down,
    z3.Z3_OP_EQ: _equal_down,
    z3.Z3_OP_DISTINCT: _distinct_down,
    z3.Z3_OP_ITE: _choice_down,
    z3.Z3_OP_ADD: _add_down,
    z3.Z3_OP_SUB: _subtract_down,
    z3.Z3_OP_MUL: _multiply_down,
    z3.Z3_OP_MOD: _modulo_down,
    z3.Z3_OP_UMINUS: _negate_down,
    z3.Z3_OP_SELECT: _read_down,
    **dict.fromkeys(ORDERS, _order_down),
    **dict.fromkeys(BIT_ORDERS, _bit_order_down),
    **dict.fromkeys(BIT_REVERSALS, _bits_down),
}
