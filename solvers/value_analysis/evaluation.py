"""Abstract evaluation of a clause: values of its nodes, narrowed by its constraint in both directions.

Benhamou, Goualard, Granvilliers, Puget: Revising hull and box consistency (ICLP 1999): values go up from the variables,
what a node may be goes down to its arguments, until nothing changes or enough rounds have passed.
"""

from collections.abc import Callable

import z3

from solvers.value_analysis import value_sets
from solvers.value_analysis.bit_operations import BIT_OPERATIONS, BIT_REVERSALS
from solvers.value_analysis.cell_values import UNKNOWN, Cells
from solvers.value_analysis.clause_code import ARRAY, OTHER, ClauseCode, anything
from solvers.value_analysis.value_sets import EITHER, FALSE, TRUE, Pieces

Value = Pieces | Cells | None
"""Of a node: of a number or a truth value, of an array, of anything else."""
ROUNDS = 3  # of going up and down; most clauses need two
_DEPTH = 3  # of choices in choices whose conditions are looked at


class Empty(Exception):
    """No state satisfies the constraint."""


class Evaluation:
    """The values of the nodes of one clause. values: of each node; those of variables are set before."""

    def __init__(self, code: ClauseCode) -> None:
        self.code = code
        self.values: list[Value] = [self._anything(i) for i in range(len(code.kinds))]
        for node, value in code.constants.items():
            self.values[node] = value

    def _anything(self, node: int) -> Value:
        width = self.code.widths[node]
        if width == ARRAY:
            return UNKNOWN
        return None if width == OTHER else anything(width)

    def copy(self) -> "Evaluation":
        """Another one with the same values."""
        other = Evaluation.__new__(Evaluation)
        other.code, other.values = self.code, list(self.values)
        return other

    def narrow(self, node: int, value: Value) -> bool:
        """Leaves a node those of its values that are among the given ones; True if it loses some. Raises Empty."""
        old = self.values[node]
        if value is None or old is None or value is old:
            return False
        if isinstance(value, Cells):
            assert isinstance(old, Cells)
            if old is UNKNOWN:
                self.values[node] = value
                return True
            new: Value = old.met(value)
            self.values[node] = new
            return new != old
        assert not isinstance(old, Cells)
        met = value_sets.meet(old, value)
        if not met:
            raise Empty
        if met == old:
            return False
        self.values[node] = met
        return True

    def solve(self) -> bool:
        """Narrows all nodes by the constraint; False if no state satisfies it."""
        code = self.code
        try:
            self.narrow(code.constraint, TRUE)
            for _ in range(ROUNDS):
                self._up()
                if not self._down():
                    break
            else:
                self._up()
        except Empty:
            return False
        return True

    def _up(self) -> None:
        kinds = self.code.kinds
        for node in range(len(kinds)):
            operation = _UP.get(kinds[node])
            if operation is not None:
                self.narrow(node, operation(self, node))

    def _down(self) -> bool:
        kinds, changed = self.code.kinds, False
        for node in range(len(kinds) - 1, -1, -1):
            operation = _DOWN.get(kinds[node])
            if operation is not None and operation(self, node):
                changed = True
        return changed

    def pieces(self, node: int) -> Pieces:
        """The values of a number or truth value."""
        found = self.values[node]
        return found if isinstance(found, tuple) else value_sets.ANY

    def cells(self, node: int) -> Cells:
        """The values of an array."""
        found = self.values[node]
        return found if isinstance(found, Cells) else UNKNOWN


Up = Callable[[Evaluation, int], Value]
Down = Callable[[Evaluation, int], bool]


# --- from arguments to results ------------------------------------------------------------------------------------


def _truth(is_true: bool, is_false: bool) -> Pieces:
    return TRUE if is_true else FALSE if is_false else EITHER


def _and(run: Evaluation, node: int) -> Value:
    parts = [run.pieces(part) for part in run.code.arguments[node]]
    return _truth(all(part == TRUE for part in parts), any(part == FALSE for part in parts))


def _or(run: Evaluation, node: int) -> Value:
    parts = [run.pieces(part) for part in run.code.arguments[node]]
    return _truth(any(part == TRUE for part in parts), all(part == FALSE for part in parts))


def _not(run: Evaluation, node: int) -> Value:
    part = run.pieces(run.code.arguments[node][0])
    return _truth(part == FALSE, part == TRUE)


def _equal(run: Evaluation, node: int) -> Value:
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


