"""Evaluation for all iterations of a cycle at once: values that are affine in the number of the iteration.

Each value says how far it holds: a comparison of affine values keeps its truth up to an iteration that is computed
exactly, and whatever is built from it holds no further.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import z3

from solvers.acceleration.values import Affine, Array, Constant, Filled, Number, Stored, Value, affine, parts

ENDLESS = 1 << 200  # more iterations than any cycle is taken


@dataclass(frozen=True, slots=True)
class Form:
    """A value, right in the iterations 0 <= n < limit. value None: not affine, limit 0."""

    value: Value | None
    limit: int = ENDLESS


UNKNOWN = Form(None, 0)


def _limit(forms: Sequence[Form]) -> int:
    return min((form.limit for form in forms), default=ENDLESS)


def _numbers(forms: Sequence[Form]) -> list[tuple[Number, Number]] | None:
    found = [None if form.value is None else parts(form.value) for form in forms]
    known = [pair for pair in found if pair is not None]
    return known if len(known) == len(found) else None


def _add(*forms: Form) -> Form:
    numbers = _numbers(forms)
    if numbers is None:
        return UNKNOWN
    return Form(affine(sum(a for a, _ in numbers), sum(b for _, b in numbers)), _limit(forms))


def _scale(form: Form, factor: Number) -> Form:
    numbers = _numbers([form])
    return UNKNOWN if numbers is None else Form(affine(numbers[0][0] * factor, numbers[0][1] * factor), form.limit)


def _minus(form: Form) -> Form:
    return _scale(form, -1)


def _sub(first: Form, *others: Form) -> Form:
    return _add(first, *map(_minus, others))


def _mul(*forms: Form) -> Form:
    numbers = _numbers(forms)
    if numbers is None or sum(1 for _, slope in numbers if slope) > 1:
        return UNKNOWN
    start, slope = numbers[0]
    for a, b in numbers[1:]:
        start, slope = start * a, slope * a + start * b
    return Form(affine(start, slope), _limit(forms))


def _mod(form: Form, divisor: Form) -> Form:
    """Of slope b modulo c: the residue goes on by the residue of b of least magnitude until it leaves 0..c-1."""
    numbers = _numbers([form, divisor])
    if numbers is None or numbers[1][1]:
        return UNKNOWN
    (a, b), (c, _) = numbers
    if not c:
        return Form(0, _limit([form, divisor])) if not b else UNKNOWN
    c = c if c > 0 else -c
    rest, step = a % c, (b + c // 2) % c - c // 2
    limit = ENDLESS if not step else math.ceil(Fraction(c - rest, step)) if step > 0 else rest // -step + 1
    return Form(affine(rest, step), min(limit, form.limit, divisor.limit))


def _idiv(form: Form, divisor: Form) -> Form:
    numbers = _numbers([form, divisor])
    if numbers is None or numbers[1][1]:
        return UNKNOWN
    c = numbers[1][0]
    if not c:
        return Form(0, _limit([form, divisor])) if not numbers[0][1] else UNKNOWN
    multiple = _numbers([_sub(form, rest := _mod(form, divisor))])
    assert multiple is not None
    (a, b) = multiple[0]
    return Form(affine(a // c, b // c), rest.limit)


def _divide(form: Form, divisor: Form) -> Form:
    numbers = _numbers([divisor])
    if numbers is None or numbers[0][1] or not numbers[0][0]:
        return UNKNOWN
    scaled = _scale(form, 1 / Fraction(numbers[0][0]))
    return Form(scaled.value, min(scaled.limit, divisor.limit))


def _at_most(left: Form, right: Form, strictly: bool = False) -> Form:
    """left <= right (or <) and how long it stays as it is: left - right = a + b * n."""
    numbers = _numbers([_sub(left, right)])
    if numbers is None:
        return UNKNOWN
    a, b = numbers[0]
    holds = a < 0 if strictly else a <= 0
    limit = ENDLESS
    if holds and b > 0:  # until a + b * n > 0, or >= 0
        limit = math.ceil(Fraction(-a) / b) if strictly else math.floor(Fraction(-a) / b) + 1
    elif not holds and b < 0:  # until a + b * n < 0, or <= 0
        limit = math.floor(Fraction(a) / -b) + 1 if strictly else math.ceil(Fraction(a) / -b)
    return Form(holds, min(limit, left.limit, right.limit))


def _equal(left: Form, right: Form) -> Form:
    numbers, limit = _numbers([left, right]), _limit([left, right])
    if numbers is None:
        if left.value is None or right.value is None:
            return UNKNOWN
        if isinstance(left.value, bool) and isinstance(right.value, bool):
            return Form(left.value == right.value, limit)
        return Form(True, limit) if left.value is right.value else UNKNOWN
    a, b = numbers[0][0] - numbers[1][0], numbers[0][1] - numbers[1][1]
    if not b:
        return Form(a == 0, limit)
    root = Fraction(-a) / b
    meets = root.denominator == 1 and root >= 0
    return Form(True, min(limit, 1)) if not a else Form(False, min(limit, int(root)) if meets else limit)


def _not(form: Form) -> Form:
    return Form(not form.value, form.limit) if isinstance(form.value, bool) else UNKNOWN


def _and(*forms: Form) -> Form:
    """False as long as one part is false, which may be unknown parts' neighbour."""
    false = [form.limit for form in forms if form.value is False]
    if false:
        return Form(False, max(false))
    return Form(True, _limit(forms)) if all(form.value is True for form in forms) else UNKNOWN