def _distinct(run: Evaluation, node: int) -> Value:
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


def _order(run: Evaluation, node: int) -> Value:
    left, right = run.code.arguments[node]
    return _compared(run.code.kinds[node], run.pieces(left), run.pieces(right))


def _choice(run: Evaluation, node: int) -> Value:
    condition, then, otherwise = run.code.arguments[node]
    decided = run.pieces(condition)
    if decided == TRUE:
        return run.values[then]
    if decided == FALSE:
        return run.values[otherwise]
    one, other = run.values[then], run.values[otherwise]
    if isinstance(one, Cells) and isinstance(other, Cells):
        return one.joined(other)
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return None
    return _branches(run, node, {}, _DEPTH)


def _branches(run: Evaluation, node: int, under: dict[int, Pieces], depth: int) -> Pieces:
    """The values of a choice between numbers, each branch with what its condition says of one node."""
    condition, then, otherwise = run.code.arguments[node]
    found = value_sets.NONE
    for branch, holds in ((then, True), (otherwise, False)):
        known = _said(run, condition, holds, under)
        if known is not None:
            found = value_sets.join(found, _under(run, branch, known, depth - 1))
    return found


def _said(run: Evaluation, condition: int, holds: bool, under: dict[int, Pieces]) -> dict[int, Pieces] | None:
    """The values of nodes if a comparison with a number holds (or does not); None if that cannot be."""
    code = run.code
    while code.kinds[condition] == z3.Z3_OP_NOT:
        condition, holds = code.arguments[condition][0], not holds
    kind = code.kinds[condition]
    if kind not in _ORDERS and kind != z3.Z3_OP_EQ:
        return under
    left, right = code.arguments[condition]
    if code.widths[left] != 0:
        return under
    actual = kind if holds else _DENIED[kind]
    found = dict(under)
    for one, other, relation in ((left, right, actual), (right, left, _SWAPPED.get(actual, actual))):
        if one not in code.constants:
            left_values = _restricted(under.get(one, run.pieces(one)), relation, under.get(other, run.pieces(other)))
            if not left_values:
                return None
            found[one] = left_values
    return found


def _under(run: Evaluation, node: int, known: dict[int, Pieces], depth: int) -> Pieces:
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


def _add(run: Evaluation, node: int) -> Value:
    first, *rest = run.code.arguments[node]
    found = run.pieces(first)
    for part in rest:
        found = value_sets.total(found, run.pieces(part))
    return found


def _subtract(run: Evaluation, node: int) -> Value:
    first, *rest = run.code.arguments[node]
    found = run.pieces(first)
    for part in rest:
        found = value_sets.total(found, value_sets.negative(run.pieces(part)))
    return found


def _multiply(run: Evaluation, node: int) -> Value:
    first, *rest = run.code.arguments[node]
    found = run.pieces(first)
    for part in rest:
        found = value_sets.times(found, run.pieces(part))
    return found


def _negate(run: Evaluation, node: int) -> Value:
    return value_sets.negative(run.pieces(run.code.arguments[node][0]))


def _divide(run: Evaluation, node: int) -> Value:
    one, other = run.code.arguments[node]
    return value_sets.quotient(run.pieces(one), run.pieces(other))


def _modulo(run: Evaluation, node: int) -> Value:
    one, other = run.code.arguments[node]
    return value_sets.remainder(run.pieces(one), run.pieces(other))


def _read(run: Evaluation, node: int) -> Value:
    array, index = run.code.arguments[node][:2]
    width = run.code.widths[node]
    if width < 0 or run.code.widths[index] < 0:
        return None
    return run.cells(array).read(run.pieces(index), anything(width))


def _write(run: Evaluation, node: int) -> Value:
    array, index, value = run.code.arguments[node][:3]
    if run.code.widths[index] < 0:
        return UNKNOWN
    stored = run.values[value]
    return run.cells(array).written(run.pieces(index), stored if isinstance(stored, tuple) else None)


def _filled(run: Evaluation, node: int) -> Value:
    stored = run.values[run.code.arguments[node][0]]
    return Cells({}, stored) if isinstance(stored, tuple) else UNKNOWN


def _bits(run: Evaluation, node: int) -> Value:
    code = run.code
    operation = BIT_OPERATIONS[code.kinds[node]]
    arguments = [run.pieces(part) for part in code.arguments[node]]
    widths = [code.widths[part] for part in code.arguments[node]]
    if not all(arguments):
        return None
    return operation(arguments, widths, code.widths[node], code.parameters.get(node, ()))


# --- from results to arguments ------------------------------------------------------------------------------------


def _and_down(run: Evaluation, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if result == TRUE:
        return any([run.narrow(part, TRUE) for part in parts])
    return result == FALSE and _last_open(run, parts, TRUE, FALSE)


def _or_down(run: Evaluation, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if result == FALSE:
        return any([run.narrow(part, FALSE) for part in parts])
    return result == TRUE and _last_open(run, parts, FALSE, TRUE)


def _last_open(run: Evaluation, parts: tuple[int, ...], neutral: Pieces, wanted: Pieces) -> bool:
    """Of parts that are all neutral but one, that one is as wanted."""
    open_ = [part for part in parts if run.pieces(part) != neutral]
    if not open_:
        raise Empty
    return len(open_) == 1 and run.narrow(open_[0], wanted)


def _not_down(run: Evaluation, node: int) -> bool:
    result, part = run.pieces(node), run.code.arguments[node][0]
    if result == EITHER:
        return False
    return run.narrow(part, FALSE if result == TRUE else TRUE)


def _equal_down(run: Evaluation, node: int) -> bool:
    return _related(run, node, z3.Z3_OP_EQ, 0)


def _distinct_down(run: Evaluation, node: int) -> bool:
    return len(run.code.arguments[node]) == 2 and _related(run, node, z3.Z3_OP_DISTINCT, 0)


def _order_down(run: Evaluation, node: int) -> bool:
    return _related(run, node, run.code.kinds[node], 0)


def _bit_order_down(run: Evaluation, node: int) -> bool:
    kind = run.code.kinds[node]
    plain, is_signed = _BIT_ORDERS[kind]
    return _related(run, node, plain, run.code.widths[run.code.arguments[node][0]] if is_signed else 0)


def _related(run: Evaluation, node: int, relation: int, width: int) -> bool:
    """Narrows the sides of a comparison that holds, or does not. width: of signed bit-vectors, else 0."""
    result = run.pieces(node)
    if result == EITHER:
        return False
    left, right = run.code.arguments[node]
    one, other = run.values[left], run.values[right]
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return False
    actual = relation if result == TRUE else _DENIED[relation]
    if left == right:
        if actual in (z3.Z3_OP_DISTINCT, z3.Z3_OP_LT, z3.Z3_OP_GT):
            raise Empty
        return False
    if width:
        one, other = value_sets.signed(one, width), value_sets.signed(other, width)
    first = _restricted(one, actual, other)
    second = _restricted(other, _SWAPPED.get(actual, actual), one)
    if not first or not second:
        raise Empty
    if width:
        first, second = value_sets.unsigned(first, width), value_sets.unsigned(second, width)
    one_changed, other_changed = run.narrow(left, first), run.narrow(right, second)
    return one_changed or other_changed


def _restricted(one: Pieces, relation: int, other: Pieces) -> Pieces:
    """The numbers of one that are in the relation with some number of the other."""
    match relation:
        case z3.Z3_OP_EQ:
            return value_sets.meet(one, other)
        case z3.Z3_OP_DISTINCT:
            number = value_sets.constant(other)
            return one if number is None else value_sets.without(one, number)
        case z3.Z3_OP_LE | z3.Z3_OP_LT:
            return value_sets.below(one, other, relation == z3.Z3_OP_LT)
        case _:
            return value_sets.above(one, other, relation == z3.Z3_OP_GT)


def _choice_down(run: Evaluation, node: int) -> bool:
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


def _add_down(run: Evaluation, node: int) -> bool:
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


def _subtract_down(run: Evaluation, node: int) -> bool:
    result, parts = run.pieces(node), run.code.arguments[node]
    if len(parts) != 2 or parts[0] == parts[1]:
        return False
    one, other = run.pieces(parts[0]), run.pieces(parts[1])
    first = run.narrow(parts[0], value_sets.total(result, other))
    second = run.narrow(parts[1], value_sets.total(one, value_sets.negative(result)))
    return first or second


def _multiply_down(run: Evaluation, node: int) -> bool:
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


def _negate_down(run: Evaluation, node: int) -> bool:
    return run.narrow(run.code.arguments[node][0], value_sets.negative(run.pieces(node)))


def _read_down(run: Evaluation, node: int) -> bool:
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
    if index is None or not code.is_variable(array) or result == anything(code.widths[node]):
        return False
    old = run.cells(array)
    new = old.narrowed(index, result)
    if new == old:
        return False
    if index in new.known and not new.known[index]:
        raise Empty
    run.values[array] = new
    return True


def _bits_down(run: Evaluation, node: int) -> bool:
    code = run.code
    reversal = BIT_REVERSALS[code.kinds[node]]
    parts = code.arguments[node]
    arguments = [run.pieces(part) for part in parts]
    widths = [code.widths[part] for part in parts]
    found = reversal(run.pieces(node), arguments, widths, code.widths[node], code.parameters.get(node, ()))
    return any([run.narrow(part, value) for part, value in zip(parts, found, strict=True)])


_ORDERS = (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT)
_SWAPPED = {
    z3.Z3_OP_LE: z3.Z3_OP_GE,
    z3.Z3_OP_LT: z3.Z3_OP_GT,
    z3.Z3_OP_GE: z3.Z3_OP_LE,
    z3.Z3_OP_GT: z3.Z3_OP_LT,
}
_DENIED = {
    z3.Z3_OP_LE: z3.Z3_OP_GT,
    z3.Z3_OP_LT: z3.Z3_OP_GE,
    z3.Z3_OP_GE: z3.Z3_OP_LT,
    z3.Z3_OP_GT: z3.Z3_OP_LE,
    z3.Z3_OP_EQ: z3.Z3_OP_DISTINCT,
    z3.Z3_OP_DISTINCT: z3.Z3_OP_EQ,
}
_LEAVES = (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_ANUM, z3.Z3_OP_SELECT)
_BIT_ORDERS = {
    z3.Z3_OP_ULEQ: (z3.Z3_OP_LE, False),
    z3.Z3_OP_ULT: (z3.Z3_OP_LT, False),
    z3.Z3_OP_UGEQ: (z3.Z3_OP_GE, False),
    z3.Z3_OP_UGT: (z3.Z3_OP_GT, False),
    z3.Z3_OP_SLEQ: (z3.Z3_OP_LE, True),
    z3.Z3_OP_SLT: (z3.Z3_OP_LT, True),
    z3.Z3_OP_SGEQ: (z3.Z3_OP_GE, True),
    z3.Z3_OP_SGT: (z3.Z3_OP_GT, True),
}


def _bit_order(run: Evaluation, node: int) -> Value:
    plain, is_signed = _BIT_ORDERS[run.code.kinds[node]]
    left, right = run.code.arguments[node]
    one, other = run.pieces(left), run.pieces(right)
    if is_signed:
        width = run.code.widths[left]
        one, other = value_sets.signed(one, width), value_sets.signed(other, width)
    return _compared(plain, one, other)


_UP: dict[int, Up] = {
    z3.Z3_OP_AND: _and,
    z3.Z3_OP_OR: _or,
    z3.Z3_OP_NOT: _not,
    z3.Z3_OP_EQ: _equal,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_ITE: _choice,
    z3.Z3_OP_ADD: _add,
    z3.Z3_OP_SUB: _subtract,
    z3.Z3_OP_MUL: _multiply,
    z3.Z3_OP_UMINUS: _negate,
    z3.Z3_OP_IDIV: _divide,
    z3.Z3_OP_MOD: _modulo,
    z3.Z3_OP_SELECT: _read,
    z3.Z3_OP_STORE: _write,
    z3.Z3_OP_CONST_ARRAY: _filled,
    **dict.fromkeys(_ORDERS, _order),
    **dict.fromkeys(_BIT_ORDERS, _bit_order),
    **dict.fromkeys(BIT_OPERATIONS, _bits),
}
_DOWN: dict[int, Down] = {
    z3.Z3_OP_AND: _and_down,
    z3.Z3_OP_OR: _or_down,
    z3.Z3_OP_NOT: _not_down,
    z3.Z3_OP_EQ: _equal_down,
    z3.Z3_OP_DISTINCT: _distinct_down,
    z3.Z3_OP_ITE: _choice_down,
    z3.Z3_OP_ADD: _add_down,
    z3.Z3_OP_SUB: _subtract_down,
    z3.Z3_OP_MUL: _multiply_down,
    z3.Z3_OP_UMINUS: _negate_down,
    z3.Z3_OP_SELECT: _read_down,
    **dict.fromkeys(_ORDERS, _order_down),
    **dict.fromkeys(_BIT_ORDERS, _bit_order_down),
    **dict.fromkeys(BIT_REVERSALS, _bits_down),
}