def _or(*forms: Form) -> Form:
    return _not(_and(*map(_not, forms)))


def _distinct(*forms: Form) -> Form:
    return _and(*(_not(_equal(a, b)) for i, a in enumerate(forms) for b in forms[:i]))


def _choice(condition: Form, then: Form, otherwise: Form) -> Form:
    if not isinstance(condition.value, bool):
        return UNKNOWN
    branch = then if condition.value else otherwise
    return Form(branch.value, min(branch.limit, condition.limit))


def _store(array: Form, index: Form, value: Form) -> Form:
    if array.value is None or index.value is None or value.value is None:
        return UNKNOWN
    assert isinstance(array.value, Constant | Stored | Filled)
    return Form(Stored(array.value, index.value, value.value), _limit([array, index, value]))


def _select(array: Form, index: Form) -> Form:
    """Down the array: at each node, does it have the cell, and for how long?"""
    limit = _limit([array, index])
    node = array.value
    while limit and node is not None and index.value is not None:
        assert isinstance(node, Constant | Stored | Filled)
        if isinstance(node, Constant):
            return Form(node.value, limit)
        inside, value = _cell(node, index)
        if not isinstance(inside.value, bool):
            return UNKNOWN
        limit = min(limit, inside.limit)
        if inside.value:
            return Form(value.value, min(limit, value.limit))
        node = node.below
    return UNKNOWN


def _cell(node: Stored | Filled, index: Form) -> tuple[Form, Form]:
    """Is the cell of the node, and its value if it is."""
    if isinstance(node, Stored):
        return _equal(index, Form(node.index)), Form(node.value)
    distance = _sub(index, Form(node.start))
    rest = _mod(distance, Form(node.step))
    m = _idiv(distance, Form(node.step))
    hit = _and(_equal(rest, Form(0)), _at_most(Form(0), m), _at_most(m, Form(node.count), strictly=True))
    return hit, _add(Form(node.value), _scale(m, node.slope)) if node.slope else Form(node.value)


def _to_int(form: Form) -> Form:
    numbers = _numbers([form])
    if numbers is None or any(Fraction(part).denominator != 1 for part in numbers[0]):
        return UNKNOWN
    return Form(affine(int(numbers[0][0]), int(numbers[0][1])), form.limit)


def constant_array(value: Form) -> Form:
    return (
        UNKNOWN if value.value is None or isinstance(value.value, Affine) else Form(Constant(value.value), value.limit)
    )


OPERATIONS: Mapping[int, Callable[..., Form]] = {
    z3.Z3_OP_ADD: _add,
    z3.Z3_OP_SUB: _sub,
    z3.Z3_OP_UMINUS: _minus,
    z3.Z3_OP_MUL: _mul,
    z3.Z3_OP_IDIV: _idiv,
    z3.Z3_OP_MOD: _mod,
    z3.Z3_OP_DIV: _divide,
    z3.Z3_OP_LE: _at_most,
    z3.Z3_OP_GE: lambda a, b: _at_most(b, a),
    z3.Z3_OP_LT: lambda a, b: _at_most(a, b, strictly=True),
    z3.Z3_OP_GT: lambda a, b: _at_most(b, a, strictly=True),
    z3.Z3_OP_EQ: _equal,
    z3.Z3_OP_IFF: _equal,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_XOR: _distinct,
    z3.Z3_OP_NOT: _not,
    z3.Z3_OP_AND: _and,
    z3.Z3_OP_OR: _or,
    z3.Z3_OP_IMPLIES: lambda a, b: _or(_not(a), b),
    z3.Z3_OP_ITE: _choice,
    z3.Z3_OP_SELECT: _select,
    z3.Z3_OP_STORE: _store,
    z3.Z3_OP_CONST_ARRAY: constant_array,
    z3.Z3_OP_TO_REAL: lambda form: form,
    z3.Z3_OP_TO_INT: _to_int,
}
"""What z3's operations do with forms. The same operations as in `operations`."""
__all__ = ["ENDLESS", "OPERATIONS", "UNKNOWN", "Array", "Form"]
